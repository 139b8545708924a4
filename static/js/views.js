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
  if (section.querySelector(".edit > del + ins")) {
    const words = [word("hide_old_words"), word("show_old_words")];
    offer({ key: "o", name: "old", words, isOn: true }, (on) => section.classList.toggle("new-only", !on));
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
