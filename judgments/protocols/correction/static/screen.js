// Corrections: the judge types in the sentence as in any text field; the edits are derived from it at every change and
// listed below it with a proposed category. The judge can choose categories, and join and split edits.

import { choice, choicesOf, divided, parts } from "../../js/texts/choices.js";
import { corrected, derived, inOrder, joined, old, tidied } from "../../js/texts/edits.js";
import { Field } from "./field.js";
import { List } from "./list.js";
import { propose } from "./proposals.js";
import { inPoints, inUnits } from "../../js/texts/points.js";
import { drive } from "../../js/protocol.js";
import { word } from "../../js/words.js";

const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const hiddenOf = (card) => card.querySelector("[data-edits]");
const fineOf = (card) => card.querySelector("[name=fine_1]");
const editsOf = (card) => JSON.parse(hiddenOf(card).value || "[]");
const offeredIn = (card) =>
  [...card.querySelector("[data-row]").content.querySelectorAll("option")].map(({ value }) => value).filter(Boolean);

const isAnswered = (card) => missing(null, card) === null;

function missing(_, card) {
  const edits = editsOf(card);
  const { mostEdits, longest } = card.querySelector(".correction").dataset;
  if (edits.length > 0 === fineOf(card).checked) return word("no_edits_yet");
  const { source } = card.querySelector(".correction").dataset;
  if (!corrected(source, read(hiddenOf(card).value, source)).trim()) return word("nothing_left");
  if (edits.length > mostEdits) return word("too_many_edits", { most: mostEdits });
  if (edits.some((edit) => [...edit.replacement].length > longest)) return word("edit_too_long", { most: longest });
  if (edits.some((edit) => NOT_IN_A_LINE.test(edit.replacement))) return word("no_line");
  const isLacking = offeredIn(card).length > 0 && edits.some((edit) => !edit.category);
  return isLacking ? word("category_lacking") : null;
}

const read = (json, source) => inOrder(inUnits(source, JSON.parse(json || "[]")));

function write(edits, source) {
  const rows = edits.map(({ start, end, replacement, category, proposed }) => {
    return { start, end, replacement, category, proposed };
  });
  return JSON.stringify(inPoints(source, rows));
}

// Adds the places of edits in the text as written, which may have more spaces than the text that they make.
function placed(edits, units) {
  let shift = 0;
  return edits.map((edit) => {
    const start = edit.start + shift;
    const end = start + edit.replacement.length;
    shift += edit.replacement.length - (edit.end - edit.start);
    if (start < end) return { ...edit, from: units[start], to: units[end - 1] + 1 };
    const place = start ? units[start - 1] + 1 : 0;
    return { ...edit, from: place, to: place };
  });
}

function setUp(screen) {
  const [card] = screen.cards;
  const part = (name) => card.querySelector(`[data-${name}]`);
  const area = card.querySelector("textarea");
  const { source } = card.querySelector(".correction").dataset;
  const fine = fineOf(card);
  const offered = offeredIn(card);
  const keyOf = (edit) => `${edit.start} ${edit.end}`;
  const isEnglish = /^en\b/.test(area.closest("[lang]").lang);
  const stored = read(hiddenOf(card).value, source);
  // The organiser may have changed the categories since the edits were made.
  const known = stored.filter(({ category, proposed }) => offered.includes(category) && !proposed);
  const chosen = new Map(known.map((edit) => [keyOf(edit), edit.category]));
  let choices = choicesOf(stored, derived(source, corrected(source, stored)));
  let edits = [];

  const field = new Field(area, part("mirror"), {
    changed: update,
    enter: (event) => {
      if (event.repeat) return;
      if (event.ctrlKey || event.metaKey) sayFine(!fine.checked);
      else if (!goToLacking()) screen.form.requestSubmit();
    },
    categories: () => {
      const at = edits.findLastIndex((edit) => edit.from <= field.selection.start);
      (list.selects[Math.max(at, 0)] ?? list.element.querySelector("button"))?.focus();
    },
  });

  const list = new List(part("list"), part("row"), source, {
    go: (edit) => field.select({ start: edit.from, end: edit.to }),
    remove: (edit) => field.replace({ start: edit.from, end: edit.to }, old(source, edit)),
    split: (edit) => divide(parts(source, edit), edit),
    join: (edit, next) => divide([joined(source, [edit, next])], edit),
    choose: (edit, category) => {
      chosen.set(keyOf(edit), category);
      Object.assign(edit, { category, proposed: undefined });
      keep();
      screen.changed();
    },
    leave: begin,
  });

  function withCategory(edit) {
    const category = chosen.get(keyOf(edit));
    if (category || !offered.length) return { ...edit, category: category ?? "" };
    const about = { old: old(source, edit), now: edit.replacement, before: source.slice(0, edit.start), isEnglish };
    const proposal = propose(about, offered);
    return { ...edit, category: proposal, proposed: proposal ? true : undefined };
  }

  function update() {
    const { text, units } = tidied(source, field.text);
    edits = placed(divided(source, derived(source, text), choices).map(withCategory), units);
    if (edits.length) fine.checked = false;
    keep();
    field.draw(edits);
    list.draw(edits);
    sayState();
  }

  function begin() {
    area.focus({ preventScroll: true });
  }

  const keep = () => (hiddenOf(card).value = write(edits, source));

  function sayState() {
    const none = fine.checked ? word("fine_said") : word("no_edits_yet");
    screen.say(edits.length ? word("edits_made", { count: edits.length }) : none);
  }

  // Divides the stretch of an edit as the judge wants it.
  function divide(made, edit) {
    const wanted = choice(made);
    choices = [...choices.filter((other) => other.end < wanted.start || wanted.end < other.start), wanted];
    if (!chosen.has(keyOf(made[0])) && chosen.has(keyOf(edit))) chosen.set(keyOf(made[0]), chosen.get(keyOf(edit)));
    update();
    screen.changed();
    list.element.children[edits.findIndex(({ start }) => start === made[0].start)]?.querySelector("button").focus();
  }

  function goToLacking() {
    const lacking = list.selects.find((select) => !select.value);
    if (lacking) {
      lacking.focus();
      screen.say(word("category_lacking"));
    }
    return Boolean(lacking);
  }

  function sayFine(isFine) {
    fine.checked = isFine && !edits.length;
    sayState();
    if (isFine && edits.length) screen.say(word("fine_or_edits"));
    screen.changed();
  }

  hiddenOf(card).disabled = false;
  for (const name of ["mirror", "undo", "redo"]) part(name).hidden = false;
  card.querySelector(".changes").hidden = false;
  area.removeAttribute("name"); // the edits are sent
  area.rows = 1;
  area.value = corrected(source, stored);
  area.setSelectionRange(0, 0);
  area.setAttribute("aria-describedby", "how_to_correct");
  part("undo").addEventListener("click", () => field.travel("undo"));
  part("redo").addEventListener("click", () => field.travel("redo"));
  fine.addEventListener("change", () => sayFine(fine.checked));
  screen.on("n", () => sayFine(!fine.checked));
  // Where there is a keyboard, typing can begin at once; on a phone it would cover the screen.
  card.addEventListener("focus", () => matchMedia("(pointer: fine)").matches && (goToLacking() || begin()));
  update();
}

drive({ isAnswered, missing, setUp });
