// Edits of a sentence, in the server's units (characters) and in JavaScript's (UTF-16 code units), and rules for
// the spaces around them.

const LETTER = /[\p{L}\p{N}\p{M}_]/u;
const CLOSING = /[\p{Pe}\p{Pf}.,;:!?%…’”。、]/u;
const OPENING = /[\p{Ps}\p{Pi}“‘]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const TOKENISED = /\s[.,;:!?](\s|$)/;
const SPACE = /^\s$/;

// A sentence with its words and the places where edits may begin and end, read from numbers in the page.
export class Sentence {
  constructor(text, words, stops) {
    this.text = text;
    this.units = [0];
    for (const character of text) this.units.push(this.units.at(-1) + character.length);
    const numbers = (text) => (text ? text.split(" ").map(Number) : []);
    this.stops = stops ? numbers(stops).map((point) => this.units[point]) : this.units;
    this.words = [];
    const ends = numbers(words).map((point) => this.units[point]);
    for (let at = 0; at < ends.length; at += 2) this.words.push({ start: ends[at], end: ends[at + 1] });
    this.isTokenised = TOKENISED.test(text);
  }

  read(json) {
    const given = JSON.parse(json || "[]");
    return given.map((edit) => ({ ...edit, start: this.units[edit.start], end: this.units[edit.end] }));
  }

  write(edits) {
    const point = (unit) => this.units.indexOf(unit);
    return JSON.stringify(edits.map((edit) => ({ ...edit, start: point(edit.start), end: point(edit.end) })));
  }

  old({ start, end }) {
    return this.text.slice(start, end);
  }

  // Trims spaces from the ends of a stretch, unless it is all spaces, and never splits a character.
  trimmed({ start, end }) {
    const old = this.text.slice(start, end);
    if (old.trim()) {
      start += old.length - old.trimStart().length;
      end -= old.length - old.trimEnd().length;
    }
    const isCaret = start === end;
    start = this.stops.findLast((stop) => stop <= start);
    return { start, end: isCaret ? start : this.stops.find((stop) => stop >= end) };
  }

  wordBefore(at) {
    return this.words.findLast((word) => word.end <= at);
  }

  wordAfter(at) {
    return this.words.find((word) => word.start >= at);
  }

  // Moves an end of a stretch by a word or a character.
  moved(at, way, places) {
    return way > 0 ? places.find((place) => place > at) : places.findLast((place) => place < at);
  }
}

export const inOrder = (edits) => [...edits].sort((one, other) => one.start - other.start || one.end - other.end);

export function isInTheWay(one, other) {
  if (one.start === one.end && other.start === other.end) return one.start === other.start;
  return one.start < other.end && other.start < one.end;
}

const contains = (outer, inner) => outer.start <= inner.start && inner.end <= outer.end;

// Finds the edits that a stretch overlaps, and the one that contains it.
export function clash(edits, mark) {
  const found = edits.filter((edit) => isInTheWay(edit, mark));
  return { found, within: found.length === 1 && contains(found[0], mark) ? found[0] : null };
}

// Splits the corrected sentence into unchanged pieces and edits.
export function pieces(text, edits) {
  const found = [];
  let at = 0;
  for (const edit of inOrder(edits)) {
    found.push({ same: text.slice(at, edit.start) });
    found.push({ edit, old: text.slice(edit.start, edit.end), now: edit.replacement });
    at = edit.end;
  }
  return [...found, { same: text.slice(at) }].filter((piece) => piece.edit || piece.same);
}

// Whether a text inserted at a place joins the word before or after it, but not both.
export function couldJoin(sentence, { start, end }) {
  const { before, after } = adjacent(sentence.text, start, end);
  return start === end && LETTER.test(before) !== LETTER.test(after);
}

// Returns variants of an edit without doubled or missing spaces, best first.
export function tidied(sentence, edit, isJoined) {
  const { start, end } = edit;
  if (start === end) return insertions(sentence, edit, isJoined);
  if (edit.replacement.trim() || !sentence.old(edit).trim()) return [withinSpaces(sentence, edit)];
  return deletions(sentence, { ...edit, replacement: "" });
}

function adjacent(text, start, end) {
  return { before: [...text.slice(0, start)].at(-1) ?? "", after: [...text.slice(end, end + 2)][0] ?? "" };
}

// A replacement adds no space next to another one.
function withinSpaces(sentence, edit) {
  const { before, after } = adjacent(sentence.text, edit.start, edit.end);
  let { replacement } = edit;
  if (!replacement.trim()) return edit;
  if (!before || SPACE.test(before)) replacement = replacement.trimStart();
  if (!after || SPACE.test(after)) replacement = replacement.trimEnd();
  return { ...edit, replacement };
}

function deletions(sentence, edit) {
  const { before, after } = adjacent(sentence.text, edit.start, edit.end);
  const ways = [];
  const isAtEnd = !after || SPACE.test(after) || CLOSING.test(after);
  const isAtBegin = !before || SPACE.test(before) || OPENING.test(before);
  if (SPACE.test(before) && isAtEnd) ways.push({ ...edit, start: edit.start - 1 });
  if (SPACE.test(after) && isAtBegin) ways.push({ ...edit, end: edit.end + 1 });
  return [...ways, edit];
}

function insertions(sentence, edit, isJoined) {
  const core = edit.replacement.trim();
  if (isJoined || !core) return [{ ...edit, replacement: core || edit.replacement }];
  const { before, after } = adjacent(sentence.text, edit.start, edit.end);
  const first = [...core][0];
  const last = [...core].at(-1);
  const isMark = CLOSING.test(first) && !sentence.isTokenised;
  if (isMark && SPACE.test(before) && edit.start > 1) {
    const at = edit.start - 1;
    return [{ ...edit, start: at, end: at, replacement: core }, { ...edit, replacement: core }];
  }
  const isInside = LETTER.test(before) && LETTER.test(after);
  const typed = [edit.replacement !== edit.replacement.trimStart(), edit.replacement !== edit.replacement.trimEnd()];
  const lead = before && !SPACE.test(before) && (typed[0] || (!isInside && wantsSpace(sentence, before, first)));
  const tail = after && !SPACE.test(after) && (typed[1] || (!isInside && wantsSpace(sentence, last, after)));
  return [{ ...edit, replacement: `${lead ? " " : ""}${core}${tail ? " " : ""}` }];
}

// Whether a space belongs between two adjacent characters.
function wantsSpace(sentence, left, right) {
  if (UNSPACED.test(left) || UNSPACED.test(right)) return false;
  return sentence.isTokenised || !(OPENING.test(left) || CLOSING.test(right));
}
