// Ranking by dragging, as an alternative to keys and clicks: the handle of a candidate opens a strip of ranks that
// shows those given so far; releasing the pointer on a rank gives it. Nothing on the page moves.

import { letterOf, word } from "../../js/words.js";

const GAP = 12;
const TALLEST = 56;

function element(name, className, content = "") {
  return Object.assign(document.createElement(name), { className, textContent: content, ariaHidden: "true" });
}

// `ranks` returns the current rank of each card, `give` sets one. Handles are useless without a pointer; the radio buttons
// do the same.
export function offerDrag(cards, ranks, give) {
  for (const [place, card] of cards.entries()) {
    const handle = element("span", "handle");
    handle.title = word("drag");
    card.querySelector(".ranks").append(handle);
    handle.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && !card.querySelector(".bins")) drag(handle, event, stripFor(card, place, ranks()), (rank) => give(place, rank));
    });
  }
}

function stripFor(card, place, ranks) {
  const strip = element("ol", "bins");
  for (const { value } of card.querySelectorAll("input[type=radio]")) {
    const bin = element("li", "");
    bin.dataset.rank = value;
    const others = [...ranks.keys()].filter((other) => ranks[other] === value && other !== place);
    bin.append(element("span", "rank", value), ...others.map((other) => element("span", "who", letterOf(other))));
    bin.append(element("span", "who moved", letterOf(place)));
    strip.append(bin);
  }
  card.append(strip);
  return strip;
}

// From pressing the handle to releasing it or pressing Escape. The strip stands on the side of the handle with more room;
// a rank is chosen at the height of the pointer once it has left the handle towards the strip.
function drag(handle, { pointerId, clientY }, strip, give) {
  const { left, right } = handle.getBoundingClientRect();
  strip.style.setProperty("--tall", `${Math.min(TALLEST, innerHeight / strip.children.length)}px`);
  const [wide, all] = [strip.offsetWidth, strip.offsetHeight];
  const isRight = innerWidth - right > wide + GAP;
  strip.style.left = `${isRight ? right + GAP : left - GAP - wide}px`;
  strip.style.top = `${Math.max(0, Math.min(clientY - all / 2, innerHeight - all))}px`;

  const over = new AbortController();
  const on = (target, kind, act) => target.addEventListener(kind, act, { signal: over.signal });
  const end = () => {
    over.abort();
    strip.remove();
  };
  on(handle, "pointermove", ({ clientX: x, clientY: y }) => {
    for (const bin of strip.children) {
      const { top, bottom } = bin.getBoundingClientRect();
      bin.classList.toggle("here", (isRight ? x > right : x < left) && y >= top && y < bottom);
    }
  });
  on(handle, "pointerup", () => {
    const rank = strip.querySelector(".here")?.dataset.rank;
    end();
    if (rank) give(rank);
  });
  on(handle, "lostpointercapture", end);
  on(document, "keydown", ({ key }) => key === "Escape" && end());
  handle.setPointerCapture(pointerId);
}
