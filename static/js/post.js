// Sends something to the server, and tells a lost connection from a lost session.

export class SignedOut extends Error {}

// The token is read anew each time: signing in again, in another tab, changes it.
function token() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

export async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: "POST",
    body,
    headers: { ...headers, Accept: "application/json", "X-CSRFToken": token() },
    redirect: "manual",
  });
  if (answer.type === "opaqueredirect" || answer.status === 403) throw new SignedOut();
  if (answer.status >= 500) throw new Error(String(answer.status));
  return answer;
}

// What to tell about an error of `post`.
export function reason(error) {
  if (error instanceof SignedOut) {
    return "You are signed out. Open the link of your invitation in another tab; what you answered is kept here.";
  }
  return "No connection: what you answered is kept in this browser and sent when it returns.";
}
