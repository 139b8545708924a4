// A version with a button for each edit, and the source with its words to mark.

import { old } from "../../js/texts/edits.js";
import { word } from "../../js/words.js";

export function describe(source, edit) {
  const [before, now] = [old(source, edit).trim(), edit.replacement.trim()];
  if (!now) return word("deleted", { old: before || "␣" });
  return before ? word("replaced", { old: before, now }) : word("inserted", { now });
}

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

const isSlight = (text) => !/[\p{L}\p{N}]/u.test(text);

// Writes the version into its paragraph; returns the button of each edit.
export function draw(paragraph, source, edits) {
  const content = [];
  const buttons = [];
  let at = 0;
  for (const edit of edits) {
    content.push(source.slice(at, edit.start));
    const [before, now] = [old(source, edit), edit.replacement];
    const shown = now || before;
    const both = before + now;
    const button = element("span", `edit${isSlight(both) ? " slight" : ""}${both.trim() ? "" : " space"}`);
    button.role = "button";
    button.tabIndex = -1; // arrows lead to it, and Enter submits
    if (before.trim() || !now) button.append(element("del", "", before.trim() || before));
    if (now) button.append(element("ins", "", now.trim() || now));
    button.append(element("span", "sign"));
    buttons.push(button);
    // White space around the words is not marked.
    content.push(shown.trim() ? shown.slice(0, shown.length - shown.trimStart().length) : "", button);
    content.push(shown.trim() ? shown.slice(shown.trimEnd().length) : "");
    at = edit.end;
  }
  paragraph.replaceChildren(...content, source.slice(at));
  return buttons;
}

// Writes the source with its words; returns the words in their order.
export function drawSource(paragraph, source, words) {
  const content = [];
  let at = 0;
  const spans = words.map(({ start, end }) => {
    const span = element("span", "word", source.slice(start, end));
    span.tabIndex = -1;
    span.setAttribute("role", "checkbox");
    content.push(source.slice(at, start), span);
    at = end;
    return span;
  });
  paragraph.replaceChildren(...content, source.slice(at));
  return spans;
}
