// Computes the preview of the plan anew as the organiser types.
import { makeSortable } from "./sorting.js";

const form = document.querySelector("[data-plan]");
const PAUSE = 400;
const REST = 1200;
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
    predict(number);
    button.hidden = true;
    history.replaceState(null, "", address);
  } catch {
    button.hidden = false; // no connection: the organiser tries again
  }
}

// Has judges simulated once the organiser rests, and shows what is known so far.
async function predict(number) {
  const part = document.querySelector("[data-resolution]");
  if (!part) return;
  await pause(REST);
  try {
    let method = "simulates" in part.dataset ? "POST" : "GET";
    do {
      if (number !== newest) return;
      const body = method === "POST" ? new FormData(document.querySelector("#preview form")) : undefined;
      const answer = await fetch(part.dataset.resolution, { method, body });
      if (!answer.ok || answer.redirected || number !== newest) return;
      part.innerHTML = await answer.text();
      method = "GET";
      await pause(REST);
    } while (part.querySelector("[data-waits]"));
  } catch {
    // No connection: what is shown stays, with the link.
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

if (form) {
  predict(newest);
  // Where nothing is previewed yet, the button does so with the values as they are.
  button.hidden = document.getElementById("preview").childElementCount > 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(compute, PAUSE);
  });
}
