import { reason, SignedOut } from "./post.js";
import { describe } from "./words.js";

// One judging screen: the current candidate, keys, and a status line that says what is missing.
// The page is a plain form that works without this script. `gone` aborts when another screen replaces this one.

const TYPING = "textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=number])";
const OF_NUMBERS = /^(\d|[A-Z].+)$/; // digits, and named keys
const AIR = 16; // a label is larger than its box
const LOW = "(max-height: 30rem)"; // without room for the line of tools

export class Screen {
  constructor(form, gone) {
    this.form = form;
    this.section = form.closest(".screen, main");
    this.isActive = true;
    this.isFrozen = false;
    this.gone = gone;
    this.cards = [...form.querySelectorAll(".candidate")];
    this.status = form.querySelector("[data-status]");
    this.banner = form.querySelector("[data-banner]");
    this.signIn = form.querySelector("[data-sign-in]");
    this.current = 0;
    this.keys = new Map();
    this.changed = () => {};
    for (const [place, card] of this.cards.entries()) {
      card.tabIndex = -1;
      announce(card, this.section);
      card.addEventListener("focusin", () => this.mark(place));
      card.addEventListener("click", () => this.mark(place));
    }
    document.addEventListener("keydown", (event) => this.press(event), { signal: gone });
    if (this.cards.length > 1) {
      this.on("ArrowDown", () => this.go(this.current + 1));
      this.on("ArrowUp", () => this.go(this.current - 1));
    }
    const context = document.querySelector("#context");
    context?.addEventListener("toggle", () => context.querySelector(".source").scrollIntoView({ block: "center" }));
    this.on("c", () => context?.togglePopover());
    this.on("?", () => document.querySelector("#help").togglePopover());
    const [opener, remark] = ["[popovertarget^=remark]", ".remark"].map((one) => this.section.querySelector(one));
    remark?.addEventListener("toggle", ({ newState }) => {
      const isBack = newState === "closed" && document.activeElement === opener; // where Enter would open it again
      if (isBack) this.cards[this.current].focus({ preventScroll: true });
    });
    this.on("s", () => this.section.querySelector("[popovertarget^=skip]")?.click());
    this.keepClear();
    matchMedia(LOW).addEventListener("change", () => this.isActive && this.begin(), { signal: gone }); // a phone is turned
  }

  // The source at the top and the bar at the bottom grow with their texts; they must never cover the focused element.
  keepClear() {
    const bar = this.form.querySelector(".submit");
    const near = this.section.querySelector(".near");
    this.clear = () => {
      if (!this.isActive) return;
      const isSticky = near && getComputedStyle(near).position === "sticky";
      document.documentElement.style.scrollPaddingTop = `${isSticky ? near.offsetHeight + AIR : 0}px`;
      document.documentElement.style.scrollPaddingBottom = `${bar.offsetHeight + AIR}px`;
      document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
    };
    const watcher = new ResizeObserver(() => this.clear());
    watcher.observe(bar);
    if (near) watcher.observe(near);
    this.gone.addEventListener("abort", () => watcher.disconnect());
  }

  on(key, act) {
    this.keys.set(key, act);
  }

  press(event) {
    if (!this.isActive || this.isFrozen || event.defaultPrevented) return; // the key is or was for another screen of the page
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches(TYPING) || event.target.closest("dialog, [popover]")) return;
    // Up and down move between sentences wherever the focus is; a browser would change the answer instead.
    const isMove = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.target.matches("[type=number]") && !isMove) {
      if (OF_NUMBERS.test(event.key)) return;
      event.preventDefault(); // with an e or a dot in it, browsers take a number for nothing
    }
    if (event.repeat && !event.key.startsWith("Arrow")) return; // a key held down counts once
    const act = this.keys.get(event.key);
    if (!act || act(event) === false) return;
    event.preventDefault();
  }

  mark(place) {
    this.current = place;
    for (const [other, card] of this.cards.entries()) card.classList.toggle("current", other === place);
  }

  // Screen readers start at the focus, so the first candidate gets it.
  begin() {
    this.mark(0);
    this.cards[0].focus({ preventScroll: true });
    this.clear();
    const [last, bar] = [this.cards.at(-1), this.form.querySelector(".submit")].map((one) => one.getBoundingClientRect());
    if (matchMedia(LOW).matches && last.bottom > bar.top) this.section.scrollIntoView();
  }

  go(place) {
    const next = Math.max(0, Math.min(place, this.cards.length - 1));
    this.mark(next);
    this.cards[next].focus({ preventScroll: true });
    this.cards[next].scrollIntoView({ block: "nearest" });
  }

  say(text) {
    this.status.textContent = text;
  }

  freeze(isFrozen) {
    this.isFrozen = isFrozen;
    const bar = this.form.querySelector(".submit");
    for (const part of [...this.form.children, this.section.querySelector(".skip")]) {
      if (part && part !== bar) part.inert = isFrozen;
    }
    bar.querySelector("button.primary").disabled = isFrozen;
  }

  // Shows an unobtrusive message until it is no longer true.
  warn(trouble) {
    const text = trouble instanceof Error ? reason(trouble) : trouble;
    this.banner.hidden = !text;
    this.banner.textContent = text ?? "";
    this.signIn.hidden = !(trouble instanceof SignedOut);
  }
}

let described = 0;

// Screen readers announce controls with their sentence: the candidate, or the source. Whole texts would be too long.
function announce(card, section) {
  const group = card.querySelector("fieldset");
  const sentence = card.querySelector(".sentence") ?? section.querySelector(".near .source");
  if (!sentence) return;
  if (!card.querySelector("[data-verdicts]")) speak(sentence);
  described += 1;
  sentence.id = `sentence_${described}`;
  group.setAttribute("aria-describedby", `${sentence.id} ${group.getAttribute("aria-describedby") ?? ""}`.trim());
}

// They read the version as it is, then its edits; the marks are for the eye.
function speak(sentence) {
  const edits = [...sentence.querySelectorAll(".edit, :not(.edit) > :is(ins, del)")].map((edit) => {
    const parts = ["del", "ins"].map((part) => (edit.matches(part) ? edit : edit.querySelector(part))?.textContent ?? "");
    return describe(...parts);
  });
  if (!edits.length) return;
  const [heard, seen] = [document.createElement("span"), document.createElement("span")];
  seen.append(...sentence.childNodes);
  seen.ariaHidden = "true";
  heard.append(...seen.cloneNode(true).childNodes);
  for (const part of heard.querySelectorAll("del, .note")) part.remove();
  heard.className = "unseen";
  heard.textContent = [heard.textContent.trim(), ...edits].join(" ");
  sentence.append(heard, seen);
}
