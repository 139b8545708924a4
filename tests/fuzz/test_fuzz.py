"""Readers of files on what was found once, and on a few more spoiled files; `python -m tests.fuzz` tries more."""

import pytest

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


def test_a_fault_is_seen():
    assert fault_of(Target([], lambda content: 1 / 0), b"", SECONDS) == "ZeroDivisionError: division by zero"
