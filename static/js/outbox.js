// Answers on their way to the server: stored in this browser until the server confirms them. Each has its own entry,
// so that two windows never overwrite each other's; and each is sent only while its judge is signed in.

import { keepHere } from "./draft.js";
import { post } from "./post.js";

const AGAIN = 3000;
const MOMENT = 30;

export class Outbox {
  constructor(judge, warn) {
    this.judge = judge;
    this.shelf = `outbox ${judge} `;
    this.warn = warn;
    this.busy = false;
    addEventListener("online", () => this.send());
    this.send();
  }

  // Waiting answers, oldest first.
  get waiting() {
    const places = Object.keys(localStorage).filter((place) => place.startsWith(this.shelf));
    const answers = places.map((place) => ({ place, ...JSON.parse(localStorage.getItem(place) ?? "{}") }));
    return answers.filter(({ url }) => url).sort((one, other) => one.since - other.since);
  }

  // The key in the form makes an answer sent twice one judgment.
  add(url, form) {
    const answer = { url, fields: [...form], since: Date.now() };
    localStorage.setItem(this.shelf + form.get("key"), JSON.stringify(answer));
    this.send();
  }

  // Resolves when the server has everything.
  async settled() {
    while (this.waiting.length) await new Promise((resolve) => setTimeout(resolve, MOMENT));
  }

  async send() {
    if (this.busy) return;
    this.busy = true;
    let [next] = this.waiting;
    while (next && (await this.deliver(next))) {
      localStorage.removeItem(next.place);
      [next] = this.waiting;
    }
    this.busy = false;
    if (this.waiting.length) setTimeout(() => this.send(), AGAIN);
  }

  // Waiting answers of an assignment, to be shown on its page.
  fieldsOf(url) {
    return this.waiting.filter((answer) => answer.url === url).at(-1)?.fields;
  }

  // Whether the answer need not be sent again: stored, or refused for a reason shown to the judge and kept as a draft of
  // its assignment.
  async deliver({ url, fields }) {
    try {
      const answer = await post(url, fields);
      this.warn((await answer.json()).message);
      if (!answer.ok) keepHere(this.judge, `${new URL(url).pathname}draft/`, fields);
      return true;
    } catch (error) {
      this.warn(error);
      return false;
    }
  }
}
