"""Reports on corrections from rows to pages: what counts, is requested, refused, shown and downloaded."""

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Judgment, Membership, SystemOutput
from ranking.metrics.material import Edit
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.reports.kinds.corrections import CORRECTIONS, extract
from ranking.stats.choices import PROGRAMS
from tests import factory
from tests.judgments.exchange.corrections import SOURCE, bring
from tests.ranking.reports.kinds.conftest import HERON, is_made_shown_and_made_again, made

QUICK = CORRECTIONS.preset("recommended").with_changes(replicates=200, documents=1, least_edits=1)


@pytest.fixture
def client_of_olga(corrections, browser_of):
    return browser_of(factory.organiser(corrections, "olga"))


@pytest.mark.postgresql
def test_rows_become_a_study(corrections):
    study, newest, _ = extract(corrections, QUICK)
    found = study.corrections
    assert found.judges == ("ada", "ben")
    assert found.systems == ("Heron",)
    assert found.outputs == (tuple(HERON),)
    assert found.edits[0] == (
        (Edit(1, 2, ("goes",), "SVA"), Edit(2, 2, ("to",), "Prep")), (Edit(1, 2, ("has",), "SVA"),), None, ()
    )  # fmt: skip
    assert found.edits[1][1] is None
    assert study.labels == ((0, "merge", 1),)
    assert found.skipped == ((0, 2),)
    assert (study.judgments, newest) == (7, Judgment.objects.latest("pk").pk)


def test_excluded_judges_do_not_count_and_programs_are_apart(corrections, django_assert_num_queries):
    with django_assert_num_queries(8):
        extract(corrections, QUICK)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=timezone.now())
    assert extract(corrections, QUICK).study.corrections.judges == ("ben",)
    Membership.objects.filter(pseudonym="ben").update(role=Membership.Role.PROGRAM)
    assert extract(corrections, QUICK).study.corrections.judges == ()
    assert extract(corrections, QUICK.with_changes(judged_by=PROGRAMS)).study.corrections.judges == ("ben",)
    # The source stands in for a missing output.
    SystemOutput.objects.get(system__name="Heron", segment__position=1).delete()
    assert extract(corrections, QUICK).study.corrections.outputs == ((HERON[0], SOURCE[1], *HERON[2:]),)


def test_the_first_of_a_judges_repeats_counts(corrections):
    bring(corrections, {("ada", 1): [(3, 5, "gone", "")]})
    found = extract(corrections, QUICK).study
    assert found.judgments == 8
    assert found.corrections.edits[0][0][0].corrections == ("goes",)


@pytest.mark.wide
def test_a_report_says_what_it_stands_on(corrections):
    report = made(corrections, QUICK)
    assert report.judgments == 7
    assert report.signature.startswith("corrections|m2|unchanged:2|judgments:7|judges:2|data:")
    tables = downloads.tables_of(report)
    assert {"combinations", "one_by_one", "edits_by_judge", "labels", "same_as_others"} <= tables.keys()
    people, heron = tables["combinations"].dicts()
    assert (people["gold"], people["subsets"], people["who"], heron["who"]) == (1, 2, "people", "Heron")


@pytest.mark.wide
@pytest.mark.parametrize(
    "texts", [{"Wren": HERON}, {"Heron": ["He went to school .", *HERON[1:]]}], ids=["a new system", "a new output"]
)
def test_a_report_is_out_of_date_when_corrections_systems_or_their_outputs_change(corrections, texts):
    report = made(corrections, QUICK)
    assert not building.is_stale(report)
    bring(corrections, {("eve", 1): []})
    assert building.is_stale(report)
    report = made(corrections, QUICK)
    assert not building.is_stale(report)
    places, source = storing.places_of(corrections), storing.source_of(corrections)
    storing.store_material(corrections, read_material(factory.upload(texts), Roles(), places, source))
    assert building.is_stale(report)
    assert not building.is_stale(made(corrections, QUICK))


@pytest.mark.wide
def test_an_organiser_requests_and_reads_one(corrections, client_of_olga, no_worker, tmp_path):
    client = client_of_olga
    page = client.get(reverse("report_list", args=[corrections.slug])).content.decode()
    assert "As Bryant and Ng (2015)" in page
    assert "grundkiewicz2015" not in page
    assert "compares the corrections of judges and systems" in page
    wanted = {"preset": "bryant2015", "beta": "1", "replicates": "200", "documents": "0", "least_share": "0.5"}
    chosen = CORRECTIONS.preset("bryant2015").with_changes(beta=1.0, replicates=200, documents=0, least_share=0.5)
    files = {"combinations.csv", "combinations.svg"}
    charts = {"combinations", "edits_by_category"}
    is_made_shown_and_made_again(client, corrections, wanted, chosen, charts, files, tmp_path)
    assert client.get(reverse("report_file", args=[Report.objects.get().pk, "one_by_one.tex"])).status_code == 200
    assert client.get(reverse("metrics", args=[corrections.slug])).status_code == 200
