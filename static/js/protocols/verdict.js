// Verdicts by keys: 1, 2 and 3 choose, and the same key again submits, as Enter does.

import { drive } from "../protocol.js";
import { word } from "../words.js";

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
    if (place < 0) return screen.say(word("no_verdict_yet"));
    return screen.say(word("verdict", { finding: nameOf(findings[place]), key: place + 1 }));
  };

  const find = (place) => {
    if (findings[place].checked) {
      screen.form.requestSubmit();
      return;
    }
    findings[place].checked = true;
    tell();
    screen.changed();
  };

  for (const place of findings.keys()) screen.on(String(place + 1), () => find(place));
  screen.form.addEventListener("change", tell);
  tell();
}

function nameOf(radio) {
  return radio.nextElementSibling.firstChild.textContent.trim();
}

drive({ isAnswered, missing, setUp });
