// Follows work that a worker does, and shows what came of it when it is over.
const box = document.querySelector("[data-work]");

async function follow() {
  try {
    const answer = await fetch(box.dataset.work, { headers: { Accept: "application/json" } });
    const work = answer.status === 404 ? { over: true } : await answer.json();
    if (work.over) {
      location.reload();
      return;
    }
    box.querySelector("progress").value = work.progress;
    box.querySelector("[data-step]").textContent = work.step || "waiting for a worker";
  } catch {
    box.querySelector("[data-step]").textContent = "no connection, trying again";
  }
  setTimeout(follow, 1000);
}

if (box) setTimeout(follow, 500);
