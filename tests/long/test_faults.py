"""The experiments of `python -m tests.faults` in a short form: fewer judges, each part killed once."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from tests.faults.disturbances import Disturbance, disturbance
from tests.faults.experiment import Outcome, experiment
from tests.faults.stage import Part, Stage, embedded, production
from tests.services.servers import ServerUnavailable

JUDGES, SENTENCES, SEED = 8, 300, 3
KILLS = 12

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc, which only Linux has"),
]


def test_nothing_is_lost_when_parts_of_a_server_are_killed(tmp_path):
    with _production(tmp_path) as stage:
        every_part = [disturbance("kill", part, Random(SEED)) for part in stage.parts.values()]
        paused = disturbance("pause", stage.parts["postgres"], Random(SEED))
        _shows_nothing_wrong(experiment(stage, [*every_part, paused], tmp_path, SEED, in_a_hurry=True))


def test_nothing_is_lost_when_an_embedded_platform_is_killed_as_it_writes(tmp_path):
    with embedded(tmp_path, JUDGES, SENTENCES) as stage:
        kills = chain(_kills(stage.parts["web"]), [disturbance("kill", stage.parts["worker"], Random(SEED))])
        outcome = experiment(stage, kills, tmp_path, SEED, pause=0.05, quiet=(0.0, 0.6), in_a_hurry=True)
    _shows_nothing_wrong(outcome)


@contextmanager
def _production(folder: Path) -> Iterator[Stage]:
    with ExitStack() as stack:
        try:
            stage = stack.enter_context(production(folder, JUDGES, SENTENCES))
        except ServerUnavailable as reason:
            pytest.skip(str(reason))
        yield stage


def _kills(web: Part) -> Iterator[Disturbance]:
    chance = Random(SEED)
    return (disturbance("kill one process of", web, chance) for _ in range(KILLS))


def _shows_nothing_wrong(outcome: Outcome) -> None:
    assert outcome.faults == []
    assert outcome.confirmed >= JUDGES
    # Else nothing was disturbed.
    assert outcome.asked_again > 0
