// Ways of showing the versions: marks of edits, old words in place, and the compact view. Each is switched by a key or
// a button, and the choice is kept in this browser.

import { keepInside } from "./marks.js";
import { word } from "./words.js";

export function offerViews(screen) {
  const { form } = screen;
  if (!form.querySelector(".candidate .sentence")) return;
  const main = form.closest("main");
  const row = document.createElement("p");
  row.className = "views";
  form.querySelector(".candidates").after(row);
  const offer = (key, name, isOn, apply) => {
    const turn = addSwitch(row, key, name, isOn, (on) => {
      apply(on);
      if (main.classList.contains("compact")) align(main);
    });
    screen.on(key, turn);
  };
  const readings = main.querySelector(".readings");
  if (readings) offer("v", "compact", form.dataset.compact === "first", (on) => {
    main.classList.toggle("compact", on);
    record(form.elements.view, on ? "compact" : "full");
  });
  offer("e", "marks", true, (on) => main.classList.toggle("plain", !on));
  const substitutions = main.querySelectorAll(".substituted");
  if (substitutions.length) offer("o", "old_words", false, (on) => main.classList.toggle("old", on));
  for (const edit of substitutions) {
    for (const kind of ["pointerenter", "focus"]) edit.addEventListener(kind, () => keepInside(edit));
  }
}

// Adds a button and returns its action.
function addSwitch(row, key, name, isOnAtFirst, apply) {
  let isOn = (localStorage.getItem(name) ?? (isOnAtFirst ? "on" : "off")) === "on";
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet" });
  const hint = document.createElement("kbd");
  hint.textContent = key;
  const show = () => {
    apply(isOn);
    button.replaceChildren(word(`${isOn ? "hide" : "show"}_${name}`), " ", hint);
  };
  const turn = () => {
    isOn = !isOn;
    localStorage.setItem(name, isOn ? "on" : "off");
    show();
  };
  button.addEventListener("click", turn);
  row.append(button);
  show();
  return turn;
}

// The judgment says what its judge has looked at.
function record(field, view) {
  field.value = field.dataset.isKnown && field.value !== view ? "both" : view;
  field.dataset.isKnown = "yes";
}

// Readings of one stretch stand under each other: as wide as the widest of them. The page leaves out those that keep the
// source.
function align(main) {
  const rows = [...main.querySelectorAll(".readings")];
  const size = parseFloat(getComputedStyle(rows[0]).fontSize);
  const { direction } = getComputedStyle(main.querySelector(".source"));
  for (const row of rows) row.dir = direction;
  const stretches = [...main.querySelectorAll(".changed")];
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
