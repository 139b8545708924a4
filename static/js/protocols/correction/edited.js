// Shows edits: in words, in a list, and in the corrected sentence.

import { keepInside } from "../../marks.js";
import { word } from "../../words.js";

// Returns the words on both sides of a place.
function neighbours(sentence, mark) {
  return {
    before: sentence.text.slice(sentence.wordBefore(mark.start)?.start ?? mark.start, mark.start).trim(),
    after: sentence.text.slice(mark.end, sentence.wordAfter(mark.end)?.end ?? mark.end).trim(),
  };
}

// Describes where a mark is.
export function describePlace(sentence, mark) {
  if (mark.start < mark.end) return word("replace", { old: sentence.old(mark) });
  const { before, after } = neighbours(sentence, mark);
  if (!before) return word("insert_before", { after });
  return after ? word("insert_between", { before, after }) : word("insert_after", { before });
}

// Describes an edit.
export function describe(sentence, edit) {
  const [old, now] = [sentence.old(edit).trim(), edit.replacement.trim()];
  if (!now) return word("deleted", { old });
  return old ? word("replaced", { old, now }) : word("inserted", { now });
}

function element(name, className, ...parts) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...parts);
  return made;
}

// Shows the words around an insertion.
function placeBetween(sentence, edit, what) {
  const { before, after } = neighbours(sentence, edit);
  if (before) what.prepend(element("span", "faded", before), " ");
  if (after) what.append(" ", element("span", "faded", after));
}

// Makes the list item of an edit.
export function row(sentence, edit, change, remove) {
  const [old, now] = [sentence.old(edit), edit.replacement];
  const what = element("bdi", "what");
  what.lang = document.querySelector("[data-editable]").lang;
  if (old) what.append(element("del", "", old.trim() || "␣"));
  if (old && now) what.append(" ");
  if (now) what.append(element("ins", "", now.trim() || "␣"));
  if (!old) placeBetween(sentence, edit, what);
  const description = describe(sentence, edit);
  const button = (text, label, act) => {
    const made = element("button", "quiet", text);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };
  const changing = button(word("change"), word("change_edit", { edit: description }), () => change(edit));
  const removing = button(word("remove"), word("remove_edit", { edit: description }), () => remove(edit));
  return element("li", "", what, " ", element("span", "faded", edit.category), changing, removing);
}

// Draws the corrected sentence; as elsewhere, marks have no spaces at their ends.
export function drawCorrected(place, found) {
  place.replaceChildren(
    ...found.flatMap(({ edit, same, old, now }) => {
      if (!edit) return [same];
      const shown = now || old;
      const core = shown.trim() || shown;
      const [lead, tail] = shown.split(core);
      if (!now) return [element("del", "gone", lead, element("span", "", core), tail)];
      if (!old.trim()) return [lead, element("ins", "", core), tail];
      const mark = element("span", "substituted", element("del", "", old.trim()), element("ins", "", core));
      mark.tabIndex = 0;
      for (const kind of ["pointerenter", "focus"]) mark.addEventListener(kind, () => keepInside(mark));
      return [lead, mark, tail];
    }),
  );
}
