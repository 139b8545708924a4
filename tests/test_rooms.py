"""Which rooms a change touches."""

import subprocess

import pytest

from tests import rooms
from tests.rooms import changed_files, is_touched, touched_by

KINDS, PLANS = "tests/ranking/web/test_kinds.py", "tests/ranking/web/test_plans.py"


@pytest.mark.parametrize(
    ("file", "touched", "untouched"),
    [
        ("ranking/web/reports.py", [KINDS, "tests/attack/test_rates.py"], ["tests/fuzz/test_fuzz.py"]),
        (
            "judgments/models/campaign.py",
            ["tests/judgments/assignment/test_claiming.py"],
            ["tests/ranking/charts/test_corrections.py"],
        ),
        ("judgments/campaigns/overview.py", ["tests/judgments/judges/test_organisers.py"], ["tests/fuzz/test_fuzz.py"]),
        ("tests/judgments/judging/opinions.py", ["tests/judgments/judging/test_adjudication.py"], [KINDS]),
        ("tests/browser/conftest.py", ["tests/browser/test_judging.py"], [KINDS]),
        ("tests/hostile.py", ["tests/judgments/web/test_bad_input.py"], [KINDS]),
        (
            "templates/judgments/campaign.html",
            ["tests/judgments/web/test_pages.py", KINDS],
            ["tests/fuzz/test_fuzz.py"],
        ),
        (PLANS, [PLANS], [KINDS]),
        ("docs/judges.md", ["tests/test_documents.py"], ["tests/test_settings.py"]),
    ],
)
def test_a_change_touches_its_room_and_what_looks_at_it(file, touched, untouched):
    found = touched_by([file])
    assert [is_touched(test, found) for test in touched + untouched] == [True] * len(touched) + [False] * len(untouched)


@pytest.mark.parametrize(
    ("file", "is_known"),
    [
        ("README.md", True),
        ("requirements.txt", False),
        ("tests/factory.py", False),
        ("tests/services/chromium.py", False),
    ],
)
def test_a_change_on_which_all_depends_leaves_nothing_out(monkeypatch, file, is_known):
    answers = {"diff": file, "ls-files": ""}

    def git(words, **_):
        return subprocess.CompletedProcess(words, 0, answers[words[3]])

    monkeypatch.setattr(rooms.subprocess, "run", git)
    assert changed_files() == ({file} if is_known else None)
