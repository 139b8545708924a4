// Computes the preview of the plan anew as the organiser types.
import { makeSortable } from "./sorting.js";

const form = document.querySelector("[data-plan]");
const PAUSE = 400;
const button = form?.querySelector("button");
let waiting;
let newest = 0;

async function compute() {
  const number = ++newest;
  const address = `?${new URLSearchParams(new FormData(form))}`;
  try {
    const response = await fetch(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("preview");
    if (number !== newest || !fresh) return;
    document.getElementById("preview").replaceWith(fresh);
    makeSortable(fresh);
    button.hidden = true;
    history.replaceState(null, "", address);
  } catch {
    button.hidden = false; // no connection: the organiser tries again
  }
}

if (form) {
  // Where nothing is previewed yet, the button does so with the values as they are.
  button.hidden = document.getElementById("preview").childElementCount > 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(compute, PAUSE);
  });
}
