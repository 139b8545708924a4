// Rating by sliders: each number field gets one, untouched at first; keys and clicks reach both ends. Without sliders,
// digits and Enter fill in one score after the other.

import { drive } from "../../js/protocol.js";
import { letterOf, word } from "../../js/words.js";

const missing = (letter) => word("no_score_yet", { letter }); // also for scores out of range

function isAnswered(card) {
  return field(card).value !== "" && field(card).checkValidity();
}

function field(card) {
  return card.querySelector("input[type=number]");
}

function setUp(screen) {
  const tell = () => {
    const rated = screen.cards.filter(isAnswered).length;
    screen.say(word("rated", { done: rated, all: screen.cards.length }));
  };

  const setters = screen.cards.map((card) => addSlider(card, tell, () => screen.changed()));

  const copyFromAbove = (place) => {
    const above = field(screen.cards[place - 1]).value;
    if (above !== "") setters[place](Number(above));
  };

  for (const [place, card] of screen.cards.entries()) {
    if (place === 0) continue;
    const copy = document.createElement("button");
    Object.assign(copy, { type: "button", className: "quiet", textContent: word("same") });
    copy.setAttribute("aria-label", word("same_for", { letter: letterOf(place) }));
    copy.addEventListener("click", () => copyFromAbove(place));
    card.querySelector(".scores").append(copy);
  }

  // A digit on a card starts its score; the browser types it.
  const begin = () => {
    const number = field(screen.cards[screen.current]);
    if (document.activeElement !== number) number.focus();
    number.select();
    return false;
  };
  for (let digit = 0; digit <= 9; digit += 1) screen.on(String(digit), begin);
  screen.on("m", () => {
    const box = screen.cards[screen.current].querySelector("input[type=checkbox]");
    box.checked = !box.checked;
    screen.changed();
  });
  screen.on("=", () => (screen.current > 0 ? copyFromAbove(screen.current) : false));
  tell();
}

// What the nearest point of the scale means.
function meaningOf(score) {
  const points = [...document.querySelectorAll(".ends [data-point]")];
  const distance = (point) => Math.abs(Number(point.dataset.point) - score);
  return points.sort((one, other) => distance(one) - distance(other))[0]?.textContent ?? "";
}

// Adds a slider to the number field of a card and returns a function that sets both.
function addSlider(card, tell, changed) {
  const number = field(card);
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: number.min, max: number.max, step: 1 });
  const meaning = document.createElement("output");
  slider.setAttribute("aria-label", word("slider", { label: number.labels[0].textContent.trim() }));

  const show = () => {
    const touched = number.value !== "";
    slider.classList.toggle("untouched", !touched);
    slider.value = touched ? number.value : (Number(number.min) + Number(number.max)) / 2;
    meaning.value = touched ? meaningOf(slider.valueAsNumber) : "";
    slider.setAttribute("aria-valuetext", touched ? `${number.value} ${meaning.value}`.trim() : word("not_rated"));
    tell();
  };
  const set = (value) => {
    number.value = Math.max(number.min, Math.min(value, number.max));
    show();
    changed();
  };
  slider.addEventListener("input", () => set(slider.valueAsNumber));
  // A click on the middle of an untouched slider changes no value, so the browser fires no event.
  slider.addEventListener("pointerup", () => set(slider.valueAsNumber));
  slider.addEventListener("keydown", (event) => {
    const step = { PageUp: 10, PageDown: -10 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(slider.valueAsNumber + step);
  });
  number.addEventListener("input", show);
  card.querySelector(".slider").append(slider, meaning);
  show();
  return set;
}

drive({ isAnswered, missing, setUp });
