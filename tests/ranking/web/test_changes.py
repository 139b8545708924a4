"""Two reports of a campaign beside each other: as a page, as files, by a command; only for its organisers."""

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.models import Membership
from ranking.models import Report, ReportTable
from ranking.numbers.tables import Table
from ranking.reports import building
from tests import factory
from tests.ranking.stats.comparisons.test_changes import PAIRS, STANDINGS, pair, ranked


def written(campaign, standings: list[tuple], pairs: list[tuple], **choices) -> Report:
    report = building.request_report(campaign)
    Report.objects.filter(pk=report.pk).update(**{"state": Report.State.DONE, "judgments": 100} | choices)
    report.refresh_from_db()
    counts = [("systems", 3), ("sentences", 5), ("judges", 2), ("judgments", report.judgments), ("skipped", 4)]
    for table in (
        Table.of("standings", STANDINGS, standings), Table.of("pairs", PAIRS, pairs),
        Table.of("counts", ("what", "number"), counts),
    ):  # fmt: skip
        ReportTable.of(report, table).save()
    return report


@pytest.fixture
def earlier(campaign) -> Report:
    return written(campaign, ranked(("Heron", 1), ("Wren", 1), ("source", 1)), [pair("Heron", "Wren", 0.1, 0.2)])


@pytest.fixture
def later(campaign, earlier) -> Report:
    standings = ranked(("Wren", 1), ("Heron", 1), ("source", 2))
    return written(campaign, standings, [pair("Heron", "Wren", 0.2, 0.01)], judgments=120)


def address(one: Report, other: Report, *file: str) -> str:
    return reverse("changes_file" if file else "report_changes", args=[one.pk, other.pk, *file])


def words(page: bytes) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.decode()).split())


def test_an_organiser_chooses_two_reports_and_sees_what_changed(campaign, olga, earlier, later, browser_of):
    client = browser_of(olga)
    assert "Compare two reports" in client.get(reverse("report_list", args=[campaign.slug])).content.decode()
    chosen = {"one": later.pk, "other": earlier.pk}
    answer = client.get(reverse("compare_reports", args=[campaign.slug]), chosen, follow=True)
    page = words(answer.content)
    assert "Cluster 1 split: Wren and Heron are now ahead of source." in page
    assert "Wren ▲ 1 up by 1 1 2 → before, now 1" in page
    assert "Heron ▼ 1 down by 1" in page
    assert "source same 1 → before, now 2 3" in page
    assert "Heron Wren not separated better 0.100 → before, now 0.200" in page
    assert "judgments 100 120" in page
    assert "Judgments: 120 instead of 100." in page
    for report in (earlier, later):
        assert f'href="{reverse("report", args=[report.pk])}"' in answer.content.decode()


def test_the_changes_can_be_taken_along(campaign, olga, earlier, later, browser_of):
    client = browser_of(olga)
    answer = client.get(address(earlier, later, "changes.csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert f'filename="{campaign.slug}-{earlier.pk}-{later.pk}-changes.csv"' in answer["Content-Disposition"]
    rows = answer.content.decode().splitlines()
    assert rows[0].startswith("method_before,method,system,cluster_before,cluster,rank_before,rank,")
    assert rows[1] == "expected-wins,expected-wins,Wren,1,1,2,1,2,2,1,1,0.5,1.0,1"
    pairs = client.get(address(later, earlier, "changed_pairs.csv")).content.decode().splitlines()
    assert pairs[1:] == ["expected-wins,expected-wins,Heron,Wren,not separated,better,0.1,0.2,0.2,0.01"]
    assert client.get(address(earlier, later, "secrets.csv")).status_code == 404


def test_reports_that_say_the_same_say_so_in_every_part(campaign, olga, earlier, browser_of):
    again = written(campaign, ranked(("Heron", 1), ("Wren", 1), ("source", 1)), [pair("Heron", "Wren", 0.1, 0.2)])
    page = words(browser_of(olga).get(address(earlier, again)).content)
    assert "Nothing changed." in page
    assert "Moved" not in page
    standings = ranked(("Heron", 1), ("Wren", 1), ("source", 1))
    again = written(campaign, standings, [pair("Heron", "Wren", 0.1, 0.2)], parameters=earlier.parameters | {"seed": 5})
    page = words(browser_of(olga).get(address(earlier, again)).content)
    for phrase in ("The conclusions stand", "seed 0 5", "No cluster split", "No number changed", "The same pairs are"):
        assert phrase in page


def test_both_answers_come_first_the_older_one_whichever_way_round(olga, earlier, later, browser_of):
    first, second, after = re.split(
        rf"Report {earlier.pk} :|Report {later.pk} :|What changed",
        words(browser_of(olga).get(address(earlier, later)).content),
    )[1:4]
    scope = "Expected Wins, for other sentences of the same kind, judged by these judges: "
    scope += "3 systems, 5 sentences, 2 judges, "
    assert f"recommended, {earlier.created_at:%-d %b %Y}" in first
    assert f"The judgments do not separate any of the three systems. {scope}100 judgments, 4 skipped." in first
    assert "Heron is better" not in first
    assert f"{scope}120 judgments, 4 skipped." in second
    assert f"From report {earlier.pk} to report {later.pk}: 1 pair separated differently · 1 cluster changed" in after
    client = browser_of(olga)
    for both in ((earlier, later), (later, earlier)):
        page = client.get(address(*both)).content.decode()
        assert page.index(f'/reports/{earlier.pk}/"') < page.index(f'/reports/{later.pk}/"')
        assert "judgments 100 120" in words(page.encode())


def test_exclusions_and_settings_are_reasons(olga, campaign, earlier, browser_of):
    again = written(
        campaign, ranked(("Heron", 1)), [], exclusion={"excluded": 1}, judgments=80,
        parameters=earlier.parameters | {"seed": 5},
    )  # fmt: skip
    Report.objects.filter(pk=earlier.pk).update(exclusion={"excluded": 0})
    page = words(browser_of(olga).get(address(earlier, again)).content)
    reasons = "Settings: seed 5 instead of 0. Judgments: 80 instead of 100. Exclusions: excluded judges 1 instead of 0."
    assert reasons in page
    standings = [(line[0], "sentence-and-judge", *line[2:]) for line in ranked(("Heron", 1))]
    page = words(browser_of(olga).get(address(earlier, written(campaign, standings, []))).content)
    assert "Settings: unit sentence-and-judge instead of sentence." in page


def test_reports_without_a_common_method_are_compared_by_the_rankings_that_they_cite(
    campaign, olga, earlier, browser_of
):
    other = written(
        campaign, ranked(("Wren", 1), ("Heron", 2), ("source", 2), method="mean-score"),
        [pair("Wren", "Heron", 9, 0.01, "mean-score")],
    )  # fmt: skip
    page = words(browser_of(olga).get(address(earlier, other)).content)
    first, second = f"report {earlier.pk}", f"report {other.pk}"
    only = f"Only {first} ranks by Expected Wins. Only {second} ranks by Mean score."
    assert page.count(only) == page.count(f"Only {first}") == 1
    assert f"Report {earlier.pk} ranks by Expected Wins. Report {other.pk} ranks by Mean score." in page
    assert "Wren ▲ 1 up by 1 1 2 → before, now 1" in page
    assert f"Of 1 pair, {first} separates 0 and {second} separates 1; both separate 0 the same way round." in page
    assert "Wren Heron not separated better 0.200 → before, now 0.010" in page
    for phrase in ("Score", "Difference", "The conclusions stand"):
        assert f" {phrase} " not in page


def test_only_finished_reports_are_compared(campaign, olga, earlier, browser_of):
    waiting = building.request_report(campaign)
    client = browser_of(olga)
    page = words(client.get(address(earlier, waiting)).content)
    assert f"Report {waiting.pk} is waiting, so there is nothing to compare yet" in page
    assert "changes.csv" not in page
    assert client.get(address(earlier, waiting, "changes.csv")).status_code == 404
    assert "Compare two reports" not in client.get(reverse("report_list", args=[campaign.slug])).content.decode()


def test_an_unknown_choice_or_the_same_report_twice_is_reported(campaign, olga, earlier, later, browser_of):
    client, page = browser_of(olga), reverse("compare_reports", args=[campaign.slug])
    for chosen in ({}, {"one": "x", "other": "1"}, {"one": "999999", "other": "999998"}):
        assert "errorlist" in client.get(page, chosen).content.decode(), chosen
    page = client.get(page, {"one": earlier.pk, "other": earlier.pk}).content.decode()
    assert "Both are the same report; choose another one" in page
    assert "Both are the same report. Choose another one" in words(client.get(address(earlier, earlier)).content)


def test_reports_on_two_campaigns_are_not_compared(olga, earlier, browser_of):
    elsewhere = factory.make_campaign()
    Membership.objects.create(campaign=elsewhere, user=olga, role=Membership.Role.ORGANISER, pseudonym="olga")
    other = written(elsewhere, ranked(("Heron", 1)), [pair("Heron", "Wren", 0.1, 0.2)])
    client = browser_of(olga)
    theirs = written(factory.make_campaign(), ranked(("Heron", 1)), [pair("Heron", "Wren", 0.1, 0.2)])
    assert client.get(address(earlier, theirs)).status_code == 404, "the organiser may not see it"
    assert client.get(reverse("report", args=[other.pk])).status_code == 200
    assert client.get(address(earlier, other)).status_code == 404
    with pytest.raises(CommandError, match="on different campaigns"):
        call_command("compare_reports", str(earlier.pk), str(other.pk))


def test_the_page_asks_a_fixed_number_of_questions(
    campaign, olga, earlier, later, browser_of, django_assert_num_queries
):
    client = browser_of(olga)
    # The session and the user; for each report itself, its campaign and the membership; for each its tables.
    with django_assert_num_queries(2 + 2 * 3 + 2):
        client.get(address(earlier, later))
    written(campaign, ranked(("Heron", 1)), [pair("Heron", "Wren", 0.1, 0.2)])
    with django_assert_num_queries(2 + 2 * 3 + 2):
        client.get(address(earlier, later))


def test_the_command_says_the_same_in_words(campaign, earlier, later, tmp_path):
    out = io.StringIO()
    call_command("compare_reports", str(later.pk), str(earlier.pk), stdout=out)
    output = out.getvalue()
    answers, changes = output.split("\n\n", 1)
    assert (
        f"- {earlier.name}: The judgments do not separate any of the three systems.\n- {later.name}: Wren " in answers
    )
    assert changes.startswith(
        f"From report {earlier.pk} to report {later.pk} on {campaign.slug}:\n\n- judgments: 100 before"
    )
    assert "- Expected Wins: Cluster 1 split: Wren and Heron are now ahead of source.\n" in output
    assert "- Heron is now better than Wren.\n" in output
    assert "| expected-wins | expected-wins | Wren | 1 | 1 | 2 | 1 |" in output
    file = tmp_path / "changes.md"
    call_command("compare_reports", str(later.pk), str(earlier.pk), "--out", str(file), stdout=io.StringIO())
    assert file.read_text(encoding="utf-8").strip() == output.strip()
    with pytest.raises(CommandError, match="There is no report 999999"):
        call_command("compare_reports", str(earlier.pk), "999999")
    waiting = building.request_report(campaign)
    with pytest.raises(CommandError, match=f"Report {waiting.pk} is waiting"):
        call_command("compare_reports", str(earlier.pk), str(waiting.pk))
