import { letterOf } from "./words.js";

// The script of the campaign's protocol. The page loads it before the script that runs the screen, so that no key is
// pressed too early.
export let protocol = null;

export function drive(script) {
  protocol = script;
}

// Goes to the first candidate without an answer and says what is missing; false if there is none.
export function showMissing(screen) {
  const open = screen.cards.findIndex((card) => !protocol.isAnswered(card));
  if (open < 0) return false;
  screen.go(open);
  screen.say(protocol.missing(letterOf(open), screen.cards[open]));
  return true;
}

// The place of the next one wanted: after this place, otherwise the first of all.
export function nextOf(all, isWanted, from) {
  const wanted = [...all.keys()].filter((place) => isWanted(all[place]));
  return wanted.find((place) => place > from) ?? wanted[0];
}
