// Signs in again without leaving the screen: by the judge's own link with one click, or with name and password.

import { freshenForms, send } from "./post.js";
import { word } from "./words.js";

export function offerSignIn(buttons, gone) {
  const dialog = document.querySelector("dialog.sign-in");
  const form = dialog.querySelector("form");
  const fault = dialog.querySelector("[data-fault]");
  const tell = (text) => {
    fault.hidden = !text;
    fault.textContent = text;
  };
  const signIn = async () => {
    const trouble = await attempt(form);
    tell(trouble);
    if (trouble) return;
    freshenForms();
    dialog.close();
    dispatchEvent(new Event("online")); // sends waiting answers
  };
  for (const button of buttons) button.addEventListener("click", () => dialog.showModal(), { signal: gone });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signIn();
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
}

// Returns an error message, or an empty string on success, when the server redirects.
async function attempt(form) {
  try {
    const answer = await send(form.action, new FormData(form));
    if (answer.type === "opaqueredirect") return "";
    return answer.ok ? word("wrong_password") : word("dead_link");
  } catch {
    return word("no_answer");
  }
}
