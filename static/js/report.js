// Follows a report that is being made and shows it when it is ready.
const box = document.querySelector("[data-report-state]");

async function follow() {
  try {
    const answer = await fetch(box.dataset.reportState, { headers: { Accept: "application/json" } });
    const report = await answer.json();
    if (report.over) {
      location.reload();
      return;
    }
    box.querySelector("progress").value = report.progress;
    box.querySelector("[data-step]").textContent = report.step || "waiting for a worker";
  } catch {
    box.querySelector("[data-step]").textContent = "no connection, trying again";
  }
  setTimeout(follow, 1000);
}

if (box) setTimeout(follow, 500);
