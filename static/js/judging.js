// Judging without waiting: the next screen is fetched while the current one is answered; Enter shows it and sends the
// answer in the background. An answer that cannot be sent is kept and sent again, with the same key, until it arrives.
import { Ahead } from "./ahead.js";
import { fill, keepDraft } from "./draft.js";
import { Outbox } from "./outbox.js";
import { freshenForms, post } from "./post.js";
import { protocol, showMissing } from "./protocol.js";
import { suggestRest } from "./rest.js";
import { Screen } from "./screen.js";
import { offerSignIn } from "./signin.js";
import { word } from "./words.js";

let screen = null;
let ended = new AbortController();
const judge = document.querySelector("form.answers").dataset.judge;
const outbox = new Outbox(judge, (text) => screen?.warn(text));

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

// A screen that was answered before can be changed; its page shows the answer once that has arrived.
async function goBack(url, draft) {
  await draft.save();
  await outbox.settled();
  try {
    const page = await pageOf(await fetch(url));
    if (page) show(page);
  } catch (error) {
    screen.warn(error);
  }
}

function start() {
  const form = document.querySelector("form.answers");
  const gone = ended.signal;
  form.noValidate = true; // the status line says what is missing
  const unsent = outbox.fieldsOf(form.action) ?? [];
  fill(form, unsent);
  screen = new Screen(form, gone);
  const draft = keepDraft(form, (text) => screen.warn(text), gone);
  protocol.setUp(screen);
  offerSignIn(screen.signIn, gone);
  suggestRest(form);
  const ahead = new Ahead(() => fetchNext(form), gone);
  const button = form.querySelector(".submit button.primary");
  const submitWords = button.textContent;

  // An answer shown again is sent again only if the judge changes it.
  let isAsSubmitted = "submitted" in form.dataset && unsent.length === 0 && !draft.isRestored;
  if (isAsSubmitted) button.textContent = word("go_on");

  // While the judge waits for the next screen, the answer is sent as soon as that arrives, unless it is changed.
  let isWaiting = false;
  const changed = () => {
    if (isWaiting) screen.warn(null);
    isWaiting = isAsSubmitted = false;
    button.textContent = submitWords;
  };
  for (const kind of ["input", "change"]) form.addEventListener(kind, changed);
  screen.changed = () => {
    changed();
    draft.saveSoon();
  };
  ahead.onTrouble = (error) => isWaiting && screen.warn(error);
  const wait = () => {
    isWaiting = true;
    screen.warn(ahead.trouble ?? word("waits"));
    ahead.page.then(() => isWaiting && !gone.aborted && form.requestSubmit());
  };

  const submit = async () => {
    if (showMissing(screen)) return;
    ahead.hurry();
    const page = await Promise.race([ahead.page, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    if (page === undefined) {
      wait();
      return;
    }
    isWaiting = false;
    draft.finish();
    if (!isAsSubmitted) outbox.add(form.action, new FormData(form));
    if (page) {
      show(page);
    } else {
      await outbox.settled();
      form.action = form.dataset.begin; // leads to the end of the batch
      freshenForms();
      form.submit();
    }
  };
  let submitting = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submitting) return;
    submitting = true;
    await submit();
    submitting = false;
  });
  screen.on("Enter", (event) => (event.target.matches("button, a, summary") ? false : form.requestSubmit()));
  const previous = document.querySelector("[data-previous]");
  previous?.addEventListener("click", (event) => {
    event.preventDefault();
    goBack(previous.href, draft);
  });
  if (previous) screen.on("p", () => previous.click());
  screen.begin();
}

addEventListener("submit", freshenForms, { capture: true });
addEventListener("popstate", () => location.reload());
start();
