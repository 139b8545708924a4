"""Good bytes made bad in the ways in which files are, and whether what a reader answers to them is acceptable."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

from judgments.rules.files.problems import Problems
from ranking.metrics.base import MetricError
from tests.fuzz.targets import TARGETS, Target

MOST_CHANGES = 6
LONGEST = 60_000
TIMES = (2, 10, 1_000)
# What readers stumble over: signs that mean something, numbers that are none or too large, bytes that are no text.
TELLING = [
    b"\0", b"\n", b"\r\n", b"\r", b"\t", b",", b";", b'"', b"'", b"\\", b"|||", b"-1", b"0", b"1e999", b"NaN", b"inf",
    b"99999999999999999999", b"-0.0", b"{", b"}", b"[", b"]", b"null", b"true", b"<", b">", b"&", b"&lt;", b"</r>",
    b"]]>", b"<!--", b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"%", b"=1+1", b"\xff", b"\xc3", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"\xff\xfe", b"S ", b"A ", b"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0", b"\xe2\x80\x8b",
    b"\xe2\x80\xa8", b"\xcc\x81", b"\xe2\x80\xae", b"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", b"PK\x03\x04",
    b"PK\x01\x02", b"PK\x05\x06", b"..", b"/", b"C:\\", b"\xd9\xa3", b"\xc2\xb2",
]  # fmt: skip
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


def mutated(seeds: Sequence[bytes], chance: Random) -> bytes:
    content = chance.choice(seeds)
    for _ in range(chance.randint(1, MOST_CHANGES)):
        content = changed(content, seeds, chance)[:LONGEST]
    return content


def changed(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    """Cut, ended early, doubled, filled, overwritten, spoiled, spliced, shuffled or blown up, mostly a few bytes."""
    start = chance.randint(0, len(content))
    end = start + chance.choice((1, 4, 16, 64, 1_000))
    before, stretch, after = content[:start], content[start:end], content[end:]
    sign, times, other = chance.choice(TELLING), chance.choice(TIMES), chance.choice(seeds)
    lines = content.split(b"\n")
    line = chance.randrange(len(lines))
    # Only what is chosen is made: some are a thousand times as long.
    ways = [
        lambda: before + after,
        lambda: before,
        lambda: before + stretch * times + after,
        lambda: before + sign + stretch + after,
        lambda: before + sign * times + stretch + after,
        lambda: before + sign + after,
        lambda: before + bytes([chance.randrange(256)]) + stretch[1:] + after,
        lambda: before + other[chance.randint(0, len(other)) :],
        lambda: b"\n".join(chance.sample(lines, len(lines))),
        lambda: b"\n".join([*lines[:line], *[lines[line]] * times, *lines[line + 1 :]]),
    ]
    return chance.choice(ways)()


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
