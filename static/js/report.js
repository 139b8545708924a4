// Opens every chapter before the page is printed, and closes those again that were closed.
let closed = [];

window.addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const chapter of closed) chapter.open = true;
});

window.addEventListener("afterprint", () => {
  for (const chapter of closed) chapter.open = false;
});

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break; // not on plain HTTP
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.closest(".paste").querySelector("pre").textContent);
    button.textContent = "Copied";
  });
}
