// A screen to try, in the tutorial or an organiser's preview: the same keys as on a judging screen, and a plain form
// submission. Nothing is kept in the browser.
import { protocol, showMissing } from "./protocol.js";
import { Screen } from "./screen.js";
import { offerViews } from "./views.js";

const form = document.querySelector(".active form.answers") ?? document.querySelector("form.answers");
form.noValidate = true; // the status line says what is missing
const screen = new Screen(form, new AbortController().signal);
protocol.setUp(screen);
offerViews([screen]);
form.addEventListener("submit", (event) => showMissing(screen) && event.preventDefault());
screen.on("Enter", (event) => (event.target.matches("button, a, summary") ? false : form.requestSubmit()));
if (document.querySelector(".screen:not(.active)")) screen.section.scrollIntoView({ block: "start" });
screen.begin();
