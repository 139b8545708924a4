// Judging without waiting: the next screen is fetched while the current one is answered; Enter shows it and sends the
// answer in the background. An answer that cannot be sent is kept and sent again, with the same key, until it arrives.
import { Ahead } from "./ahead.js";
import { fill, keepDraft } from "./draft.js";
import { Outbox } from "./outbox.js";
import { freshenForms, post } from "./post.js";
import { nextOf, protocol, showMissing } from "./protocol.js";
import { suggestRest } from "./rest.js";
import { Screen } from "./screen.js";
import { offerSignIn } from "./signin.js";
import { offerViews } from "./views.js";
import { word } from "./words.js";

let screen = null; // the active one
let parts = []; // the screens of the page, with their drafts
let ended = new AbortController();
const judge = document.querySelector("form.answers").dataset.judge;
let said = null; // what the server last said of an answer that this window sent
const outbox = new Outbox(judge, (text) => screen?.warn((said = text)));

const PATIENCE = 2000; // after which the judge is told what the page waits for

// Fetches the page of the next assignment: null if there is none, or this one was lost.
async function fetchNext(form) {
  await outbox.settled(); // otherwise an assignment whose answer is still being sent would come again
  return pageOf(await post(form.dataset.next, {}, "follow"));
}

async function pageOf(answer) {
  if (answer.status === 204 || answer.status === 409) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  const isScreen = new URL(answer.url).pathname.startsWith("/assignments/");
  return isScreen ? { url: answer.url, html: await answer.text() } : null;
}

function show({ url, html }) {
  const page = new DOMParser().parseFromString(html, "text/html");
  ended.abort();
  ended = new AbortController();
  for (const part of [".bar", "main"]) document.querySelector(part).replaceWith(page.querySelector(part));
  document.title = page.title;
  history.pushState(null, "", url);
  scrollTo(0, 0);
  start();
}

// While another screen is awaited, no key and no click changes what has been sent.
function freeze(isFrozen) {
  for (const part of parts) part.screen.freeze(isFrozen);
}

// Shows a screen that was answered before, once its answer has arrived.
async function goBack(url) {
  freeze(true);
  await Promise.all(parts.map(({ draft }) => draft.save()));
  await outbox.settled();
  try {
    const page = await pageOf(await fetch(url));
    if (page) show(page);
    else location.assign(url);
  } catch (error) {
    freeze(false);
    screen.warn(error);
  }
}

function start() {
  const gone = ended.signal;
  const forms = [...document.querySelectorAll("form.answers")];
  const ahead = new Ahead(() => fetchNext(forms[0]), gone);
  parts = forms.map((form) => open(form, ahead, gone));
  offerViews(parts.map((part) => part.screen));
  offerSignIn(document.querySelectorAll("[data-sign-in]"), gone);
  suggestRest(forms[0]);
  const previous = document.querySelector("[data-previous]");
  previous?.addEventListener("click", (event) => {
    event.preventDefault();
    goBack(previous.href);
  });
  for (const [place, part] of parts.entries()) {
    part.screen.on("p", () => (place > 0 ? goTo(parts[place - 1]) : previous?.click()));
    part.screen.section.addEventListener("focusin", () => activate(part));
  }
  const part = parts.find(({ screen: { section } }) => section.classList.contains("active"));
  activate(part);
  if (parts.length > 1) goTo(part);
  else part.screen.begin();
}

// In document mode a page has several screens; keys, the status line and the button are those of the active one.
function activate(part) {
  screen = part.screen;
  for (const other of parts) {
    other.screen.isActive = other === part;
    other.screen.section.classList.toggle("active", other === part);
  }
  screen.clear();
}

function goTo(part) {
  activate(part);
  part.screen.section.scrollIntoView({ block: "start" });
  part.screen.begin();
}

// Prepares one screen of the page.
function open(form, ahead, gone) {
  form.noValidate = true; // the status line says what is missing
  const unsent = outbox.fieldsOf(form.action) ?? [];
  fill(form, unsent);
  const part = { screen: new Screen(form, gone), isDone: "submitted" in form.dataset };
  const own = part.screen;
  let isAsSubmitted = false; // an answer shown again is sent again only if the judge changes it
  const isOpen = () => own.isActive && !isAsSubmitted;
  const draft = keepDraft(form, (text) => own.warn(text), gone, isOpen);
  part.draft = draft;
  // Skipping gives up what was begun, but not the remark and the time.
  const skip = own.section.querySelector(".skip");
  skip?.addEventListener("submit", () => draft.finish());
  skip?.addEventListener("formdata", ({ formData }) => {
    const kept = [...new FormData(form)].filter(([name]) => ["active", "comment", "flagged", "view"].includes(name));
    for (const [name, value] of kept) formData.set(name, value);
  });
  const button = form.querySelector(".submit button.primary");
  const submitWords = button.textContent;

  const rest = () => {
    isAsSubmitted = true;
    button.textContent = word("go_on");
  };
  if (part.isDone && unsent.length === 0 && !draft.isRestored) rest();
  const changed = () => {
    isAsSubmitted = false;
    button.textContent = submitWords;
  };
  for (const kind of ["input", "change"]) form.addEventListener(kind, changed);
  own.changed = () => {
    changed();
    draft.saveSoon();
  };
  protocol.setUp(own);

  // The answer is what the judge saw when pressing Enter; keys after that are for the next screen, or for none.
  const send = () => {
    draft.finish();
    if (!isAsSubmitted) outbox.add(form.action, new FormData(form));
    form.elements.key.value = newKey(); // a changed answer is another judgment
    part.isDone = true;
    rest();
  };
  const submit = async () => {
    if (!isAsSubmitted && showMissing(own)) return; // what was skipped stays so unless it is answered
    said = null;
    send();
    const following = parts[nextOf(parts, ({ isDone }) => !isDone, parts.indexOf(part))];
    if (following) {
      goTo(following);
      return;
    }
    freeze(true);
    own.say(word("saving"));
    ahead.onTrouble = (error) => own.warn(error);
    ahead.hurry();
    const patience = setTimeout(() => own.warn(ahead.trouble ?? word("waits")), PATIENCE);
    const page = await ahead.page;
    clearTimeout(patience);
    if (gone.aborted) return;
    if (page) {
      show(page);
      if (said) screen.warn(said); // it was about the answer that has just arrived
    } else {
      await outbox.settled();
      form.action = form.dataset.begin; // leads to the end of the batch
      freshenForms();
      form.submit();
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!own.isFrozen) submit();
  });
  own.on("Enter", (event) => (event.target.matches("button, a, summary") ? false : form.requestSubmit()));
  return part;
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

addEventListener("submit", freshenForms, { capture: true });
addEventListener("popstate", () => location.reload());
start();
