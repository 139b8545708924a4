// Ranking by keys: a digit ranks the current candidate and moves on, z takes the last one back, Enter submits.
import { Screen } from "./screen.js";

const form = document.querySelector("form.answers");
const screen = new Screen(form);
const past = [];

function chosen(card) {
  return card.querySelector("input[type=radio]:checked");
}

function tell() {
  const ranked = screen.cards.filter(chosen).length;
  screen.say(`${ranked} of ${screen.cards.length} ranked`);
}

function rank(digit) {
  const card = screen.cards[screen.current];
  const radio = card.querySelector(`input[type=radio][value="${digit}"]`);
  if (!radio) return false;
  past.push({ place: screen.current, before: chosen(card) });
  radio.checked = true;
  const after = screen.cards.findIndex((other, place) => place > screen.current && !chosen(other));
  const open = after < 0 ? screen.cards.findIndex((other) => !chosen(other)) : after;
  screen.go(open < 0 ? screen.current : open);
  tell();
  screen.changed();
}

function undo() {
  const last = past.pop();
  if (!last) return;
  const now = chosen(screen.cards[last.place]);
  if (now) now.checked = false;
  if (last.before) last.before.checked = true;
  screen.go(last.place);
  tell();
  screen.changed();
}

for (let digit = 1; digit <= 9; digit += 1) screen.on(String(digit), () => rank(digit));
screen.on("z", undo);
screen.on("Enter", (event) => {
  if (event.target.matches("button, a, summary")) return false;
  screen.submit(chosen, "rank");
});
form.addEventListener("change", tell);
screen.go(0);
tell();
