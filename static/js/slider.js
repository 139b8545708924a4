// A slider beside a number, which is what counts. Until there is a number the thumb waits beside the axis.

// `meaningOf` names a number in words; `changed` is called after a change by the slider. Returns a function that sets both.
export function addSlider(number, place, { label, meaningOf, untouched, changed }) {
  const [slider, meaning] = [document.createElement("input"), document.createElement("output")];
  const [least, most] = [Number(number.min), Number(number.max)];
  Object.assign(slider, { type: "range", min: least, max: most, step: 1, ariaLabel: label, autocomplete: "off" });
  const show = () => {
    const isTouched = number.value !== "";
    slider.classList.toggle("untouched", !isTouched);
    slider.value = isTouched ? number.value : least;
    meaning.value = isTouched ? meaningOf(slider.valueAsNumber) : "";
    place.style.setProperty("--at", (slider.valueAsNumber - least) / (most - least));
    slider.ariaValueText = isTouched ? `${number.value} ${meaning.value}`.trim() : untouched;
  };
  const set = (value) => {
    number.value = Math.max(least, Math.min(value, most));
    show();
    changed();
  };
  slider.addEventListener("input", () => set(slider.valueAsNumber));
  // A click on the least number of an untouched slider changes no value, so the browser fires no event.
  slider.addEventListener("pointerup", () => set(slider.valueAsNumber));
  slider.addEventListener("keydown", (event) => {
    const step = { PageUp: 10, PageDown: -10 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(slider.valueAsNumber + step);
  });
  number.addEventListener("input", ({ data }) => {
    if (/^\d$/.test(data ?? "") && Number(number.value) > most) number.value = number.value.slice(0, -1); // one digit too many
    show();
  });
  place.append(slider, meaning);
  show();
  return set;
}
