"""The command that lets a program judge is killed again and again: no assignment is judged twice, and none is lost.

A second program ranks the versions as they are shown, which the report on both says.
"""

import csv
import json
import os
import signal
from pathlib import Path

import pytest

from tests.services.composed import programs
from tests.services.house import House
from tests.services.model import FENCED, PROSE, Model, completion, drops, fails, rightly, says, served
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

pytestmark = pytest.mark.services

KILLS, EACH = 3, 25
KEPT = """
import json
from judgments.models import Campaign, Judgment, ProgramAnswer, Screen
judgments = Judgment.objects.filter(assignment__judge__pseudonym="m")
said = ProgramAnswer.objects.filter(judgment__in=judgments)
print(json.dumps({
    "screens": Screen.objects.filter(campaign__slug="demo", automatic=False).count(),
    "judged": sorted(judgments.values_list("screen", flat=True)),
    "revisions": sorted(set(judgments.values_list("revision", flat=True))),
    "said": said.count(),
    "key": any("sk-very-secret" in str(row) for row in ProgramAnswer.objects.values()),
}))
"""


def as_shown(handler, asked) -> None:
    """Rank the versions in the order in which they are shown."""
    answers = json.loads(rightly(asked))["answers"]
    ranks = [{"rank": place} for place, _ in enumerate(answers, 1)]
    handler.send(200, completion(json.dumps({"answers": ranks})))


def test_a_command_that_is_killed_goes_on_where_it_was(tmp_path: Path):
    house = House(tmp_path, PROGRAM_KEY="sk-very-secret")
    house.prepare()
    model = Model(usual=says(str, seconds=0.05))
    words = ("judge", "demo", "--endpoint", model.url, "--model", "m", "--probes", "0.1")
    with served(model), house.running(*programs(house.port, tmp_path)["web"]):
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        for kill in range(1, KILLS + 1):
            model.moods = [fails(500), PROSE, drops, FENCED]
            with house.running("manage.py", *words) as process:
                wait_until(lambda: len(model.asked) > kill * EACH, "some questions")  # noqa: B023
                os.killpg(process.pid, signal.SIGKILL)
        assert "could not be read" not in house.manage(*words)
        again = house.manage(*words)
        model.usual = as_shown
        house.manage("judge", "demo", "--endpoint", model.url, "--model", "swayed", "--probes", "0.25")
    kept = json.loads(house.shell(KEPT).splitlines()[-1])
    assert again.startswith("0 judged:")
    assert (kept["screens"], kept["said"], kept["revisions"], kept["key"]) == (120, 120, [1], False)
    assert len(kept["judged"]) == len(set(kept["judged"])) == 120
    assert set(model.keys) == {"Bearer sk-very-secret"}

    house.manage("build_report", "demo", "--study", "programs", "--seed", "17", "--out", str(tmp_path / "report"))
    said = (tmp_path / "report" / "paper.md").read_text(encoding="utf-8")
    assert "Judged by people and programs: m, swayed. In total, 4 judges gave 80 judgments, and 2 programs 240." in said
    with (tmp_path / "report" / "program_habits.csv").open(encoding="utf-8") as lines:
        habits = {(line["program"], line["habit"]): float(line["value"] or "nan") for line in csv.DictReader(lines)}
    steady = {"earlier wins, both orders": 0.5, "same in the opposite order": 1, "same in another sample": 1,
              "one version twice ties": 1}  # fmt: skip
    swayed = steady | {"earlier wins, both orders": 1, "same in the opposite order": 0, "one version twice ties": 0}
    for program, expected in (("m", steady), ("swayed", swayed)):
        assert {habit: habits[program, habit] for habit in expected} == expected
