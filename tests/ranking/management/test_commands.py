"""Reports from a terminal."""

import io
import re
from dataclasses import fields

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from ranking.models import Report
from ranking.stats.comparisons.study import Parameters
from ranking.stats.corrections.study import CorrectionParameters
from ranking.stats.verdicts.study import VerdictParameters
from tests import factory


def run(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


@pytest.mark.parametrize("parameters", [Parameters, CorrectionParameters, VerdictParameters])
def test_every_choice_of_a_report_is_an_option(parameters):
    command = load_command_class(get_commands()["build_report"], "build_report")
    options = {action.dest for action in command.create_parser("manage.py", "build_report")._actions}
    assert {choice.name for choice in fields(parameters)} <= options


@pytest.mark.wide
def test_a_report_is_made_and_its_files_are_written(campaign, ada, tmp_path):
    factory.answer_all(ada)
    words = ("build_report", campaign.slug, "--replicates", "200", "--judged-by", "people", "--folds", "none")
    assert run(*words).startswith("| method |")
    assert re.search(rf"\n\nReport \d+: \d+ files in {tmp_path}. expected-wins", run(*words, "--out", str(tmp_path)))
    assert (tmp_path / "standings.csv").exists()
    with pytest.raises(CommandError, match="There are no judgments yet"):
        run(*words[:-4], "--judged-by", "programs")
    assert Report.objects.count() == 3
