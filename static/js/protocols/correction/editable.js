// A sentence in which stretches can be marked by mouse, touch or keys. Browsers and screen readers see a text field,
// so all their ways to move in a text work, but typing does not change it.

// Keys with which browsers select text; other keys are handled here.
const SELECTING = ["Home", "End", "PageUp", "PageDown", "ArrowUp", "ArrowDown"];
const TOOLS = 64;
const AIR = 48;
const WHERE = { ArrowLeft: -1, ArrowRight: 1 };

export class Editable {
  // `listener` receives new marks and the text typed over them.
  constructor(element, sentence, listener) {
    Object.assign(this, { element, sentence, listener, mark: null, resume: 0, isBack: false, isUsed: false });
    element.contentEditable = "true";
    element.addEventListener("keydown", (event) => this.press(event));
    element.addEventListener("pointerdown", () => (this.isUsed = true));
    element.addEventListener("click", (event) => event.pointerType === "touch" && this.tap(event));
    element.addEventListener("blur", () => (this.isUsed = false));
    element.addEventListener("beforeinput", (event) => this.type(event));
    element.addEventListener("input", (event) => event.isComposing || this.restore(event.data));
    element.addEventListener("compositionend", (event) => this.restore(event.data));
    element.addEventListener("drop", (event) => event.preventDefault());
    document.addEventListener("selectionchange", () => this.hear(), { signal: listener.gone });
  }

  // Redraws the sentence with its edits.
  draw(stretches) {
    this.stretches = stretches;
    this.isUsed = false; // the judge did not make this selection
    const { text } = this.sentence;
    const parts = [];
    let at = 0;
    for (const { start, end, kind } of stretches) {
      const part = document.createElement("span");
      part.className = start === end ? `${kind} place` : kind;
      part.textContent = text.slice(start, end);
      parts.push(text.slice(at, start), part);
      at = end;
    }
    this.element.replaceChildren(...parts, text.slice(at));
    this.element.normalize();
  }

  // Sets or clears the mark.
  set(mark) {
    this.mark = mark;
    this.element.classList.toggle("armed", mark !== null);
    this.listener.marked(mark);
  }

  drop() {
    if (this.mark) this.resume = this.mark.start;
    this.set(null);
  }

  // Marks a stretch and scrolls to it.
  show(mark) {
    this.element.focus({ preventScroll: true });
    const selection = getSelection();
    const [from, to] = [this.point(mark.start), this.point(mark.end)];
    if (this.isBack) selection.setBaseAndExtent(...to, ...from);
    else selection.setBaseAndExtent(...from, ...to);
    this.set(mark);
    keepInView(selection.getRangeAt(0).getBoundingClientRect());
  }

  // Converts an offset in the text into a node and an offset in it.
  point(offset) {
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    let left = offset;
    let last = [this.element, 0];
    while (walker.nextNode()) {
      const { length } = walker.currentNode;
      if (left <= length) return [walker.currentNode, left];
      left -= length;
      last = [walker.currentNode, length];
    }
    return last;
  }

  offset(node, place) {
    const range = document.createRange();
    range.selectNodeContents(this.element);
    range.setEnd(node, place);
    return range.toString().length;
  }

  // Reads selections not made by the keys below.
  hear() {
    const selection = getSelection();
    if (!this.isUsed || !selection.rangeCount || !this.element.contains(selection.anchorNode)) return;
    if (!this.element.contains(selection.focusNode)) return;
    const [one, other] = [
      this.offset(selection.anchorNode, selection.anchorOffset),
      this.offset(selection.focusNode, selection.focusOffset),
    ];
    const mark = this.sentence.trimmed({ start: Math.min(one, other), end: Math.max(one, other) });
    if (mark.start === this.mark?.start && mark.end === this.mark?.end) return;
    this.isBack = other < one;
    this.set(mark);
  }

  // A tap marks a word; a second tap marks the place in it.
  tap({ clientX, clientY }) {
    const caret = document.caretPositionFromPoint?.(clientX, clientY);
    const range = caret ? null : document.caretRangeFromPoint?.(clientX, clientY);
    const [node, place] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset];
    if (!this.element.contains(node)) return;
    const at = this.offset(node, place);
    const met = this.sentence.words.find((word) => word.start < at && at < word.end);
    const isAgain = met !== undefined && met === this.tapped;
    this.tapped = isAgain ? undefined : met;
    if (met) this.show(isAgain ? { start: at, end: at } : { start: met.start, end: met.end });
  }

  press(event) {
    if (event.isComposing) return;
    this.hear(); // browsers report a selection a moment later
    const { key } = event;
    const isOne = [...key].length === 1;
    if (key in WHERE) {
      const isFromRight = getComputedStyle(this.element).direction === "rtl";
      const way = isFromRight ? -WHERE[key] : WHERE[key];
      this.go(way, event.shiftKey, event.ctrlKey || event.altKey || event.metaKey);
    } else if (key === "Escape" && this.listener.escape()) {
      // Handled by the listener.
    } else if (this.mark && key === "Enter") {
      this.listener.typed(null);
    } else if (this.mark && this.mark.start < this.mark.end && (key === "Delete" || key === "Backspace")) {
      this.listener.typed("");
    } else {
      if (SELECTING.includes(key) || (key === "a" && (event.ctrlKey || event.metaKey))) this.isUsed = true;
      if (this.mark && isOne && !event.metaKey && event.ctrlKey === event.altKey) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Moves by words, or by characters with a modifier.
  go(way, isExtended, isByCharacter) {
    const mark = this.mark ?? { start: this.resume, end: this.resume };
    const next = isExtended ? this.extended(mark, way, isByCharacter) : this.stepped(mark, way, isByCharacter);
    if (next) this.show(next);
  }

  stepped(mark, way, isByCharacter) {
    const { sentence } = this;
    this.isBack = false;
    if (!isByCharacter) return way > 0 ? sentence.wordAfter(mark.end) : sentence.wordBefore(mark.start);
    const edge = way > 0 ? mark.end : mark.start;
    const at = mark.start < mark.end ? edge : (sentence.moved(edge, way, sentence.stops) ?? edge);
    return { start: at, end: at };
  }

  // Moves the end that moved last; a stretch that has shrunk to nothing grows to the other side.
  extended(mark, way, isByCharacter) {
    const { sentence } = this;
    if (mark.start === mark.end) this.isBack = way < 0;
    const ends = sentence.words.map((word) => (this.isBack ? word.start : word.end));
    const places = isByCharacter ? sentence.stops : ends;
    const edge = sentence.moved(this.isBack ? mark.start : mark.end, way, places);
    if (edge === undefined) return null;
    if (this.isBack ? edge < mark.end : edge > mark.start) {
      return this.isBack ? { start: edge, end: mark.end } : { start: mark.start, end: edge };
    }
    this.isBack = !this.isBack;
    const word = way < 0 ? sentence.wordBefore(mark.start) : sentence.wordAfter(mark.end);
    if (isByCharacter) return this.isBack ? { start: mark.start, end: mark.start } : { start: mark.end, end: mark.end };
    if (!word) return null;
    return way < 0 ? { start: word.start, end: mark.end } : { start: mark.start, end: word.end };
  }

  type(event) {
    event.preventDefault();
    this.hear();
    const data = event.data ?? event.dataTransfer?.getData("text/plain");
    if (event.inputType.startsWith("history")) this.listener.history(event.inputType === "historyUndo");
    else if (this.mark?.start < this.mark?.end && event.inputType.startsWith("delete")) this.listener.typed("");
    else if (this.mark && event.inputType.startsWith("insert") && !event.isComposing) this.listener.typed(data ?? null);
  }

  // Text that the browser inserted anyway, such as composed characters, is removed and passed on.
  restore(data) {
    const { mark } = this;
    this.draw(this.stretches);
    if (mark && data) this.listener.typed(data);
  }
}

// Scrolls a mark into view, above the bar at the lower edge.
function keepInView({ top, bottom }) {
  const lowest = innerHeight - parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) - TOOLS;
  if (top < AIR) scrollBy(0, top - AIR);
  else if (bottom > lowest) scrollBy(0, bottom - lowest);
}
