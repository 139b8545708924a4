// Fills in what is computed while one reads, copies paragraphs, and prints all chapters.
import { makeSortable } from "./sorting.js";

function prepare(page) {
  for (const mark of page.querySelectorAll("[data-href]")) {
    mark.addEventListener("click", () => location.assign(mark.dataset.href));
  }
  for (const button of page.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) break; // not on plain HTTP
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.closest(".paste").querySelector("pre").textContent);
      button.textContent = "Copied";
    });
  }
}

function isOpen(part, chapter) {
  const name = chapter.querySelector("summary").textContent;
  return [...part.querySelectorAll("details[open] > summary")].some(({ textContent }) => textContent === name);
}

// Replaces each part by its newer version, unless somebody is at work in it; open chapters stay open.
async function fillIn() {
  const response = await fetch(location.href);
  const newer = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const fresh = newer.getElementById(part.id);
    if (!fresh || part.contains(document.activeElement)) continue;
    for (const chapter of fresh.querySelectorAll("details")) chapter.open = isOpen(part, chapter);
    part.replaceWith(fresh);
    makeSortable(fresh);
    prepare(fresh);
  }
}

let closed = [];

function openAll() {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const chapter of closed) chapter.open = true;
}

function closeAgain() {
  for (const chapter of closed) chapter.open = false;
}

prepare(document);
document.addEventListener("more-to-show", fillIn);
addEventListener("beforeprint", openAll);
addEventListener("afterprint", closeAgain);
