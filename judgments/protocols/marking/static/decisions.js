// Which edits of several versions are one decision; the same rules as the server's in judgments/rules/texts/edits.py,
// where they are explained.

import { SPACE } from "../../js/texts/tokens.js";

const NOT_SPACE = new RegExp(`(?!${SPACE.source})[^]`);

export const keyOf = ({ start, end, replacement }) => JSON.stringify([start, end, replacement]);

// Returns decisions { key, edit, places }, where a place is { version, edit }, in the order in which a judge meets them.
export function decisionsOf(source, versions) {
  const found = new Map();
  for (const [version, edits] of versions.entries()) {
    for (const run of runsOf(source, edits)) {
      const changes = run.map(({ edit }) => keyOf(edit)).join("");
      for (const { edit, place } of run) {
        const key = `${keyOf(edit)} ${changes}`;
        if (!found.has(key)) found.set(key, { key, edit, places: [] });
        found.get(key).places.push({ version, edit: place });
      }
    }
  }
  return [...found.values()];
}

// Edits with nothing but white space between them change one phrase together.
function runsOf(source, edits) {
  const runs = [];
  for (const [place, edit] of edits.entries()) {
    const last = runs.at(-1)?.at(-1).edit;
    if (!last || NOT_SPACE.test(source.slice(last.end, edit.start))) runs.push([]);
    runs.at(-1).push({ edit, place });
  }
  return runs;
}
