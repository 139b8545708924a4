// The judge's choices how stretches of a sentence are divided into edits, where they differ from the derived edits.

import { changesOf, corrected, inOrder, old, wordsBetween } from "./edits.js";
import { wordsOf } from "./tokens.js";

const MOST_BETWEEN = 1;

export const areNear = (source, before, after) => wordsBetween(source, before, after) <= MOST_BETWEEN;

// Returns the edits that an edit can be split into: its changes of words, or the words that it deletes.
export function parts(source, edit) {
  const text = old(source, edit);
  const found = edit.replacement ? changesOf(text, edit.replacement) : deletions(text);
  return found.map((part) => ({ ...part, start: edit.start + part.start, end: edit.start + part.end }));
}

function deletions(text) {
  const words = wordsOf(text);
  return words.map((word, place) => ({
    start: place ? words[place - 1].end : 0,
    end: place === words.length - 1 ? text.length : word.end,
    replacement: "",
  }));
}

// The judge's choice how to divide a stretch into edits: one, or just these as long as they make the same text.
export function choice(edits) {
  return { start: edits[0].start, end: Math.max(...edits.map((edit) => edit.end)), edits };
}

// Applies choices to derived edits.
export function divided(source, edits, choices) {
  return choices.reduce((found, chosen) => {
    const isInside = ({ start, end }) => chosen.start <= start && end <= chosen.end;
    const inside = found.filter(isInside);
    const isCut = found.some((edit) => !isInside(edit) && edit.start < chosen.end && chosen.start < edit.end);
    const now = textOver(source, chosen, inside);
    if (isCut || now === old(source, chosen)) return found;
    const isOne = chosen.edits.length === 1;
    if (!isOne && now !== textOver(source, chosen, chosen.edits)) return found;
    const made = isOne ? [{ start: chosen.start, end: chosen.end, replacement: now }] : chosen.edits;
    return inOrder([...found.filter((edit) => !isInside(edit)), ...made]);
  }, edits);
}

function textOver(source, { start, end }, edits) {
  return corrected(source.slice(0, end), edits).slice(start);
}

// Finds the choices by which stored edits differ from derived ones that make the same text.
export function choicesOf(stored, fresh) {
  const growth = ({ start, end, replacement }) => replacement.length - (end - start);
  const shift = (edits, at) => edits.reduce((sum, edit) => sum + (edit.end <= at ? growth(edit) : 0), 0);
  const blocks = [];
  for (const { start, end } of inOrder([...stored, ...fresh])) {
    const last = blocks.at(-1);
    const isApart = !last || (start > last.end && shift(stored, last.end) === shift(fresh, last.end));
    if (isApart) blocks.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  const within = (edits, block) => edits.filter(({ start, end }) => block.start <= start && end <= block.end);
  const shape = (edits) => JSON.stringify(edits.map(({ start, end }) => [start, end]));
  const differing = blocks.filter((block) => shape(within(stored, block)) !== shape(within(fresh, block)));
  return differing.map((block) => ({ ...block, edits: within(stored, block) })).filter(({ edits }) => edits.length);
}
