// Edits of a sentence: stretches of it, each with the text in its place. Those of a text are derived by the same rules
// as the server's in judgments/rules/texts/edits.py and diff.py, where they are explained.

import { compareWords, dissimilarity, isCapitalised, isSlight } from "./diff.js";
import { SPACE, trimmed, wordsOf } from "./tokens.js";

// Dissimilarities of words, in hundredths: up to which a word is only mended, and from which it is quite another.
const [MENDED, ANOTHER] = [30, 80];
const PARTING = new RegExp(`${SPACE.source}|[\\-\\u2010\\u2011]`, "g");
const WORDS = new RegExp(`(?:(?!${SPACE.source})[^])+`, "g");
const DOUBLED = new RegExp(`${SPACE.source}{2}`);

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
  if (source === trimmed(source)) {
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

// Derives the edits that turn one text into another: its words and phrases that differ.
export function derived(source, written) {
  const edits = [];
  for (const change of changesOf(source, written)) {
    const isOne = edits.length && isPhrase(source, edits.at(-1), change);
    edits.push(isOne ? joined(source, [edits.pop(), change]) : change);
  }
  return edits;
}

// Whether two changes, and what stays the same between them, are one phrase.
function isPhrase(source, before, after) {
  const gap = source.slice(before.end, after.start);
  if (gap.includes("\n")) return false;
  const both = [before, after].map((edit) => [old(source, edit), edit.replacement]);
  const [gone, put] = [0, 1].map((side) => both.map((texts) => texts[side]));
  const others = both.filter((texts) => !isCapitalised(...texts));
  if (trimmed(gap)) {
    const words = sortedWords(gone);
    return words !== "" && words === sortedWords(put) && others.length === both.length && wordsOf(gap).length === 1;
  }
  if (!gap && both.some((texts) => !trimmed(texts.join("")))) return true;
  const slight = both.filter((texts) => isSlight(...texts));
  if (slight.length === both.length) return !gap;
  if (others.length === 1) return slight.includes(others[0]) || !others[0].every(Boolean);
  if (!others.length || slight.length) return false;
  if (lettersOf(gone) === lettersOf(put)) return true;
  const counts = both.map((texts) => texts.map((text) => wordsOf(text).length));
  const apart = both.map((texts) => dissimilarity(...texts.map((text) => ({ text: trimmed(text) }))));
  if (counts.every(([one, other]) => one === other)) return Math.min(...apart) >= ANOTHER;
  return !counts.some((count, place) => count.every((one) => one === 1) && apart[place] <= MENDED);
}

const sortedWords = (texts) => (texts.join(" ").toLowerCase().match(WORDS) ?? []).sort().join(" ");
const lettersOf = (texts) => texts.join("").replace(PARTING, "").toLowerCase();

// Joins two edits and the text between them, without white space that both sides begin with.
export function joined(source, edits) {
  let [start, end] = [edits[0].start, edits.at(-1).end];
  let replacement = corrected(source.slice(0, end), edits).slice(start);
  while (start < end && source[start] === replacement[0] && SPACE.test(source[start])) {
    start += 1;
    replacement = replacement.slice(1);
  }
  return { start, end, replacement };
}

export const inOrder = (edits) => [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
