"""What the platform fills in by itself, for each protocol and each state of a campaign."""

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.campaigns import settings
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, invitations
from judgments.models import Campaign, Membership, SystemOutput
from judgments.rules.datasheet.sheet import QUESTIONS, By, SheetAnswer
from ranking.datasheet import known_answers, language_named
from ranking.models import Prediction, Report
from ranking.power import predicting
from ranking.power.predicting import Wanted
from ranking.reports.plans import fix_plan
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.verdicts.study import PRESETS as OF_VERDICTS
from tests import factory
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.ranking.reports.test_reports import QUICK, made
from tests.ranking.verdict_campaign import verdict_campaign

SCALE = ("4.2.2", "4.3.3", "4.3.4", "4.3.5", "4.3.6", "4.3.7", "4.3.8")
COLLECTING = {
    "3.1.2", "3.2.4", "3.3.2", "3.3.3.2", "3.3.4.2", "3.3.5", "3.3.6", "4.3.2", "4.3.3", "4.3.7", "5.2", "D1", "D3",
}  # fmt: skip


def answers(campaign: Campaign, report: Report | None = None) -> dict[str, SheetAnswer]:
    return {number: found.answer for number, found in known_answers(campaign, report).items()}


def words(campaign: Campaign, report: Report | None = None) -> dict[str, str]:
    return {number: answer.words for number, answer in answers(campaign, report).items()}


def judged(campaign: Campaign, *names: str) -> list[Membership]:
    judges = [factory.judge(campaign, name) for name in names]
    for judge in judges:
        factory.answer_all(judge)
    return judges


@pytest.mark.postgresql
@pytest.mark.parametrize(("make", "expected"), [
    (factory.open_campaign, (
        "relative", "5", "the ranks from 1 (best) to 5; versions may share a rank", "choice", "N/A",
        "Rank the sentences from best to worst", "relative",
    )),
    (lambda: factory.open_campaign(protocol="rating"), (
        "relative", "101",
        "0 (Completely ungrammatical / Garbled); 25 (Hard to understand); 50 (Clear errors); 75 (Small errors); "
        "100 (Perfect)", "slider", "N/A", "How good is each sentence?", "direct",
    )),
    (factory.open_verdicts, (
        "absolute", "3", "Error, OK, Unknown", "choice", "N/A", "Is the marked usage an error?", "labelling",
    )),
    (factory.open_correction, (
        "absolute", "N/A", "N/A", "none",
        "Judges correct the sentence; their edits are stored, each with a category if one is chosen.",
        "Correct the sentence", "editing",
    )),
    (lambda: factory.open_campaign(protocol="marking"), (
        "relative", "2", "right, wrong", "choice", "N/A", "Is each edit right?", "labelling",
    )),
], ids=["ranking", "rating", "verdict", "correction", "marking"])  # fmt: skip
def test_each_protocol_describes_its_scale(db, make, expected):
    found = answers(make())
    assert tuple(found[number].words or ", ".join(found[number].chosen) for number in SCALE) == expected


@pytest.mark.parametrize(("make", "expected"), [
    (factory.open_campaign, ("post-editing", "English (en)", "English (en)", "5 of each of 4 systems")),
    (factory.open_verdicts, ("other", "English (en)", "N/A", "7 usages")),
], ids=["texts", "usages"])  # fmt: skip
def test_systems_and_sample_are_those_of_the_material(db, make, expected):
    campaign = make()
    assert "3.1.1" not in known_answers(campaign)
    judged(campaign, "ada")
    found = answers(campaign)
    assert (found["2.3"].chosen[0], found["2.4"].words, found["2.5"].words, found["3.1.1"].words) == expected


def test_systems_of_which_different_numbers_were_judged_are_counted_one_by_one(campaign):
    judged(campaign, "ada")
    SystemOutput.objects.filter(system__name="Wren", system__campaign=campaign)[0].delete()
    assert words(campaign)["3.1.1"] == "Heron: 5; Magpie: 5; Wren: 4; source: 5"


def test_judges_who_judged_are_counted_and_the_ways_by_which_they_came(campaign):
    factory.judge(campaign, "idle")
    assert "3.2.1" not in known_answers(campaign)
    ada, ben = judged(campaign, "ada", "ben")
    assert words(campaign)["3.2.1"] == "2"
    exclusion.exclude(ada, "in a hurry")
    assert words(campaign)["3.2.1"] == "1; excluded: 1"
    exclusion.include(ada, "slower now")
    assert "3.2.3" not in known_answers(campaign)
    link = invitations.share(campaign, 5)
    Membership.objects.filter(pk__in=[ada.pk, ben.pk]).update(came_by=link)
    Membership.objects.filter(pk=ada.pk).update(worker="W1")
    assert words(campaign)["3.2.3"] == "Of 2 judges, 2 by a link for many and 1 by a crowd platform."


def test_training_names_what_judges_read_before_they_begin(campaign):
    assert words(campaign)["3.2.4"] == "None on the platform."
    settings.configure(
        campaign, consent="I agree.", instructions="Rank.", tutorial=factory.TUTORIAL, questions=factory.QUESTIONS
    )
    found = words(campaign)
    assert found["3.2.4"] == (
        "Before they begin, judges get a consent text, a tutorial of 1 example, 2 questions (80% right in at most 2 "
        "attempts) and instructions."
    )
    assert found["4.3.2"] == "Rank."
    assert found["D3"].endswith("\n\nI agree.")


def test_quality_control_and_payment_are_those_of_the_settings(db):
    campaign = factory.make_campaign(control_share=0.05, repeat_share=0.1, pay="2 EUR a batch", control_pass_share=0.7)
    found = answers(campaign)
    assert found["3.3.3.1"].chosen == ("automatic", "judges-excluded")
    checks = "The plan asks for screens of which 5% are controls and 10% repeat an earlier one. Judges who"
    assert found["3.3.3.2"].words.startswith(checks)
    assert found["3.2.2.2"].words == "Judges earn 2 EUR a batch."
    assert found["D2"].words == "Judges earn 2 EUR a batch."
    assert "3.1.2" not in found
    assert answers(factory.make_campaign(design="sampled"))["3.1.2"].chosen == ("stratified",)
    plain = answers(factory.make_campaign())
    assert not {"3.2.2.2", "3.3.3.1", "D2"} & plain.keys()


def predict(campaign: Campaign, olga) -> None:
    run_now(predicting.request_prediction(campaign, olga, Wanted({}, campaigns=1)))


def test_the_power_study_is_told_in_the_words_of_its_own_page(campaign, olga, browser_of):
    assert "3.1.3.1" not in known_answers(campaign)
    predict(campaign, olga)
    predicting.request_prediction(campaign, olga, Wanted({}, campaigns=2))
    found = known_answers(campaign)
    method, result, code = (found[f"3.1.3.{part}"].answer.words for part in (1, 2, 3))
    assert method == (
        "Simulation of 1 campaign with these screens; systems and judges follow assumptions (spread 0.076, ties 0.278, "
        "agreement 0.82 and tastes 0.03); each is analysed like a report."
    )
    assert code.endswith("ranking/power.")
    assert found["3.1.3.1"].origin == "the power study"
    Prediction.objects.unfinished().delete()
    shown = browser_of(olga).get(reverse("power", args=[campaign.slug])).content.decode()
    for line in result.splitlines():
        assert line in shown


@pytest.mark.postgresql
def test_a_plan_of_analysis_is_named_with_its_date(campaign, olga):
    for _ in range(2):
        fix_plan(campaign, olga, "recommended", PRESETS["recommended"], 20, "When all is judged.")
    today = timezone.now().date().isoformat()
    assert words(campaign)["3.3.1"] == f"A plan of analysis was fixed on {today}, before the first judgment."


@pytest.mark.wide
def test_a_report_says_how_scores_were_computed_and_agreement_by_the_measure_of_its_kind(campaign, db, no_worker):
    assert not {"4.3.9", "4.3.10", "4.3.11.2"} & known_answers(campaign).keys()
    judged(campaign, "ada", "ben")
    report = made(campaign, QUICK.with_changes(level=0.9))
    found = known_answers(campaign, report)
    assert "2 judges made 10 judgments of the outputs of 3 systems and of the source" in found["4.3.9"].answer.words
    assert "[@" not in found["4.3.9"].answer.words
    assert "level 0.9;" in found["4.3.10"].answer.words
    assert found["4.3.9"].origin == f"report {report.pk} of {report.created_at:%Y-%m-%d} (recommended)"
    assert "unknown between judges" in found["4.3.11.2"].answer.words, "fifteen comparisons are too few for a kappa"
    verdicts = verdict_campaign()
    report = made(verdicts, OF_VERDICTS["recommended"].with_changes(replicates=200))
    assert words(verdicts, report)["4.3.11.2"].startswith("Agreement of the judges: alpha ")


def test_nothing_is_claimed_about_how_imported_judgments_were_collected(db):
    campaign = correction_campaign()
    assert COLLECTING - {"3.1.2", "4.3.2", "D1", "D3"} <= known_answers(campaign).keys()
    bring(campaign)
    found = known_answers(campaign)
    assert not COLLECTING & found.keys()
    assert found["3.2.1"].answer.words == "2"
    assert found["4.3.8"].answer.chosen == ("editing",)


@pytest.mark.wide
@pytest.mark.postgresql
def test_the_platform_answers_all_that_it_says_it_answers_which_is_half(db, olga):
    campaign = factory.open_campaign(design="sampled", instructions="Rank.", consent="I agree.", pay="1 EUR a batch")
    ada = factory.judge(campaign, "ada")
    factory.agree(ada)
    Membership.objects.filter(pk=ada.pk).update(worker="W1")
    factory.answer_all(ada)
    fix_plan(campaign, olga, "recommended", PRESETS["recommended"], 20, "When all is judged.")
    predict(campaign, olga)
    ben = factory.judge(campaign, "ben")
    factory.agree(ben)
    factory.answer_all(ben)
    report = made(campaign)
    shared = {number for number, question in QUESTIONS.items() if question.by != By.ORGANISER}
    unchecked = {"3.3.3.1", "4.3.12.1", "4.3.12.2"}
    assert known_answers(campaign, report).keys() == shared - unchecked, "no controls, and nothing was judged twice"
    assert sum(question.by == By.PLATFORM for question in QUESTIONS.values()) == 31


def test_languages_have_their_english_names_and_unknown_ones_their_tags():
    assert [language_named(tag) for tag in ("en", "pl", "pt-BR", "tlh")] == [
        "English (en)", "Polish (pl)", "Brazilian Portuguese (pt-BR)", "tlh",
    ]  # fmt: skip
