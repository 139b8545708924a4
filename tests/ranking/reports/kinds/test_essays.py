"""Reports on whole texts from rows to pages: what counts, is requested, shown and answered."""

import numpy as np
import pytest
from django.utils import timezone

from judgments.exchange.importers.importing import import_judgments
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.models import Campaign, EssayRating, Judgment, Membership
from judgments.protocols import PROTOCOLS
from judgments.rules.files.text_files import UploadedFile
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports import downloads
from ranking.reports.ballots import collect
from ranking.reports.kinds import essays
from ranking.reports.kinds.essays import ESSAYS, answer, extract
from ranking.stats.analysis import analyse
from ranking.stats.essays.systems import PAIRS, SCALES
from tests import factory
from tests.ranking.reports.kinds.conftest import is_made_shown_and_made_again, made
from tests.shared_data import shared

QUICK = ESSAYS.preset("recommended").with_changes(replicates=200)
RUBRIC = (
    "? Form\n1: bad\n4: good\n-: cannot say\n\n? Flow\n1: bad\n4: good\n-: cannot say\n\n! Errors\nminor\nmajor = 5\n"
)
TEXTS = {name: {f"e{text}": f"{name} wrote text {text}." for text in range(8)} for name in ("source", "Heron", "Wren")}


@pytest.fixture
def rated(db, monkeypatch):
    """Two judges and the versions of two systems of eight texts; ada cannot say how the first one flows."""
    monkeypatch.setattr(PROTOCOLS["essays"], "report_kinds", (ESSAYS.name,))
    campaign = factory.open_essays(TEXTS, redundancy=2, rubric=RUBRIC)
    for name in ("ada", "ben"):
        factory.answer_all(factory.judge(campaign, name))
    for place, one in enumerate(EssayRating.objects.order_by("pk")):
        is_heron = "Heron" in (one.candidate.text or "")
        one.scores = {"Form": 4 if is_heron else 1 + place % 2, "Flow": 2 + place % 3 if place else None}
        one.spans = [] if is_heron else [{"start": 0, "end": 4, "severity": ("minor", "major")[place % 2]}]
        one.save()
    return campaign


@pytest.mark.postgresql
def test_rows_become_a_study(rated):
    study, newest, _ = extract(rated, QUICK)
    assert (study.systems, study.judges) == (("Heron", "Wren"), ("ada", "ben"))
    assert (study.judgments, newest) == (16, Judgment.objects.latest("pk").pk)
    form, flow = study.numbers.T
    systems = study.ballots.candidates.members[study.ballots.candidate]
    assert set(form[systems == 0]) == {4}
    assert (int(np.isnan(flow).sum()), study.unsaid.sum(axis=0).tolist()) == (1, [0, 1])
    assert study.errors[systems == 0].sum() == 0
    assert study.errors[systems == 1].sum() == 16


def test_excluded_judges_do_not_count(rated, django_assert_num_queries):
    with django_assert_num_queries(11):
        extract(rated, QUICK)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=timezone.now())
    study = extract(rated, QUICK).study
    assert (study.judges, study.judgments) == (("ben",), 8)


def test_answers_that_are_revised_while_they_are_read_make_no_report(rated, monkeypatch):
    def collect_before_a_change(*chosen):
        found = collect(*chosen)
        EssayRating.objects.earliest("pk").delete()
        return found

    monkeypatch.setattr(essays, "collect", collect_before_a_change)
    with pytest.raises(StatisticsError, match="Judges changed answers while they were read"):
        extract(rated, QUICK)


@pytest.mark.wide
def test_an_organiser_requests_and_reads_one(rated, browser_of, no_worker, tmp_path):
    client = browser_of(factory.organiser(rated, "olga"))
    wanted = {"preset": "recommended", "replicates": "200", "unit": "sentence"}
    charts, files = {"essay_scale_1", "essay_scale_2", "essay_errors"}, {"essay_scales.csv", "essay_agreement.csv"}
    is_made_shown_and_made_again(client, rated, wanted, QUICK.with_changes(unit="sentence"), charts, files, tmp_path)


@pytest.mark.wide
def test_the_first_sentence_and_what_may_be_said(rated):
    report = made(rated, QUICK)
    said = answer(downloads.tables_of(report), report.parameters)
    assert said.sentence.startswith("On Form, Heron is the best, with the mean 4")
    assert "On Flow, " in said.sentence
    assert "is separated from no system." in said.sentence
    assert said.may_say == (
        "Heron is better than Wren on Form.",
        "Judges mark fewer errors, weighted by severity, in versions of Heron than of Wren.",
    )
    assert {"8 texts", "16 judgments"} <= set(said.facts)
    assert said.scope == "other texts of the same kind, judged by these judges"
    assert "minor 1, major 5" in said.paper.methods
    assert "[@cameron2011]" not in said.paper.methods, "two judges say nothing of others"


def lines(columns: tuple[str, ...], *rows: dict) -> Table:
    return Table.of("essay", columns, ([row.get(column) for column in columns] for row in rows))


@pytest.mark.wide
def test_ratings_of_multigec_have_the_published_means_of_one_judge(db):
    """Masciolini et al. (2025): 50 Swedish essays, of which one system lacks one."""
    chosen = factory.campaign_settings.preset("multigec2025")
    campaign = factory.campaign_settings.configure(Campaign(slug="swe", name="Swedish"), **chosen)
    file = UploadedFile("swe_eval", shared("data/multigec-ratings/swe_eval").read_bytes())
    import_judgments(campaign, file, ImportOptions("multigec-ratings", without_texts=True))
    found = analyse(extract(campaign, QUICK).study, ESSAYS.sections)
    means = {(line["scale"], line["system"]): round(line["value"], 2) for line in found.tables["essay_scales"].dicts()
             if line["measure"] == "mean-score"}  # fmt: skip
    assert (means["Grammaticality", "REFERENCE"], means["Fluency", "REFERENCE"]) == (3.78, 3.38)
    assert (means["Grammaticality", "UAM-CSI-FLU"], means["Fluency", "UAM-CSI-FLU"]) == (3.28, 3.08)
    assert found.gaps["systems on Meaning"] == "No judge has given a number on this scale."
    said = answer(found.tables, QUICK.__dict__)
    assert said.sentence.startswith("On Grammaticality, REFERENCE is the best, with the mean 3.78")
    assert "“Judges agree.” No agreement could be computed" in " ".join(said.may_not_say)


@pytest.mark.parametrize(
    ("texts", "resolved", "said"),
    [
        (3, False, "Too few texts were rated to compare systems: at least 6 are needed, and no system has more than "
                   "3."),
        (20, False, "On Form, Heron has the highest mean, 3.40 (3.10 to 3.70), but is separated from no system."),
        (20, True, "On Form, Heron is the best, with the mean 3.40 (3.10 to 3.70)."),
    ],
)  # fmt: skip
def test_the_first_sentence_says_no_more_than_pairs_do(texts, resolved, said):
    line = {"scale": "Form", "measure": "mean-score", "value_low": 3.1, "value_high": 3.7, "texts": texts}
    pair = line | {"system": "Heron", "opponent": "Wren", "resolved": resolved}
    counts = [("judges", 2), ("texts", texts), ("judgments", 2 * texts)]
    tables = {
        "counts": Table.of("counts", ("what", "number"), counts),
        "essay_scales": lines(SCALES, line | {"system": "Heron", "value": 3.4}, line | {"system": "Wren", "value": 3}),
        "essay_pairs": lines(PAIRS, pair),
    }
    found = answer(tables, QUICK.__dict__)
    assert found.sentence == said
    assert ("Heron is better than Wren" in "".join(found.may_not_say)) is not resolved


def test_what_judges_change_is_said_where_the_mixed_model_has_another_system_in_front():
    line = {"scale": "Form", "value": 3, "value_low": 2, "value_high": 4, "texts": 20, "unit": "sentence"}
    order = [("mean-score", "Heron"), ("mean-score", "Wren"), ("mixed-model", "Wren"), ("mixed-model", "Heron")]
    tables = {
        "counts": Table.of("counts", ("what", "number"), [("judges", 2), ("texts", 20), ("judgments", 40)]),
        "essay_scales": lines(SCALES, *(line | {"measure": measure, "system": name} for measure, name in order)),
    }
    said = " ".join(answer(tables, QUICK.__dict__).may_not_say)
    assert "With judges and texts taken off (mixed model), Wren is." in said
    assert "“Judges agree.” No agreement could be computed" in said
    assert answer({}, QUICK.__dict__) is None, "nothing is known yet"
