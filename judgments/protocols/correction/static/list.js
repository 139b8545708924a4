// The list of edits: old and new text, the category, and buttons to join, split and remove them.

import { areNear, parts } from "../../js/texts/choices.js";
import { old } from "../../js/texts/edits.js";
import { wordsOf } from "../../js/texts/tokens.js";
import { describe, word } from "../../js/words.js";

function element(name, className, text) {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

// Shows the old and new text; for an insertion, the words on both sides.
function what(source, edit) {
  const [before, now] = [old(source, edit), edit.replacement];
  const shown = [];
  if (before) shown.push(element("del", "", before.trim() || "␣"));
  if (before && now) shown.push(element("span", "becomes", ""));
  if (now) shown.push(element("ins", "", now.trim() || "␣"));
  if (before) return shown;
  const words = wordsOf(source);
  const [left, right] = [words.findLast(({ end }) => end <= edit.start), words.find(({ start }) => start >= edit.end)];
  const beside = (place) => element("span", "faded", place ? old(source, place) : "");
  return [beside(left), " ", ...shown, " ", beside(right)];
}

export class List {
  // `listener` has an action for each button, and for a chosen category.
  constructor(element, template, source, listener) {
    Object.assign(this, { element, template, source, listener });
    element.addEventListener("keydown", (event) => this.press(event));
  }

  get selects() {
    return [...this.element.querySelectorAll("select")];
  }

  // The text below stays where it is on the page as far as that can scroll.
  draw(edits) {
    const { bottom } = this.element.getBoundingClientRect();
    this.element.replaceChildren(...edits.map((edit, place) => this.row(edit, edits[place + 1])));
    scrollBy(0, this.element.getBoundingClientRect().bottom - bottom);
  }

  row(edit, next) {
    const { source, listener } = this;
    const row = this.template.content.cloneNode(true).firstElementChild;
    const text = describe(old(source, edit), edit.replacement);
    row.querySelector(".what").append(...what(source, edit));
    const button = (name, label, isOffered = true) => {
      const found = row.querySelector(`[data-${name}]`);
      if (!isOffered) return found.remove();
      found.setAttribute("aria-label", label);
      found.addEventListener("click", () => listener[name](edit, next));
    };
    button("go", word("go_edit", { edit: text }));
    button("split", word("split_edit", { edit: text }), parts(source, edit).length > 1);
    button("join", word("join_edit", { edit: text }), Boolean(next) && areNear(source, edit, next));
    button("remove", word("remove_edit", { edit: text }));
    const select = row.querySelector("select");
    if (select) {
      const [chosen, proposed] = [word("category_of", { edit: text }), word("proposed_category", { edit: text })];
      select.value = edit.category;
      select.setAttribute("aria-label", edit.proposed ? proposed : chosen);
      const choose = () => {
        if (!select.value) return;
        row.classList.remove("only-proposed");
        select.setAttribute("aria-label", chosen);
        listener.choose(edit, select.value);
      };
      select.addEventListener("change", choose);
      select.addEventListener("keydown", (event) => event.key === "Enter" && choose());
    }
    row.classList.toggle("only-proposed", Boolean(edit.proposed));
    return row;
  }

  press(event) {
    if (event.key !== "Escape" && !(event.key === "Enter" && event.target.matches("select"))) return;
    event.preventDefault();
    event.stopPropagation();
    const lacking = event.key === "Enter" && this.selects.find((select) => !select.value);
    if (lacking) lacking.focus();
    else this.listener.leave();
  }
}
