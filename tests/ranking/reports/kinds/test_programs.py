"""Reports on programs beside people, from rows to pages, and the programs that any report names first."""

from itertools import pairwise

import pytest
from django.urls import reverse

from judgments.judges import programs
from judgments.models import Assignment, Campaign, Judgment, Membership
from judgments.programs.storing import keep, stored_prompt
from judgments.protocols import PROTOCOLS
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports import downloads, renaming
from ranking.reports.kinds.kind import answer_of, kinds_for, kinds_offered
from ranking.reports.kinds.programs import PROGRAMS, _sentence, answer, extract
from ranking.reports.renaming import anonymous_report
from ranking.stats.programs.agreement import AGREEMENT, TEST
from ranking.stats.programs.habits import HABITS
from ranking.stats.programs.study import IDENTICAL, REVERSED, SAMPLE
from ranking.stats.programs.systems import ESTIMATES
from tests import factory
from tests.judgments.exchange.marked import bring, marked_campaign
from tests.ranking.reports.kinds.conftest import is_made_shown_and_made_again, made

QUICK = PROGRAMS.preset("recommended").with_changes(replicates=200)


def judged(protocol: str) -> Campaign:
    """Ada and Ben judge a batch each, Robin, a program, everything."""
    campaign = factory.open_campaign(protocol=protocol, redundancy=2)
    for name in ("ada", "ben"):
        factory.judge_batch(factory.judge(campaign, name))
    robin = factory.program(campaign, "robin")
    while given := programs.claim(robin, 10):
        for assignment in given:
            factory.answer(assignment)
    return campaign


@pytest.fixture
def rated(db) -> Campaign:
    return judged("rating")


@pytest.mark.wide
@pytest.mark.postgresql
def test_rows_become_a_study(rated):
    study, newest, judgments = extract(rated, QUICK)
    assert (study.scale, study.judges, study.is_program.tolist()) == ("rating", ("ada", "ben", "robin"), [0, 0, 1])
    assert (len(study.ballots), newest) == (Judgment.objects.count(), Judgment.objects.latest("pk").pk)
    assert judgments == study.judgments
    assert study.lengths.max() > 5


def test_verdicts_become_ballots_on_one_usage(verdicts):
    Membership.objects.filter(pseudonym="ben").update(role=Membership.Role.PROGRAM)
    study = extract(verdicts, QUICK).study
    assert (study.scale, study.systems) == ("verdict", ("LM", "PERC", "all usages"))
    assert study.people.merit.tolist().count(1.0) == 8, "e of ada, eve and fay, without the control"
    assert study.controls[1] == (0, 0), "the last usage is a control that ben did not judge"
    assert study.programs[1].merit.tolist() == [1, 1, 0, 0, 0]
    behind = study.ballots.candidates
    assert behind.members[behind.starts[1] : behind.starts[2]].tolist() == [0, 2], "PERC gives the second one .2"


@pytest.mark.wide
def test_verdicts_on_edits_become_ballots_on_the_edits_of_a_screen(db):
    campaign = marked_campaign()
    bring(campaign)
    Membership.objects.filter(pseudonym="ben").update(role=Membership.Role.PROGRAM)
    study = extract(campaign, QUICK).study
    assert (study.scale, study.systems[-1]) == ("edits", "all edits")
    assert study.programs.keys() == {1}
    ballots, behind = study.ballots, study.ballots.candidates
    assert (len(behind.sizes), len(ballots.merit)) == (7, 14), "an edit of two versions is judged once"
    makers = [behind.members[start:end].tolist() for start, end in pairwise(behind.starts)]
    assert sum(3 in one for one in makers) == 7
    assert [one for one in makers if len(one) > 2] == [[0, 1, 3]], "go > goes is of Heron and of Magpie"
    table = next(PROGRAMS.sections["corrected numbers"](study)).dicts()
    assert {line["measure"] for line in table} == {"share-of-right-edits"}


def test_probes_and_ways_of_asking_are_read(rated):
    one, other, *_ = Assignment.objects.filter(judge__pseudonym="robin").order_by("screen__segment__position")
    prompt = stored_prompt(rated)
    about = {"prompt": 1, "model": "m", "answered_by": "m-q4", "temperature": 0.5, "seed": 17, "tokens_in": 10,
             "tokens_out": 2, "cost": 0.5, "raw": "{}"}  # fmt: skip
    scores = [{"score": place} for place in range(len(one.order))]
    for assignment, purpose, sample, answers in [
        (one, "judgment", 0, scores), (one, "reversed", 0, scores), (one, "identical", 0, scores[1:3]),
        (one, "sample", 1, None), (other, "sample", 1, scores[:1]), (other, "identical", 0, [{}, {}]),
    ]:  # fmt: skip
        judgment = Judgment.objects.get(assignment=assignment) if purpose == "judgment" else None
        keep(assignment, purpose, sample, about, answers, judgment)
    study = extract(rated, QUICK).study
    (asked,) = study.asked
    assert asked == (2, "m", "m-q4", 1, prompt.digest, 0.5, 17, 1, 5, 1, 60, 12, 3.0)
    turned, doubled, sampled = (
        study.probes.beside_first(2, purpose, study.ballots)[1] for purpose in (REVERSED, IDENTICAL, SAMPLE)
    )
    judged = study.programs[2]
    shown = judged.candidate[judged.starts[0] : judged.starts[1]]
    assert turned.candidate.tolist() == shown[::-1].tolist()
    assert turned.merit.tolist() == [*range(len(shown))][::-1]
    assert (doubled.candidate.tolist(), doubled.merit.tolist()) == ([shown[0]] * 2, [1, 2])
    assert len(sampled) == 0, "an answer that is missing or incomplete is no ballot"


@pytest.mark.parametrize("protocol", ["ranking", "rating", "verdict", "marking"])
def test_it_is_offered_and_never_the_first(protocol, db):
    campaign = factory.open_verdicts() if protocol == "verdict" else factory.open_campaign(protocol=protocol)
    factory.program(campaign, "robin")
    first, *others = kinds_offered(campaign)
    assert PROGRAMS in others
    assert first.preset("recommended").judged_by == "people"
    assert PROTOCOLS[protocol].report_kinds[0] != PROGRAMS.name


@pytest.mark.wide
def test_an_organiser_requests_and_reads_one(rated, browser_of, no_worker, tmp_path):
    client = browser_of(factory.organiser(rated, "olga"))
    wanted = {"preset": "recommended", "replicates": "200", "people": "experts"}
    page = client.get(reverse("report_list", args=[rated.slug]), {"kind": "programs"}).content.decode()
    assert 'name="people"' in page
    assert 'name="judged_by"' not in page
    files = {"program_estimates.csv", "program_agreement.csv", "who_judged.csv"}
    is_made_shown_and_made_again(
        client, rated, wanted, QUICK.with_changes(people="experts"), {"program_estimates"}, files, tmp_path,
        "?kind=programs",
    )  # fmt: skip


def test_where_only_people_judged_the_report_says_so(db):
    campaign = factory.open_campaign()
    factory.answer_all(factory.judge(campaign, "ada"))
    assert PROGRAMS not in kinds_offered(campaign)
    report = made(campaign, QUICK)
    assert answer_of(report, downloads.tables_of(report)).sentence.startswith("No program has judged.")
    assert report.gaps["corrected numbers"].startswith("No program has judged.")


@pytest.mark.wide
def test_every_kind_says_first_that_programs_judged_and_which(rated):
    kind = kinds_for("rating")[0]
    chosen = kind.preset("recommended").with_changes(replicates=200, methods=("mean-score",), folds="none")
    by = {who: made(rated, chosen.with_changes(judged_by=who)) for who in ("people", "programs", "everybody")}
    said = {who: answer_of(report, downloads.tables_of(report)) for who, report in by.items()}
    assert "robin" not in said["people"].sentence
    assert said["programs"].sentence.startswith("Judged by programs alone: robin. ")
    assert said["everybody"].sentence.startswith("Judged by people and programs: robin. ")
    assert said["everybody"].paper.methods.startswith("Judged by people and programs: robin. ")


@pytest.mark.wide
def test_names_are_changed_and_left_out_everywhere(rated):
    report = made(rated, QUICK)
    assert report.course[0].endswith("was judged by 1 judge."), "the program is none"
    nameless = anonymous_report(report)
    assert "robin" not in f"{nameless.tables} {nameless.report.gaps} {nameless.report.exclusion}"
    assert answer_of(nameless.report, nameless.tables).sentence.startswith("Judged by people and programs: program 1.")
    renaming.rename(Membership.objects.get(pseudonym="robin"), "jay")
    report.refresh_from_db()
    assert "robin" not in f"{downloads.tables_of(report)} {report.gaps} {report.exclusion}"


def line(columns: tuple[str, ...], **cells) -> Table:
    return Table.of("program", columns, [[cells.get(column) for column in columns]])


@pytest.mark.parametrize(
    ("test", "gained", "said"),
    [
        ({"passes": True, "unmet": ""}, 50.0, "robin is good enough to stand in for people by the alternative "
         "annotator test: it is as good as 3 of 4 people. The judgments of robin are worth 50% more judgments of "
         "people."),
        ({"passes": False, "unmet": ""}, 2.0, "robin is not good enough to stand in for people by the alternative "
         "annotator test: it is as good as 3 of 4 people. The judgments of robin are worth 2% more judgments of "
         "people, which is little."),
        ({"passes": True, "unmet": "it needs 3 people, and there are 2"}, -3.0, "Whether robin is good enough to stand "
         "in for people cannot be said: it needs 3 people, and there are 2. The judgments of robin add nothing to "
         "those of people."),
    ],
)  # fmt: skip
def test_the_first_sentence_says_whether_it_is_good_enough_and_what_it_is_worth(test, gained, said):
    counts = {"systems": 2, "sentences": 50, "judges": 4, "programs": 1, "judgments": 100, "judgments of programs": 50}
    ends = {f"{of}{end}": 0.5 for of in ("classical", "corrected") for end in ("", "_low", "_high")}
    tables = {
        "counts": Table.of("counts", ("what", "number"), counts.items()),
        "who_judged": Table.of("who_judged", ("judge",), []),
        "alternative_annotator": line(TEST, program="robin", judges=4, won=3, **test),
        "program_estimates": line(ESTIMATES, program="robin", measure="expected-wins", system="Heron", unit="sentence",
                                  judgments=100, gained=gained, **ends),
        "program_agreement": line(AGREEMENT, program="robin", system="Heron", favour=0.2, favour_low=0.1,
                                  favour_high=0.3),
        "program_habits": line(HABITS, program="robin", habit="earlier wins", value=0.7, low=0.6, high=0.8),
    }  # fmt: skip
    found = answer(tables, QUICK.__dict__)
    assert found.sentence == said
    refused = " ".join(found.may_not_say)
    assert "Compared with people, it favours Heron by 0.20." in refused
    assert "What is shown earlier wins 0.70 (0.60 to 0.80) of its comparisons." in refused
    assert ("can replace people" in refused) is (not test["passes"] or bool(test["unmet"]))
    assert "leaving each person out" in found.paper.methods
    del tables["alternative_annotator"]
    assert "leaving each person out" not in answer(tables, QUICK.__dict__).paper.methods


def test_programs_of_which_the_same_holds_share_a_sentence():
    tables = {}
    for name, columns, cells in (
        ("alternative_annotator", TEST, {"judges": 4, "won": 1, "passes": False, "unmet": ""}),
        ("program_estimates", ESTIMATES, {"measure": "expected-wins", "judgments": 100, "gained": -2.0}),
    ):
        rows = [line(columns, program=program, **cells).rows[0] for program in ("jay", "robin")]
        tables[name] = Table.of(name, columns, rows)
    found = _sentence({"programs": 2, "judges": 4}, *(lines_of(tables, name) for name in tables))
    assert found == (
        "jay and robin are not good enough to stand in for people by the alternative annotator test: each is as good "
        "as 1 of 4 people. The judgments of jay and robin add nothing to those of people."
    )
    assert answer({}, QUICK.__dict__) is None, "nothing is known yet"
