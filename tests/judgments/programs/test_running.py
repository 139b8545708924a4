"""A run against a platform in memory: limits, replies that cannot be used, and what is sent."""

import json
from typing import Any
from unittest.mock import Mock

import pytest

from judgments.programs.endpoints import EndpointError
from judgments.programs.platform import PlatformClient, PlatformError, Rejected
from judgments.programs.rules.questions import ProgramQuestion, Reply
from judgments.programs.running import LONGEST_RAW, RunChoices, RunOutcome, run

RIGHT = '{"answers": [{"rank": 1}, {"rank": 2}]}'
QUIET = RunChoices("m", probes=0, at_once=2, price_in=2.0, price_out=8.0)


def task(number: int) -> dict[str, Any]:
    candidates = [{"text": text, "edits": []} for text in (f"a{number}", f"b{number}")]
    return {
        "id": number, "before": [], "source": f"s{number}", "after": [], "usage": None, "verdicts": [],
        "answer_fields": ["rank"], "candidates": candidates,
    }  # fmt: skip


class Platform:
    """It has so many assignments, refuses rank 9, and keeps what it is sent."""

    def __init__(self, screens: int = 5, prompt: dict | None = None) -> None:
        self.open = {number: task(number) for number in range(1, screens + 1)}
        self.prompt = prompt or {"version": 3, "text": "Judge. {instructions}"}
        self.judged: dict[int, Any] = {}
        self.kept: list[tuple[int, str, int, Any]] = []
        self.said: list[dict] = []

    def claim(self, number: int, after: int) -> dict[str, Any]:
        waiting = [one for key, one in self.open.items() if key > after and key not in self.judged]
        return {"assignments": waiting[:number], "prompt": self.prompt, "instructions": "Be kind."}

    def judge(self, question: ProgramQuestion, answers: list, said: dict) -> None:
        if any(answer.get("rank") == 9 for answer in answers):
            raise Rejected("answers/0/rank: 9 is too much.")
        assert question.task["id"] not in self.judged
        self.judged[question.task["id"]] = answers
        self.said.append(said)

    def keep(self, question: ProgramQuestion, answers: list | None, said: dict) -> None:
        self.kept.append((question.task["id"], question.purpose, question.sample, answers))
        self.said.append(said)


class Model:
    """It says one thing after another, and at last what is right."""

    def __init__(self, *texts: str, usual: str = RIGHT) -> None:
        self.texts, self.usual = list(texts), usual
        self.asked: list[tuple[list, dict]] = []

    def ask(self, messages: list, settings: dict) -> Reply:
        self.asked.append((list(messages), dict(settings)))
        return Reply(self.texts.pop(0) if self.texts else self.usual, "m-1", 1000, 100)


def test_everything_is_answered_once_and_counted():
    platform, model, heard = Platform(5), Model(), []
    done = run(platform, model, QUIET, lambda outcome: heard.append(outcome.answered))
    assert platform.judged == {number: [{"rank": 1}, {"rank": 2}] for number in range(1, 6)}
    assert (done.answered, done.unreadable, done.tokens, done.stopped) == (5, 0, 5500, "")
    assert done.cost == pytest.approx(5 * (1000 * 2 + 100 * 8) / 1_000_000)
    assert heard == [2, 4, 5]
    assert platform.said == [{
        "prompt": 3, "model": "m", "answered_by": "m-1", "temperature": 0.0, "seed": 17, "tokens_in": 1000,
        "tokens_out": 100, "cost": pytest.approx(0.0028), "raw": RIGHT,
    }] * 5  # fmt: skip
    assert run(platform, model, QUIET).answered == 0, "nothing is left"


class Uncounted(Model):
    """It counts no tokens."""

    def ask(self, messages: list, settings: dict) -> Reply:
        return super().ask(messages, settings)._replace(tokens_in=None, tokens_out=None)


def test_the_limit_for_costs_binds_by_an_estimate_where_no_tokens_are_counted_and_before_each_question():
    platform, model = Platform(50), Uncounted()
    done = run(platform, model, RunChoices("m", probes=1, at_once=1, price_in=1e4, price_out=1e4, most_cost=2.0))
    assert done.stopped == "The limit of 2 for costs is reached."
    (one,) = {said["cost"] for said in platform.said[:1]}
    assert 2.0 <= done.cost < 2.0 + 2 * one, "one question beyond the limit at most"
    assert {said["tokens_in"] for said in platform.said} == {None}
    asked = sum(len(message["content"].encode()) for message in model.asked[0][0]) + len(RIGHT)
    assert one == pytest.approx(asked / 3 * 1e4 / 1e6, rel=0.05)
    assert len(model.asked) < 4 * len(platform.open)


def test_a_reply_that_cannot_be_used_is_answered_with_the_reason_and_kept():
    platform, model = Platform(1), Model("Sure! Here.", '{"answers": [{"rank": 9}, {"rank": 2}]}')
    done = run(platform, model, QUIET)
    reasons = [messages[-1]["content"] for messages, _ in model.asked[1:]]
    assert "it is not JSON: Sure! Here" in reasons[0]
    assert "9 is too much" in reasons[1]
    assert (done.answered, done.unreadable, platform.said[0]["tokens_in"]) == (1, 0, 3000)
    assert platform.said[0]["raw"].count("=== tried again ===") == 2


def test_what_cannot_be_read_three_times_is_kept_passed_over_and_stays_open_until_a_model_babbles():
    platform = Platform(3)
    done = run(platform, Model("no", "no", "no"), RunChoices("m", probes=0, at_once=1))
    assert platform.kept == [(1, "judgment", 0, None)]
    assert (done.answered, done.unreadable, set(platform.judged)) == (2, 1, {2, 3})
    assert run(platform, Model(), QUIET).answered == 1, "another run asks again"
    platform = Platform(100)
    done = run(platform, Model(usual="x" * LONGEST_RAW), QUIET)
    assert (done.answered, done.unreadable) == (0, 10)
    assert "10 answers could not be read. Look at what the model wrote" in done.stopped
    assert max(len(said["raw"]) for said in platform.said) == LONGEST_RAW


def test_probes_are_kept_and_do_not_count():
    platform, model = Platform(1), Model()
    done = run(platform, model, RunChoices("m", probes=1, samples=2))
    kept = {(purpose, sample): answers for _, purpose, sample, answers in platform.kept}
    assert kept == {
        ("reversed", 0): [{"rank": 2}, {"rank": 1}],
        ("identical", 0): [{"rank": 1}, {"rank": 2}],
        ("sample", 1): [{"rank": 1}, {"rank": 2}],
    }
    assert (done.answered, len(platform.judged)) == (1, 1)
    # What is stored as the seed is what was asked.
    assert [settings["seed"] for _, settings in model.asked] == [17, 17, 18, 17] == [s["seed"] for s in platform.said]


@pytest.mark.parametrize(
    ("limits", "before", "answered", "why"),
    [
        ({"most": 3}, None, 3, "The limit of 3 screens is reached."),
        ({"most_cost": 0.005}, None, 2, "The limit of 0.005 for costs is reached."),
        ({"most": 5}, RunOutcome(answered=4, unreadable=1, after=5), 1, "The limit of 5 screens is reached."),
    ],
)
def test_limits_end_it_and_an_earlier_attempt_counts_on(limits, before, answered, why):
    platform = Platform(9)
    chosen = RunChoices("m", probes=0, at_once=2, price_in=2.0, price_out=8.0, **limits)
    done = run(platform, Model(), chosen, **({"outcome": before} if before else {}))
    first = 6 if before else 1
    assert list(platform.judged) == list(range(first, first + answered))
    assert (done.answered, done.stopped) == (answered + 4 * bool(before), why)


def test_it_ends_with_the_endpoint_and_without_a_prompt():
    class Broken(Model):
        def ask(self, messages: list, settings: dict) -> Reply:
            raise EndpointError("It refuses.")

    with pytest.raises(EndpointError, match="It refuses"):
        run(Platform(), Broken(), QUIET)
    bare = Platform()
    bare.prompt = None
    with pytest.raises(PlatformError, match="has no prompt for programs; write one"):
        run(bare, Model(), QUIET)


def test_settings_that_a_model_does_not_take_are_not_sent():
    model = Model()
    run(Platform(1), model, RunChoices("m", temperature=None, probes=0))
    assert model.asked[0][1] == {"model": "m", "seed": 17}
    assert RunChoices("llama3.1:8b/q4").name == "llama3.1-8b-q4"
    assert json.loads(model.asked[0][0][1]["content"])["source"] == "s1"


def test_a_token_that_ended_meanwhile_is_told_from_one_that_was_never_sent(monkeypatch):
    client = PlatformClient("http://127.0.0.1:9", "toy", "old")
    refused = Mock(status=401, data=b'{"detail": "Invalid token. Send the header"}')
    monkeypatch.setattr(client._pool, "request", lambda *given, **named: refused)
    with pytest.raises(PlatformError, match=r"does not know the program's token. It was given another,"):
        client.claim(1, 0)
