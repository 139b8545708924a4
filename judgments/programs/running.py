"""A run: claim assignments, ask the endpoint about each, and send the answers, until nothing is left.

A run can be killed at any time and started again: an assignment that has no judgment yet is claimed and asked again. It
ends early when a limit is reached, or when the model too often writes something that cannot be read.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil
from threading import Lock
from typing import Any

from judgments.programs.endpoints import MOST_AT_ONCE, Endpoint
from judgments.programs.platform import PlatformClient, PlatformError, Rejected
from judgments.programs.rules.questions import (
    JUDGMENT,
    ProgramQuestion,
    Reply,
    Task,
    Unreadable,
    for_api,
    messages,
    questions,
    read_answers,
)
from judgments.rules.progress import check_cancelled

MOST_TRIES = 3
# After so many unreadable answers, more than half of all, the prompt or the model is at fault.
MOST_UNREADABLE = 10
BETWEEN_TRIES = "\n\n=== tried again ===\n\n"
AGAIN = "That cannot be used: {}. Answer with the JSON object alone."
MILLION = 1_000_000
# Where an endpoint counts no tokens, so many bytes count as one: in most languages that is more than they have.
BYTES_A_TOKEN = 3
# The API takes no more.
LONGEST_RAW = 100_000
MOST_COST = 1_000_000
MOST_SAMPLES, MOST_SEED = 20, 2**31 - 1


@dataclass(frozen=True)
class RunChoices:
    """How to ask: the model and its settings, the share of screens with probes, prices a million tokens, and limits."""

    model: str
    temperature: float | None = 0.0
    seed: int = 17
    probes: float = 0.1
    samples: int = 3
    price_in: float = 0.0
    price_out: float = 0.0
    most: int | None = None
    most_cost: float | None = None
    at_once: int = 4

    @property
    def name(self) -> str:
        """The model as a name of a program."""
        return re.sub(r"[^\w.+-]", "-", self.model)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of every request; some models take no temperature."""
        return {"model": self.model} | ({} if self.temperature is None else {"temperature": self.temperature})

    @property
    def fault(self) -> str:
        """Why nothing can be asked like this; empty if it can."""
        checks = {
            f"the share of screens that are probed lies between 0 and 1, so it cannot be {self.probes:g}":
                not 0 <= self.probes <= 1,
            f"a probed screen has 1 to {MOST_SAMPLES} samples": not 1 <= self.samples <= MOST_SAMPLES,
            f"there are 1 to {MOST_AT_ONCE} requests at the same time": not 1 <= self.at_once <= MOST_AT_ONCE,
            "a program judges at least one screen": self.most is not None and self.most < 1,
            f"a seed lies between 0 and {MOST_SEED}": not 0 <= self.seed <= MOST_SEED,
            f"prices lie between 0 and {MOST_COST:,}":
                not (0 <= self.price_in <= MOST_COST and 0 <= self.price_out <= MOST_COST),
            "a limit for costs needs the prices of a million tokens":
                self.most_cost is not None and not self.price_in + self.price_out > 0,
        }  # fmt: skip
        return next((f"{why.capitalize()}." for why, is_wrong in checks.items() if is_wrong), "")

    def cost(self, reply: Reply, asked: Sequence[Mapping[str, str]]) -> float:
        """What a reply cost, by an estimate where the endpoint did not count its tokens."""
        tokens_in = _tokens(one["content"] for one in asked) if reply.tokens_in is None else reply.tokens_in
        tokens_out = _tokens([reply.text]) if reply.tokens_out is None else reply.tokens_out
        return min((tokens_in * self.price_in + tokens_out * self.price_out) / MILLION, MOST_COST)


@dataclass
class RunOutcome:
    """What has been done so far; all assignments up to `after` were asked about. `stopped` says why it ended early."""

    answered: int = 0
    unreadable: int = 0
    tokens: int = 0
    cost: float = 0.0
    after: int = 0
    stopped: str = ""
    lock: Lock = field(default_factory=Lock, repr=False)


class OverLimit(Exception):
    """What the next question costs would be beyond the limit."""


def run(
    platform: PlatformClient,
    endpoint: Endpoint,
    choices: RunChoices,
    note: Callable[[RunOutcome], None] = lambda outcome: None,
    outcome: RunOutcome | None = None,
) -> RunOutcome:
    """Answer assignments until none is left or a limit is reached; `note` hears of each, and may raise to end it.

    The outcome of an earlier run counts on.
    """
    outcome = outcome or RunOutcome()
    check = (check_cancelled.get(),)
    with ThreadPoolExecutor(choices.at_once, initializer=check_cancelled.set, initargs=check) as pool:
        while not (stopped := _why_stop(choices, outcome)):
            left = choices.at_once if choices.most is None else choices.most - outcome.answered
            claimed = platform.claim(min(choices.at_once, left), outcome.after)
            if not claimed["assignments"]:
                break
            if claimed["prompt"] is None:
                raise PlatformError("This campaign has no prompt for programs; write one on the page Programs.")
            worker = _Worker(platform, endpoint, choices, claimed["prompt"], claimed["instructions"], outcome)
            list(pool.map(worker.answer, claimed["assignments"]))
            outcome.after = claimed["assignments"][-1]["id"]
            note(outcome)
    outcome.stopped = stopped
    return outcome


def _why_stop(choices: RunChoices, outcome: RunOutcome) -> str:
    if choices.most is not None and outcome.answered >= choices.most:
        return f"The limit of {choices.most:,} screens is reached."
    if _is_dear(choices, outcome):
        return f"The limit of {choices.most_cost:g} for costs is reached."
    if outcome.unreadable >= MOST_UNREADABLE and outcome.unreadable > outcome.answered:
        return (
            f"{outcome.unreadable} answers could not be read. Look at what the model wrote, and change the prompt or"
            " the model."
        )
    return ""


def _is_dear(choices: RunChoices, outcome: RunOutcome) -> bool:
    return choices.most_cost is not None and outcome.cost >= choices.most_cost


def _tokens(texts: Iterable[str]) -> int:
    return sum(ceil(len(text.encode()) / BYTES_A_TOKEN) for text in texts)


@dataclass
class _Worker:
    platform: PlatformClient
    endpoint: Endpoint
    choices: RunChoices
    prompt: Mapping[str, Any]  # by which the campaign tells programs what to do, with its version
    instructions: str
    outcome: RunOutcome

    def answer(self, task: Task) -> bool:
        """Ask all questions about an assignment, as far as the limit goes; return whether it has been judged."""
        chosen = self.choices
        try:
            *_, is_judged = [self._ask(one) for one in questions(task, chosen.probes, chosen.samples, chosen.seed)]
        except OverLimit:
            return False
        with self.outcome.lock:
            self.outcome.answered += is_judged
            self.outcome.unreadable += not is_judged
        return is_judged

    def _ask(self, question: ProgramQuestion) -> bool:
        """Ask until the answer can be read and fits the protocol, and send it."""
        written = messages(self.prompt["text"], self.instructions, question)
        replies: list[Reply] = []
        for _ in range(MOST_TRIES):
            replies.append(reply := self._reply(written, question))
            try:
                answers = for_api(question, read_answers(reply.text, question.places))
                send = self.platform.judge if question.purpose == JUDGMENT else self.platform.keep
                send(question, answers, self._said(question, replies))
            except (Unreadable, Rejected) as reason:
                written += [
                    {"role": "assistant", "content": reply.text},
                    {"role": "user", "content": AGAIN.format(str(reason).rstrip("."))},
                ]
            else:
                return True
        self.platform.keep(question, None, self._said(question, replies))
        return False

    def _reply(self, written: Sequence[Mapping[str, str]], question: ProgramQuestion) -> Reply:
        """Ask once, and count what it cost; another sample needs another seed."""
        check_cancelled.get()()
        if _is_dear(self.choices, self.outcome):
            raise OverLimit
        reply = self.endpoint.ask(written, self.choices.settings | {"seed": self._seed(question)})
        reply = reply._replace(cost=self.choices.cost(reply, written))
        with self.outcome.lock:
            self.outcome.tokens += (reply.tokens_in or 0) + (reply.tokens_out or 0)
            self.outcome.cost += reply.cost
        return reply

    def _seed(self, question: ProgramQuestion) -> int:
        return self.choices.seed + question.sample

    def _said(self, question: ProgramQuestion, replies: Sequence[Reply]) -> dict[str, Any]:
        """What is kept with an answer; tokens of all tries count."""
        return {
            "prompt": self.prompt["version"], "model": self.choices.model,
            "answered_by": replies[-1].model, "temperature": self.choices.temperature, "seed": self._seed(question),
            "tokens_in": _sum(reply.tokens_in for reply in replies),
            "tokens_out": _sum(reply.tokens_out for reply in replies),
            "cost": min(sum(reply.cost for reply in replies), MOST_COST),
            "raw": BETWEEN_TRIES.join(reply.text for reply in replies)[:LONGEST_RAW],
        }  # fmt: skip


def _sum(counts: Iterable[int | None]) -> int | None:
    """The sum of what was counted; None if nothing was."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
