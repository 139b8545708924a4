"""Kinds of reports: each protocol has one, with presets of its own, and a study finds its way back from files."""

import importlib
import json

import pytest

from judgments.protocols import PROTOCOLS
from ranking.reports.kinds.kind import KINDS, NoReportKind, kind_for, kind_named, kinds_for
from ranking.stats.choices import ParametersError
from ranking.stats.comparisons import ComparisonStudy
from ranking.stats.study_files import read, write
from tests.ranking.stats.comparisons.sections.cast import study


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_a_kind(protocol):
    assert [kind.name for kind in kinds_for(protocol)] == list(PROTOCOLS[protocol].report_kinds)


@pytest.mark.parametrize("kinds", [(), ("songs",)])
def test_a_protocol_without_a_kind_is_refused_in_a_sentence(monkeypatch, kinds):
    monkeypatch.setattr(PROTOCOLS["ranking"], "report_kinds", kinds)
    with pytest.raises(NoReportKind, match="There is no report for campaigns of this protocol yet"):
        kind_for("ranking")


@pytest.mark.parametrize("kind", [*map(kind_named, KINDS)], ids=KINDS)
def test_every_kind_has_what_is_recommended_and_reads_its_choices_back(kind):
    assert isinstance(kind.preset("recommended"), kind.parameters)
    for other in map(kind_named, KINDS):
        for name in other.presets.keys() - kind.presets.keys():
            with pytest.raises(ParametersError, match=f"no preset '{name}' for reports on {kind.name}"):
                kind.preset(name)
    for chosen in kind.presets.values():
        assert kind.parameters.of(json.loads(json.dumps(chosen.__dict__))) == chosen
    module = importlib.import_module(kind.module)
    assert (module.SECTIONS, getattr(module, kind.study.__name__)) == (kind.sections, kind.study)


def test_a_study_names_its_kind():
    files = write(study())
    assert json.loads(files["study.json"])["kind"] == read(ComparisonStudy, files).kind == "comparisons"
