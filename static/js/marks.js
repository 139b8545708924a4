// Without this, an edit at the end of a line would show its old words outside the card.
export function keepInside(edit) {
  const old = edit.querySelector("del");
  old.style.translate = "0";
  const room = edit.closest(".candidate").getBoundingClientRect();
  const box = old.getBoundingClientRect();
  old.style.translate = `${Math.min(0, room.right - box.right) + Math.max(0, room.left - box.left)}px`;
}
