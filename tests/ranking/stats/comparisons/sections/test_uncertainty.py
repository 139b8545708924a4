"""Both uncertainties side by side: the published way is surer than it should be."""

import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.parameters import Parameters
from ranking.stats.comparisons.sections.standings import side_by_side
from ranking.stats.comparisons.study import Names, Study
from tests import published
from tests.ranking.stats.ballots import published_columns
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, study


def test_both_ways_have_the_same_scores_and_each_its_own_ranges():
    tables, _ = made(side_by_side, study())
    lines = tables["uncertainty"].dicts()
    by_way = {way: [line for line in lines if line["way"] == way] for way in ("published", "recommended")}
    assert {line["unit"] for line in by_way["published"]} == {"pair"}
    assert {line["unit"] for line in by_way["recommended"]} == {"sentence"}
    for one, other in zip(by_way["published"], by_way["recommended"], strict=True):
        assert (one["system"], one["score"]) == (other["system"], other["score"])


def test_on_the_published_judgments_most_of_the_clusters_are_an_illusion():
    names = Names(tuple(published.golden()["systems"]), tuple(published.golden()["judges"]))
    chosen = Parameters(methods=("expected-wins-published",), replicates=300, seed=17)
    tables, _ = made(side_by_side, Study(published_columns(), names, chosen))
    clusters = {
        way: max(line["cluster"] for line in tables["uncertainty"].dicts() if line["way"] == way)
        for way in ("published", "recommended")
    }
    assert clusters["published"] == 4
    assert clusters["recommended"] < 4
    assert {line["unit"] for line in tables["uncertainty"].dicts()} == {"pair", "sentence-and-judge"}


def test_a_method_that_cannot_go_both_ways_gives_way_to_the_next():
    chosen = QUICK.changed(methods=("trueskill-published", "expected-wins-published"))
    tables, _ = made(side_by_side, study(chosen))
    assert set(tables["uncertainty"].column("method")) == {"expected-wins-published"}
    with pytest.raises(StatisticsError, match="both ways"):
        made(side_by_side, study(QUICK.changed(methods=("trueskill-published",))))
