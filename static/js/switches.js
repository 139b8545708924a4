// Choices of the judge, each a pressed or unpressed button in the line of tools, switched by a key too and kept in this
// browser.

// Adds a button, or one for each of two labels, and returns the action that switches it.
export function addSwitch(row, { key, name, label, other, isOn = false }, apply) {
  const chosen = () => (localStorage.getItem(name) ?? (isOn ? "on" : "off")) === "on";
  const buttons = [other, label].filter(Boolean).map((text) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text });
    return button;
  });
  const hint = document.createElement("kbd");
  Object.assign(hint, { textContent: key, ariaHidden: "true" });
  buttons.at(-1).append(" ", hint);
  const set = (on) => {
    localStorage.setItem(name, on ? "on" : "off");
    show();
  };
  const show = () => {
    buttons.at(-1).ariaPressed = chosen();
    if (other) buttons[0].ariaPressed = !chosen();
    apply(chosen());
  };
  const turn = () => set(!chosen());
  if (other) for (const [place, button] of buttons.entries()) button.addEventListener("click", () => set(place === 1));
  else buttons[0].addEventListener("click", turn);
  const group = document.createElement("span");
  group.className = other ? "segmented" : "";
  group.append(...buttons);
  row.append(group);
  show();
  return turn;
}
