// Correcting the bounds of edits: every change leaves the text of the version as it is.

import { areNear, parts } from "../../js/texts/choices.js";
import { joined } from "../../js/texts/edits.js";
import { wordsOf } from "../../js/texts/tokens.js";

// Each returns the edits of a version after a change to the one at a place, or null if it cannot be changed so.
export const changes = {
  split(source, edits, place) {
    const made = parts(source, edits[place]);
    return made.length > 1 ? edits.toSpliced(place, 1, ...made) : null;
  },
  join(source, edits, place) {
    const [edit, next] = edits.slice(place, place + 2);
    if (!next || !areNear(source, edit, next)) return null;
    const verdict = edit.verdict === next.verdict ? edit.verdict : "";
    return edits.toSpliced(place, 2, { ...joined(source, [edit, next]), verdict });
  },
  left(source, edits, place) {
    const edit = edits[place];
    const word = wordsOf(source).findLast(({ start }) => start < edit.start);
    if (!word || word.start < (edits[place - 1]?.end ?? 0)) return null;
    const replacement = source.slice(word.start, edit.start) + edit.replacement;
    return edits.with(place, { ...edit, start: word.start, replacement });
  },
  right(source, edits, place) {
    const edit = edits[place];
    const word = wordsOf(source).find(({ end }) => end > edit.end);
    if (!word || word.end > (edits[place + 1]?.start ?? source.length)) return null;
    const replacement = edit.replacement + source.slice(edit.end, word.end);
    return edits.with(place, { ...edit, end: word.end, replacement });
  },
};
