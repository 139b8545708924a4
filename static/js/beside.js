// A small bar of buttons beside what it is about, with which it scrolls.

const GAP = 4;

// The top and the bottom of what the sticky parts of a screen leave free.
export function edgesOf(section) {
  const boxes = (selector) => [...section.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const feet = boxes(".essays, .marking-tools, .submit").map(({ top }) => top);
  return [Math.max(0, ...boxes(".near, .heads").map(({ bottom }) => bottom)), Math.min(innerHeight, ...feet)];
}

// Below the first of the boxes, above it, below the second...: where there is room.
export function placeBeside(bar, section, ...boxes) {
  Object.assign(bar.style, { left: 0, top: 0 });
  const [{ left, top, width, height }, sides] = [bar.getBoundingClientRect(), section.getBoundingClientRect()];
  const [ceiling, floor] = edgesOf(section);
  const places = boxes.flatMap((box) => [box.bottom + GAP, box.top - GAP - height]);
  const y = places.find((one) => one >= ceiling && one + height <= floor) ?? boxes.at(-1).bottom + GAP;
  bar.style.left = `${Math.max(sides.left, Math.min(boxes.at(-1).left, sides.right - width)) - left}px`;
  bar.style.top = `${y - top}px`;
}
