// Rating by numbers and sliders. Two digits are a score and go on to the next version, so that a screen takes two keys a
// version and Enter.

import { drive, nextOf } from "../../js/protocol.js";
import { addSlider } from "../../js/slider.js";
import { offerUndo } from "../../js/undo.js";
import { word } from "../../js/words.js";

const missing = (letter) => word("no_score_yet", { letter }); // also for scores out of range

function isAnswered(card) {
  return field(card).value !== "" && field(card).checkValidity();
}

function field(card) {
  return card.querySelector("input[type=number]");
}

function setUp(screen) {
  const { cards } = screen;
  const tell = () => screen.say(word("rated", { done: cards.filter(isAnswered).length, all: cards.length }));
  const undone = (place) => {
    field(cards[place]).dispatchEvent(new Event("input", { bubbles: true })); // the slider follows
    screen.go(place);
  };
  const note = offerUndo(screen, undone);
  const changed = () => {
    note();
    tell();
    screen.changed();
  };
  screen.form.addEventListener("change", note);
  const setters = cards.map((card) => {
    const number = field(card);
    const label = word("slider", { label: number.labels[0].textContent.trim() });
    number.addEventListener("input", (event) => goOn(number, event));
    return addSlider(number, card.querySelector(".slider"), { label, meaningOf, untouched: word("not_rated"), changed });
  });

  // What is typed after a whole score belongs to the next version; only "10" may become "100".
  function goOn(number, { data }) {
    tell();
    if (!/^\d$/.test(data ?? "") || number.value.length < 2 || number.value === "10") return;
    const typed = number.value;
    const isWhole = typed.length === 2 || typed === "100";
    setters[screen.current](Number(isWhole ? typed : typed.slice(0, 2)));
    const next = nextOf(cards, (card) => !isAnswered(card), screen.current) ?? screen.current + 1;
    screen.go(next);
    if (isWhole || next === cards.length) return;
    begin();
    field(cards[next]).value = data;
    field(cards[next]).dispatchEvent(new Event("input", { bubbles: true }));
  }

  // A digit on a card starts its score; the browser types it.
  function begin() {
    const number = field(cards[screen.current]);
    if (document.activeElement !== number) number.focus();
    number.select();
    return false;
  }
  for (let digit = 0; digit <= 9; digit += 1) screen.on(String(digit), begin);
  screen.on("m", () => {
    const box = cards[screen.current].querySelector("input[type=checkbox]");
    box.checked = !box.checked;
    changed();
  });
  screen.on("=", () => {
    const above = cards[screen.current - 1];
    if (!above || !isAnswered(above)) return false;
    setters[screen.current](Number(field(above).value));
    if (screen.current < cards.length - 1) screen.go(screen.current + 1);
    return true;
  });
  tell();
}

// What the nearest point of the scale means.
function meaningOf(score) {
  const points = [...document.querySelectorAll(".ends [data-point]")];
  const distance = (point) => Math.abs(Number(point.dataset.point) - score);
  return points.sort((one, other) => distance(one) - distance(other))[0]?.textContent ?? "";
}

drive({ isAnswered, missing, setUp });
