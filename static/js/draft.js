// Saves unfinished answers: in this browser at once, and on the server within a second.

import { post } from "./post.js";

const SOON = 800;
const HEARTBEAT = 60_000;
const IDLE = 30_000;

// Fields of a single submission, which are not answers.
const TRANSIENT = ["key", "view", "csrfmiddlewaretoken", "active", "skip", "skip_reason"];

const storageKeyOf = (judge, address) => `draft ${judge} ${address}`;

// Saves answers in this browser; the page of their assignment restores them.
export function keepLocally(judge, address, fields) {
  const answers = fields.filter(([name]) => !TRANSIENT.includes(name));
  localStorage.setItem(storageKeyOf(judge, address), JSON.stringify(answers));
}

// Fills in a form with answers.
export function fill(form, fields) {
  for (const [name, value] of fields.filter(([name]) => !TRANSIENT.includes(name))) {
    const field = form.elements[name];
    if (field?.type === "checkbox") field.checked = true;
    else if (field) field.value = value;
  }
}

export function keepDraft(form, say, gone, isOpen) {
  const storageKey = storageKeyOf(form.dataset.judge, form.dataset.draft);
  const active = form.elements.active;
  let timer = null;
  let changes = 0;
  let saved = 0; // of these
  let isTroubled = false;
  let lastMove = Date.now();
  let lastTick = Date.now();

  // Only time with the page in view and somebody at this screen counts as active.
  const tick = () => {
    const now = Date.now();
    if (document.visibilityState === "visible" && lastTick - lastMove < IDLE && isOpen()) {
      active.value = (Number(active.value) + (now - lastTick) / 1000).toFixed(1);
    }
    lastTick = now;
  };
  for (const kind of ["keydown", "pointermove", "pointerdown", "scroll"]) {
    document.addEventListener(kind, () => (lastMove = Date.now()), { passive: true, signal: gone });
  }
  const timers = [setInterval(tick, 1000)];

  const send = async () => {
    clearTimeout(timer);
    timer = null;
    tick();
    const [body, before] = [new FormData(form), changes];
    if (before === saved) body.set("unchanged", "yes"); // another page may have saved more since
    try {
      const answer = await post(form.dataset.draft, body);
      if (gone.aborted) return; // another screen is shown by now, perhaps with a message
      const message = answer.ok ? null : (await answer.json()).message;
      if (message || isTroubled) say(message);
      isTroubled = !answer.ok;
      if (answer.ok) saved = before;
      if (answer.ok && changes === before) localStorage.removeItem(storageKey);
    } catch (error) {
      if (gone.aborted || changes !== before) return;
      isTroubled = true;
      say(error);
      timer = setTimeout(send, SOON * 4);
    }
  };
  const sendSoon = () => {
    changes += 1;
    keepLocally(form.dataset.judge, form.dataset.draft, [...new FormData(form)]);
    clearTimeout(timer);
    timer = setTimeout(send, SOON);
  };

  const restore = () => {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    fill(form, kept);
    if (kept.length) sendSoon();
    return kept.length > 0;
  };

  const finish = () => {
    tick();
    changes += 1;
    saved = changes;
    clearTimeout(timer);
    timer = null;
    localStorage.removeItem(storageKey);
  };

  const isRestored = restore();
  form.addEventListener("input", sendSoon);
  form.addEventListener("change", sendSoon);
  addEventListener("online", send, { signal: gone });
  timers.push(setInterval(() => document.visibilityState === "visible" && isOpen() && send(), HEARTBEAT));
  gone.addEventListener("abort", () => {
    clearTimeout(timer);
    timers.forEach((id) => clearInterval(id));
  });
  const save = async () => timer && send();
  return { saveSoon: sendSoon, save, finish, isRestored };
}
