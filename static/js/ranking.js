// Ranking by keys: a digit ranks the current candidate and moves on, z takes the last one back.

export const noun = "rank";

export function isAnswered(card) {
  return chosen(card) !== null;
}

function chosen(card) {
  return card.querySelector("input[type=radio]:checked");
}

export function setUp(screen) {
  const past = [];

  const tell = () => {
    const ranked = screen.cards.filter(isAnswered).length;
    screen.say(`${ranked} of ${screen.cards.length} ranked`);
  };

  const rank = (digit) => {
    const card = screen.cards[screen.current];
    const radio = card.querySelector(`input[type=radio][value="${digit}"]`);
    if (!radio) return false;
    past.push({ place: screen.current, before: chosen(card) });
    radio.checked = true;
    const after = screen.cards.findIndex((other, place) => place > screen.current && !isAnswered(other));
    const open = after < 0 ? screen.cards.findIndex((other) => !isAnswered(other)) : after;
    screen.go(open < 0 ? screen.current : open);
    tell();
    screen.changed();
  };

  const undo = () => {
    const last = past.pop();
    if (!last) return;
    const now = chosen(screen.cards[last.place]);
    if (now) now.checked = false;
    if (last.before) last.before.checked = true;
    screen.go(last.place);
    tell();
    screen.changed();
  };

  for (let digit = 1; digit <= 9; digit += 1) screen.on(String(digit), () => rank(digit));
  screen.on("z", undo);
  screen.form.addEventListener("change", tell);
  tell();
}
