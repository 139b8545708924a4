"""The problems that a call reports; any other exception is a failure."""

from collections.abc import Callable
from typing import TypeVar

import pytest

from judgments.rules.files.problems import Problems

Answer = TypeVar("Answer")


def complaints(call: Callable[..., object], *given: object, **more: object) -> list[str]:
    """The sentences of a refusal, one for each problem; the call must refuse."""
    with pytest.raises(Problems) as refusal:
        call(*given, **more)
    return [str(problem) for problem in refusal.value.problems]


def answer_or_problems(call: Callable[..., Answer], *given: object) -> Answer | None:
    """The answer, or None where the call named problems; any other exception is a failure."""
    try:
        return call(*given)
    except Problems as refusal:
        named = refusal.problems
    assert named
    assert all(problem.what for problem in named)
    return None
