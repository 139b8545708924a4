// Ways of showing the versions: marks of edits, old words in place, and the compact view.

import { addSwitch } from "./switches.js";
import { word } from "./words.js";

export function offerViews(screen) {
  const { form } = screen;
  if (!form.querySelector(".sentence")) return;
  const { section } = screen;
  const row = document.createElement("p");
  row.className = "views";
  form.querySelector(".candidates").after(row);
  const offer = (choice, apply) => {
    const turn = addSwitch(row, choice, screen.gone, (on) => {
      apply(on);
      if (section.classList.contains("compact")) align(section);
    });
    screen.on(choice.key, turn);
  };
  if (section.querySelector(".readings")) {
    const words = [word("whole_sentences"), word("compact_view")];
    offer({ key: "v", name: "compact", words, isOn: form.dataset.compact === "first" }, (on) => {
      section.classList.toggle("compact", on);
      record(form.elements.view, on ? "compact" : "full");
    });
  }
  const marks = [word("hide_marks"), word("show_marks")];
  offer({ key: "e", name: "marks", words: marks, isOn: true }, (on) => section.classList.toggle("plain", !on));
  const substitutions = section.querySelectorAll(".candidates:not(.marking) .substituted");
  if (substitutions.length) {
    const words = [word("hide_old_words"), word("show_old_words")];
    offer({ key: "o", name: "old_words", words }, (on) => section.classList.toggle("old", on));
  }
  for (const edit of substitutions) {
    edit.tabIndex = -1; // a tap shows the old words; the keyboard has a key for all of them
    for (const kind of ["pointerenter", "focus"]) edit.addEventListener(kind, () => keepInside(edit));
  }
}

// The judgment says what its judge has looked at.
function record(field, view) {
  field.value = field.dataset.isKnown && field.value !== view ? "both" : view;
  field.dataset.isKnown = "yes";
}

// Readings of one stretch stand under each other: as wide as the widest of them. The page leaves out those that keep the
// source.
function align(section) {
  const rows = [...section.querySelectorAll(".readings")];
  const size = parseFloat(getComputedStyle(rows[0]).fontSize);
  const { direction } = getComputedStyle(section.querySelector(".source"));
  for (const row of rows) row.dir = direction;
  const stretches = [...section.querySelectorAll(".changed")];
  const columns = stretches.map((_, place) => rows.map((row) => row.children[place]));
  for (const [place, column] of columns.entries()) {
    for (const reading of column) {
      reading.style.width = "";
      if (!reading.hasChildNodes()) reading.textContent = stretches[place].textContent;
    }
  }
  const widths = columns.map((column) => Math.max(...column.map((reading) => reading.getBoundingClientRect().width)));
  for (const [place, column] of columns.entries()) {
    for (const reading of column) reading.style.width = `${widths[place] / size + 0.05}em`;
  }
}

// Without this, an edit at the end of a line would show its old words outside the card.
function keepInside(edit) {
  const old = edit.querySelector("del");
  old.style.translate = "0";
  const room = edit.closest(".candidate, .sentence").getBoundingClientRect();
  const box = old.getBoundingClientRect();
  old.style.translate = `${Math.min(0, room.right - box.right) + Math.max(0, room.left - box.left)}px`;
}
