"""Readers of files on what was found once, and on a few more spoiled files; `python -m tests.fuzz` tries more."""

import time

import pytest

from judgments.rules.files.problems import Problem, Problems
from tests.fuzz.targets import TARGETS, Target
from tests.fuzz.trying import corpus, fault_of, tried

FILES, SEED = 60, 20
# A hang, not a slow machine: what takes a thousandth of this is what readers are made for.
SECONDS = 20


@pytest.mark.parametrize("name", TARGETS)
def test_a_good_file_is_read_and_what_was_found_once_gets_an_answer(name):
    for content in TARGETS[name].seeds:
        TARGETS[name].read(content)
    assert [fault for content in corpus(name) if (fault := fault_of(TARGETS[name], content, SECONDS))] == []


@pytest.mark.wide
@pytest.mark.parametrize("name", TARGETS)
def test_spoiled_files_get_an_answer(name):
    assert list(tried(name, FILES, SEED, SECONDS)) == []


def _raise(fault: Exception) -> None:
    raise fault


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        (lambda content: None, None),
        (lambda content: _raise(Problems([Problem("x.csv", 1, "is empty; write something")])), None),
        (lambda content: _raise(KeyError("x")), "KeyError: 'x'"),
        (lambda content: _raise(Problems([])), "no sentence"),
        (lambda content: _raise(Problems([Problem("x" * 1_997, None, "y")])), "says 2000 characters"),
        (lambda content: _raise(Problems([Problem("", None, "KeyError('x')")])), "speaks of Error("),
        (lambda content: _wait_for_ever(), "took more than 0.05 s"),
    ],
)
def test_faults_are_seen(reads, expected):
    fault = fault_of(Target([], reads), b"", 0.05)
    assert fault is None if expected is None else (fault or "").startswith(expected)


def _wait_for_ever() -> None:
    while time.monotonic():
        pass
