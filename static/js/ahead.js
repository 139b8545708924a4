// The next screen, fetched while the current one is answered. A fetch that fails is repeated, at once when the judge
// waits for it, until the server answers or the screen has gone.

const SOON = 500;
const LONGEST_PAUSE = 8000;

export class Ahead {
  // `fetchPage` resolves to the page, or to null if there is none; it throws if the server cannot be reached.
  constructor(fetchPage, gone) {
    this.trouble = null;
    this.onTrouble = () => {};
    this.wake = () => {};
    addEventListener("online", () => this.hurry(), { signal: gone });
    this.page = this.keepTrying(fetchPage, gone);
  }

  async keepTrying(fetchPage, gone) {
    for (let pause = SOON; !gone.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await fetchPage();
      } catch (error) {
        this.trouble = error;
        this.onTrouble(error);
      }
      await new Promise((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, pause);
      });
      this.trouble = null;
    }
    return null;
  }

  // Ends a pause between two attempts.
  hurry() {
    this.wake();
  }
}
