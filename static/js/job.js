// Polls a job, and reloads the page when it is over; says when there is more to show.
const box = document.querySelector("[data-job]");

async function follow() {
  try {
    const answer = await fetch(box.dataset.job, { headers: { Accept: "application/json" } });
    const job = answer.status === 404 ? { over: true } : await answer.json();
    if (job.over) {
      location.reload();
      return;
    }
    if (job.shown > Number(box.dataset.shown)) {
      box.dataset.shown = job.shown;
      document.dispatchEvent(new Event("more-to-show"));
    }
    box.querySelector("progress").value = job.progress;
    box.querySelector("[data-step]").textContent = job.step;
    box.querySelector("[data-ahead]").textContent = job.ahead;
  } catch {
    box.querySelector("[data-step]").textContent = "no connection, trying again";
  }
  setTimeout(follow, 1000);
}

if (box) setTimeout(follow, 500);
