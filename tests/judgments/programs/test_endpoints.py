"""A server of models that is busy, broken, hostile or silent."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from judgments.programs import endpoints
from judgments.programs.endpoints import ChatEndpoint, EndpointError, RateLimit, RuleEndpoint, check_url, is_local
from judgments.rules.progress import check_cancelled
from tests.services.model import NO_QUOTA, Model, Mood, completion, drops, fails, says, sends, served, trickles

ASKED = [{"role": "system", "content": "Judge."}, {"role": "user", "content": '{"source": "a", "fields": ["rank"]}'}]
KEY = "sk-very-secret"


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    """How long it waited, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr(endpoints, "time", SimpleNamespace(sleep=waited.append, monotonic=lambda: 100.0))
    monkeypatch.setattr(endpoints.random, "uniform", lambda low, high: 1)
    return waited


@pytest.fixture
def model() -> Iterator[Callable[..., Model]]:
    with ExitStack() as stack:
        yield lambda *moods, **usual: stack.enter_context(served(Model(*moods, **usual)))


def ask(model: Model, seconds: float = 5, key: str = KEY):
    return ChatEndpoint(model.url, key, seconds).ask(ASKED, {"model": "m", "temperature": 0.0})


def test_a_question_has_the_settings_and_the_key_in_a_header(model):
    there = model()
    assert ask(there).model == "model-2026-01"
    assert there.asked == [{"messages": ASKED, "model": "m", "temperature": 0.0}]
    assert there.keys == [f"Bearer {KEY}"]
    ask(there, key="")
    assert there.keys[1] is None


@pytest.mark.parametrize(
    "mood",
    [fails(429), fails(500), fails(503), fails(408), drops, sends(b"<html>busy</html>"), sends(b"")],
    ids=["429", "500", "503", "408", "dropped", "a page", "nothing"],
)
def test_what_may_pass_is_asked_again_later_and_later(model, pauses, mood: Mood):
    there = model(mood, mood, mood)
    assert ask(there).text == '{"answers": [{"rank": 1}]}'
    assert (len(there.asked), pauses) == (4, [0, 1, 2, 4])


def test_a_server_that_says_how_long_is_believed_within_reason(model, pauses):
    ask(model(fails(429, Retry_After="7"), fails(429, Retry_After="86400"), fails(429, Retry_After="soon")))
    assert pauses == [0, 7, 60, 4]


def test_a_server_that_hangs_is_given_up(model, pauses):
    with pytest.raises(EndpointError, match=r"did not answer 6 times \(ReadTimeoutError\); is the server running"):
        ask(model(usual=says(str, seconds=0.5)), seconds=0.05)
    with pytest.raises(EndpointError, match="NewConnectionError"):
        ChatEndpoint("http://127.0.0.1:9/v1").ask(ASKED, {})


@pytest.mark.parametrize(
    ("mood", "said"),
    [
        (fails(429), r"did not answer 6 times \(status 429\); it has too many requests\. Go on later"),
        (fails(500, "out of memory"), r"\(status 500\); it says: .out of memory"),
        (sends(b"<html>"), "it says: <html>"),
        (sends(b""), "it says: nothing"),
        (fails(401, "No key."), "refuses with status 401: .No key..; check the key"),
    ],
    ids=["429", "500", "a page", "nothing", "401"],
)
def test_a_server_that_answers_is_not_called_silent(model, pauses, mood: Mood, said):
    with pytest.raises(EndpointError, match=said):
        ask(model(usual=mood))


def test_a_server_that_sends_a_little_now_and_then_is_given_up(model, monkeypatch):
    monkeypatch.setattr(endpoints, "FIRST_PAUSE", 0.001)
    with pytest.raises(EndpointError, match=r"did not answer 6 times \(TimeoutError\)"):
        ask(model(usual=trickles), seconds=0.1)


@pytest.mark.parametrize("mood", [fails(401), fails(404, "no such model"), fails(429, NO_QUOTA), fails(307)])
def test_what_waiting_does_not_help_ends_it_at_once(model, pauses, mood: Mood):
    there = model(mood)
    with pytest.raises(EndpointError, match="refuses with status"):
        ask(there)
    assert len(there.asked) == 1


def test_texts_follow_no_redirect_and_a_key_that_a_server_repeats_is_not_shown(model, pauses):
    elsewhere = model()
    with pytest.raises(EndpointError, match="refuses with status 308"):
        ask(model(fails(308, Location=f"{elsewhere.url}/chat/completions")))
    assert elsewhere.asked == []
    with pytest.raises(EndpointError, match=r"Incorrect key \[key\]") as refused:
        ask(model(fails(401, f"Incorrect key {KEY}")))
    assert KEY not in str(refused.value)
    assert ask(model(says(lambda text: f"My key is {KEY}."))).text == "My key is [key]."
    escaped = completion(f"My key is {KEY}.").replace(b"sk-", b"\\u0073k-")
    assert ask(model(sends(escaped))).text == "My key is [key]."


def test_a_run_that_is_cancelled_asks_no_more(model):
    class Cancelled(Exception):
        pass

    def check() -> None:
        raise Cancelled

    there, token = model(), check_cancelled.set(check)
    try:
        with pytest.raises(Cancelled):
            ask(there)
    finally:
        check_cancelled.reset(token)
    assert there.asked == []


def test_threads_together_keep_a_pace(pauses):
    pace = RateLimit(per_minute=30)
    for _ in range(3):
        pace.wait()
    assert pauses == [0, 2, 4]


def test_the_rule_says_what_it_cannot_answer():
    asked = [ASKED[0], {"role": "user", "content": '{"source": "a", "fields": ["edits"]}'}]
    with pytest.raises(EndpointError, match="edit-distance cannot answer 'edits'; choose a model"):
        RuleEndpoint().ask(asked, {})


@pytest.mark.parametrize(
    ("addresses", "stays"),
    [
        (["127.0.0.1"], True), (["10.1.2.3", "fd00::1"], True), (["192.168.1.7"], True), (["::1"], True),
        (["8.8.8.8"], False), (["10.1.2.3", "8.8.8.8"], False), (["::ffff:8.8.8.8"], False), ([], False),
        (["2001:4860:4860::8888"], False), (None, False),
    ],
)  # fmt: skip
def test_an_endpoint_is_in_this_network_if_all_its_addresses_are(monkeypatch, addresses, stays):
    def look_up(host: str, port: object) -> list[tuple]:
        if addresses is None:
            raise socket.gaierror
        return [(0, 0, 0, "", (address, 0)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert is_local("https://models.example.org/v1") == stays


@pytest.mark.parametrize("url", ["ollama", "ftp://host/v1", "http://", "https://key@host/v1"])
def test_an_address_is_checked(url):
    with pytest.raises(EndpointError, match=r"is no address|Leave the key out"):
        check_url(url)
