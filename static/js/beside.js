// Buttons with keys, and a small bar of them beside what it is about, with which it scrolls.

const GAP = 4;

export function button(text, key, act) {
  const [made, hint] = [document.createElement("button"), document.createElement("kbd")];
  Object.assign(made, { type: "button", textContent: `${text} ` });
  Object.assign(hint, { textContent: key, ariaHidden: "true" });
  made.append(hint);
  made.addEventListener("click", act);
  return made;
}

// Of what is free of a screen, the top and the bottom: that of the first of the feet.
export function edgesOf(section, feet) {
  const boxes = (selector) => [...section.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const tops = boxes(feet).map(({ top }) => top);
  return [Math.max(0, ...boxes(".near, .heads").map(({ bottom }) => bottom)), Math.min(innerHeight, ...tops)];
}

// Below the first of the boxes, above it, below the second...: where there is room.
export function placeBeside(bar, section, ...boxes) {
  Object.assign(bar.style, { left: 0, top: 0 });
  const [{ left, top, width, height }, sides] = [bar.getBoundingClientRect(), section.getBoundingClientRect()];
  const [ceiling, floor] = edgesOf(section, ".marking-tools, .submit");
  const places = boxes.flatMap((box) => [box.bottom + GAP, box.top - GAP - height]);
  const y = places.find((one) => one >= ceiling && one + height <= floor) ?? floor - height;
  bar.style.left = `${Math.max(sides.left, Math.min(boxes.at(-1).left, sides.right - width)) - left}px`;
  bar.style.top = `${y - top}px`;
}
