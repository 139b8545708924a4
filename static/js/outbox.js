// Answers on their way to the server: kept in this browser until it says that it has them.

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
  post(url, form) {
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
    const count = this.waiting.length === 1 ? "An answer waits" : `${this.waiting.length} answers wait`;
    this.warn(`${count} in this browser for the connection to return. Go on if you can.`);
    setTimeout(() => this.send(), AGAIN);
  }

  // Whether the answer need not be sent again: taken, or refused for a reason that is told.
  async deliver({ url, fields }) {
    const body = new URLSearchParams(fields);
    try {
      const answer = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" }, redirect: "error" });
      if (answer.status >= 500) return false;
      this.warn(answer.ok ? null : (await answer.json()).message);
      return true;
    } catch {
      return false;
    }
  }
}
