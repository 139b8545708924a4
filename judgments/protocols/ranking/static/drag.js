// Ranking by dragging, as an alternative to keys and clicks: the handle of a candidate opens a strip of ranks that
// shows those given so far; releasing the pointer on a rank gives it. Nothing on the page moves.

import { letterOf, word } from "../../js/words.js";

const GAP = 12;
const TALLEST = 56;

// `ranks` returns the current rank of each card, `give` sets one.
export function offerDrag(cards, ranks, give) {
  for (const [place, card] of cards.entries()) {
    const handle = document.createElement("span");
    Object.assign(handle, { className: "handle", title: word("drag") });
    handle.setAttribute("aria-hidden", "true"); // useless without a pointer; the radio buttons do the same
    card.querySelector(".ranks").append(handle);
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || card.querySelector(".bins")) return;
      follow(handle, event, new Strip(card, place, ranks()), (rank) => give(place, rank));
    });
  }
}

// One drag, from pressing the handle to releasing it or pressing Escape.
function follow(handle, event, strip, give) {
  const over = new AbortController();
  const on = (target, kind, act) => target.addEventListener(kind, act, { signal: over.signal });
  const end = () => {
    over.abort();
    strip.element.remove();
  };
  on(handle, "pointermove", (move) => strip.point(move.clientX, move.clientY));
  on(handle, "pointerup", () => {
    end();
    if (strip.rank) give(strip.rank);
  });
  on(handle, "lostpointercapture", end);
  on(document, "keydown", (press) => press.key === "Escape" && end());
  handle.setPointerCapture(event.pointerId);
  strip.open(handle.getBoundingClientRect(), event.clientY);
}

class Strip {
  constructor(card, place, ranks) {
    this.card = card;
    this.place = place;
    this.rank = null;
    this.element = document.createElement("ol");
    this.element.className = "bins";
    this.element.setAttribute("aria-hidden", "true");
    for (const radio of card.querySelectorAll("input[type=radio]")) {
      const others = ranks.flatMap((rank, other) => (rank === radio.value && other !== place ? [letterOf(other)] : []));
      this.element.append(this.bin(radio.value, others));
    }
  }

  bin(rank, others) {
    const bin = document.createElement("li");
    bin.dataset.rank = rank;
    const add = (className, textContent) =>
      bin.append(Object.assign(document.createElement("span"), { className, textContent }));
    add("rank", rank);
    for (const letter of others) add("who", letter);
    add("who moved", letterOf(this.place));
    return bin;
  }

  // Places the strip next to the handle, on the side with more room, within the window.
  open(handle, height) {
    const { style, children } = this.element;
    const tall = Math.min(TALLEST, innerHeight / children.length);
    style.setProperty("--tall", `${tall}px`);
    this.card.append(this.element);
    const wide = this.element.offsetWidth;
    const isRight = innerWidth - handle.right > wide + GAP;
    style.left = `${isRight ? handle.right + GAP : handle.left - GAP - wide}px`;
    const all = this.element.offsetHeight;
    style.top = `${Math.max(0, Math.min(height - all / 2, innerHeight - all))}px`;
    this.edge = isRight ? (x) => x > handle.right : (x) => x < handle.left;
  }

  // Selects the rank at the height of the pointer once it has left the handle towards the strip.
  point(x, y) {
    this.rank = null;
    for (const bin of this.element.children) {
      const { top, bottom } = bin.getBoundingClientRect();
      const isHere = this.edge(x) && y >= top && y < bottom;
      bin.classList.toggle("here", isHere);
      if (isHere) this.rank = bin.dataset.rank;
    }
  }
}
