// An example in the tutorial: the same keys as on a judging screen, and a plain form submission.
import { protocol } from "./protocol.js";
import { Screen } from "./screen.js";

const form = document.querySelector("form.answers");
const screen = new Screen(form, new AbortController().signal);
protocol.setUp(screen);
screen.on("Enter", (event) => (event.target.matches("button, a, summary") ? false : form.requestSubmit()));
screen.go(0);
