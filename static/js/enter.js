// Enter goes on: it presses the page's main button, unless the focus is on another control or a script took the key.
window.addEventListener("keydown", (event) => {
  const isTaken = event.defaultPrevented || event.repeat || event.isComposing;
  if (event.key !== "Enter" || isTaken || event.target.closest("a, button, summary, input, select, textarea")) return;
  document.querySelector("main .primary")?.click();
});
