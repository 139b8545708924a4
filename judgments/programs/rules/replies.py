"""Replies of a chat endpoint, read strictly: a JSON object with one answer for each candidate, and nothing around it.

The only leniency is a code fence around the whole. Whether the answers fit the protocol is for the API to say.
"""

import json
from typing import Any, NamedTuple

FENCE = "```"
LONGEST_SHOWN = 200
MOST = 2**31 - 1


class Unreadable(ValueError):
    """The reply is not what was asked for; the message says what is wrong with it."""


class Reply(NamedTuple):
    """What a model wrote, how the endpoint names the model, the tokens it counted, and what these cost."""

    text: str
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float = 0.0


def read_reply(body: bytes) -> Reply:
    """Read the body of a chat completion."""
    try:
        found = json.loads(body)
        text = found["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as reason:
        shown = body[:LONGEST_SHOWN].decode(errors="replace")
        raise Unreadable(f"the endpoint did not send a chat completion: {shown}") from reason
    usage = found.get("usage") if isinstance(found.get("usage"), dict) else {}
    asked, written = (_number(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    return Reply(_clean(text), _clean(found.get("model"))[:LONGEST_SHOWN], asked, written)


def _clean(text: Any) -> str:
    """The text without what no database stores."""
    return text.replace("\0", "").encode(errors="replace").decode() if isinstance(text, str) else ""


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST else None


def read_answers(text: str, places: int) -> list[dict[str, Any]]:
    """Read the answers, one for each place."""
    try:
        found = json.loads(_unfenced(text))
    except (ValueError, RecursionError) as reason:
        raise Unreadable(f"it is not JSON: {text[:LONGEST_SHOWN]}") from reason
    answers = found.get("answers") if isinstance(found, dict) else None
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise Unreadable('it is not an object with a list of objects "answers"')
    if len(answers) != places:
        raise Unreadable(f"it has {len(answers)} answers for {places}")
    return answers


def _unfenced(text: str) -> str:
    """The text without a code fence around the whole of it."""
    first, _, rest = text.strip().partition("\n")
    inside, fence, after = rest.rpartition(FENCE)
    return inside if first.rstrip() in (FENCE, f"{FENCE}json") and fence and not after else text
