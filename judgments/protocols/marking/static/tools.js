// One line of tools below the versions: verdicts on the marked edit with their keys, errors that are left, and bounds. For
// mouse and finger the verdicts come to the edit; on a phone, where they would lie on the ranks, they stay at the thumb.

import { button, placeBeside } from "../../js/beside.js";
import { word } from "../../js/words.js";

export const BOUNDS = [
  ["split", word("split"), "/"],
  ["join", word("join"), "j"],
  ["left", word("left"), ","],
  ["right", word("right"), "."],
  ["reset", word("reset"), ""],
];

const PHONE = "(max-width: 48rem)"; // as in the styles

function group(label, ...buttons) {
  const made = document.createElement("span");
  Object.assign(made, { role: "group", ariaLabel: label });
  made.append(...buttons);
  return made;
}

export class Tools {
  constructor(screen, offered, { verdict, change, missed }) {
    this.section = screen.section;
    this.verdicts = offered.map(([name, label], place) => [name, button(label, place + 1, () => verdict(name))]);
    this.bounds = BOUNDS.map(([name, label, key]) => button(label, key, () => change(name)));
    this.bar = group(word("verdicts"), ...this.verdicts.map(([, made]) => made));
    this.bar.classList.add("verdicts");
    const row = document.createElement("p");
    row.className = "tools marking-tools";
    row.append(this.bar, button(word("mark_missed"), "m", missed), group(word("bounds"), ...this.bounds));
    screen.form.querySelector(".candidates").after(row);
    this.isForPointer = matchMedia("(pointer: coarse)").matches;
    const use = (isForPointer) => {
      this.isForPointer = isForPointer;
      this.place();
    };
    const first = { signal: screen.gone, capture: true };
    document.addEventListener("keydown", () => use(false), first);
    document.addEventListener("pointerdown", ({ target }) => {
      if (!this.bar.contains(target)) use(this.section.contains(target.closest(".edit")));
    }, first);
    addEventListener("resize", () => this.place(), first);
  }

  // The verdict on the marked edit, and its element, if one is marked.
  show(chosen, edit) {
    this.edit = edit;
    for (const [name, made] of this.verdicts) {
      made.disabled = !edit;
      made.setAttribute("aria-pressed", name === chosen);
    }
    for (const made of this.bounds.slice(0, -1)) made.disabled = !edit;
    this.place();
  }

  place() {
    const isBeside = Boolean(this.isForPointer && this.edit && !matchMedia(PHONE).matches);
    this.bar.classList.toggle("at-hand", isBeside);
    Object.assign(this.bar.style, { left: "", top: "" });
    if (!isBeside) return;
    const [edit, sentence] = [this.edit, this.edit.closest(".sentence")].map((one) => one.getBoundingClientRect());
    placeBeside(this.bar, this.section, sentence, edit);
  }
}
