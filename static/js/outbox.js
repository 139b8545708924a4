// Answers being sent to the server, stored in this browser until the server confirms them. Each has its own entry,
// so that two windows never overwrite each other's, and is sent only while its judge is signed in. The window that gave
// an answer sends it, since it shows what the server says; another one does so only when that seems to have been closed.

import { keepLocally } from "./draft.js";
import { post } from "./post.js";

const AGAIN = 3000;
const MOMENT = 30;

export class Outbox {
  constructor(judge, warn) {
    this.judge = judge;
    this.prefix = `outbox ${judge} `;
    this.warn = warn;
    this.busy = false;
    this.own = new Set();
    this.isCutOff = false;
    addEventListener("online", () => this.send());
    this.send();
  }

  // Waiting answers, oldest first.
  get waiting() {
    const places = Object.keys(localStorage).filter((place) => place.startsWith(this.prefix));
    const answers = places.map((place) => ({ place, ...JSON.parse(localStorage.getItem(place) ?? "{}") }));
    return answers.filter(({ url }) => url).sort((one, other) => one.since - other.since);
  }

  // The next answer that this window has to send. A clock that was set back must not hold up an answer.
  get due() {
    return this.waiting.find(({ place, since }) => this.own.has(place) || Math.abs(Date.now() - since) > AGAIN);
  }

  // Because of the key in the form, an answer sent twice is stored once.
  add(url, form) {
    const answer = { url, fields: [...form], since: Date.now() };
    const place = this.prefix + form.get("key");
    this.own.add(place);
    localStorage.setItem(place, JSON.stringify(answer));
    this.send();
  }

  // Resolves when the server has confirmed all answers.
  async settled() {
    while (this.waiting.length) await new Promise((resolve) => setTimeout(resolve, MOMENT));
  }

  async send() {
    if (this.busy) return;
    this.busy = true;
    let next = this.due;
    while (next && (await this.deliver(next))) {
      localStorage.removeItem(next.place);
      next = this.due;
    }
    this.busy = false;
    if (this.waiting.length) setTimeout(() => this.send(), AGAIN);
  }

  // Waiting answers of an assignment, to be shown on its page.
  fieldsOf(url) {
    return this.waiting.filter((answer) => answer.url === url).at(-1)?.fields;
  }

  // Returns true if the answer need not be sent again: it was stored, or it was refused with a message to the judge and
  // kept as a draft of its assignment.
  async deliver({ url, fields }) {
    try {
      const answer = await post(url, fields);
      const { message, over } = await answer.json();
      if (message || this.isCutOff) this.warn(message);
      this.isCutOff = false;
      if (!answer.ok) keepLocally(this.judge, `${new URL(url).pathname}draft/`, fields);
      if (over) location.assign(document.querySelector(".bar .home").href); // where the refusal stays to be read
      return true;
    } catch (error) {
      this.isCutOff = true;
      this.warn(error);
      return false;
    }
  }
}
