// Buttons for the marked edit: verdicts with their keys in the bar that is always in view; below the versions those for
// its bounds, and for errors that are left.

import { word } from "../../js/words.js";

export const BOUNDS = [
  ["split", word("split_in_parts"), "/"],
  ["join", word("join_with_next"), "j"],
  ["left", word("widen_left"), ","],
  ["right", word("widen_right"), "."],
  ["reset", word("as_proposed"), ""],
];

function button(text, key, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.append(text);
  if (key) {
    const hint = document.createElement("kbd");
    hint.ariaHidden = "true";
    hint.textContent = key;
    made.append(" ", hint);
  }
  made.addEventListener("click", act);
  return made;
}

function group(label, ...buttons) {
  const made = document.createElement("span");
  made.role = "group";
  made.ariaLabel = label;
  made.append(...buttons);
  return made;
}

export class Tools {
  constructor(screen, offered, { verdict, change, missed }) {
    this.verdicts = offered.map(([name, label], place) => [name, button(label, place + 1, () => verdict(name))]);
    this.bounds = BOUNDS.map(([name, label, key]) => button(label, key, () => change(name)));
    const row = document.createElement("p");
    row.className = "marking-tools";
    row.append(button(word("mark_missed"), "m", missed), group(word("bounds"), ...this.bounds));
    for (const made of row.querySelectorAll("button")) made.classList.add("quiet");
    screen.form.querySelector(".candidates").after(row);
    const bar = group(word("verdicts"), ...this.verdicts.map(([, made]) => made));
    bar.className = "verdicts";
    screen.form.querySelector(".submit .primary").after(bar);
  }

  // `chosen` is the verdict on the marked edit, or null if none is marked.
  show(chosen) {
    for (const [name, made] of this.verdicts) {
      made.disabled = chosen === null;
      made.setAttribute("aria-pressed", name === chosen);
    }
    for (const made of this.bounds.slice(0, -1)) made.disabled = chosen === null;
  }
}
