// A choice of the judge, switched by a key or a button and kept in this browser.

// Adds a button to a row and returns its action. The words are those of the button when the choice is on and off.
export function addSwitch(row, { key, name, words: [turnOff, turnOn], isOn = false }, apply) {
  const kept = localStorage.getItem(name);
  let on = kept ? kept === "on" : isOn;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet" });
  const hint = document.createElement("kbd");
  hint.textContent = key;
  const show = () => {
    apply(on);
    button.replaceChildren(on ? turnOff : turnOn, " ", hint);
  };
  const turn = () => {
    on = !on;
    localStorage.setItem(name, on ? "on" : "off");
    show();
  };
  button.addEventListener("click", turn);
  row.append(button);
  show();
  return turn;
}
