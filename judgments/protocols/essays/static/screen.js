// Whole texts: buttons or a number for each scale of a version, their words, and the errors marked in the text.

import { drive } from "../../js/protocol.js";
import { addSlider } from "../../js/slider.js";
import { word } from "../../js/words.js";
import { MARKING, offerMarks } from "./marks.js";

const LINE = 40; // pixels that an arrow scrolls, as in browsers
const scalesOf = (card) => [...card.querySelectorAll(".scale")];

function isGiven(scale) {
  const number = scale.querySelector("input[type=number]");
  return scale.querySelector("input:checked") !== null || Boolean(number?.value && number.checkValidity());
}

// A version needs a number on one scale at least.
function openIn(card) {
  const scales = scalesOf(card);
  const open = scales.filter((scale) => !isGiven(scale));
  return open.length || scales.some((scale) => !scale.querySelector("[value='-']:checked")) ? open : scales;
}

const isAnswered = (card) => openIn(card).length === 0;

function missing(letter, card) {
  return word("scales_left", { letter, scales: openIn(card).map((scale) => scale.dataset.scale).join(", ") });
}

const pointsOf = (scale) => [...scale.querySelectorAll("[data-point]")].map((one) => [Number(one.dataset.point), one.textContent]);

// The words of a number, or of the nearest one that has words.
function meaningIn(scale, value) {
  const distance = ([point]) => Math.abs(point - value);
  const [point, words] = pointsOf(scale).sort((one, other) => distance(one) - distance(other))[0];
  return point === value ? words : `(${point}: ${words})`;
}

// A slider whose ticks are where the words are, if these divide it evenly.
function slide(number) {
  const [scale, least, most] = [number.closest(".scale"), Number(number.min), Number(number.max)];
  const parts = pointsOf(scale).length - 1;
  const isEven = pointsOf(scale).every(([point], place) => Math.abs(point - least - ((most - least) * place) / parts) < 1);
  scale.style.setProperty("--parts", isEven ? parts : 1);
  const other = scale.querySelector("[type=checkbox]"); // for who cannot say
  number.addEventListener("input", () => other && (other.checked = false));
  addSlider(number, scale.querySelector(".slider"), {
    label: word("slider", { label: scale.querySelector("legend").textContent.trim() }),
    meaningOf: (value) => meaningIn(scale, value),
    untouched: word("not_rated"),
    changed: () => number.dispatchEvent(new Event("input", { bubbles: true })),
  });
}

function setUp(screen) {
  const tell = () => {
    screen.say(word("rated", { done: screen.cards.filter(isAnswered).length, all: screen.cards.length }));
  };
  // The words of the point in use stand beside the name of its scale.
  const names = [...screen.section.querySelectorAll(".names output")];
  const explain = (event) => {
    const label = event.target.closest(".scale label");
    if (!label || names.length === 0) return;
    const scale = label.closest(".scale");
    const place = scalesOf(label.closest(".candidate")).indexOf(scale);
    const { value } = label.querySelector("input");
    if (!value) return;
    names[place].value = `${value.replace("-", "?")} ${label.querySelector(".words")?.textContent.trim() || meaningIn(scale, Number(value))}`;
  };
  for (const kind of ["pointerover", "focusin", "input"]) screen.form.addEventListener(kind, explain);
  screen.form.addEventListener("input", tell);
  for (const number of screen.form.querySelectorAll(".scale input[type=number]")) slide(number);

  const choose = (value) => {
    const card = screen.cards[screen.current];
    const used = document.activeElement?.closest(".scale");
    const scale = card.contains(used) ? used : scalesOf(card).find((one) => !isGiven(one));
    const button = scale?.querySelector(`input:not([type=number])[value="${value}"]`);
    if (!button) return value !== "-" && type(scale?.querySelector("input[type=number]"));
    button.click();
    const following = scalesOf(card)[scalesOf(card).indexOf(scale) + 1];
    const next = screen.cards.findIndex((other, place) => place > screen.current && !isAnswered(other));
    if (following || next < 0) use(following ?? scale);
    else screen.go(next);
    return true;
  };
  screen.go = (place) => {
    const scales = scalesOf(screen.cards[Math.max(0, Math.min(place, screen.cards.length - 1))]);
    use(scales.find((one) => !isGiven(one)) ?? scales[0]);
  };
  const marks = offerMarks(screen, tell);
  for (let digit = 0; digit <= 9; digit += 1) screen.on(String(digit), () => marks.press(digit) || choose(digit));
  screen.on("-", () => choose("-"));
  screen.on("]", () => marks.press("]") || screen.go(screen.current + 1));
  screen.on("[", () => marks.press("[") || screen.go(screen.current - 1));
  for (const key of MARKING) screen.on(key, (event) => marks.press(key, event));
  const hasTexts = screen.section.querySelector(".texts");
  for (const [key, by] of [["ArrowDown", 1], ["ArrowUp", -1]]) {
    screen.on(key, () => marks.press(key) || (hasTexts ? scrollBy(0, by * LINE) : screen.go(screen.current + by)));
  }
  screen.on("r", () => screen.section.querySelector("#rubric")?.togglePopover());
  tell();
}

// The group has the focus, not a button of it: a space bar and arrows that are meant to scroll must not answer.
function use(scale) {
  scale.tabIndex = -1;
  scale.focus({ preventScroll: true });
  scale.scrollIntoView({ block: "nearest" });
}

// Returns false, so that the browser writes the digit into the field.
function type(number) {
  number?.focus({ preventScroll: true });
  number?.select();
  return false;
}

drive({ isAnswered, missing, setUp });
