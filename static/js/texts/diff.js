// The difference between two texts, word by word; the same rules as the server's in judgments/rules/texts/diff.py,
// where they are explained.

import { clusters, tokensOf, trimmed } from "./tokens.js";

const EDIT = 1_000_000;
const MOST_DISSIMILAR = 100;
const MOST_CELLS = 90_000;
const SHORTEST_SPELLING = 5;
const MOST_MISSPELT = 2;
const LETTER = /[\p{L}\p{N}]/u;

// Splits two texts into pieces that are the same and pieces that differ; `kind` is same, inserted, deleted or
// substituted.
export function compareWords(source, written) {
  const merged = [];
  for (const [before, after] of align(tokensOf(source), tokensOf(written))) {
    for (const part of ["space", "text"]) {
      const [old, now] = [before?.[part] ?? "", after?.[part] ?? ""];
      if (!old && !now) continue;
      const kind = kindOf(old, now);
      if (merged.at(-1)?.kind === kind) merged.push(merge(merged.pop(), old, now));
      else merged.push({ kind, old, now });
    }
  }
  return merged;
}

const merge = (piece, old, now) => ({ kind: piece.kind, old: piece.old + old, now: piece.now + now });

function kindOf(old, now) {
  if (old === now) return "same";
  if (!old) return "inserted";
  return now ? "substituted" : "deleted";
}

function align(old, now) {
  const [front, back] = sharedEnds(old.map(textOf), now.map(textOf));
  const [oldEnd, nowEnd] = [old.length - back, now.length - back];
  return [
    ...pairs(old.slice(0, front), now),
    ...bounded(old.slice(front, oldEnd), now.slice(front, nowEnd)),
    ...pairs(old.slice(oldEnd), now.slice(nowEnd)),
  ];
}

const textOf = (token) => token.text;
const pairs = (old, now) => old.map((token, place) => [token, now[place]]);

function bounded(old, now) {
  if (old.length * now.length <= MOST_CELLS) return search(old, now);
  const found = [];
  let [here, there] = [0, 0];
  for (const [row, column] of [...anchors(old, now), [old.length, now.length]]) {
    const [before, after] = [old.slice(here, row), now.slice(there, column)];
    if (before.length * after.length <= MOST_CELLS) found.push(...search(before, after));
    else found.push(...before.map((token) => [token, null]), ...after.map((token) => [null, token]));
    if (row < old.length) found.push([old[row], now[column]]);
    [here, there] = [row + 1, column + 1];
  }
  return found;
}

// Words that occur once in each text: the longest set that does not cross.
function anchors(old, now) {
  const once = placesOfOnce(now);
  const both = [...placesOfOnce(old)].filter(([text]) => once.has(text)).map(([text, row]) => [row, once.get(text)]);
  const [ends, last, before] = [[], [], []];
  for (const [number, [, column]] of both.entries()) {
    const place = ends.filter((end) => end < column).length;
    [ends[place], last[place]] = [column, number];
    before.push(place ? last[place - 1] : null);
  }
  const chosen = [];
  for (let at = last.at(-1) ?? null; at !== null; at = before[at]) chosen.unshift(both[at]);
  return chosen;
}

function placesOfOnce(tokens) {
  const found = new Map();
  for (const [place, { text }] of tokens.entries()) found.set(text, found.has(text) ? null : place);
  return new Map([...found].filter(([, place]) => place !== null && tokens[place].isWord));
}

// The cheapest alignment, by dynamic programming from the end.
function search(old, now) {
  const [rows, columns] = [old.length, now.length];
  const width = columns + 1;
  const cost = new Float64Array((rows + 1) * width);
  for (let row = rows; row >= 0; row -= 1) {
    for (let column = columns; column >= 0; column -= 1) {
      const at = row * width + column;
      if (row === rows || column === columns) cost[at] = EDIT * (rows - row + columns - column);
      else {
        const replaced = cost[at + width + 1] + replacing(old[row], now[column]);
        cost[at] = Math.min(replaced, cost[at + width] + EDIT, cost[at + 1] + EDIT);
      }
    }
  }
  return readOff(old, now, cost);
}

function readOff(old, now, cost) {
  const width = now.length + 1;
  const found = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const at = row * width + column;
    const areBoth = row < old.length && column < now.length;
    if (areBoth && cost[at] === cost[at + width + 1] + replacing(old[row], now[column])) {
      found.push([old[row++], now[column++]]);
    } else if (row < old.length && cost[at] === cost[at + width] + EDIT) found.push([old[row++], null]);
    else found.push([null, now[column++]]);
  }
  return found;
}

function replacing(before, after) {
  if (before.text === after.text) return 0;
  return before.isWord === after.isWord ? EDIT + dissimilarity(before, after) : 2 * EDIT + 1;
}

export function dissimilarity(before, after) {
  const [one, other] = [letters(before), letters(after)];
  const [front, back] = sharedEnds(one, other);
  return MOST_DISSIMILAR - Math.floor((MOST_DISSIMILAR * (front + back)) / Math.max(one.length, other.length));
}

const letters = (token) => (token.letters ??= [...token.text.toLowerCase()]);

export function sharedEnds(one, other) {
  const most = Math.min(one.length, other.length);
  let [front, back] = [0, 0];
  while (front < most && one[front] === other[front]) front += 1;
  while (back < most - front && one.at(-1 - back) === other.at(-1 - back)) back += 1;
  return [front, back];
}

export const isSlight = (old, now) => !LETTER.test(old + now);
export const isCapitalised = (old, now) =>
  trimmed(old).toLowerCase() === trimmed(now).toLowerCase() && trimmed(old) !== "";

// A change as it is drawn: white space around it, the words that it takes away, and those that it puts there in parts,
// each with whether it is what mends the spelling of a word.
export function drawing(old, now) {
  const [gone, put] = [trimmed(old) || (trimmed(now) ? "" : old), trimmed(now) || (trimmed(old) ? "" : now)];
  const shown = now || old;
  const core = trimmed(shown);
  const lead = core && shown.slice(0, shown.indexOf(core));
  const tail = trimmed(old + now) && shown.slice(lead.length + core.length);
  const [before, after] = [clusters(gone), clusters(put)];
  const [front, back] = sharedEnds(before, after);
  const changed = Math.max(before.length, after.length) - front - back;
  const isInside = front > 0 && back > 0 && changed <= MOST_MISSPELT && !isCapitalised(gone, put);
  const isSpelling = isInside && Math.min(before.length, after.length) >= SHORTEST_SPELLING;
  const cuts = isSpelling ? [0, front, after.length - back, after.length] : [0, after.length];
  const letters = cuts.slice(1).map((end, place) => [after.slice(cuts[place], end).join(""), place === 1]);
  return { lead, gone, letters: letters.filter(([text]) => text), tail };
}
