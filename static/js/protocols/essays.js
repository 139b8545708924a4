// Whole texts: buttons or a number for each scale of a version, their words, and the errors marked in the text.

import { drive } from "../protocol.js";
import { word } from "../words.js";
import { offerMarks } from "./essays/marks.js";

const scalesOf = (card) => [...card.querySelectorAll(".scale")];
const valueOf = (scale) => scale.querySelector("input:checked, input[type=number]")?.value ?? "";

function isGiven(scale) {
  const number = scale.querySelector("input[type=number]");
  return valueOf(scale) !== "" && (!number || number.checkValidity());
}

const isAnswered = (card) => scalesOf(card).every(isGiven);

function missing(number, card) {
  const open = scalesOf(card).filter((scale) => !isGiven(scale));
  return word("scales_left", { number, scales: open.map((scale) => scale.dataset.scale).join(", ") });
}

function nearest(scale, value) {
  const distance = (point) => Math.abs(Number(point.dataset.point) - value);
  const points = [...scale.querySelectorAll("[data-point]")].sort((one, other) => distance(one) - distance(other));
  return points[0]?.textContent ?? "";
}

// A slider beside a number, for hands that prefer one; the number is what counts.
function addSlider(number) {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: number.min, max: number.max, tabIndex: -1 });
  slider.setAttribute("aria-hidden", "true");
  const show = () => {
    slider.classList.toggle("untouched", number.value === "");
    if (number.value !== "") slider.value = number.value;
  };
  for (const kind of ["input", "pointerup"]) {
    slider.addEventListener(kind, () => {
      number.value = slider.value;
      number.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  number.addEventListener("input", show);
  number.closest("label").append(slider);
  show();
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
    names[place].value = `${value.replace("-", "?")} ${label.title || nearest(scale, Number(value))}`;
  };
  for (const kind of ["pointerover", "focusin", "input"]) screen.form.addEventListener(kind, explain);
  screen.form.addEventListener("input", tell);
  for (const number of screen.form.querySelectorAll(".scale input[type=number]")) addSlider(number);

  const choose = (value) => {
    const card = screen.cards[screen.current];
    const used = document.activeElement?.closest(".scale");
    const scale = card.contains(used) ? used : scalesOf(card).find((one) => !isGiven(one));
    const button = scale?.querySelector(`input[value="${value}"]`);
    if (!button) return false;
    button.click();
    const following = scalesOf(card)[scalesOf(card).indexOf(scale) + 1];
    (following?.querySelector("input:checked, input") ?? button).focus({ preventScroll: true });
    return true;
  };
  for (let digit = 0; digit <= 9; digit += 1) screen.on(String(digit), () => choose(digit));
  screen.on("-", () => choose("-"));
  screen.on("]", () => screen.go(screen.current + 1));
  screen.on("[", () => screen.go(screen.current - 1));
  screen.on("r", () => {
    const rubric = screen.section.querySelector("details.rubric");
    if (rubric) rubric.open = !rubric.open;
  });
  // Up and down scroll the text.
  if (screen.section.querySelector(".texts")) for (const key of ["ArrowDown", "ArrowUp"]) screen.keys.delete(key);
  offerMarks(screen);
  tell();
}

drive({ isAnswered, missing, setUp });
