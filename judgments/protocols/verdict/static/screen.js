// Verdicts by keys: 1, 2 and 3 choose, and the same key again submits, as Enter does. Judges can choose that one key does
// both; Backspace then leads back for some seconds.

import { drive } from "../../js/protocol.js";
import { addSwitch } from "../../js/switches.js";
import { word } from "../../js/words.js";

const UNDO = 5000;

let given = null; // the last verdict that one key submitted: its name, and until when Backspace leads back to it

const missing = () => word("no_verdict_yet");

function isAnswered(card) {
  return radios(card).some((radio) => radio.checked);
}

function radios(card) {
  return [...card.querySelectorAll("input[type=radio]")];
}

function setUp(screen) {
  const findings = radios(screen.cards[0]);

  const tell = () => {
    const place = findings.findIndex((radio) => radio.checked);
    if (place < 0 && canUndo()) return screen.say(word("given", { finding: given.name }));
    if (place < 0) return screen.say(word("no_verdict_yet"));
    const finding = nameOf(findings[place]);
    return screen.say(matchMedia("(pointer: coarse)").matches ? finding : word("verdict", { finding, key: place + 1 }));
  };

  const find = (place) => {
    if (findings[place].checked) {
      screen.form.requestSubmit();
      return;
    }
    findings[place].checked = true;
    tell();
    screen.changed();
    if (!isAtOnce) return;
    given = { name: nameOf(findings[place]), until: Date.now() + UNDO };
    screen.form.requestSubmit();
  };

  let isAtOnce = false;
  const row = document.querySelector(".views");
  screen.on("a", addSwitch(row, { key: "a", name: "at_once", label: word("at_once") }, (on) => (isAtOnce = on)));

  const back = document.querySelector("[data-previous]");
  const canUndo = () => back && given && Date.now() < given.until;
  screen.on("Backspace", () => {
    if (!canUndo()) return false;
    given = null;
    back.click();
  });
  if (canUndo()) setTimeout(() => !screen.gone.aborted && tell(), given.until - Date.now());

  for (const place of findings.keys()) screen.on(String(place + 1), () => find(place));
  screen.form.addEventListener("change", tell);
  tell();
}

function nameOf(radio) {
  return radio.nextElementSibling.firstChild.textContent.trim();
}

drive({ isAnswered, missing, setUp });
