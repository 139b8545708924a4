"""Trying a reader on bytes: what it answers, and whether that is an acceptable answer."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

from judgments.rules.files.problems import Problems
from ranking.metrics.base import MetricError
from tests.fuzz.mutations import mutated
from tests.fuzz.targets import TARGETS, Target

CORPUS = Path(__file__).parent / "corpus"
LONGEST_SENTENCE = 1_000
SIGNS_OF_A_PROGRAM = ("Traceback", "object at 0x", "NoneType", "Error(", "<class ")


class Found(NamedTuple):
    """Bytes that a reader could not cope with, and how that showed."""

    target: str
    content: bytes
    fault: str


class TooLong(BaseException):
    """Reading took more of the processor than it may; no reader may catch this."""


def fault_of(target: Target, content: bytes, seconds: float) -> str | None:
    """What is wrong with how a reader takes the bytes, or None."""
    try:
        with _within(seconds):
            target.read(content)
    except Problems as error:
        return next(filter(None, map(_fault_of_sentence, error.problems)), None) if error.problems else "no sentence"
    except MetricError as error:
        return _fault_of_sentence(error)
    except TooLong:
        return f"took more than {seconds:g} s"
    except Exception as fault:
        return f"{type(fault).__name__}: {str(fault)[:200]}"
    return None


def tried(name: str, number: int, seed: int, seconds: float) -> Iterator[Found]:
    target, chance = TARGETS[name], Random(f"{name} {seed}")
    seeds = [*target.seeds, *corpus(name)]
    for _ in range(number):
        content = mutated(seeds, chance)
        if fault := fault_of(target, content, seconds):
            yield Found(name, content, fault)


def corpus(name: str) -> Sequence[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def keep(found: Found) -> Path:
    """Into the corpus, under a name of its own."""
    path = CORPUS / found.target / sha256(found.content).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(found.content)
    return path


def _fault_of_sentence(message: object) -> str | None:
    """A person reads it."""
    sentence = str(message)
    if not sentence.strip() or len(sentence) > LONGEST_SENTENCE:
        return f"says {len(sentence)} characters: {sentence[:100]!r}"
    return next((f"speaks of {sign}: {sentence[:200]!r}" for sign in SIGNS_OF_A_PROGRAM if sign in sentence), None)


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Only the time of this process counts, however busy the machine is."""

    def end(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
