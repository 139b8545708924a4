// Judging without waiting: the next screen is fetched while the current one is answered; Enter shows it and sends the
// answer in the background. An answer that cannot be sent is kept and sent again, with the same key, until it arrives.
import { fill, keepDraft } from "./draft.js";
import { Outbox } from "./outbox.js";
import { freshenForms, post } from "./post.js";
import { protocol, showMissing } from "./protocol.js";
import { Screen } from "./screen.js";
import { offerSignIn } from "./signin.js";
import { word } from "./words.js";

let screen = null;
let ended = new AbortController();
const judge = document.querySelector("form.answers").dataset.judge;
const outbox = new Outbox(judge, (text) => screen?.warn(text));

const PATIENCE = 2000;

// Fetches the page of the next assignment: null if there is none or this one was lost, undefined if the server cannot
// be reached.
async function fetchNext(form) {
  await outbox.settled(); // otherwise an assignment whose answer is still being sent would come again
  try {
    const answer = await post(form.dataset.next, {}, "follow");
    if (answer.status === 204 || answer.status === 409) return null;
    const isScreen = answer.ok && new URL(answer.url).pathname.startsWith("/assignments/");
    return isScreen ? { url: answer.url, html: await answer.text() } : undefined;
  } catch {
    return undefined;
  }
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

function start() {
  const form = document.querySelector("form.answers");
  form.noValidate = true; // the status line says what is missing
  fill(form, outbox.fieldsOf(form.action) ?? []);
  screen = new Screen(form, ended.signal);
  const draft = keepDraft(form, (text) => screen.warn(text), ended.signal);
  protocol.setUp(screen);
  offerSignIn(screen.signIn, ended.signal);
  let next = fetchNext(form);

  // Retries until the server answers, then submits, unless the judge has changed the answer meanwhile.
  let isReady = false;
  form.addEventListener("input", () => (isReady = false));
  screen.changed = () => {
    isReady = false;
    draft.saveSoon();
  };
  const gone = ended.signal;
  const goOnLater = async () => {
    if (isReady) return;
    isReady = true;
    while ((await next) === undefined && isReady && !gone.aborted) {
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      next = fetchNext(form);
    }
    if (isReady && !gone.aborted) form.requestSubmit();
    isReady = false;
  };

  const submit = async () => {
    if (showMissing(screen)) return;
    const page = await Promise.race([next, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    if (page === undefined) {
      screen.warn(word("waits"));
      goOnLater();
      return;
    }
    draft.finish();
    outbox.add(form.action, new FormData(form));
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
  screen.begin();
}

addEventListener("submit", freshenForms, { capture: true });
addEventListener("popstate", () => location.reload());
start();
