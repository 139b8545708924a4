// A version with a button for each edit, and the source with its words to mark.

import { drawing, isSlight } from "../../js/texts/diff.js";
import { old } from "../../js/texts/edits.js";
import { trimmed } from "../../js/texts/tokens.js";

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

// Writes the version into its paragraph; returns the button of each edit.
export function draw(paragraph, source, edits) {
  const content = [];
  const buttons = [];
  let at = 0;
  for (const edit of edits) {
    content.push(source.slice(at, edit.start));
    const texts = [old(source, edit), edit.replacement];
    const { lead, gone, letters, tail } = drawing(...texts);
    const button = element("span", `edit${isSlight(...texts) ? " slight" : ""}${trimmed(texts.join("")) ? "" : " space"}`);
    button.role = "button";
    button.tabIndex = -1; // arrows lead to it, and Enter submits
    if (gone) button.append(element("del", "", gone));
    const parts = letters.map(([text, isMended]) => (isMended ? element("b", "", text) : text));
    if (parts.length) button.append(element("ins", "", ...parts));
    button.append(element("span", "sign"));
    buttons.push(button);
    content.push(...(parts.length ? [lead, button, tail] : [element("span", "gone", lead, button, tail)]));
    at = edit.end;
  }
  const notes = edits.length ? [] : paragraph.querySelectorAll(".note"); // "unchanged"
  paragraph.replaceChildren(...content, source.slice(at), ...notes);
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
