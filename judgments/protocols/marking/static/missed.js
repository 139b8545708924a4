// Errors of the source that versions leave: the judge marks words; neighbouring marked words are one error.

import { drawSource } from "./sentence.js";
import { wordsOf } from "../../js/texts/tokens.js";

export class Missed {
  // `changed` is called after a change with the stretch of a word that was marked, or null.
  constructor(paragraph, source, { changed, leave }) {
    Object.assign(this, { changed, leave, marked: new Set(), current: 0 });
    this.words = wordsOf(source);
    this.spans = drawSource(paragraph, source, this.words);
    for (const [place, span] of this.spans.entries()) {
      span.addEventListener("click", () => this.toggle(place));
      span.addEventListener("keydown", (event) => this.press(event));
    }
    this.show();
  }

  go(place) {
    this.current = Math.max(0, Math.min(place, this.spans.length - 1));
    this.spans[this.current].focus();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    const isReversed = getComputedStyle(event.target).direction === "rtl";
    if (event.key in steps) this.go(this.current + (isReversed ? -1 : 1) * steps[event.key]);
    else if (event.key === " " || event.key === "Enter") this.toggle(this.current);
    else if (event.key === "Escape" || event.key === "m") this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  toggle(place) {
    this.current = place;
    const isMarked = !this.marked.delete(place);
    if (isMarked) this.marked.add(place);
    this.show();
    this.changed(isMarked ? this.stretches.find(({ words }) => words.includes(place)) : null);
  }

  show() {
    for (const [place, span] of this.spans.entries()) {
      span.classList.toggle("missed", this.marked.has(place));
      span.setAttribute("aria-checked", this.marked.has(place));
    }
  }

  get stretches() {
    const found = [];
    for (const place of [...this.marked].sort((one, other) => one - other)) {
      const { start, end } = this.words[place];
      const last = found.at(-1);
      if (last?.words.at(-1) === place - 1) Object.assign(last, { end, words: [...last.words, place] });
      else found.push({ start, end, words: [place] });
    }
    return found;
  }

  set stretches(found) {
    const isInside = (word) => found.some(({ start, end }) => start <= word.start && word.end <= end);
    this.marked = new Set(this.words.flatMap((word, place) => (isInside(word) ? [place] : [])));
    this.show();
  }
}

// Whether an edit changes something of a stretch; what it inserts at an end of it belongs to it.
export function touches(edit, stretch) {
  if (edit.start === edit.end) return stretch.start <= edit.start && edit.end <= stretch.end;
  return edit.start < stretch.end && stretch.start < edit.end;
}
