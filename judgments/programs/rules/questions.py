"""Questions to a model: an assignment as the API shows it, in JSON, and the probes that ask it in another form.

A probe asks for the same candidates in the opposite order, for one candidate twice, or for another sample. Answers are
in the order asked; `ProgramQuestion.in_order` puts those to the opposite order back.

Toy: candidates a and b; the opposite order shows b first, and its answers (1, 2) are (2, 1) for a and b.

Replies of a chat endpoint are read strictly: a JSON object with one answer for each candidate, and nothing around it.
The only leniency is a code fence around the whole. Whether the answers fit the protocol is for the API to say.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from judgments.rules.texts.edits import JudgedEdit

JUDGMENT, REVERSED, IDENTICAL, SAMPLE = "judgment", "reversed", "identical", "sample"
# An assignment, as the API shows it.
Task = Mapping[str, Any]
FIRST, LAST = "⟦", "⟧"


class ProgramQuestion(NamedTuple):
    purpose: str
    sample: int
    task: Task

    @property
    def places(self) -> int:
        """How many answers it needs."""
        return len(self.task["candidates"]) or 1

    def in_order(self, answers: Sequence[Any]) -> list[Any]:
        """Return the answers in the order of the assignment."""
        return list(answers)[::-1] if self.purpose == REVERSED else list(answers)


def questions(task: Task, share: float, samples: int, seed: int) -> Iterator[ProgramQuestion]:
    """Yield the probes of a task, if chance chose it, and then the question whose answer is the judgment.

    The judgment comes last: an assignment without one is asked again after a run was killed.
    """
    drawn = int.from_bytes(sha256(f"{seed}:{task['id']}".encode()).digest()[:8], "big")
    if drawn < share * 2**64:
        candidates = list(task["candidates"])
        if len(candidates) > 1:
            yield ProgramQuestion(REVERSED, 0, {**task, "candidates": candidates[::-1]})
            yield ProgramQuestion(IDENTICAL, 0, {**task, "candidates": [candidates[0]] * 2})
        yield from (ProgramQuestion(SAMPLE, number, task) for number in range(1, samples))
    yield ProgramQuestion(JUDGMENT, 0, task)


def question_json(question: ProgramQuestion) -> str:
    """The question as JSON: only what a judge sees, and nothing empty."""
    task = question.task
    told: dict[str, Any] = {"before": task["before"], "source": task["source"], "after": task["after"]}
    if usage := task["usage"]:
        source, start, end = task["source"], usage["start"], usage["end"]
        told["source"] = f"{source[:start]}{FIRST}{source[start:end]}{LAST}{source[end:]}"
    told["candidates"] = [
        {"version": number, "text": candidate["text"]} | _edits(task["source"], candidate["edits"])
        for number, candidate in enumerate(task["candidates"], 1)
    ]
    told |= {"verdicts": task["verdicts"], "fields": task["answer_fields"]}
    return json.dumps({name: cell for name, cell in told.items() if cell}, ensure_ascii=False)


def _edits(source: str, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    changes = [{"from": source[edit["start"] : edit["end"]], "to": edit["replacement"]} for edit in edits]
    return {"edits": changes} if changes else {}


def for_api(question: ProgramQuestion, answers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers as the API takes them, in the order of the assignment: verdicts as names get their edits."""
    if "verdicts" not in question.task["answer_fields"]:
        return question.in_order(answers)
    shown = zip(answers, question.task["candidates"], strict=True)
    return question.in_order(
        [answer | {"verdicts": _judged(answer, candidate["edits"])} for answer, candidate in shown]
    )


def _judged(answer: Mapping[str, Any], edits: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    verdicts = answer.get("verdicts")
    if not isinstance(verdicts, list) or len(verdicts) != len(edits):
        raise Unreadable(f"a version with {len(edits)} edits needs as many verdicts")
    return [JudgedEdit(**edit, verdict=verdict)._asdict() for edit, verdict in zip(edits, verdicts, strict=True)]


def messages(prompt: str, instructions: str, question: ProgramQuestion) -> list[dict[str, str]]:
    system = prompt.replace("{instructions}", instructions)
    return [{"role": "system", "content": system}, {"role": "user", "content": question_json(question)}]


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
    """Read the answers, one for each place, without a code fence around the whole."""
    first, _, rest = text.strip().partition("\n")
    inside, fence, after = rest.rpartition(FENCE)
    is_fenced = first.rstrip() in (FENCE, f"{FENCE}json") and fence and not after
    try:
        found = json.loads(inside if is_fenced else text)
    except (ValueError, RecursionError) as reason:
        raise Unreadable(f"it is not JSON: {text[:LONGEST_SHOWN]}") from reason
    answers = found.get("answers") if isinstance(found, dict) else None
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise Unreadable('it is not an object with a list of objects "answers"')
    if len(answers) != places:
        raise Unreadable(f"it has {len(answers)} answers for {places}")
    return answers
