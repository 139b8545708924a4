// Ranking by keys: a digit ranks the current candidate and moves on.

import { offerDrag } from "./drag.js";
import { drive, nextOf } from "../../js/protocol.js";
import { offerUndo } from "../../js/undo.js";
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

function setUp(screen) {
  const { cards } = screen;
  const tell = () => screen.say(word("ranked", { done: cards.filter(isAnswered).length, all: cards.length }));
  const undone = (place) => {
    screen.go(place);
    tell();
  };
  const noteForUndo = offerUndo(screen, undone);
  const note = () => {
    noteForUndo();
    tell();
  };
  const give = (place, rank) => {
    for (const radio of radios(cards[place])) radio.checked = radio.value === rank;
    note();
    screen.changed();
  };
  const goOn = () => screen.go(nextOf(cards, (card) => !isAnswered(card), screen.current) ?? screen.current);
  const rank = (digit) => {
    const ranks = radios(cards[screen.current]);
    if (!ranks.some((radio) => radio.value === digit)) return screen.say(word("no_such_rank", { last: ranks.length }));
    give(screen.current, digit);
    return goOn();
  };

  for (let digit = 1; digit <= 9; digit += 1) screen.on(String(digit), () => rank(String(digit)));
  screen.form.addEventListener("change", note);
  // A press moves on as a key does; arrows in a group of buttons click too, but press nothing.
  screen.form.addEventListener("click", ({ target, detail }) => detail && target.matches(".ranks input") && goOn());
  offerDrag(cards, () => cards.map(rankOf), give);
  tell();
}

drive({ isAnswered, missing, setUp });
