"""Reports: made once by the first worker, the same by every route, with failures explained."""

import io
import zipfile

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.assignment import claiming
from judgments.assignment.assigning import assign
from judgments.campaigns.states import open_campaign
from judgments.jobs.attempts import Attempt, run_now
from judgments.jobs.control import cancel
from judgments.judges import exclusion
from judgments.material.rules.reading import Roles
from judgments.models import Job, Membership, Screen
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from ranking.models import Report, ReportTable
from ranking.reports import building, downloads, report_job
from ranking.reports.ballots import collect
from ranking.reports.downloads import stored_study
from ranking.reports.kinds.comparisons import extract
from ranking.reports.kinds.kind import parameters_of
from ranking.scores.stored import add_metrics
from ranking.stats.analysis import code_version
from ranking.stats.choices import ParametersError
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.exchange.test_importing_rankings import OF_TWO, XML
from tests.judgments.jobs.queued import make_stale

QUICK = PRESETS["recommended"].with_changes(replicates=200)


def made(campaign, parameters=QUICK) -> Report:
    report = building.request_report(campaign, parameters=parameters)
    run_now(report)
    report.refresh_from_db()
    return report


def standings(report: Report, method: str = "expected-wins") -> list[tuple]:
    lines = downloads.tables_of(report)["standings"].dicts()
    return [(line["rank"], line["system"], line["score"]) for line in lines if line["method"] == method]


def counts_of(report: Report) -> dict[str, dict]:
    return {row["judge"]: row for row in downloads.tables_of(report)["comparison_counts"].dicts()}


@pytest.mark.postgresql
def test_a_ranking_by_hand(db):
    """Heron beat Wren and the source once, and tied with them once; ties do not count."""
    shown = {"source": factory.SOURCE, **{name: factory.SYSTEMS[name] for name in ("Heron", "Wren")}}
    campaign = factory.make_campaign(shown)
    bring_in(campaign, "judgments.xml", OF_TWO.encode(), "appraise-xml")
    report = made(campaign, QUICK.with_changes(methods=("expected-wins-published",)))
    assert standings(report, "expected-wins-published") == [(1, "Heron", 1), (2, "Wren", 0), (2, "source", 0)]
    counts = counts_of(report)
    assert list(counts["ada"].values()) == ["ada", 2, 0, 2, 1, 6, 4]
    assert (counts["ben"]["rankings"], counts["ben"]["skipped"]) == (1, 1)


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.parametrize("design", ["sampled", "complete"])
def test_a_ballot_weighs_what_its_screen_weighs(db, design):
    """Of three systems, two equal outputs are drawn 1 / (2.5 * 1.5 / 2) times as often as three different ones."""
    texts = {"source": ["a", "b", "x"], "Heron": ["c", "d", "y"], "Wren": ["c", "e", "y"], "Magpie": ["f", "g", "y"]}
    campaign = factory.make_campaign(texts, Roles(), design=design, screen_size=2, automatic_ties=True)
    assign(campaign, 20 if design == "sampled" else None)
    open_campaign(campaign)
    factory.answer_all(factory.judge(campaign, "ada"))
    study = extract(campaign, QUICK).study
    weights, segments = study.covariates.weights, study.ballots.segment
    if design == "complete":
        assert not len(weights)
        return
    assert len(weights) == len(segments) > 20
    of_segments = [np.unique(weights[segments == at]).tolist() for at in range(3)]
    assert of_segments == [pytest.approx([of_segments[1][0] * times]) for times in (2.5 * 1.5 / 2, 1, 3)]
    assert "weighted_standings" in downloads.tables_of(made(campaign))
    assert Screen.objects.filter(campaign=campaign, weight=None).count() == 0


def test_a_report_says_what_it_stands_on(campaign, ada):
    factory.answer_all(ada)
    report = made(campaign)
    assert report.state == Job.State.DONE
    assert report.signature == (
        "expected-wins(ties:dropped|borrowed:10)|bradley-terry(ties:davidson|prior:0.5)|judgments:5|judges:1"
        f"|data:{stored_study(report).fingerprint()}|unit:sentence|replicates:200|level:0.95|seed:0"
        "|clusters:breaks|test:sentence|folds:honest|intervals:moderated|delta:0.0|weights:none|looks:once|correlations:plain"
        "|judged-by:people|answers:independent|systems:all|sentences:judged"
        "|agreement-replicates:200|accuracy:10-folds*100-replicates"
        f"|code:{code_version()}"
    )
    assert report.judgments == 5
    assert "answers" not in report.exclusion


@pytest.mark.wide
def test_a_report_on_some_systems_leaves_the_judgments_as_they_are(campaign, ada):
    factory.answer_all(ada)
    whole, part = made(campaign), made(campaign, QUICK.with_changes(systems=("Heron", "Wren", "source")))
    assert {row[1] for row in standings(part)} == {"Heron", "Wren", "source"}
    assert part.exclusion["systems"] == "Not analysed in this report: Magpie."
    assert "systems" not in whole.exclusion
    assert (part.judgments, building.is_stale(part)) == (5, False)
    between = {(row["system"], row["opponent"]): row["share"] for row in pairs_of(whole)}
    assert all(row["share"] == between[row["system"], row["opponent"]] for row in pairs_of(part))
    with pytest.raises(Refused, match="No system 'Stork' takes part; choose from Heron, Magpie, Wren, source"):
        made(campaign, QUICK.with_changes(systems=("Heron", "Stork")))
    with pytest.raises(ParametersError, match="two systems or more, or none to analyse all"):
        QUICK.with_changes(systems=("Heron",))


def pairs_of(report: Report) -> list[dict]:
    return downloads.tables_of(report)["head_to_head"].dicts()


def test_a_judgment_of_no_system_that_is_analysed_is_left_out(db):
    """The second sentence was skipped; both rankings of the first are about Heron, Wren and the source alone."""
    campaign = factory.make_campaign()
    bring_in(campaign, "judgments.xml", XML.encode(), "appraise-xml", numbered_from=0)
    of_two, of_one = (collect(campaign, systems=names) for names in (("Heron", "Wren"), ("Heron", "Magpie")))
    assert [len(found.ballots) for found in (of_two, of_one)] == [3, 1]
    assert [found.judgments for found in (of_two, of_one)] == [3, 3]


def test_only_the_newest_revision_of_judges_who_are_not_excluded_counts(campaign, ada, ben):
    assignment = claiming.claim_next(ada)
    factory.answer(assignment)
    factory.answer(assignment)
    assert len(collect(campaign).ballots) == 1
    factory.answer_all(ben)
    Membership.objects.filter(pk=ben.pk).update(excluded_at=timezone.now())
    assert collect(campaign).names.judges == ("ada",)


def test_neither_controls_and_references_nor_automatic_ties_are_ballots_of_judges(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "worse": [f"the the {line}" for line in factory.SOURCE]}
    roles = Roles(source_takes_part=True, controls=frozenset({"worse"}))
    campaign = factory.open_campaign(texts, roles, control_share=1.0)
    factory.answer_all(factory.judge(campaign, "ada"))
    assert collect(campaign).names.systems == ("Heron", "Magpie", "Wren", "source")
    same = ["All agree ."]
    texts = {"source": [*factory.SOURCE, *same], **{name: [*lines, *same] for name, lines in factory.SYSTEMS.items()}}
    campaign = factory.open_campaign(texts, automatic_ties=True)
    factory.answer_all(factory.judge(campaign, "ada"))
    found = collect(campaign)
    assert found.names.judges == ("ada",)
    assert found.ballots.judge[-1] == 1
    assert found.ballots.candidates.sizes[found.ballots.candidate[-1]] == 4
    assert found.ballots.sizes[-1] == 1


def test_reading_ballots_asks_a_fixed_number_of_questions(campaign, ada, ben, django_assert_num_queries):
    factory.answer_all(ada)
    with django_assert_num_queries(7):
        collect(campaign)
    factory.answer_all(ben)
    with django_assert_num_queries(7):
        collect(campaign)


def test_ballots_hold_what_was_judged_in_the_order_shown(campaign, ada):
    """Row by row the same as the judgments themselves."""
    judgments = sorted(factory.answer_all(ada), key=lambda one: one.screen.segment.position)
    found = collect(campaign)
    systems = {name: number for number, name in enumerate(found.names.systems)}
    for number, judgment in enumerate(judgments):
        rows = slice(*found.ballots.starts[number : number + 2])
        collected = []
        for candidate, merit in zip(found.ballots.candidate[rows], found.ballots.merit[rows], strict=True):
            members = found.ballots.candidates
            collected.append(
                (sorted(members.members[members.starts[candidate] : members.starts[candidate + 1]]), -merit)
            )
        expected = [
            (sorted(systems[output.system.name] for output in slot.candidate.systemoutput_set.all()), place)
            for place, slot in enumerate(shown_slots(judgment.assignment), 1)
        ]
        assert collected == expected
    # Seconds are those of the page or of the server.
    first, second = judgments[:2]
    type(first).objects.filter(pk=first.pk).update(active_seconds=7.5, wall_seconds=9)
    type(first).objects.filter(pk=second.pk).update(active_seconds=None, wall_seconds=None)
    seconds = collect(campaign).ballots.seconds
    assert seconds[0] == 7.5
    assert seconds[1] != seconds[1], "not known"


def test_a_report_says_so_if_every_judge_is_excluded(campaign, ada, ben):
    for judge in (ada, ben):
        factory.judge_batch(judge)
        exclusion.exclude(judge, "in a hurry")
    assert made(campaign).error.startswith("No judgment counts: every judge with answers is excluded, 2 in all.")
    exclusion.include(ben, "he was careful")
    assert made(campaign).state == Job.State.DONE


def test_without_judgments_a_report_fails_with_a_sentence_and_an_organiser_cancels(
    campaign, olga, browser_of, no_worker
):
    report = made(campaign)
    assert report.state == Job.State.FAILED
    assert report.error.startswith("There are no judgments yet that count")
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    assert "There are no judgments yet that count" in page
    waiting = building.request_report(campaign)
    page = browser_of(olga).post(reverse("cancel_job", args=["report", waiting.pk]), follow=True).content.decode()
    assert "This was cancelled." in page


@pytest.mark.wide
@pytest.mark.postgresql
def test_the_slower_of_two_attempts_leaves_the_rows_alone(campaign, ada, monkeypatch):
    factory.answer_all(ada)
    report = building.request_report(campaign)
    slow = report_job.parameters_of

    def overtaken(*of):
        make_stale(report)
        assert Report.objects.requeue(report.pk, Report.objects.get(pk=report.pk).heartbeat)
        monkeypatch.setattr(report_job, "parameters_of", slow)
        run_now(report)
        return slow(*of)

    monkeypatch.setattr(report_job, "parameters_of", overtaken)
    run_now(report)
    report.refresh_from_db()
    assert (report.state, report.attempt) == (Job.State.DONE, 2)
    assert ReportTable.objects.filter(report=report, name="standings").count() == 1


@pytest.mark.wide
def test_a_report_is_stale_when_other_judgments_count_or_scores_of_metrics_came_later(campaign, ada, ben):
    factory.answer_all(ada)
    report = made(campaign)
    assert not building.is_stale(report)
    factory.answer(claiming.claim_next(ben))
    assert building.is_stale(report)
    report = made(campaign)
    for judge in (ada, ben):
        Membership.objects.filter(pk=judge.pk).update(excluded_at=timezone.now())
        assert building.is_stale(report)
        Membership.objects.filter(pk=judge.pk).update(excluded_at=None)
        assert not building.is_stale(report)
    add_metrics(campaign, "bleu.txt", b"Heron .3\nMagpie .2\nWren .1\nsource 0\n")
    assert building.is_stale(report)
    assert not building.is_stale(made(campaign))


@pytest.mark.wide
def test_the_same_seed_gives_the_same_bytes(campaign, ada, ben):
    factory.answer_all(ada)
    factory.answer_all(ben)
    first, second, other = (made(campaign, QUICK.with_changes(seed=seed)) for seed in (1, 1, 2))
    texts = [list(downloads.report_files(report).values()) for report in (first, second, other)]
    assert texts[0] == texts[1] != texts[2]
    assert downloads.report_zip(first, all_tables=True) == downloads.report_zip(second, all_tables=True)


@pytest.mark.wide
def test_what_is_computed_is_shown_at_once_and_kept_if_the_rest_is_cancelled(
    campaign, olga, ada, browser_of, monkeypatch
):
    factory.answer_all(ada)
    report = building.request_report(campaign, parameters=QUICK)
    client, seen, step = browser_of(olga), {}, Attempt.step

    def stepped(attempt, name, progress):
        step(attempt, name, progress)
        shown = client.get(reverse("job_state", args=["report", report.pk])).json()["shown"]
        page = client.get(report.get_absolute_url()).content.decode()
        seen[name] = shown, "The ranking to cite: Expected Wins" in page, "You may say" in page
        assert f"{name}, {progress:.0%} done, running since" in page
        assert ("Appendix" in page) == ('class="chapter"' in page.partition('id="appendix"')[2])
        if name == "metrics":
            assert cancel(report)

    monkeypatch.setattr(Attempt, "step", stepped)
    run_now(report)
    assert seen["standings"] == (1, False, False)
    assert seen["pairs of systems"][1:] == (True, False)
    assert seen["metrics"][1:] == (True, True)
    assert "writing" not in seen
    page = client.get(report.get_absolute_url()).content.decode()
    assert "This was cancelled. What was computed before is kept" in page
    assert "You may say" in page
    report.refresh_from_db()
    assert report.signature in page


@pytest.mark.wide
@pytest.mark.postgresql
def test_an_organiser_asks_waits_reads_and_takes_along(campaign, olga, ada, browser_of, no_worker, settings):
    factory.answer_all(ada)
    client = browser_of(olga)
    wanted = {"preset": "recommended", "replicates": "200", "methods": ["expected-wins"], "cite": "bradley-terry"}
    address = client.post(reverse("new_report", args=[campaign.slug]), wanted).url
    waiting = client.get(address).content.decode()
    assert "waiting for a worker since" in waiting
    assert "Appendix" not in waiting
    report = Report.objects.get()
    assert parameters_of(report) == QUICK.with_changes(methods=("bradley-terry", "expected-wins"))
    run_now(report)
    state = client.get(reverse("job_state", args=["report", report.pk])).json()
    assert (state["state"], state["over"]) == ("done", True)
    page = client.get(address).content.decode()
    assert "The ranking to cite: Bradley-Terry with ties" in page
    table = client.get(reverse("report_file", args=[report.pk, "standings.csv"])).content.decode().splitlines()
    assert table[0] == "method,unit,cluster,rank,system,score,score_low,score_high,rank_low,rank_high,p_best"
    assert len(table) == 9
    counts = client.get(reverse("report_file", args=[report.pk, "comparison_counts.csv"])).content.decode()
    assert counts.splitlines()[0] == "judge,rankings,skipped,unexpanded,unexpanded_ties,expanded,expanded_ties"
    assert counts.splitlines()[-1].startswith("total,5,0,")
    address = reverse("report_zip", args=[report.pk])
    answers = [client.get(address + query) for query in ("", "?tables=all")]
    named = [answer["Content-Disposition"].partition("report-")[2].rstrip('"') for answer in answers]
    assert named == [f"{report.pk}-paper.zip", f"{report.pk}.zip"]
    archives = [zipfile.ZipFile(io.BytesIO(answer.content)) for answer in answers]
    for_paper, everything = (set(archive.namelist()) for archive in archives)
    assert {"standings.csv", "head_to_head.csv", "head_to_head.svg", "paper.md", "signature.txt"} <= for_paper
    assert for_paper < everything == set(downloads.report_files(report))
    left_out = {"report.json", "comparison_counts.csv", "comparison_counts.svg"}
    assert left_out <= everything
    assert not left_out & for_paper
    assert sum(".csv" in name for name in for_paper) <= 10
    assert all(archive.read("standings.csv").decode().splitlines() == table for archive in archives)
    for name in ("secrets.csv", "standings.exe", "../standings.csv"):
        assert client.get(f"/reports/{report.pk}/{name}").status_code == 404


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"preset": "nothing"}, "Select a valid choice"),
        ({"preset": "recommended", "level": "1"}, "less than or equal"),
        ({"preset": "recommended", "test": "litmus"}, "litmus is not one of the available choices"),
        ({"preset": "recommended", "folds": "paper"}, "paper is not one of the available choices"),
    ],
)
def test_invalid_choices_are_reported(campaign, olga, browser_of, wanted, message):
    answer = browser_of(olga).post(reverse("new_report", args=[campaign.slug]), wanted)
    assert message in answer.content.decode()
    assert not Report.objects.exists()
