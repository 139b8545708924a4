// Answers on their way to the server: kept in this browser until it says that it has them. Each has a place of its own,
// so that two windows never overwrite each other's; and each is sent only while its judge is here.

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

  // What waits, the oldest first.
  get waiting() {
    const places = Object.keys(localStorage).filter((place) => place.startsWith(this.shelf));
    const answers = places.map((place) => ({ place, ...JSON.parse(localStorage.getItem(place) ?? "{}") }));
    return answers.filter(({ url }) => url).sort((one, other) => one.since - other.since);
  }

  // The key in the form makes sure that an answer sent twice is one judgment.
  add(url, form) {
    const answer = { url, fields: [...form], since: Date.now() };
    localStorage.setItem(this.shelf + form.get("key"), JSON.stringify(answer));
    this.send();
  }

  // When the server has everything.
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

  // The answers of an assignment that wait here, to be shown on its page.
  fieldsOf(url) {
    return this.waiting.filter((answer) => answer.url === url).at(-1)?.fields;
  }

  // Whether the answer need not be sent again: taken, or refused for a reason shown to the judge; then its assignment has it as a
  // draft.
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
