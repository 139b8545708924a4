// Edits of a sentence: stretches of it, each with the text in its place. Those of a text are derived by the same rules
// as the server's in judgments/rules/texts/edits.py, where they are explained.

import { compareWords } from "./diff.js";
import { SPACE, tokensOf } from "./tokens.js";

const MOST_GATHERED = 4;
const PARTING = new RegExp(`${SPACE.source}|[\\-\\u2010\\u2011]`, "g");
const WORDS = new RegExp(`(?:(?!${SPACE.source})[^])+`, "g");
const DOUBLED = new RegExp(`${SPACE.source}{2}`);
const OUTER = new RegExp(`^${SPACE.source}|${SPACE.source}$`);

export const old = (source, edit) => source.slice(edit.start, edit.end);

export function corrected(source, edits) {
  let at = 0;
  const parts = edits.map(({ start, end, replacement }) => {
    const same = source.slice(at, start);
    at = end;
    return same + replacement;
  });
  return parts.join("") + source.slice(at);
}

export const wordsBetween = (source, before, after) => (source.slice(before.end, after.start).match(WORDS) ?? []).length;

// Removes spaces at the ends and doubled ones, which are slips of the hand, unless the source has such spaces itself.
// `units` has the place of each remaining code unit in the text as written.
export function tidied(source, written) {
  const isSpace = (at) => SPACE.test(written[at] ?? "");
  let units = Array.from({ length: written.length }, (_, at) => at);
  if (!DOUBLED.test(source)) units = units.filter((at) => !(isSpace(at) && isSpace(at - 1)));
  if (!OUTER.test(source)) {
    const first = units.findIndex((at) => !isSpace(at));
    units = first < 0 ? [] : units.slice(first, units.findLastIndex((at) => !isSpace(at)) + 1);
  }
  return { text: units.map((at) => written[at]).join(""), units };
}

// Finds the words that differ, each a change of its own.
export function changesOf(source, written) {
  const changes = [];
  let at = 0;
  for (const { kind, old, now } of compareWords(source, written)) {
    if (kind !== "same") changes.push({ start: at, end: at + old.length, replacement: now });
    at += old.length;
  }
  return changes;
}

// Derives the edits that turn one text into another.
export function derived(source, written) {
  const changes = changesOf(source, written);
  const edits = [];
  while (changes.length) {
    const most = Math.min(MOST_GATHERED, changes.length);
    let count = 2;
    while (count <= most && !isOne(source, changes.slice(0, count))) count += 1;
    edits.push(joined(source, changes.splice(0, count <= most ? count : 1)));
  }
  return edits;
}

// Whether changes together only move words, or write them together or apart.
function isOne(source, changes) {
  if (changes.some((change, at) => at && wordsBetween(source, changes[at - 1], change) > 1)) return false;
  const edit = joined(source, changes);
  const [before, after] = [old(source, edit).toLowerCase(), edit.replacement.toLowerCase()];
  const letters = before.replace(PARTING, "");
  return letters !== "" && (letters === after.replace(PARTING, "") || sortedWords(before) === sortedWords(after));
}

function sortedWords(text) {
  const words = tokensOf(text).map((token) => token.text);
  return words.filter(Boolean).sort().join(" ");
}

// Joins edits and the text between them, without spaces that they share at the ends.
export function joined(source, edits) {
  if (edits.length === 1) return edits[0];
  let [start, end] = [edits[0].start, edits.at(-1).end];
  let replacement = corrected(source.slice(0, end), edits).slice(start);
  while (start < end && replacement && source[start] === replacement[0] && SPACE.test(replacement[0])) {
    start += 1;
    replacement = replacement.slice(1);
  }
  while (start < end && replacement && source[end - 1] === replacement.at(-1) && SPACE.test(replacement.at(-1))) {
    end -= 1;
    replacement = replacement.slice(0, -1);
  }
  return { start, end, replacement };
}

export const inOrder = (edits) => [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
