// Ways of showing the versions of all screens of a page: whole or compact, marks of edits, and old words in place.

import { addSwitch } from "./switches.js";
import { word } from "./words.js";

const SMALL = "(max-width: 48rem), (max-height: 30rem)"; // where whole sentences of all versions have no room

export function offerViews(screens) {
  const main = document.querySelector("main");
  if (!main.querySelector(".candidates .sentence, .texts")) return;
  const row = document.querySelector(".views");
  const sections = screens.map(({ section }) => section);
  const offer = (choice, apply) => {
    const turn = addSwitch(row, choice, (on) => {
      apply(on);
      if (main.classList.contains("compact")) sections.forEach(align);
    });
    for (const screen of screens) screen.on(choice.key, turn);
  };
  if (main.querySelector(".readings")) {
    const isOn = screens[0].form.dataset.compact === "first" || matchMedia(SMALL).matches;
    offer({ key: "v", name: "compact", label: word("compact"), other: word("full"), isOn }, (on) => {
      main.classList.toggle("compact", on);
      for (const { form } of screens) record(form.elements.view, on ? "compact" : "full");
    });
  }
  offer({ key: "e", name: "marks", label: word("marks"), isOn: true }, (on) => main.classList.toggle("plain", !on));
  if (main.querySelector(".edit > del + ins")) {
    offer({ key: "o", name: "old", label: word("old_words"), isOn: true }, (on) => main.classList.toggle("new-only", !on));
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
  if (!rows.length) return;
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
