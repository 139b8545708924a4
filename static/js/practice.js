// A screen to try, in the tutorial or an organiser's preview: the same keys as on a judging screen, and a plain form
// submission. Nothing is kept in the browser. Where an answer to an example differs is shown below it.
import "./enter.js";
import { protocol, showMissing } from "./protocol.js";
import { Screen } from "./screen.js";
import { offerViews } from "./views.js";

const form = document.querySelector(".active form.answers") ?? document.querySelector("form.answers");
if (!form.inert) {
  form.noValidate = true; // the status line says what is missing
  const screen = new Screen(form, new AbortController().signal);
  protocol.setUp(screen);
  offerViews([screen]);
  form.addEventListener("submit", (event) => {
    const isOpen = showMissing(screen);
    if (isOpen || "example" in form.dataset) event.preventDefault();
    if (!isOpen && event.defaultPrevented) compare(screen);
  });
  screen.on("Enter", (event) => (event.target.matches("button, a, summary") ? false : form.requestSubmit()));
  if (document.querySelector(".screen:not(.active)")) screen.section.scrollIntoView({ block: "start" });
  screen.begin();
}

// The server's page has the comparison; one with errors, or none, is left to the browser.
async function compare(screen) {
  const body = new FormData(form);
  screen.freeze(true);
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const compared = page.querySelector(".compared");
  if (!compared) return form.submit();
  screen.isActive = false; // it has no button when the phone is turned
  form.querySelector(".submit").remove();
  form.after(compared);
  compared.querySelector(".primary").focus();
}
