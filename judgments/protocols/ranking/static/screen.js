// Ranking by keys: a digit ranks the current candidate and moves on; z undoes the last rank, however it was given.

import { offerDrag } from "./drag.js";
import { drive, nextOf } from "../../js/protocol.js";
import { word } from "../../js/words.js";

const missing = (letter) => word("no_rank_yet", { letter });

function isAnswered(card) {
  return rankOf(card) !== null;
}

function radios(card) {
  return [...card.querySelectorAll("input[type=radio]")];
}

function rankOf(card) {
  return radios(card).find((radio) => radio.checked)?.value ?? null;
}

function setRank(card, rank) {
  for (const radio of radios(card)) radio.checked = radio.value === rank;
}

function setUp(screen) {
  const { cards } = screen;
  const known = cards.map(rankOf);
  const past = [];

  const tell = () => {
    const ranked = cards.filter(isAnswered).length;
    screen.say(word("ranked", { done: ranked, all: cards.length }));
  };

  // Records changes for undo.
  const note = () => {
    for (const [place, card] of cards.entries()) {
      if (rankOf(card) === known[place]) continue;
      past.push({ place, before: known[place] });
      known[place] = rankOf(card);
    }
    tell();
  };

  const give = (place, rank) => {
    setRank(cards[place], rank);
    note();
    screen.changed();
  };

  const rank = (digit) => {
    if (!radios(cards[screen.current]).some((radio) => radio.value === digit)) return false;
    give(screen.current, digit);
    goOn();
    return true;
  };

  const goOn = () => screen.go(nextOf(cards, (card) => !isAnswered(card), screen.current) ?? screen.current);

  const undo = () => {
    const last = past.pop();
    if (!last) return;
    setRank(cards[last.place], last.before);
    known[last.place] = last.before;
    screen.go(last.place);
    tell();
    screen.changed();
  };

  for (let digit = 1; digit <= 9; digit += 1) screen.on(String(digit), () => rank(String(digit)));
  screen.on("z", undo);
  screen.form.addEventListener("change", note);
  // A press moves on as a key does; arrows in a group of buttons click too, but press nothing.
  screen.form.addEventListener("click", ({ target, detail }) => detail && target.matches(".ranks input") && goOn());
  offerDrag(cards, () => known, give);
  tell();
}

drive({ isAnswered, missing, setUp });
