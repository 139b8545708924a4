"""Judges who fail controls of verdicts are dismissed, and others get their screens; nothing else reveals controls."""

from contextlib import suppress
from functools import partial
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judgments.assignment import claiming
from judgments.judges import exclusion, programs
from judgments.judges.reassignment import reassign_screens
from judgments.judges.statistics import controls
from judgments.judging.context import place_of
from judgments.judging.submission import submit
from judgments.models import Assignment, Batch, Campaign, Completion, Judgment, Membership, Verdict
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.at_once import at_once


def find(assignment: Assignment, finding: str) -> Judgment:
    return submit(assignment, key=uuid4(), answers=[finding])


def wrongly(assignment: Assignment) -> str:
    """A finding that fails a control."""
    return "error" if assignment.screen.usage.gold is False else "ok"


class TestControls:
    RULE = {"control_pass_share": 0.7, "least_controls": 2, "failed_code": "SORRY", "completion_code": "WELL-DONE"}

    @pytest.mark.wide
    def test_a_judge_who_fails_is_dismissed_at_once_and_others_get_the_screens(self, db):
        campaign = factory.open_verdicts(**self.RULE, redundancy=1, batch_size=7, control_share=0.3)
        ada = factory.judge(campaign, "ada")
        answered = 0
        while assignment := claiming.claim_next(ada):
            find(assignment, wrongly(assignment))
            answered += 1
        ada.refresh_from_db()
        assert ada.excluded_by_rule
        assert "0 of 2 controls right" in ada.exclusion_reason
        assert claiming.what_comes_next(ada) is None
        assert not Assignment.objects.held_by(ada).waiting().exists()
        claiming.finish_batch(ada)
        assert [one.code for one in Completion.objects.filter(judge=ada)] == ["SORRY"], "before a worker does the rest"
        reassign_screens()
        ben = factory.judge(campaign, "ben")
        factory.answer_all(ben)
        counted = Verdict.objects.filter(judgment__assignment__judge__excluded_at=None)
        plain = counted.filter(judgment__screen__has_control=False)
        usages = plain.values_list("judgment__screen__usage__name", flat=True)
        assert sorted(usages) == ["u1", "u2", "u3", "u4", "u5"]
        assert answered < 8

    @pytest.mark.postgresql
    def test_repeats_are_repeats_of_the_new_assignments(self, db):
        campaign = factory.open_verdicts(redundancy=1, batch_size=12, repeat_share=0.3, control_share=0.2)
        ada = factory.judge(campaign, "ada")
        for _ in range(7):
            factory.answer(claiming.claim_next(ada))
        exclusion.exclude(ada, "asked to leave")
        ben = factory.judge(campaign, "ben")
        places = Assignment.objects.filter(campaign=campaign, round=1)
        assert len(factory.answer_all(ben)) == places.count()
        assert {assignment.repeats.judge for assignment in places.exclude(repeats=None)} == {ben}

    def test_feedback_says_what_would_have_been_right_if_the_organiser_wishes(self, db, browser_of):
        campaign = factory.open_verdicts(feedback=True)
        ada = factory.judge(campaign, "ada")
        browser, messages = browser_of(ada.user), {}
        while assignment := claiming.claim_next(ada):
            fields = {"key": str(uuid4()), "finding_1": "ok"}
            answer = browser.post(f"/assignments/{assignment.pk}/", fields, headers={"accept": "application/json"})
            messages[assignment.screen.usage.name] = answer.json()["message"]
        assert messages["g1"] == "“We bought the bread and [a] milk .” was a test; the right answer was: Error."
        assert messages["g2"] == "“[The] sun is warm .” was a test, and you were right: OK."
        assert not any(message for name, message in messages.items() if name.startswith("u"))

    @pytest.mark.postgresql
    def test_with_feedback_the_first_answer_to_a_control_counts(self, db):
        campaign = factory.open_verdicts(feedback=True, **self.RULE)
        ada = factory.judge(campaign, "ada")
        while assignment := claiming.claim_next(ada):
            find(assignment, wrongly(assignment) if assignment.screen.has_control else "ok")
            if assignment.screen.has_control and not Assignment.objects.get(pk=assignment.pk).judge.excluded_at:
                find(assignment, "error" if assignment.screen.usage.gold else "ok")
        ada.refresh_from_db()
        assert ada.excluded_at


def many(number: int, **settings) -> Campaign:
    """A campaign of so many usages and two controls, for one judge each."""
    rows = [f"u{n},He likes the music number {n} .,9,12," for n in range(number)]
    rows += ["g1,It is the one .,6,9,error", "g2,We saw the two .,7,10,ok"]
    files = factory.usage_files("\n".join(["id,sentence,start,end,gold", *rows, ""]), {})
    return factory.open_verdicts(files, redundancy=1, **settings)


class TestStandIns:
    @pytest.mark.wide
    @pytest.mark.postgresql
    def test_repeats_that_are_left_keep_what_they_repeat(self, db):
        campaign = many(20, batch_size=20, repeat_share=0.3, control_share=0.1)
        first = Batch.objects.filter(campaign=campaign)[0]
        repeats = Assignment.objects.filter(batch=first, repeats__isnull=False).count()
        ada = factory.judge(campaign, "ada")
        for _ in range(2):
            factory.answer(claiming.claim_next(ada))
        exclusion.exclude(ada, "asked to leave")
        assert Assignment.objects.filter(batch=first, round=1, repeats__round=1).count() == repeats
        done = len(factory.answer_all(factory.judge(campaign, "ben")))
        assert done == Assignment.objects.filter(judge__pseudonym="ben").count()
        assert not Assignment.objects.filter(campaign=campaign, judge=None).exists()

    @pytest.mark.postgresql
    def test_including_a_judge_again_withdraws_replacements_but_for_those_begun(self, db):
        campaign = many(5, batch_size=7)
        ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
        for _ in range(4):
            factory.answer(claiming.claim_next(ada))
        before = Assignment.objects.filter(campaign=campaign).count()
        for _ in range(3):
            exclusion.exclude(ada, "asked to leave")
            assert Assignment.objects.filter(campaign=campaign).count() == before + 4
            exclusion.include(ada, "a mistake")
            assert Assignment.objects.filter(campaign=campaign).count() == before
        ada.refresh_from_db()
        assert len(factory.answer_all(ada)) == before - 4
        exclusion.exclude(ada, "asked to leave")
        factory.answer(claiming.claim_next(ben))
        exclusion.include(ada, "a mistake")
        exclusion.exclude(ada, "no mistake")
        waiting = Assignment.objects.filter(campaign=campaign, judge=None).count()
        assert waiting == before - 1, "what was begun is not assigned a second time"

    @pytest.mark.postgresql
    def test_a_worker_gives_the_screens_away_once_and_not_if_the_judge_is_included_meanwhile(self, db):
        campaign = many(5, batch_size=7, **TestControls.RULE)
        ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
        before = Assignment.objects.filter(campaign=campaign).count()
        while assignment := claiming.claim_next(ada):
            find(assignment, wrongly(assignment))
        done = Assignment.objects.held_by(ada).count()
        assert Assignment.objects.filter(campaign=campaign).count() == before
        exclusion.include(ada, "a mistake")
        reassign_screens()
        assert Assignment.objects.filter(campaign=campaign).count() == before
        Membership.objects.filter(pk=ada.pk).update(kept_at=None, excluded_at=timezone.now(), judged_again=True)
        for _ in range(2):
            reassign_screens()
            assert Assignment.objects.filter(campaign=campaign).count() == before + done
        assert len(factory.judge_all(ben)) == before

    @pytest.mark.wide
    def test_a_judge_who_took_over_a_batch_keeps_it(self, db):
        campaign = many(12, batch_size=14)
        ada, ben, chloe = (factory.judge(campaign, name) for name in ("ada", "ben", "chloe"))
        for _ in range(4):
            factory.answer(claiming.claim_next(ada))
        lost = claiming.claim_next(ada)
        Assignment.objects.filter(pk=lost.pk).update(leased_until="2000-01-01T00:00Z")
        for _ in range(5):
            factory.answer(claiming.claim_next(ben))
        exclusion.exclude(ada, "asked to leave")
        assert claiming.claim_next(ben).round == 0
        factory.judge_all(ben)
        places = []
        while assignment := claiming.claim_next_skipping_breaks(chloe):
            places.append(place_of(assignment))
            factory.answer(assignment)
        assert all(place.number <= place.of for place in places)
        assert not Assignment.objects.filter(campaign=campaign, submitted_at=None).exists()

    @pytest.mark.wide
    @pytest.mark.django_db(transaction=True)
    def test_two_judges_of_one_batch_are_excluded_at_once(self, transactional_db):
        for attempt in range(4):
            campaign = factory.open_verdicts(redundancy=2)
            judges = [factory.judge(campaign, f"{name}-{attempt}") for name in ("ada", "ben")]
            for judge in judges:
                for _ in range(3):
                    factory.answer(claiming.claim_next(judge))
            at_once(*(partial(exclusion.exclude, judge, "asked to leave") for judge in judges))
            rounds = Assignment.objects.filter(campaign=campaign).values_list("batch", "round", "position")
            assert len(set(rounds)) == len(rounds)

    @pytest.mark.django_db(transaction=True)
    def test_exclusion_while_answering_causes_no_deadlock(self, transactional_db):
        for attempt in range(4):
            campaign = factory.open_verdicts(redundancy=1, control_pass_share=0.7, least_controls=1)
            ada = factory.judge(campaign, f"ada-{attempt}")
            assignment = claiming.claim_next(ada)
            at_once(partial(exclusion.exclude, ada, "asked to leave"), partial(taken_or_refused, assignment))


def taken_or_refused(assignment: Assignment) -> None:
    with suppress(Refused):
        find(assignment, wrongly(assignment))


class TestDismissal:
    def test_who_is_dismissed_changes_no_answer_gives_no_other_and_gets_no_good_code(self, db, browser_of):
        campaign = many(5, batch_size=7, **TestControls.RULE)
        ada = factory.judge(campaign, "ada")
        answered = claiming.claim_next(ada)
        find(answered, "ok")
        waiting = claiming.claim_next(ada)
        exclusion.exclude(ada, "wrote nonsense")
        with pytest.raises(Refused, match="no more screens for you"):
            find(answered, "error")
        fields = {"key": str(uuid4()), "finding_1": "ok"}
        headers = {"accept": "application/json", "x-csrftoken": "x"}
        answer = browser_of(ada.user).post(f"/assignments/{waiting.pk}/", fields, headers=headers)
        assert (answer.status_code, "no more screens for you" in answer.json()["message"]) == (409, True)
        ada.refresh_from_db()
        assert claiming.finish_batch(ada).code == "SORRY"

    @pytest.mark.parametrize("share", [None, 0.1])
    def test_an_answer_to_a_control_takes_no_more_queries_than_another(self, db, share):
        ada = factory.judge(many(5, batch_size=7, control_pass_share=share), "ada")
        queries = set()
        while assignment := claiming.claim_next(ada):
            with CaptureQueriesContext(connection) as captured:
                find(assignment, "ok")
            queries.add(len(captured))
        assert len(queries) == 1

    @pytest.mark.postgresql
    def test_a_skip_is_no_way_around_a_control(self, db):
        campaign = many(5, batch_size=7, control_share=0.3, **TestControls.RULE)
        ada = factory.judge(campaign, "ada")
        while assignment := claiming.claim_next(ada):
            said = {"skip_reason": "cannot tell"} if assignment.screen.has_control else {"answers": ["ok"]}
            submit(assignment, key=uuid4(), **said)
        ada.refresh_from_db()
        assert ada.excluded_by_rule

    def test_a_repeat_of_a_control_is_not_looked_at_again(self, db):
        campaign = many(4, batch_size=12, repeat_share=0.5, control_share=0.2)
        ada = factory.judge(campaign, "ada")
        factory.answer_all(ada)
        assert controls(ada).seen == 2


class TestProgramsAreBlind:
    @pytest.mark.wide
    def test_controls_come_among_the_others_and_no_usage_twice(self, db):
        campaign = many(40, batch_size=10, control_share=0.2)
        robin = factory.program(campaign, "robin")
        assignments = []
        while claimed := programs.claim(robin, 7):
            assignments += claimed
            for assignment in claimed:
                find(assignment, "ok")
        names = [assignment.screen.usage.name for assignment in assignments]
        assert sorted(names) == sorted({*names})
        assert len(names) == 42
        places = [place for place, assignment in enumerate(assignments) if assignment.screen.has_control]
        assert places != sorted(range(len(names)))[-2:]
