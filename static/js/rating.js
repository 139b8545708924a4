// Rating by sliders: each number field gets one, untouched at first; keys and clicks reach both ends.
import { Screen } from "./screen.js";

const form = document.querySelector("form.answers");
const screen = new Screen(form);

function field(card) {
  return card.querySelector("input[type=number]");
}

function tell() {
  const rated = screen.cards.filter((card) => field(card).value !== "").length;
  screen.say(`${rated} of ${screen.cards.length} rated`);
}

function addSlider(card) {
  const number = field(card);
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: number.min, max: number.max, step: 1 });
  slider.setAttribute("aria-label", `${number.labels[0].firstChild.textContent.trim()}, slider`);
  const bubble = document.createElement("output");
  bubble.className = "bubble";

  const show = () => {
    const touched = number.value !== "";
    slider.classList.toggle("untouched", !touched);
    slider.value = touched ? number.value : (Number(number.min) + Number(number.max)) / 2;
    slider.setAttribute("aria-valuetext", touched ? number.value : "not rated yet");
    bubble.textContent = `${touched ? number.value : "-"}/${number.max}`;
    tell();
  };
  const set = (value) => {
    number.value = Math.max(number.min, Math.min(value, number.max));
    show();
    screen.changed();
  };
  slider.addEventListener("input", () => set(slider.valueAsNumber));
  // A click on the middle of an untouched slider changes no value, so the browser tells nothing.
  slider.addEventListener("pointerup", () => set(slider.valueAsNumber));
  slider.addEventListener("keydown", (event) => {
    const step = { PageUp: 10, PageDown: -10 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(slider.valueAsNumber + step);
  });
  number.addEventListener("input", show);
  card.querySelector(".slider").append(slider, bubble);
  show();
  return set;
}

const setters = screen.cards.map(addSlider);

function copyFromAbove(place) {
  const above = field(screen.cards[place - 1]).value;
  if (above !== "") setters[place](Number(above));
}

for (const [place, card] of screen.cards.entries()) {
  if (place === 0) continue;
  const copy = document.createElement("button");
  Object.assign(copy, { type: "button", className: "quiet", textContent: "Same as above" });
  copy.addEventListener("click", () => copyFromAbove(place));
  card.querySelector(".scores").append(copy);
}

screen.on("m", () => {
  const box = screen.cards[screen.current].querySelector("input[type=checkbox]");
  box.checked = !box.checked;
  screen.changed();
});
screen.on("=", () => (screen.current > 0 ? copyFromAbove(screen.current) : false));
screen.on("Enter", (event) => {
  if (event.target.matches("button, a, summary")) return false;
  screen.submit((card) => field(card).value !== "", "score");
});
screen.go(0);
