// Enter goes on: it presses the page's main button, unless the focus is on another control or a script took the key.
// Pressed again while the next page is on its way, it does nothing: what it sent would be refused after a sign-in.
let isLeaving = false;
window.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  if (isLeaving) event.preventDefault();
  isLeaving = true;
});
window.addEventListener("pageshow", () => (isLeaving = false)); // also after going back

window.addEventListener("keydown", (event) => {
  const isTaken = event.defaultPrevented || event.repeat || event.isComposing;
  if (event.key !== "Enter" || isTaken || event.target.closest("a, button, summary, input, select, textarea")) return;
  document.querySelector("main .primary")?.click();
});
