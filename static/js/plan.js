// Computes the preview of the plan anew as the organiser types.
import { makeSortable } from "./sorting.js";

const form = document.querySelector("[data-plan]");
const PAUSE = 400;
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
    history.replaceState(null, "", address);
  } catch {
    form.querySelector("button").hidden = false; // no connection: the organiser tries again
  }
}

if (form) {
  form.querySelector("button").hidden = true;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(compute, PAUSE);
  });
}
