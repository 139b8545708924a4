// A choice of the judge, switched by a key or a button and kept in this browser.

// Adds a button to a row and returns its action. The words are those of the button when the choice is on and off.
export function addSwitch(row, { key, name, words: [turnOff, turnOn], isOn = false }, gone, apply) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet" });
  const hint = document.createElement("kbd");
  hint.textContent = key;
  const isChosen = () => (localStorage.getItem(name) ?? (isOn ? "on" : "off")) === "on";
  const show = () => {
    apply(isChosen());
    button.replaceChildren(isChosen() ? turnOff : turnOn, " ", hint);
  };
  const turn = () => {
    localStorage.setItem(name, isChosen() ? "off" : "on");
    dispatchEvent(new Event(`switched ${name}`)); // other screens of the page follow
  };
  addEventListener(`switched ${name}`, show, { signal: gone });
  button.addEventListener("click", turn);
  row.append(button);
  show();
  return turn;
}
