"""Reports on verdicts from rows to pages: what counts, is requested, refused, shown and downloaded."""

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.models import Classification, JudgeStatistics, Judgment, Membership, Screen, Verdict
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports import boards, building, downloads
from ranking.reports.comparing import changes_between
from ranking.reports.kinds.kind import answer_of, parameters_of
from ranking.reports.kinds.verdicts import VERDICTS, extract
from ranking.scores import stored
from ranking.scores.stored import add_metrics
from ranking.stats.choices import PROGRAMS
from ranking.stats.verdicts.systems import MEASURES, RATIOS, WEIGHTED
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.program import Program, refused
from tests.ranking.reports.kinds.conftest import is_made_shown_and_made_again, made
from tests.ranking.verdict_campaign import CLASSES, EXPERT, find

QUICK = VERDICTS.preset("recommended").with_changes(replicates=200, draws=5)


@pytest.fixture
def client_of_olga(verdicts, browser_of):
    return browser_of(factory.organiser(verdicts, "olga"))


def test_a_finding_made_here_and_elsewhere_counts_once(db):
    campaign = factory.open_verdicts(control_share=0.0)
    factory.answer_all(factory.judge(campaign, "ada"))
    before = extract(campaign, QUICK).study
    bring_in(campaign, "v.csv", b"judge,usage,finding\nada,u1,ok\nben,u1,ok\n", "verdicts-csv")
    study = extract(campaign, QUICK).study
    assert study.verdicts.is_repeat.tolist() == [False, True, False, *before.verdicts.is_repeat.tolist()[1:]]


@pytest.mark.postgresql
def test_rows_become_a_study(verdicts):
    study, newest, _ = extract(verdicts, QUICK)
    assert study.names.judges == ("ada", "ben", "eve", "=fay"), "in the order of their lots"
    assert study.names.systems == tuple(CLASSES)
    assert study.is_expert.tolist() == [False, False, False, True]
    assert study.skipped.tolist() == [0, 0, 1, 0]
    assert (len(study.verdicts), study.judgments) == (22, 23)
    assert study.crowd.errors.tolist() == [3, 2, 1, 0, 1, 0]
    assert study.crowd.fine.tolist() == [0, 1, 2, 3, 2, 0]
    assert study.crowd.unknown.tolist() == [0, 0, 0, 0, 0, 0], "the last one is a control"
    assert study.verdicts.is_control.sum() == 2
    assert [study.names.documents[number].name for number in study.document] == ["essay 1", "essay 2"] * 3
    assert study.classes.tolist()[0] == list(CLASSES["LM"])
    assert str(study.classes[1].tolist()) == "[0.9, 0.2, 0.6, 0.1, nan, nan]"
    assert newest == Judgment.objects.latest("pk").pk
    assert set(study.verdicts.seconds) == {2.5}


def test_excluded_judges_do_not_count_and_programs_are_separate(verdicts, django_assert_num_queries):
    with django_assert_num_queries(7):
        extract(verdicts, QUICK)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=timezone.now())
    Membership.objects.filter(pseudonym="ben").update(role=Membership.Role.PROGRAM)
    assert extract(verdicts, QUICK).study.names.judges == ("eve", "=fay")
    assert extract(verdicts, QUICK.with_changes(judged_by=PROGRAMS)).study.names.judges == ("ben",)


def test_a_report_says_what_it_stands_on(verdicts):
    report = made(verdicts, QUICK)
    assert report.gaps == {}
    assert report.judgments == 23
    assert "verdicts:15|judgments:23|judges:4|of-them-experts:1|usages:6" in report.signature
    tables = downloads.tables_of(report)
    assert tables.keys() >= {"crowd", "usages", "measures", "bins", "domains", "enough"}
    weighted = tables["measures"].dicts()[0]
    assert (weighted["system"], weighted["by"], weighted["usages"]) == ("LM", "weighted", 5)
    assert weighted["hits"] == pytest.approx(1 + 2 / 3)


@pytest.mark.wide
def test_a_report_is_out_of_date_when_judges_verdicts_classifications_or_experts_change(verdicts):
    report = made(verdicts, QUICK)
    assert not building.is_stale(report)
    ada = Membership.objects.get(pseudonym="ada")
    ada.excluded_at = timezone.now()
    ada.save()
    assert building.is_stale(report)
    assert not building.is_stale(made(verdicts, QUICK))
    find(Screen.objects.filter(campaign=verdicts)[5], Membership.objects.get(pseudonym="ben"), "k")
    assert building.is_stale(report)
    report = made(verdicts, QUICK)
    Classification.objects.filter(system__name="LM").first().delete()
    assert building.is_stale(report)
    report = made(verdicts, QUICK)
    Membership.objects.filter(pseudonym="ada").update(is_expert=True)
    assert building.is_stale(report)
    assert not building.is_stale(made(verdicts, QUICK))


def test_the_page_of_a_judge_learns_how_they_agree_with_the_others(verdicts, client_of_olga):
    ada = Membership.objects.get(pseudonym="ada")
    JudgeStatistics.objects.create(
        judge=ada, screens=6, timed=6, total_seconds=15, pairs=0, ties=0, scores=0, extremes=0, controls=1,
        controls_passed=0,
    )  # fmt: skip
    report = building.request_report(verdicts, parameters=QUICK)
    run_now(report)
    assert JudgeStatistics.objects.get(judge=ada).others_kappa is not None
    page = client_of_olga.get(reverse("judge", args=[verdicts.slug, ada.pk])).content.decode()
    assert "agreement with the majority of others (kappa)" in page
    assert "agreement with own repeats" not in page


@pytest.mark.wide
def test_an_organiser_requests_and_reads_one(verdicts, client_of_olga, no_worker, tmp_path):
    client = client_of_olga
    page = client.get(reverse("report_list", args=[verdicts.slug])).content.decode()
    assert "As Madnani et al. (2011)" in page
    assert "grundkiewicz2015" not in page
    assert "measures the systems by the verdicts" in page
    wanted = {"preset": "madnani2011", "cuts": "0.5, 0.8, 1", "replicates": "200", "draws": "5", "most_judges": "3"}
    chosen = VERDICTS.preset("madnani2011").with_changes(cuts=(0.5, 0.8, 1.0), replicates=200, draws=5, most_judges=3)
    charts = {"agreement_histogram", "measures", "bins", "bins_kappa", "enough", "stability"}
    files = {"measures.csv", "bins.svg", "usages.csv"}
    is_made_shown_and_made_again(client, verdicts, wanted, chosen, charts, files, tmp_path)
    assert client.get(reverse("report_file", args=[Report.objects.get().pk, "measures.tex"])).status_code == 200


@pytest.mark.wide
def test_pages_for_rankings_say_that_they_are_and_metrics_are_refused_with_a_sentence(verdicts, client_of_olga):
    first, second = made(verdicts, QUICK), made(verdicts, QUICK)
    assert client_of_olga.post(reverse("refresh_board", args=[verdicts.slug])).status_code == 302
    assert boards.interim(verdicts)[0] is None
    listed = client_of_olga.get(reverse("report_list", args=[verdicts.slug])).content.decode()
    assert "Compare two reports" not in listed
    changes = client_of_olga.get(reverse("report_changes", args=[first.pk, second.pk])).content.decode()
    assert "Only reports that rank systems can be compared" in changes
    metrics = client_of_olga.get(reverse("metrics", args=[verdicts.slug])).content.decode()
    assert "Metrics score the outputs of systems" in metrics
    assert reverse("metrics", args=[verdicts.slug]) not in changes
    with pytest.raises(Refused, match="only classify usages"):
        stored.request_scoring(verdicts, ["bleu"])
    with pytest.raises(Problems):
        add_metrics(verdicts, "bleu.txt", b"LM 0.3\nPERC 0.5\n")
    with pytest.raises(Refused, match="side by side"):
        changes_between(first, second)


@pytest.mark.wide
def test_a_program_requests_one(verdicts, no_worker):
    factory.organiser(verdicts, "olga")
    program, address = Program(programs.token_of("olga")), f"/api/campaigns/{verdicts.slug}/"
    wanted = {"preset": "madnani2011", "cuts": [0.5, 0.75, 1], "experts": "majority", "most_judges": 5, "draws": 3}
    assert program.post(f"{address}reports/", wanted | {"replicates": 200}).status_code == 201
    report = Report.objects.get()
    assert parameters_of(report).cuts == (0.5, 0.75, 1.0)
    run_now(report)
    body = program.get(f"/api/reports/{report.pk}/").json()
    assert (body["state"], "measures.csv" in [file["name"] for file in body["files"]]) == ("done", True)
    for reason, impossible in {
        "choose from recommended, madnani2011": {"preset": "grundkiewicz2015"},
        "methods: Unknown field": {"methods": ["expected-wins"]},
        "must rise": {"cuts": [1, 0.5]},
    }.items():
        assert reason in refused(program.post(f"{address}reports/", impossible), 400)
    board = program.get(f"{address}board/").json()
    assert (board["report"], board["glance"]) == (None, None)
    assert program.post(f"{address}board/").json()["is_going"] is False


@pytest.mark.wide
def test_the_command_makes_one(verdicts, tmp_path, capsys):
    output = call_command("build_report", verdicts.slug, "--replicates", "200", "--draws", "3", "--cuts", "0.5", "1")
    assert output.startswith("| system | by |")
    said = answer_of(report := Report.objects.get(), downloads.tables_of(report)).text()
    assert said in capsys.readouterr().err
    assert "\n\nYou may not say:\n- " in said
    folder = tmp_path / "report"
    given = ("--preset", "madnani2011", "--replicates", "200", "--out", str(folder))
    output = call_command("build_report", verdicts.slug, *given)
    newest = Report.objects.all()[0]
    assert output.startswith(answer_of(newest, downloads.tables_of(newest)).text())
    assert (folder / "measures.csv").exists()
    with pytest.raises(CommandError, match="There is no preset 'grundkiewicz2015' for reports on verdicts"):
        call_command("build_report", verdicts.slug, "--preset", "grundkiewicz2015")
    with pytest.raises(CommandError, match="A report has no unit"):
        call_command("build_report", verdicts.slug, "--unit", "judge")


def test_only_the_newest_revision_counts(verdicts):
    ada = Membership.objects.get(pseudonym="ada")
    first = Judgment.objects.filter(assignment__judge=ada).order_by("pk").first()
    Judgment.objects.filter(pk=first.pk).update(current=False)
    again = Judgment.objects.create(assignment=first.assignment, screen=first.screen, key=uuid4(), revision=2)
    Verdict.objects.create(judgment=again, finding="ok")
    assert extract(verdicts, QUICK).study.crowd.errors.tolist()[0] == 2
    assert EXPERT in extract(verdicts, QUICK).study.names.judges


@pytest.mark.parametrize("is_drawn", [True, False])
def test_an_answer_has_intervals_and_speaks_of_other_judges_only_where_judges_were_drawn(is_drawn):
    cells = {"system": "LM", "by": WEIGHTED, "usages": 5, **dict.fromkeys(RATIOS, 0.7)}
    if is_drawn:
        cells |= {f"{name}{end}": value for name in RATIOS for end, value in (("_low", 0.6), ("_high", 0.8))}
    counts = Table.of("counts", ("what", "number"), [("judges", 3), ("verdicts", 15), ("usages", 5)])
    measured = Table.of("measures", MEASURES, [[cells.get(column) for column in MEASURES]])
    found = VERDICTS.answer({"counts": counts, "measures": measured}, vars(QUICK))
    number = "0.70 (0.60 to 0.80)" if is_drawn else "0.70"
    assert found.may_say == (f"LM reaches a precision of {number} and a recall of {number} against the crowd.",)
    assert ("other judges" in found.scope, "bootstrap" in found.paper.methods) == (is_drawn, is_drawn)
    assert "Krippendorff" not in found.paper.methods, "no two judged a usage"
