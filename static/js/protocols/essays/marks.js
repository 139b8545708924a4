// Errors marked in the text of a version: words are selected, a severity is chosen, and a list removes marks again.
// Positions are characters of the version by code points; deleted words, which a version only shows, do not count.

import { word } from "../../words.js";

const UNCOUNTED = "del, .unseen, .faded";
const lengthOf = (text) => [...text].length;

export function offerMarks(screen) {
  if (!screen.form.querySelector(".marked")) return;
  const cards = screen.cards.map((card, place) => new Marked(screen, card, cellsOf(screen, card, place)));
  const bar = toolbar(screen.cards[0]);
  screen.form.append(bar);
  let chosen = null; // the card and the span that the selection means

  const look = () => {
    chosen = selected(cards);
    bar.hidden = !chosen;
    if (chosen) placeBar(bar);
  };
  document.addEventListener("selectionchange", look, { signal: screen.gone });
  bar.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the selection
  bar.addEventListener("click", (event) => {
    const { severity } = event.target.dataset;
    if (!chosen || !severity) return;
    chosen.card.add({ ...chosen.span, severity });
    getSelection().removeAllRanges();
  });
  screen.gone.addEventListener("abort", () => CSS.highlights?.clear());
  draw(cards);
}

function cellsOf(screen, card, place) {
  const beside = [...screen.section.querySelectorAll(`[data-version="${place + 1}"]`)];
  return beside.length ? beside : [...card.querySelectorAll(".sentence")];
}

function toolbar(card) {
  const bar = document.createElement("div");
  Object.assign(bar, { className: "severities", hidden: true });
  for (const one of card.querySelectorAll("[data-severity]")) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: word("mark_as", one.dataset), title: one.title });
    button.dataset.severity = one.dataset.severity;
    bar.append(button);
  }
  return bar;
}

function placeBar(bar) {
  const box = getSelection().getRangeAt(0).getBoundingClientRect();
  bar.style.left = `${Math.max(8, Math.min(box.left, innerWidth - bar.offsetWidth - 8))}px`;
  bar.style.top = `${box.top > bar.offsetHeight + 8 ? box.top - bar.offsetHeight - 4 : box.bottom + 4}px`;
}

// The span that is selected inside one paragraph of one version, without white space around it.
function selected(cards) {
  const selection = getSelection();
  if (selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  for (const card of cards) {
    const cell = card.cells.find((one) => one.contains(range.startContainer) && one.contains(range.endContainer));
    if (!cell) continue;
    const [start, end] = [positionOf(cell, range.startContainer, range.startOffset), positionOf(cell, range.endContainer, range.endOffset)];
    const text = [...card.text(start, end)].join("");
    const from = start + lengthOf(text) - lengthOf(text.trimStart());
    const to = from + lengthOf(text.trim());
    return from < to ? { card, span: { start: from, end: to } } : null;
  }
  return null;
}

function positionOf(cell, node, offset) {
  const before = document.createRange();
  before.setStart(cell, 0);
  before.setEnd(node, offset);
  const part = before.cloneContents();
  for (const one of part.querySelectorAll(UNCOUNTED)) one.remove();
  return Number(cell.dataset.start ?? 0) + lengthOf(part.textContent);
}

// The marks of one version, kept in its hidden field.
class Marked {
  constructor(screen, card, cells) {
    Object.assign(this, { screen, card, cells });
    this.field = card.querySelector("input[name^=spans_]");
    this.list = card.querySelector(".marked ul");
    this.severities = [...card.querySelectorAll("[data-severity]")].map((one) => one.dataset.severity);
    this.spans = JSON.parse(this.field.value || "[]");
    this.redraw = () => {};
  }

  add(span) {
    const isOther = (one) => one.start !== span.start || one.end !== span.end;
    this.keep([...this.spans.filter(isOther), span]);
  }

  keep(spans) {
    this.spans = spans.sort((one, other) => one.start - other.start || one.end - other.end);
    this.field.value = JSON.stringify(this.spans);
    this.screen.changed();
    this.redraw();
  }

  // The text nodes of the version with their positions.
  *nodes() {
    for (const cell of this.cells) {
      let at = Number(cell.dataset.start ?? 0);
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.closest(UNCOUNTED)) continue;
        yield { node, at };
        at += lengthOf(node.data);
      }
    }
  }

  text(start, end) {
    const parts = [...this.nodes()].map(({ node, at }) => [...node.data].slice(Math.max(0, start - at), Math.max(0, end - at)).join(""));
    return parts.join("");
  }

  // A range for each text node that a span touches, so that marks never cover deleted words.
  *ranges({ start, end }) {
    for (const { node, at } of this.nodes()) {
      const signs = [...node.data];
      const [from, to] = [Math.max(0, start - at), Math.min(signs.length, end - at)];
      if (from >= to) continue;
      const range = document.createRange();
      range.setStart(node, signs.slice(0, from).join("").length);
      range.setEnd(node, signs.slice(0, to).join("").length);
      yield range;
    }
  }

  fillList() {
    this.list.replaceChildren(
      ...this.spans.map((span) => {
        const text = this.text(span.start, span.end);
        const button = document.createElement("button");
        Object.assign(button, { type: "button", className: "quiet", textContent: `${text} ×` });
        button.dataset.mark = this.severities.indexOf(span.severity) + 1;
        button.setAttribute("aria-label", word("unmark", { severity: span.severity, text }));
        button.title = span.severity;
        button.addEventListener("click", () => this.keep(this.spans.filter((one) => one !== span)));
        const item = document.createElement("li");
        item.append(button);
        return item;
      }),
    );
  }
}

function draw(cards) {
  for (const card of cards) {
    card.redraw = () => draw(cards);
    card.fillList();
  }
  if (!CSS.highlights) return; // the lists name the marks
  for (const [place, severity] of cards[0].severities.entries()) {
    const spans = cards.flatMap((card) => card.spans.filter((one) => one.severity === severity).flatMap((one) => [...card.ranges(one)]));
    CSS.highlights.set(`mark-${place + 1}`, new Highlight(...spans));
  }
}
