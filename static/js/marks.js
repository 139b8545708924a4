// Marks of edits: the judge can hide them, and old words that pop up stay within the card.

import { word } from "./words.js";

const STORAGE_KEY = "marks";

// Adds a button below the candidates and returns its action.
export function offerMarks(list) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet" });
  const show = () => {
    const hidden = localStorage.getItem(STORAGE_KEY) === "hidden";
    list.classList.toggle("plain", hidden);
    button.textContent = hidden ? word("show_marks") : word("hide_marks");
  };
  const turn = () => {
    if (list.classList.contains("plain")) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, "hidden");
    show();
  };
  button.addEventListener("click", turn);
  list.after(button);
  for (const edit of list.querySelectorAll(".substituted")) {
    for (const kind of ["pointerenter", "focus"]) edit.addEventListener(kind, () => keepInside(edit));
  }
  show();
  return turn;
}

// Without this, an edit at the end of a line would show its old words outside the card.
export function keepInside(edit) {
  const old = edit.querySelector("del");
  old.style.translate = "0";
  const room = edit.closest(".candidate").getBoundingClientRect();
  const box = old.getBoundingClientRect();
  old.style.translate = `${Math.min(0, room.right - box.right) + Math.max(0, room.left - box.left)}px`;
}
