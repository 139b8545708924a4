// Polls a job, and reloads the page when it is over, or when there is a first part to show.
const box = document.querySelector("[data-job]");

async function follow() {
  try {
    const answer = await fetch(box.dataset.job, { headers: { Accept: "application/json" } });
    const job = answer.status === 404 ? { over: true } : await answer.json();
    if (job.over || (job.shown && !("shown" in box.dataset))) {
      location.reload();
      return;
    }
    box.querySelector("progress").value = job.progress;
    box.querySelector("[data-step]").textContent = job.step || "waiting for a worker";
  } catch {
    box.querySelector("[data-step]").textContent = "no connection, trying again";
  }
  setTimeout(follow, 1000);
}

if (box) setTimeout(follow, 500);
