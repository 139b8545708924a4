// Sends requests to the server, and distinguishes a lost connection from an expired session.

import { word } from "./words.js";

export class SignedOut extends Error {}

const LONGEST_WAIT = 20_000; // after that, a hanging connection counts as lost
const TOKEN = "csrfmiddlewaretoken";

// Read for each request: signing in again, here or in another tab, changes it.
function token() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

// Updates the token in the plain forms of the page.
export function freshenForms() {
  for (const field of document.querySelectorAll(`input[name=${TOKEN}]`)) field.value = token();
}

export function send(url, fields, redirect = "manual") {
  const body = new URLSearchParams(fields);
  body.delete(TOKEN); // as old as the page, and Django prefers it to the header
  const headers = { Accept: redirect === "manual" ? "application/json" : "text/html", "X-CSRFToken": token() };
  return fetch(url, { method: "POST", body, headers, redirect, signal: AbortSignal.timeout(LONGEST_WAIT) });
}

// Returns the server's answer; throws if it is a sign-in page or a refusal, which mean another session.
export async function post(url, fields, redirect) {
  const answer = await send(url, fields, redirect);
  const isAway = answer.type === "opaqueredirect" || answer.url.includes("/sign-in/");
  if (isAway || answer.status === 403 || answer.status === 404) throw new SignedOut();
  if (answer.status >= 500) throw new Error(String(answer.status));
  return answer;
}

// The message for an error of `post`.
export function reason(error) {
  if (error instanceof SignedOut) return word("signed_out");
  return word("no_connection");
}
