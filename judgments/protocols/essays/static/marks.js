// Errors marked in the text of a version: words are selected, by hand or by keys, and a bar beside them offers severities.

import { Caret } from "./caret.js";
import { Version } from "./version.js";
import { button, placeBeside } from "../../js/beside.js";
import { word } from "../../js/words.js";

// Keys that mean something while words are selected, beside digits, up, down, [ and ].
export const MARKING = ["m", "Escape", "Delete", "Backspace", "ArrowLeft", "ArrowRight"];
const NOTHING_TO_MARK = { press: () => false };

// `tell` says how far the judge is. Returns what a key means for marks: `press` is false if nothing.
export function offerMarks(screen, tell) {
  if (!screen.form.querySelector(".marked")) return NOTHING_TO_MARK;
  const changed = () => {
    screen.changed();
    draw(versions);
    look();
  };
  const versions = screen.cards.map((card, place) => new Version(card, cellsOf(screen, card, place), changed));
  const caret = new Caret(versions, screen.section);
  const bar = toolbar(screen.cards[0], (severity) => give(severity));
  screen.form.append(bar);
  let chosen = null; // the version and the span that the selection means
  let isSelecting = false; // with the pointer, which the bar must not stop

  function look() {
    const before = chosen;
    chosen = selected(versions);
    bar.hidden = !chosen || isSelecting;
    if (!chosen) {
      if (before) tell();
      return;
    }
    caret.follow(chosen.version, chosen.span);
    screen.mark(versions.indexOf(chosen.version));
    const { severity } = markOf(chosen) ?? {};
    for (const button of bar.children) button.setAttribute("aria-pressed", button.dataset.severity === severity);
    bar.lastChild.hidden = !severity;
    placeBeside(bar, screen.section, getSelection().getRangeAt(0).getBoundingClientRect());
    const text = chosen.version.text(chosen.span);
    screen.say(severity ? `${text}: ${severity}` : text);
  }

  const markOf = ({ version, span }) => version.spans.find(({ start, end }) => start === span.start && end === span.end);

  // Without a severity, the mark is removed.
  function give(severity) {
    if (severity) chosen.version.mark(chosen.span, severity);
    else if (markOf(chosen)) chosen.version.unmark(markOf(chosen));
  }

  const reads = { ArrowLeft: -1, ArrowRight: 1 };
  const keys = {
    Escape: () => getSelection().removeAllRanges(),
    Delete: () => give(null),
    Backspace: () => give(null),
    ArrowUp: () => caret.line(-1),
    ArrowDown: () => caret.line(1),
    "[": () => cross(-1),
    "]": () => cross(1),
  };

  // The focus follows, so that digits are not for a field.
  function begin() {
    screen.cards[screen.current].focus({ preventScroll: true });
    caret.begin(versions[screen.current]);
  }

  function cross(by) {
    screen.cards[screen.current + by]?.focus({ preventScroll: true });
    caret.cross(by);
  }

  function press(key, event) {
    if (!chosen) look(); // the browser tells of selections too late for fast fingers
    if (key === "m") begin();
    else if (!chosen) return false;
    else if (key in reads) {
      const isReversed = getComputedStyle(caret.paragraph).direction === "rtl";
      caret.step(isReversed ? -reads[key] : reads[key], event.shiftKey);
    } else if (key in keys) keys[key]();
    else if (chosen.version.severities[key - 1]) give(chosen.version.severities[key - 1]);
    look();
    return true;
  }

  const whileShown = { signal: screen.gone };
  document.addEventListener("pointerdown", ({ target }) => {
    isSelecting = target.closest(".texts, .sentence") !== null;
    if (!isSelecting && !bar.contains(target)) getSelection().removeAllRanges();
  }, whileShown);
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, () => {
      if (!isSelecting) return;
      isSelecting = false;
      look();
      if (chosen) chosen.version.select(chosen.span); // whole words
    }, whileShown);
  }
  document.addEventListener("selectionchange", look, whileShown);
  addEventListener("resize", look, whileShown);
  for (const one of screen.section.querySelectorAll(".names [hidden]")) one.hidden = false;
  screen.section.querySelector("[data-mark]")?.addEventListener("click", () => press("m"));
  screen.gone.addEventListener("abort", () => CSS.highlights?.clear());
  draw(versions);
  return { press };
}

function cellsOf(screen, card, place) {
  const beside = [...screen.section.querySelectorAll(`[data-version="${place + 1}"]`)];
  return beside.length ? beside : [...card.querySelectorAll(".sentence")];
}

function toolbar(card, give) {
  const bar = document.createElement("div");
  Object.assign(bar, { className: "severities at-hand", hidden: true });
  const offer = (text, key, severity, title = "") => {
    const made = button(text, key, () => {
      give(severity);
      getSelection().removeAllRanges();
    });
    if (severity) made.dataset.severity = severity;
    made.title = title;
    bar.append(made);
  };
  for (const [place, { dataset, title }] of [...card.querySelectorAll("[data-severity]")].entries()) {
    offer(word("mark_as", dataset), place + 1, dataset.severity, title);
  }
  offer(word("remove_mark"), "⌫", null);
  bar.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the selection
  return bar;
}

function selected(versions) {
  const selection = getSelection();
  if (selection.isCollapsed || selection.rangeCount === 0) return null;
  for (const version of versions) {
    const span = version.spanOf(selection.getRangeAt(0));
    if (span) return { version, span };
  }
  return null;
}

function draw(versions) {
  if (!CSS.highlights) return; // the lists name the marks
  for (const [place, severity] of versions[0].severities.entries()) {
    const spans = versions.map((version) => version.spans.filter((one) => one.severity === severity));
    const ranges = spans.flatMap((of, number) => of.flatMap((span) => versions[number].ranges(span)));
    CSS.highlights.set(`mark-${place + 1}`, new Highlight(...ranges));
  }
}
