// Keeps the live board up to date: requests a new ranking every minute, and reloads the page when it is ready.
const form = document.querySelector("[data-board]");
const EVERY = 60_000;
const SOON = 2_000;

async function refresh() {
  let wait = EVERY;
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new FormData(form),
    });
    const board = await answer.json();
    if (board.report && String(board.report) !== form.dataset.board) {
      location.reload();
      return;
    }
    if (board.going) wait = SOON;
  } catch {
    // Try again at the next interval.
  }
  setTimeout(refresh, wait);
}

if (form) setTimeout(refresh, SOON);
