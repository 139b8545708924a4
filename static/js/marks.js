// Marks of edits: shown or hidden by the judge's choice, with old words kept within the card.

import { word } from "./words.js";

const SHELF = "marks";

// Adds a button below the candidates and returns its action.
export function offerMarks(list) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet" });
  const show = () => {
    const hidden = localStorage.getItem(SHELF) === "hidden";
    list.classList.toggle("plain", hidden);
    button.textContent = hidden ? word("show_marks") : word("hide_marks");
  };
  const turn = () => {
    if (list.classList.contains("plain")) localStorage.removeItem(SHELF);
    else localStorage.setItem(SHELF, "hidden");
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

// An edit at the end of a line would show its old words beyond the card.
export function keepInside(edit) {
  const old = edit.querySelector("del");
  old.style.translate = "0";
  const room = edit.closest(".candidate").getBoundingClientRect();
  const box = old.getBoundingClientRect();
  old.style.translate = `${Math.min(0, room.right - box.right) + Math.max(0, room.left - box.left)}px`;
}
