// One version with the errors marked in it, which its hidden field keeps. Positions are characters of the version by code
// points; deleted words, which a version only shows, do not count.

import { inPoints } from "../../js/texts/points.js";
import { wordsOf } from "../../js/texts/tokens.js";
import { word } from "../../js/words.js";

const UNCOUNTED = ".gone, del, .unseen, .faded";
const lengthOf = (text) => [...text].length;
const startOf = (cell) => Number(cell.dataset.start ?? 0);

export class Version {
  // `changed` is called after each change of the marks.
  constructor(card, cells, changed) {
    Object.assign(this, { card, cells, changed });
    this.field = card.querySelector("input[name^=spans_]");
    this.list = card.querySelector(".marked ul");
    this.severities = [...card.querySelectorAll("[data-severity]")].map((one) => one.dataset.severity);
    this.spans = JSON.parse(this.field.value || "[]");
    this.nodes = cells.flatMap(nodesOf);
    this.fillList();
  }

  // Only one mark has the same words.
  mark({ start, end }, severity) {
    const others = this.spans.filter((one) => one.start !== start || one.end !== end);
    this.keep([...others, { start, end, severity }]);
  }

  unmark(span) {
    this.keep(this.spans.filter((one) => one !== span));
  }

  keep(spans) {
    this.spans = spans.sort((one, other) => one.start - other.start || one.end - other.end);
    this.field.value = JSON.stringify(this.spans);
    this.fillList();
    this.changed();
  }

  markAt({ start, end }) {
    return this.spans.find((one) => one.start < end && start < one.end);
  }

  text({ start, end }) {
    return this.parts(start, end).map(({ node, from, to }) => node.data.slice(from, to)).join("");
  }

  // A range for each text node that a span touches, so that marks never cover deleted words.
  ranges({ start, end }) {
    return this.parts(start, end).map(({ node, from, to }) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range;
    });
  }

  parts(start, end) {
    const touched = this.nodes.filter(({ at, signs }) => at < end && start < at + signs.length);
    return touched.map(({ node, at, signs }) => {
      const unit = (point) => signs.slice(0, Math.max(0, point - at)).join("").length;
      return { node, from: unit(start), to: unit(end) };
    });
  }

  // The words of all paragraphs, in their order.
  get words() {
    this.found ??= this.cells.flatMap((cell, paragraph) => {
      const [text, from] = [this.textOf(cell), startOf(cell)];
      const words = inPoints(text, wordsOf(text));
      return words.map(({ start, end }) => ({ start: from + start, end: from + end, paragraph }));
    });
    return this.found;
  }

  textOf(cell) {
    const nodes = this.nodes.filter(({ node }) => cell.contains(node));
    return nodes.map(({ node }) => node.data).join("");
  }

  // The places of the first and the last word that a span touches.
  wordsIn({ start, end }) {
    return [this.words.findIndex((one) => one.end > start), this.words.findLastIndex((one) => one.start < end)];
  }

  // The whole words of a range inside one paragraph; null if there are none.
  spanOf(range) {
    const cell = this.cells.find((one) => one.contains(range.startContainer) && one.contains(range.endContainer));
    if (!cell) return null;
    const start = positionOf(cell, range.startContainer, range.startOffset);
    const end = positionOf(cell, range.endContainer, range.endOffset);
    const [first, last] = this.wordsIn({ start, end });
    if (start === end || first < 0 || first > last) return null;
    return { start: this.words[first].start, end: this.words[last].end };
  }

  select(span) {
    const [first, last] = [this.ranges(span)[0], this.ranges(span).at(-1)];
    getSelection().setBaseAndExtent(first.startContainer, first.startOffset, last.endContainer, last.endOffset);
  }

  fillList() {
    this.list.replaceChildren(
      ...this.spans.map((span) => {
        const text = this.text(span);
        const button = document.createElement("button");
        Object.assign(button, { type: "button", className: "quiet", textContent: `${text} ×` });
        button.dataset.mark = this.severities.indexOf(span.severity) + 1;
        button.setAttribute("aria-label", word("unmark", { severity: span.severity, text }));
        button.title = span.severity;
        button.addEventListener("click", () => this.unmark(span));
        const item = document.createElement("li");
        item.append(button);
        return item;
      }),
    );
  }
}

// The text nodes that count, with their positions and characters.
function nodesOf(cell) {
  const found = [];
  let at = startOf(cell);
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest(UNCOUNTED)) continue;
    const signs = [...node.data];
    found.push({ node, at, signs });
    at += signs.length;
  }
  return found;
}

function positionOf(cell, node, offset) {
  const before = document.createRange();
  before.setStart(cell, 0);
  before.setEnd(node, offset);
  const part = before.cloneContents();
  for (const one of part.querySelectorAll(UNCOUNTED)) one.remove();
  return startOf(cell) + lengthOf(part.textContent);
}
