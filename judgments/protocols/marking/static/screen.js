// Marking: a verdict on each edit, by digit; when all are judged, Enter leads to the ranks if they are asked for, by digit
// too. An edit that several versions share is marked in all of them and judged once.

import { Missed } from "./missed.js";
import { draw } from "./sentence.js";
import { State } from "./state.js";
import { BOUNDS, Tools } from "./tools.js";
import { drive, nextOf } from "../../js/protocol.js";
import { offerUndo } from "../../js/undo.js";
import { old } from "../../js/texts/edits.js";
import { describe, letterOf, word } from "../../js/words.js";

const hiddenOf = (card) => card.querySelector("[data-verdicts]");
const radiosOf = (card) => [...card.querySelectorAll(".ranks input")];
const rankOf = (card) => radiosOf(card).find((radio) => radio.checked)?.value ?? null;
const isJudged = (card) => JSON.parse(hiddenOf(card).value || "[]").every(({ verdict }) => verdict);
const isUnranked = (card) => radiosOf(card).length > 0 && rankOf(card) === null;

// Ranks are asked for when no version has an open edit.
const hasOpen = (versions) => versions.querySelector('[data-verdict="open"]') !== null;
const isAnswered = (card) => isJudged(card) && (!isUnranked(card) || hasOpen(card.parentElement));

function missing(letter, card) {
  return isJudged(card) ? word("no_rank_yet", { letter }) : word("no_edit_verdict_yet", { letter });
}

function setUp(screen) {
  const { cards } = screen;
  const { marking } = screen.form.querySelector("[data-marking]").dataset;
  const { source, proposed, verdicts: offered } = JSON.parse(marking);
  const begun = () => new State(source, proposed, cards.map((card) => hiddenOf(card).value));
  let state = begun();
  let note = () => {}; // of changes, for undo
  let buttons = []; // of each version, by edit
  let selected = null; // the number of a decision
  let seen = 0; // the version in which it was chosen

  const missed = new Missed(screen.section.querySelector(".near .source"), source, {
    changed: (stretch) => {
      keep();
      screen.changed();
      if (stretch) sayMissed(stretch);
    },
    leave: () => (selected === null ? cards[screen.current].focus() : select(selected, seen)),
  });
  const tools = new Tools(screen, offered, { verdict: judge, change, missed: markMissed });

  // The fields hold what is sent, and what a draft keeps.
  function keep() {
    for (const [version, card] of cards.entries()) hiddenOf(card).value = state.written(version, missed.stretches);
    note();
    sayState();
  }

  function redraw() {
    buttons = cards.map((card, version) => {
      const made = draw(card.querySelector(".sentence"), source, state.versions[version]);
      for (const [edit, button] of made.entries()) {
        button.addEventListener("click", () => select(state.numberOf(version, edit), version));
      }
      return made;
    });
    show();
    keep();
  }

  const chosenFor = (decision) => offered.find(([name]) => name === state.verdictOf(decision));
  const isOpen = (decision) => !chosenFor(decision);

  function show() {
    for (const [number, decision] of state.decisions.entries()) {
      const [, verdict, accepts] = chosenFor(decision) ?? [];
      const edit = describe(old(source, decision.edit), decision.edit.replacement);
      const said = verdict ? word("judged_edit", { edit, verdict }) : word("open_edit", { edit });
      for (const place of decision.places) {
        const button = buttons[place.version][place.edit];
        button.classList.toggle("selected", number === selected);
        button.dataset.verdict = verdict ? (accepts ? "accepted" : "rejected") : "open";
        button.setAttribute("aria-label", said);
        button.title = said;
      }
    }
    const decision = state.decisions[selected];
    const place = decision?.places.find(({ version }) => version === seen);
    tools.show(decision && state.verdictOf(decision), place && buttons[seen][place.edit]);
  }

  function reveal(element) {
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }

  function select(number, version) {
    const { places } = state.decisions[number];
    const place = places.find((one) => one.version === version) ?? places[0];
    selected = number;
    seen = place.version;
    reveal(buttons[place.version][place.edit]);
    show();
  }

  // Marks a version as a whole, to be ranked.
  function goTo(version) {
    selected = null;
    show();
    screen.mark(version);
    reveal(cards[version]);
  }

  // Goes to an edit without a verdict, from here on or before; false if there is none.
  function goOn(from) {
    const open = nextOf(state.decisions, isOpen, from);
    if (open !== undefined) select(open);
    return open !== undefined;
  }

  // The fields are as they were before; the edit whose verdict or bounds differ is marked.
  function undone(version) {
    const before = new Map(state.decisions.map((one) => [one.key, state.verdictOf(one)]));
    state = begun();
    missed.stretches = state.begun;
    selected = null;
    redraw();
    const changed = state.decisions.findIndex((one) => before.get(one.key) !== state.verdictOf(one));
    if (changed < 0) goTo(version);
    else select(changed, version);
  }

  function judge(name) {
    if (selected === null) return;
    state.give(state.decisions[selected], name);
    show();
    keep();
    screen.changed();
    if (goOn(selected)) return;
    if (tools.isForPointer && cards.some(isUnranked)) goTo(nextOf(cards, isUnranked, -1));
    else select(selected, seen); // the focus leaves the buttons, so that Enter goes on
  }

  function rank(digit) {
    const radios = radiosOf(cards[screen.current]);
    const radio = radios.find(({ value }) => value === digit);
    if (!radio) return radios.length > 0 && screen.say(word("no_such_rank", { last: radios.length }));
    radio.checked = true;
    note();
    sayState();
    screen.changed();
    return screen.go(nextOf(cards, isUnranked, screen.current) ?? screen.current);
  }

  function change(name) {
    const isReset = name === "reset";
    if (!isReset && selected === null) return;
    if (isReset) state.versions = state.fresh;
    const place = isReset ? null : state.change(name, state.decisions[selected], seen);
    if (!isReset && !place) {
      screen.say(word("no_such_change"));
      return;
    }
    selected = null;
    redraw();
    screen.changed();
    if (place) select(state.numberOf(place.version, place.edit), place.version);
    else goOn(-1);
  }

  function markMissed() {
    missed.go(missed.current);
    screen.say(matchMedia("(pointer: coarse)").matches ? word("marking_missed") : word("marking_missed_by_key"));
  }

  function sayMissed(stretch) {
    const text = source.slice(stretch.start, stretch.end);
    const leaving = [...cards.keys()].filter((version) => state.leftBy(version, [stretch]).length);
    const letters = leaving.map(letterOf).join(", ");
    screen.say(letters ? word("missed_by", { text, letters }) : word("missed_by_none", { text }));
  }

  function sayState() {
    const { decisions } = state;
    const [done, all] = [decisions.filter((one) => !isOpen(one)).length, decisions.length];
    const [ranked, versions] = [cards.filter(rankOf).length, cards.length];
    const asksForRanks = radiosOf(cards[0]).length > 0;
    if (selected !== null && done === all && cards.some(isUnranked)) screen.say(tools.isForPointer ? word("ranks_next") : word("all_judged"));
    else screen.say(asksForRanks ? word("judged_and_ranked", { done, all, ranked, versions }) : word("judged", { done, all }));
  }

  function step(by) {
    const { decisions } = state;
    if (!decisions.length) return;
    const isReversed = getComputedStyle(cards[0].querySelector(".sentence")).direction === "rtl";
    const here = decisions.findIndex(({ places }) => places.some(({ version }) => version >= screen.current));
    const next = selected === null ? Math.max(here, 0) : selected + (isReversed ? -by : by);
    select(Math.max(0, Math.min(next, decisions.length - 1)));
  }

  for (const card of cards) {
    for (const choice of card.querySelectorAll(".choice")) choice.remove();
    hiddenOf(card).disabled = false;
    card.addEventListener("change", () => {
      note();
      sayState();
    });
    card.addEventListener("click", ({ target }) => {
      if (target.closest(".edit") || hasOpen(card.parentElement)) return;
      selected = null;
      show();
      sayState();
    });
  }
  for (const digit of "123456789") {
    screen.on(digit, () => {
      if (selected === null) return rank(digit);
      const [name] = offered[digit - 1] ?? [];
      return name ? judge(name) : false;
    });
  }
  screen.on("ArrowRight", () => step(1));
  screen.on("ArrowLeft", () => step(-1));
  screen.on("m", markMissed);
  for (const [name, , key] of BOUNDS) if (key) screen.on(key, () => change(name));
  screen.go = (version) => {
    const next = Math.max(0, Math.min(version, cards.length - 1));
    const open = state.decisions.findIndex((one) => isOpen(one) && one.places.some((place) => place.version === next));
    if (open >= 0) select(open, next);
    else goTo(next);
  };
  screen.begin = () => goOn(-1) || goTo(nextOf(cards, isUnranked, -1) ?? 0);
  missed.stretches = state.begun;
  redraw();
  note = offerUndo(screen, undone);
}

drive({ isAnswered, missing, setUp });
