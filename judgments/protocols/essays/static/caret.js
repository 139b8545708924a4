// Words of versions selected by keys: from word to word, from line to line, from version to version, and more of them.

import { edgesOf } from "../../js/beside.js";

const SHARE_ABOVE = 1 / 3; // of the visible text, where a word that was out of view comes

export class Caret {
  constructor(versions, section) {
    Object.assign(this, { versions, section, version: null, anchor: 0, head: 0 });
  }

  // Begins where the judge has been in a version, or else at its first word in view.
  begin(version) {
    const { words } = version;
    const last = version === this.version ? this.head : version.lastWord;
    const isVisible = (place) => this.isInView(this.boxOf(version, words[place]));
    const place = last !== undefined && isVisible(last) ? last : words.findIndex((_, one) => isVisible(one));
    this.select(version, Math.max(0, place));
  }

  // Takes over what is selected by other means.
  follow(version, span) {
    if (version === this.version && span.start === this.span?.start && span.end === this.span?.end) return;
    const [anchor, head] = version.wordsIn(span);
    Object.assign(this, { version, span, anchor, head });
  }

  step(by, isWider) {
    const { version, anchor, head } = this;
    if (isWider) {
      const isSame = version.words[head + by]?.paragraph === version.words[anchor].paragraph;
      if (isSame) this.select(version, anchor, head + by);
      return;
    }
    // From an edge of what is selected, which may be a mark of several words.
    const { words } = version;
    const next = by > 0 ? words.findIndex(({ start }) => start >= this.span.end) : words.findLastIndex(({ end }) => end <= this.span.start);
    if (next >= 0) this.select(version, next);
  }

  // The word on the next line that is nearest to this one.
  line(by) {
    const { version, head } = this;
    const here = this.boxOf(version, version.words[head]);
    const middle = (box) => (box.left + box.right) / 2;
    let best = null;
    for (let place = head + by; place >= 0 && place < version.words.length; place += by) {
      const box = this.boxOf(version, version.words[place]);
      const isOnLine = best ? Math.abs(box.top - best.box.top) < box.height / 2 : Math.abs(box.top - here.top) > box.height / 2;
      if (best && !isOnLine) break;
      const distance = Math.abs(middle(box) - middle(here));
      if (isOnLine && (!best || distance < best.distance)) best = { box, place, distance };
    }
    if (best) this.select(version, best.place);
  }

  // Goes to about the same words of the version before or after.
  cross(by) {
    const { version, versions, head } = this;
    const other = versions[versions.indexOf(version) + by];
    if (!other) return;
    const { paragraph } = version.words[head];
    const first = (words) => words.findIndex((one) => one.paragraph >= paragraph);
    const wanted = first(other.words) + head - first(version.words);
    this.select(other, Math.max(0, Math.min(wanted, other.words.length - 1)));
  }

  select(version, anchor, head = anchor) {
    const { words } = version;
    const [from, to] = [words[Math.min(anchor, head)], words[Math.max(anchor, head)]];
    if (!from) return;
    const mark = anchor === head && version.markAt(from);
    const { start, end } = mark || { start: from.start, end: to.end };
    if (mark) [anchor, head] = version.wordsIn(mark);
    version.lastWord = head;
    Object.assign(this, { version, anchor, head, span: { start, end } });
    version.select(this.span);
    this.reveal(this.boxOf(version, words[head]));
  }

  get paragraph() {
    return this.version.cells[this.version.words[this.head].paragraph];
  }

  boxOf(version, span) {
    return version.ranges(span)[0].getBoundingClientRect();
  }

  isInView(box) {
    const [top, bottom] = edgesOf(this.section, ".essays");
    return box.top >= top && box.bottom <= bottom;
  }

  reveal(box) {
    const [top, bottom] = edgesOf(this.section, ".essays");
    if (!this.isInView(box)) scrollBy(0, box.top - top - (bottom - top) * SHARE_ABOVE);
  }
}
