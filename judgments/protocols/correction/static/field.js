// The text field with the corrected sentence. A click marks a word, so that typing replaces it; everything else is the
// browser's own text field: moving, selecting, undoing, composing. A copy of the text behind the field (`mirror`) draws
// the edits and knows where on the page a word is.

import { SPACE, wordsOf } from "../../js/texts/tokens.js";

const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LINE_ENDS = /[\r\n]+/g;
const CLOSING = /[\p{Pe}\p{Pf}.,;:!?%…’”。、]/u;
const OPENING = /[\p{Ps}\p{Pi}“‘]/u;
const WAYS = { ArrowLeft: -1, ArrowRight: 1 };

export class Field {
  // `listener` receives changes and the keys that leave the field.
  constructor(area, mirror, listener) {
    Object.assign(this, { area, mirror, listener, before: null });
    area.addEventListener("input", () => this.change());
    area.addEventListener("keydown", (event) => event.isComposing || this.press(event));
    area.addEventListener("paste", (event) => this.paste(event));
    area.addEventListener("pointerdown", () => (this.before = document.activeElement === area ? this.selection : null));
    area.addEventListener("click", (event) => this.click(event));
  }

  get selection() {
    return { start: this.area.selectionStart, end: this.area.selectionEnd };
  }

  get text() {
    return this.area.value;
  }

  select({ start, end }) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
  }

  // Replaces a stretch such that the browser can undo it.
  replace(stretch, text) {
    this.select(stretch);
    document.execCommand(text ? "insertText" : "delete", false, text);
  }

  // Undoes or redoes what was typed or deleted back to a space, or to the marked word that it replaced: with the marks redrawn
  // at every letter, browsers take each letter for a step of its own.
  travel(command) {
    this.area.focus({ preventScroll: true });
    const isUndo = command === "undo";
    let step = 0;
    for (;;) {
      const [before, here] = [this.text, this.selection];
      document.execCommand(command);
      const by = this.text.length - before.length;
      const [marked, cursor] = isUndo ? [this.selection, here] : [here, this.selection];
      const isFirstLetter = marked.start < marked.end && cursor.start === marked.start + 1 && cursor.end === cursor.start;
      if (isFirstLetter && isUndo && step < 1) return null;
      if (isFirstLetter && !isUndo && !step) {
        step = 1;
        continue;
      }
      if (step && by && by !== step) return document.execCommand(isUndo ? "redo" : "undo");
      const [longer, shorter] = by > 0 ? [this.text, before] : [before, this.text];
      const at = [...Array(longer.length).keys()].find((place) => longer[place] !== shorter[place]);
      if (Math.abs(by) !== 1 || SPACE.test(longer[at])) return null;
      step = by;
    }
  }

  change() {
    const { area } = this;
    if (area.value.search(LINE_ENDS) >= 0) {
      const { start } = this.selection;
      area.value = area.value.replace(LINE_ENDS, " ");
      area.setSelectionRange(start, start);
    }
    this.listener.changed();
  }

  paste(event) {
    const text = event.clipboardData.getData("text/plain");
    if (text.search(NOT_IN_A_LINE) < 0) return;
    event.preventDefault();
    this.replace(this.selection, text.trim().replace(/\s+/g, " ").replace(NOT_IN_A_LINE, ""));
  }

  // A click on a word marks it; a click on the marked word, or into the word with the cursor, places the cursor.
  click({ clientX, clientY, detail }) {
    const { before, selection } = this;
    const isSame = (one, other) => one?.start === other.start && one.end === other.end;
    const isDragged = detail === 1 && selection.start < selection.end && !isSame(before, selection);
    const caret = document.caretPositionFromPoint?.(clientX, clientY);
    const at = caret?.offsetNode === this.area ? caret.offset : selection.start;
    const isHere = (word) => word.start <= at && at <= word.end && this.isOn(word, clientX, clientY);
    const word = isDragged ? null : wordsOf(this.text).find(isHere);
    if (!word) return;
    const hasCursor = before?.start === before?.end && word.start < before?.start && before?.start < word.end;
    if (isSame(before, word) || (hasCursor && detail === 1)) this.select({ start: at, end: at });
    else this.select(word);
  }

  isOn(stretch, x, y) {
    return this.rectangles(stretch).some(
      ({ left, right, top, bottom }) => left <= x && x <= right && top - 1 <= y && y <= bottom + 1,
    );
  }

  rectangles({ start, end }) {
    const range = document.createRange();
    range.setStart(...this.point(start));
    range.setEnd(...this.point(end));
    return [...range.getClientRects()];
  }

  // Converts a place in the text into a node of the mirror and a place in it.
  point(place) {
    const walker = document.createTreeWalker(this.mirror, NodeFilter.SHOW_TEXT);
    let left = place;
    while (walker.nextNode()) {
      if (left <= walker.currentNode.length) return [walker.currentNode, left];
      left -= walker.currentNode.length;
    }
    return [this.mirror, 0];
  }

  press(event) {
    const { key } = event;
    if (key === "Enter") this.listener.enter(event);
    else if (key === "Escape") this.area.blur();
    else if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(key)) this.travel(key === "z" ? "undo" : "redo");
    else if (event.altKey && key === "ArrowUp") this.listener.categories();
    else if (event.altKey && key in WAYS && !event.ctrlKey) this.markNext(this.way(key), event.shiftKey);
    else {
      if (key === "Delete" || key === "Backspace") this.takeSpace();
      return;
    }
    event.preventDefault();
  }

  way(key) {
    return getComputedStyle(this.mirror).direction === "rtl" ? -WAYS[key] : WAYS[key];
  }

  // Marks the next word, or one word more; from the cursor, the word that it is in.
  markNext(way, isExtended) {
    const { start, end } = this.selection;
    const isCursor = start === end;
    const words = wordsOf(this.text);
    const isAhead = (word) => (isCursor ? word.end > end : word.start >= end);
    const isBehind = (word) => (isCursor ? word.start < start : word.end <= start);
    const word = way > 0 ? words.find(isAhead) : words.findLast(isBehind);
    if (!word) return;
    if (isExtended && !isCursor) this.select({ start: Math.min(start, word.start), end: Math.max(end, word.end) });
    else this.select(word);
    keepInView(this.rectangles(word)[0]);
  }

  // Marked words are deleted with one of the spaces around them.
  takeSpace() {
    const { start, end } = this.selection;
    const words = wordsOf(this.text);
    if (!words.some((word) => word.start === start) || !words.some((word) => word.end === end)) return;
    const [before, after] = [this.text[start - 1] ?? "", this.text[end] ?? ""];
    const isAtEnd = !after || SPACE.test(after) || CLOSING.test(after);
    const isAtBegin = !before || SPACE.test(before) || OPENING.test(before);
    if (SPACE.test(before) && isAtEnd) this.area.setSelectionRange(start - 1, end);
    else if (SPACE.test(after) && isAtBegin) this.area.setSelectionRange(start, end + 1);
  }

  // Draws the edits below the text; `from` and `to` are their places in it.
  draw(edits) {
    const { text } = this;
    let at = 0;
    const parts = edits.flatMap(({ from, to }) => {
      const part = document.createElement("span");
      part.className = from === to ? "place" : "edited";
      const begin = from + text.slice(from, to).search(/\S|$/);
      part.textContent = text.slice(begin, to);
      const same = text.slice(at, begin);
      at = to;
      return [same, part];
    });
    this.mirror.replaceChildren(...parts, `${text.slice(at)}\u200b`);
  }
}

// Browsers scroll to what is typed, but not to what a script selects.
function keepInView({ top, bottom }) {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const [highest, lowest] = [parseFloat(scrollPaddingTop), innerHeight - parseFloat(scrollPaddingBottom)];
  if (top < highest) scrollBy(0, top - highest);
  else if (bottom > lowest) scrollBy(0, bottom - lowest);
}
