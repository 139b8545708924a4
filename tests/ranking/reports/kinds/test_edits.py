"""Reports on edits from rows to pages: what counts, is requested, shown and answered."""

import numpy as np
import pytest
from django.utils import timezone

from judgments.models import Judgment, Membership
from ranking.numbers.tables import Table
from ranking.reports import downloads
from ranking.reports.kinds.edits import EDITS, answer, edit_prediction, edit_worth, extract
from ranking.stats.edits import worth
from ranking.stats.edits.metrics import METRICS
from ranking.stats.edits.study import PLAIN
from ranking.stats.edits.systems import SYSTEMS
from tests import factory
from tests.judgments.exchange.marked import FILES, OUTPUTS, RANKINGS, bring, marked_campaign
from tests.ranking.reports.kinds.conftest import is_made_shown_and_made_again, made

QUICK = EDITS.preset("recommended").with_changes(replicates=200, categories=PLAIN)


@pytest.fixture
def marked(db):
    """Two judges, three systems, one of which shares an edit with another, and rankings by one of the judges."""
    campaign = marked_campaign()
    bring(campaign, FILES | {"rankings.xml": RANKINGS})
    return campaign


@pytest.mark.postgresql
def test_rows_become_a_study(marked):
    study, newest, _ = extract(marked, QUICK)
    assert (study.names.systems, study.names.judges) == (("Heron", "Magpie", "Wren"), ("ada", "ben"))
    assert study.names.categories == ("insertion", "replacement")
    assert (len(study.ballots), newest) == (4, Judgment.objects.latest("pk").pk)
    assert np.isfinite(study.ballots.merit).sum() == 5, "ada ranked them, and the second file has no version of Magpie"
    # go > goes of Heron and of Magpie is one edit, and each judge decided on it once.
    assert len(study.category) == 7
    assert (len(study.marks), int(study.is_decision.sum())) == (16, 14)


def test_excluded_judges_do_not_count(marked, django_assert_num_queries):
    with django_assert_num_queries(11):
        extract(marked, QUICK)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=timezone.now())
    assert extract(marked, QUICK).study.names.judges == ("ben",)


def test_references_say_which_edits_they_make(db):
    campaign = marked_campaign(gold=OUTPUTS["Heron"])
    bring(campaign)
    study = extract(campaign, QUICK).study
    assert study.names.references == ("references",)
    assert study.in_reference[:, 0].tolist().count(1) == 4, "goes, day, and like by itself or beside coffee"


@pytest.mark.wide
def test_categories_are_those_of_errant_if_it_is_installed(marked):
    pytest.importorskip("errant")
    study = extract(marked, QUICK.with_changes(categories="errant")).study
    assert "R:NOUN:NUM" in study.names.categories


@pytest.mark.wide
def test_an_organiser_requests_and_reads_one(marked, browser_of, no_worker, tmp_path):
    client = browser_of(factory.organiser(marked, "olga"))
    wanted = {"preset": "recommended", "categories": "plain", "replicates": "200", "unit": "sentence"}
    charts, files = {"edit_systems", "edit_rates", "edit_categories"}, {"edit_systems.csv", "edit_agreement.csv"}
    is_made_shown_and_made_again(client, marked, wanted, QUICK.with_changes(unit="sentence"), charts, files, tmp_path)


def test_few_edits_answer_that_they_are_few(marked):
    report = made(marked, QUICK)
    said = answer(downloads.tables_of(report), report.parameters)
    assert said.sentence.startswith("Too few edits were judged to compare systems")
    assert said.may_say == ()
    assert "4 judgments" in said.facts


LINE = {"sentences": 100, "edits": 200, "verdicts": 400, "right": 332, "precision": 0.83, "precision_low": 0.78,
        "precision_high": 0.87}  # fmt: skip


@pytest.mark.parametrize(
    ("resolved", "said"),
    [
        (True, "Heron has the most edits that people accept: 83% (78 to 87%) of them right."),
        (False, "Heron has the highest share of edits that people accept, 83% (78 to 87%), but is not separated from "
                "Wren."),
    ],
)  # fmt: skip
def test_the_first_sentence_says_no_more_than_pairs_do(resolved, said):
    rows = [[{**LINE, "system": name}.get(column, 1.0) for column in SYSTEMS] for name in ("Heron", "Wren")]
    counts = [("judges", 5), ("verdicts", 800), ("edits", 400), ("sentences", 100)]
    tables = {
        "counts": Table.of("counts", ("what", "number"), counts),
        "edit_systems": Table.of("edit_systems", SYSTEMS, rows),
        "edit_pairs": Table.of("edit_pairs", ("system", "opponent", "resolved"), [("Heron", "Wren", resolved)]),
    }  # fmt: skip
    found = answer(tables, QUICK.__dict__)
    assert found.sentence == said
    assert ("Heron makes better edits than Wren" in "".join(found.may_not_say)) is not resolved
    assert "83% (78 to 87%)" in str(found.paper.table.rows)
    assert "Krippendorff" not in found.paper.methods, "no two people judged an edit"
    cells = [
        ("GLEU", "system", 0.9, -0.1, 1.0), ("GLEU", "mean of sentences", 0.2, 0.1, 0.3), ("M2 P", "system", 1, 1, 1),
        ("BLEU", "system", 0.8, 0.1, 1.0),
    ]  # fmt: skip
    lines = [(metric, level, "precision by people", "pearson", *r, 6) for metric, level, *r in cells]
    found = answer(tables | {"edit_metrics": Table.of("edit_metrics", METRICS, lines)}, QUICK.__dict__)
    assert found.may_say[-1] == (
        "Of two metrics, GLEU correlates most with precision by people over 6 systems: Pearson's r is 0.90 (−0.10 to "
        "1.00)."
    )
    assert found.may_not_say[-2:] == (
        "“GLEU agrees with people.” Its r may be 0.", "“GLEU is the best metric.” BLEU is not shown to be worse."
    )  # fmt: skip
    assert "intervals that draw systems" in found.paper.methods


def test_charts_of_what_edits_are_worth_have_room_for_who_marked_them():
    words = [{"marked_by": one, "verdict": "wrong", "model": by, "predicted_by": by}
             for one in (worth.OWN, worth.OTHERS) for by in (worth.EDITS, worth.SYSTEMS, worth.BOTH)]  # fmt: skip
    tables = {
        name: Table.of(name, columns, [[given.get(column, 0.5) for column in columns] for given in words])
        for name, columns in (("edit_worth", worth.WORTH), ("edit_prediction", worth.PREDICTED))
    }
    assert "…" not in "".join(chart.svg for chart in [*edit_worth(tables), *edit_prediction(tables)])
