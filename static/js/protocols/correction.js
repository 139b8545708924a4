// Corrections: the judge marks a stretch of the sentence, or a place in it, and writes the replacement into a small
// form. The result is a list of edits, each of which can be changed, moved, removed and undone.

import { Editable } from "./correction/editable.js";
import { setUpEditForm } from "./correction/editform.js";
import { drawCorrected, describe, describePlace, row } from "./correction/edited.js";
import { clash, inOrder, pieces, Sentence, tidied } from "./correction/edits.js";
import { drive } from "../protocol.js";
import { word } from "../words.js";

const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const hiddenOf = (card) => card.querySelector("[data-edits]");
const fineOf = (card) => card.querySelector("[name=fine_1]");
const editsOf = (card) => JSON.parse(hiddenOf(card).value || "[]");
const isWriting = (card) => !card.querySelector("[data-panel]").hidden;
const offeredIn = (card) => [...card.querySelectorAll("[data-category] option")].map((option) => option.value);
const lacksCategory = (card) => {
  const offered = offeredIn(card);
  return offered.length > 0 && editsOf(card).some(({ category }) => !category || !offered.includes(category));
};

function isAnswered(card) {
  if (isWriting(card) || lacksCategory(card)) return false;
  return editsOf(card).length > 0 !== fineOf(card).checked;
}

function missing(number, card) {
  if (isWriting(card)) return word("edit_open");
  return lacksCategory(card) ? word("category_lacking") : word("no_edits_yet");
}

function setUp(screen) {
  const [card] = screen.cards;
  const part = (name) => card.querySelector(`[data-${name}]`);
  const editor = card.querySelector(".editor");
  const { source, words, stops } = editor.dataset;
  const [mostEdits, longest] = [Number(editor.dataset.mostEdits), Number(editor.dataset.longest)];
  const sentence = new Sentence(source, words, stops);
  const fine = fineOf(card);
  const offered = offeredIn(card);
  const known = sentence.read(hiddenOf(card).value);
  // The organiser may have changed the categories since the edits were made.
  let edits = inOrder(known.map((edit) => ({ ...edit, category: offered.includes(edit.category) ? edit.category : "" })));
  if (edits.length) fine.checked = false; // edits kept by this browser are newer than the checkbox
  const past = [];
  const future = [];
  const writing = setUpEditForm(part, sentence, { save, leave });

  const editable = new Editable(part("editable"), sentence, {
    gone: screen.gone,
    marked: offer,
    typed: open,
    history: (isUndo) => (isUndo ? undo() : redo()),
    escape: () => {
      if (writing.isOpen) writing.leave();
      else if (editable.mark) editable.drop();
      else return false;
      return true;
    },
  });

  let isRefused = false; // whether the mark overlaps an edit

  // The mark can become the new bounds of the edit being written, a new edit, or select the edit around it.
  function offer(mark) {
    const button = part("open");
    button.disabled = true;
    button.textContent = word("mark_something");
    part("marked").textContent = "";
    const { found, within } = mark ? clash(writing.others(edits), mark) : { found: [] };
    const overlaps = found.length > 0 && !within;
    if (overlaps) screen.say(word("overlaps"));
    else if (isRefused) screen.say(edits.length ? word("edits_made", { count: edits.length }) : word("no_edits_yet"));
    isRefused = overlaps;
    if (overlaps) button.textContent = word("overlaps");
    if (overlaps || !mark) return;
    if (writing.isOpen && !within) writing.stretchTo(mark);
    button.disabled = false;
    const edit = within && describe(sentence, within);
    button.textContent = within ? word("change_edit", { edit }) : describePlace(sentence, mark);
    part("marked").textContent = button.textContent;
  }

  // Starts an edit at the mark, with the typed text as its replacement.
  function open(typed = null) {
    const { mark } = editable;
    if (!mark) return;
    const { found, within } = clash(writing.others(edits), mark);
    if (found.length && !within) {
      screen.say(word("overlaps"));
      return;
    }
    if (writing.isOpen && !within) writing.goOn(typed);
    else writing.begin(within ?? { ...mark, replacement: null, category: "" }, typed, within);
    draw();
  }

  function save(draft, isJoined, known) {
    const others = edits.filter((edit) => edit !== known);
    const ways = tidied(sentence, draft, isJoined);
    const made = ways.find((way) => !clash(others, way).found.length);
    if (!made) return word("overlaps");
    if (sentence.old(made) === made.replacement) return word("changes_nothing");
    if (NOT_IN_A_LINE.test(made.replacement)) return word("no_line");
    if ([...made.replacement].length > longest) return word("edit_too_long", { most: longest });
    if (others.length >= mostEdits) return word("too_many_edits", { most: mostEdits });
    const edit = describe(sentence, made);
    commit(inOrder([...others, made]), false, word("edit_saved", { edit }));
    editable.resume = made.end;
    screen.rest();
    return null;
  }

  function leave() {
    editable.set(null);
    draw();
    editable.element.focus({ preventScroll: true });
  }

  // Enters the next state, which can be undone and survives a reload.
  function commit(next, isFine, message) {
    past.push({ edits, isFine: wasFine });
    future.length = 0;
    take({ edits: next, isFine }, message);
  }

  let wasFine = fine.checked;
  function take(state, message) {
    edits = state.edits;
    wasFine = state.isFine;
    fine.checked = state.isFine;
    const isInList = part("list").contains(document.activeElement);
    draw();
    if (isInList) editable.element.focus({ preventScroll: true });
    screen.say(message);
    screen.changed();
  }

  function travel(from, to, message, none) {
    if (writing.isOpen) writing.close();
    const state = from.pop();
    if (!state) {
      screen.say(none);
      return;
    }
    to.push({ edits, isFine: wasFine });
    editable.set(null);
    take(state, message);
  }
  const undo = () => travel(past, future, word("undone"), word("nothing_to_undo"));
  const redo = () => travel(future, past, word("redone"), word("nothing_to_redo"));

  function sayFine(isFine) {
    if (isFine && (edits.length || writing.isOpen)) {
      fine.checked = false;
      screen.say(word("fine_or_edits"));
      return;
    }
    editable.set(null);
    commit(edits, isFine, isFine ? word("fine_said") : word("no_edits_yet"));
  }

  function remove(gone) {
    if (writing.isOpen) writing.close();
    editable.resume = gone.start;
    const edit = describe(sentence, gone);
    const left = edits.filter((other) => other !== gone);
    commit(left, false, word("edit_removed", { edit }));
  }

  function change(edit) {
    editable.set(null);
    writing.begin(edit, null, edit);
    draw();
  }

  function draw() {
    hiddenOf(card).value = sentence.write(edits);
    const shown = writing.others(edits).map((edit) => ({ ...sentence.trimmed(edit), kind: "edited" }));
    editable.draw(inOrder([...shown, ...writing.stretch()]));
    part("list").replaceChildren(...edits.map((edit) => row(sentence, edit, change, remove)));
    drawCorrected(part("corrected"), pieces(sentence.text, edits));
    part("made").hidden = !edits.length;
    part("undo").disabled = !past.length;
    part("redo").disabled = !future.length;
  }

  writing.onMove((stretch) => clash(writing.others(edits), stretch).found.length === 0, draw);
  document.querySelector(".near").hidden = true; // the editor shows the sentence
  hiddenOf(card).disabled = false;
  const rewritten = card.querySelector(".rewritten");
  rewritten.hidden = true;
  rewritten.querySelector("textarea").disabled = true;
  editor.hidden = false;
  part("open").addEventListener("click", () => open());
  part("undo").addEventListener("click", undo);
  part("redo").addEventListener("click", redo);
  fine.addEventListener("change", () => sayFine(fine.checked));
  screen.on("n", () => sayFine(!fine.checked));
  screen.on("z", undo);
  screen.on("Z", redo);
  for (const key of ["ArrowLeft", "ArrowRight"]) screen.on(key, (event) => editable.press(event));
  document.addEventListener("keydown", (event) => travelByKeys(event, undo, redo), { signal: screen.gone });
  offer(null);
  draw();
  card.querySelector(".stretch").dir = getComputedStyle(editable.element).direction;
  screen.say(edits.length ? word("edits_made", { count: edits.length }) : word("no_edits_yet"));
}

function travelByKeys(event, undo, redo) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

drive({ isAnswered, missing, setUp });
