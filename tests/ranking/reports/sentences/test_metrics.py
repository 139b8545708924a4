"""Outputs that a metric and people place differently."""

import csv
import io

import pytest

from judgments.rules.errors import Refused
from ranking.models import Metric, Report, ReportInputs
from ranking.reports.sentences.metrics import MetricBesidePeople, metrics_of
from ranking.scores.stored import add_metrics
from tests import factory
from tests.ranking.reports.sentences.test_pairs import LETTERS, judge_all
from tests.ranking.reports.test_reports import made

# The metric is fond of Wren, ada of Heron.
SCORES = "source,Heron,Wren\n.1,.2,.9\n.1,.2,.8\n.1,.3,.7\n"


@pytest.fixture(scope="module")
def made_once(lasting) -> int:
    with lasting():
        campaign = factory.open_campaign(LETTERS)
        add_metrics(campaign, "fond.csv", SCORES.encode())
        add_metrics(campaign, "bleu.txt", b"source .1\nWren .4\nHeron .3\n")
        judge_all(factory.judge(campaign, "ada"), LETTERS["Heron"])
        return made(campaign).pk


@pytest.fixture
def report(made_once, db) -> Report:
    return Report.objects.get(pk=made_once)


def listing(report: Report, system: str = "", sort: str = "apart"):
    (name,) = (name for name, has_sentences in metrics_of(report).items() if has_sentences)
    return MetricBesidePeople(report, name, system, sort)


def test_places_by_hand_and_one_system_in_the_order_of_the_text(report):
    """Heron won all it was compared in: it shares the highest of nine places with whatever else won."""
    found = listing(report).read(list(listing(report).keys))
    assert len(found) == 9
    by_text = {(one.segment.position, one.system): one for one in found}
    best = by_text[0, "Wren"]
    assert (round(best.metric, 6), best.metric_place, best.people) == (0.9, 1, 0)
    heron = by_text[0, "Heron"]
    assert heron.people == 1
    assert heron.version.text == "a"
    assert [abs(one.difference) for one in found] == sorted((abs(one.difference) for one in found), reverse=True)
    chosen = listing(report, "Wren", "order")
    assert [one.segment.position for one in chosen.read(list(chosen.keys))] == [0, 1, 2]
    rows = list(csv.DictReader(io.StringIO("".join(chosen.csv()))))
    assert [(row["system"], row["output"], row["metric_score"]) for row in rows] == [
        ("Wren", "a b", "0.9"), ("Wren", "c x", "0.8"), ("Wren", "d e f g h", "0.7"),
    ]  # fmt: skip


@pytest.mark.parametrize(("sort", "system"), [("metric", "Wren"), ("people", "source")])
def test_either_side_comes_first(report, sort, system):
    """On the second sentence the source has the output of Heron, which won; the metric scores it lowest."""
    (first,) = listing(report, sort=sort).read(list(listing(report, sort=sort).keys)[:1])
    assert first.system == system


def test_scores_that_no_longer_fit_or_were_not_kept_are_refused(report):
    Metric.objects.filter(level="sentence").update(systems=["source", "Heron", "Heron 2"])
    with pytest.raises(Refused, match="Systems were renamed or sentences were added"):
        listing(report)
    ReportInputs.objects.update(output_scores=b"")
    with pytest.raises(Refused, match="Make a new report"):
        listing(report)
