// Answers on their way to the server: kept in this browser until it says that it has them.

import { post } from "./post.js";

const SHELF = "outbox";
const AGAIN = 3000;
const MOMENT = 30;

export class Outbox {
  constructor(warn) {
    this.warn = warn;
    this.waiting = JSON.parse(localStorage.getItem(SHELF) ?? "[]");
    this.busy = false;
    addEventListener("online", () => this.send());
    if (this.waiting.length) this.send();
  }

  // The key in the form makes sure that an answer sent twice is one judgment.
  add(url, form) {
    this.waiting.push({ url, fields: [...form] });
    this.keep();
    this.send();
  }

  // When the server has everything.
  async settled() {
    while (this.waiting.length) await new Promise((resolve) => setTimeout(resolve, MOMENT));
  }

  keep() {
    localStorage.setItem(SHELF, JSON.stringify(this.waiting));
  }

  async send() {
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.length && (await this.deliver(this.waiting[0]))) {
      this.waiting.shift();
      this.keep();
    }
    this.busy = false;
    if (!this.waiting.length) return;
    setTimeout(() => this.send(), AGAIN);
  }

  // Whether the answer need not be sent again: taken, or refused for a reason that is told.
  async deliver({ url, fields }) {
    try {
      const answer = await post(url, fields);
      this.warn(answer.ok ? null : (await answer.json()).message);
      return true;
    } catch (error) {
      this.warn(error);
      return false;
    }
  }
}
