// Suggests a break after some minutes of judging without one. Times are kept in this browser, for all windows.

import { word } from "./words.js";

const BREAK = 5 * 60_000; // nobody judged for so long
const MINUTE = 60_000;
const KEPT = "worked";

export function suggestRest(form) {
  const minutes = Number(form.dataset.rest);
  if (!minutes) return;
  const now = Date.now();
  const worked = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  const isGoingOn = worked && now - worked.last < BREAK && now >= worked.last;
  const { since, told } = isGoingOn ? worked : { since: now, told: false };
  const isDue = !told && now - since >= minutes * MINUTE;
  localStorage.setItem(KEPT, JSON.stringify({ since, last: now, told: told || isDue }));
  if (!isDue) return;
  const line = form.querySelector("[data-rested]");
  line.textContent = word("rest", { minutes: Math.round((now - since) / MINUTE) });
  line.hidden = false;
}
