"""Kinds of reports: each protocol has one, with presets of its own, and a study finds its way back from files."""

import json

import pytest

from judgments.models import Campaign
from ranking.gathering import GATHERING
from ranking.stats.choices import ParametersError
from ranking.stats.kinds import KINDS, kind_for, kind_of, read, written
from tests.ranking.stats.sections.cast import study


@pytest.mark.parametrize("protocol", Campaign.Protocol.values)
def test_every_protocol_has_a_kind_that_can_be_gathered(protocol):
    assert kind_for(protocol).name in GATHERING


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_has_what_is_recommended_and_refuses_the_presets_of_others(kind):
    assert isinstance(kind.preset("recommended"), kind.parameters)
    for other in KINDS.values():
        for name in other.presets.keys() - kind.presets.keys():
            with pytest.raises(ParametersError, match=f"no preset '{name}' for reports on {kind.name}"):
                kind.preset(name)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_choices_are_read_back_from_what_a_row_keeps(kind):
    for chosen in kind.presets.values():
        assert kind.parameters.of(json.loads(json.dumps(chosen.__dict__))) == chosen


def test_a_study_names_its_kind_and_is_read_back_by_it():
    files = written(study())
    assert kind_of(read(files)).name == json.loads(files["study.json"])["kind"] == "comparisons"


def test_a_study_from_before_there_were_kinds_is_one_of_comparisons():
    files = written(study())
    told = json.loads(files["study.json"])
    del told["kind"]
    assert kind_of(read(files | {"study.json": json.dumps(told)})).name == "comparisons"
