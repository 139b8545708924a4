// The small form of an edit: its replacement, category and bounds.

import { couldJoin } from "./edits.js";
import { describePlace } from "./edited.js";
import { word } from "../../words.js";

export function setUpEditForm(part, sentence, { save, leave }) {
  const panel = part("panel");
  const text = part("replacement");
  const category = part("category");
  const joined = part("joined");
  let known = null;
  let at = null;
  let moved = () => {};
  let isFree = () => true;

  const tell = (fault) => (part("fault").textContent = fault ?? "");
  const title = () => {
    part("title").textContent = describePlace(sentence, at);
    part("join").hidden = !couldJoin(sentence, at);
  };
  const help = () => {
    if (category) part("category-help").textContent = category.selectedOptions[0]?.dataset.example ?? "";
    if (category?.value) tell(null);
  };
  const close = () => {
    panel.hidden = true;
    at = null;
    known = null;
    tell(null);
  };
  const cancel = () => {
    close();
    leave();
  };
  const stretchTo = (stretch) => {
    if (stretch.start === stretch.end && at.start < at.end) return; // a click elsewhere does nothing
    const isAsItWas = text.value === sentence.old(at);
    at = { start: stretch.start, end: stretch.end };
    if (isAsItWas && !known) text.value = sentence.old(at);
    title();
  };
  const keep = () => {
    if (category && !category.value && document.activeElement === text) {
      category.focus();
      tell(word("category_wanted"));
      return;
    }
    const draft = { ...at, replacement: text.value, category: category?.value ?? "" };
    const isIdle = !(draft.end > draft.start) && !draft.replacement.trim();
    const lacks = category && !category.value ? word("category_wanted") : null;
    const fault = isIdle ? word("changes_nothing") : lacks;
    const refused = fault ?? save(draft, joined.checked && !part("join").hidden, known);
    tell(refused);
    if (!refused) cancel();
  };
  const stretchBy = (edge, by, way) => {
    const ends = sentence.words.map((one) => one[edge]);
    const to = sentence.moved(at[edge], way, by === "word" ? ends : sentence.stops);
    const next = { ...at, [edge]: to };
    if (to === undefined || next.start > next.end) return;
    if (!isFree(next)) {
      tell(word("overlaps"));
      return;
    }
    tell(null);
    stretchTo(next);
    moved();
  };

  panel.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && !event.target.matches("button")) keep();
    else if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const isFromRight = getComputedStyle(part("editable")).direction === "rtl";
      const way = (event.key === "ArrowRight") === isFromRight ? -1 : 1;
      stretchBy(event.shiftKey ? "start" : "end", "word", way);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  panel.addEventListener("focusin", () => moved());
  part("save").addEventListener("click", keep);
  part("cancel").addEventListener("click", cancel);
  category?.addEventListener("change", help);
  for (const button of panel.querySelectorAll("[data-move]")) {
    const [edge, by, way] = button.dataset.move.split(" ");
    button.addEventListener("click", () => stretchBy(edge, by, Number(way)));
  }

  return {
    close,
    leave: cancel,
    stretchTo,
    get isOpen() {
      return at !== null;
    },
    others: (edits) => edits.filter((edit) => edit !== known),
    stretch: () => (at ? [{ ...at, kind: "marking" }] : []),
    onMove: (free, act) => {
      isFree = free;
      moved = act;
    },
    goOn: (typed) => {
      if (typed !== null) text.value = typed;
      text.focus();
    },
    begin: (edit, typed, before) => {
      known = before;
      at = sentence.trimmed(edit);
      panel.hidden = false;
      text.value = typed ?? (edit.replacement?.trim() || edit.replacement) ?? sentence.old(at);
      if (category) category.value = edit.category;
      joined.checked = Boolean(before) && !/^\s|\s$/.test(edit.replacement);
      help();
      title();
      tell(null);
      (typed === "" && category ? category : text).focus();
      if (typed === null) text.select();
      panel.scrollIntoView({ block: "nearest" });
      if (typed === "" && !category) keep();
    },
  };
}
