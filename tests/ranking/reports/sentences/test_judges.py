"""The judgments of one judge, beside those of the others."""

import csv
import io

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.judges import exclusion, programs
from judgments.models import Judgment, Membership
from ranking.models import Report
from ranking.reports.sentences.judges import SORTS, Judged, JudgeInReport, judges_in
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.exchange.test_importing_rankings import XML
from tests.program import Program
from tests.ranking.reports.sentences.test_pairs import LETTERS, judge_all, judged, made_once  # noqa: F401 (fixtures)
from tests.ranking.reports.test_reports import QUICK, made


def judgments_of(report: Report, judge: str, sort: str = "disagreement") -> list[Judged]:
    listing = JudgeInReport(report, judge, sort)
    return listing.read(list(listing.keys))


def lines(entries: list[Judged]) -> list[int]:
    return [entry.judgment.screen.segment.position + 1 for entry in entries]


def test_versions_are_in_the_order_of_the_answer_beside_the_mean_of_the_others(judged):  # noqa: F811
    """On the first sentence ada and ben prefer Heron, and cleo nobody: the others' means of ada are 1.5 and 2."""
    (first,) = [one for one in judgments_of(judged, "ada") if one.judgment.screen.segment.position == 0]
    is_rating = judged.campaign.protocol == "rating"
    rated = [(one.systems, one.value, one.others) for one in first.placed]
    expected = [(("Heron",), 1, 1.5), (("Wren", "source"), 2, 2)]
    assert rated == [(names, *(100 - rank if is_rating else rank for rank in ranks)) for names, *ranks in expected]
    assert first.distance == 0.25


@pytest.mark.postgresql
def test_judgments_are_sorted_by_distance_time_and_date(judged):  # noqa: F811
    """On the second sentence ben alone ranks `c x` first, on the third `d e f g h`; ada ranks `c` and `d` first."""
    for seconds, judgment in enumerate(Judgment.objects.filter(assignment__judge__pseudonym="ben").order_by("-pk"), 5):
        Judgment.objects.filter(pk=judgment.pk).update(active_seconds=seconds)
    found = {sort: judgments_of(judged, "ben", sort) for sort in SORTS}
    distances = [one.distance for one in found["disagreement"]]
    assert distances == sorted(distances, reverse=True)
    assert lines(found["disagreement"])[-1] == 1
    assert [one.judgment.seconds for one in found["slowest"]] == [7, 6, 5]
    assert found["slowest"] == found["quickest"][::-1] == found["oldest"] == found["newest"][::-1]


def test_repeats_controls_and_skips_are_told_apart(db):
    campaign = factory.open_campaign(LETTERS, repeat_share=0.5, batch_size=4, redundancy=1)
    judge_all(factory.judge(campaign, "ada"), [])
    judgment = Judgment.objects.filter(assignment__campaign=campaign).first()
    judgment.placement_set.all().delete()
    Judgment.objects.filter(pk=judgment.pk).update(skipped=True, skip_reason="too long", comment="?")
    judgment.screen.has_control = True
    judgment.screen.save()
    report = made(campaign)
    found = judgments_of(report, "ada", "oldest")
    assert {"repeat", "control"} <= {one.kind for one in found}
    assert judgments_of(report, "ada")[-1] == found[0], "nobody can disagree with a skip"
    assert (found[0].placed, found[0].distance) == ([], None)
    rows = list(csv.DictReader(io.StringIO("".join(JudgeInReport(report, "ada", "oldest").csv()))))
    assert (rows[0]["skip_reason"], rows[0]["comment"], rows[0]["output"]) == ("too long", "?", "")
    assert len(rows) == 1 + sum(len(one.placed) for one in found)


@pytest.mark.wide
def test_imported_judgments_are_shown_with_the_day_of_the_import_alone(db, olga, browser_of):
    campaign = factory.make_campaign()
    bring_in(campaign, "judgments.xml", XML.encode(), "appraise-xml")
    report = made(campaign, QUICK.with_changes(methods=("expected-wins-published",)))
    Membership.objects.create(campaign=campaign, user=olga, role=Membership.Role.ORGANISER, pseudonym="olga")
    client, day = browser_of(olga), f"{timezone.now():%-d %b %Y}"
    page = client.get(reverse("report_judges", args=[report.pk]), {"judge": "ada"}).content.decode()
    assert f"20 seconds, imported on {day}." in page
    table = csv.DictReader(io.StringIO("".join(JudgeInReport(report, "ada", "oldest").csv())))
    assert {row["submitted_at"] for row in table} == {""}
    judges = client.get(reverse("judges", args=[campaign.slug])).content.decode()
    assert judges.count('<td class="when" data-value="">–</td>') == 2
    program = Program(programs.token_of("olga"))
    for name, field in (("api_judgments", "submitted_at"), ("api_judges", "last")):
        found = program.get(reverse(name, args=[campaign.slug])).json()["results"]
        assert {one[field] for one in found} == {None}


@pytest.mark.postgresql
def test_an_excluded_judge_is_shown_and_does_not_count_among_the_others(judged):  # noqa: F811
    cleo = Membership.objects.get(campaign=judged.campaign, pseudonym="cleo")
    exclusion.exclude(cleo, "in a hurry")
    assert judges_in(judged) == ["ada", "ben", "cleo"]
    assert len(judgments_of(judged, "cleo")) == 3
    (first,) = [one for one in judgments_of(judged, "ada") if one.judgment.screen.segment.position == 0]
    assert first.distance == 0, "ben agrees"
