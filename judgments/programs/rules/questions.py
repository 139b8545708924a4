"""Questions to a model: an assignment as the API shows it, in JSON, and the probes that ask it in another form.

A probe asks for the same candidates in the opposite order, for one candidate twice, or for another sample. Answers are
in the order asked; `ProgramQuestion.in_order` puts those to the opposite order back.

Toy: candidates a and b; the opposite order shows b first, and its answers (1, 2) are (2, 1) for a and b.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from judgments.programs.rules.replies import Unreadable
from judgments.rules.texts.judged_edits import JudgedEdit

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
    if _chosen(task, share, seed):
        candidates = list(task["candidates"])
        if len(candidates) > 1:
            yield ProgramQuestion(REVERSED, 0, {**task, "candidates": candidates[::-1]})
            yield ProgramQuestion(IDENTICAL, 0, {**task, "candidates": [candidates[0]] * 2})
        yield from (ProgramQuestion(SAMPLE, number, task) for number in range(1, samples))
    yield ProgramQuestion(JUDGMENT, 0, task)


def _chosen(task: Task, share: float, seed: int) -> bool:
    drawn = int.from_bytes(sha256(f"{seed}:{task['id']}".encode()).digest()[:8], "big")
    return drawn < share * 2**64


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
