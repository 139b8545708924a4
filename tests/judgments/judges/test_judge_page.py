"""The page of one judge: what an organiser sees of the answers, and what they can do about them."""

from uuid import uuid4

import pytest
from django.core.management import call_command
from django.urls import reverse

from judgments.assignment import claiming
from judgments.campaigns import overview, steps
from judgments.judges import people, watching
from judgments.judging import evidence, submission
from judgments.models import Alarm, Assignment, Draft, JournalEntry, Membership, StandIn
from judgments.rules.errors import Refused
from tests import factory


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


@pytest.fixture
def address(campaign, ada) -> str:
    return reverse("judge", args=[campaign.slug, ada.pk])


def alarm_about(judge: Membership, first: int, last: int) -> Alarm:
    figures = {"same": 9, "screens": 9, "others_same": 0, "others_screens": 20}
    return Alarm.objects.create(judge=judge, kind="copying", figures=figures, first=first, last=last)


def anew(judge: Membership) -> Membership:
    return Membership.objects.select_related("campaign").get(pk=judge.pk)


def journal() -> list[str]:
    return list(JournalEntry.objects.order_by("pk").values_list("what", flat=True))


# Evidence


def test_an_answer_stands_beside_the_answers_of_others(campaign, ada, ben):
    judgments = factory.answer_all(ada)
    assignment = judgments[0].assignment
    factory.answer_all(ben)
    (shown,) = evidence.evidence(anew(ada), [assignment])
    assert [part.answer for part in shown.parts] == [1, 2, 3, 4][: len(shown.parts)]
    assert {name for part in shown.parts for name, _ in part.others} == {"ben"}
    assert shown.is_right is None


def test_the_words_a_second_count_the_source_and_the_versions(db):
    campaign = factory.open_campaign({"source": ["One two three ."], "Heron": ["One two four ."]})
    ada = factory.judge(campaign, "ada")
    (judgment,) = factory.answer_all(ada)
    type(judgment).objects.update(active_seconds=4.0)
    (shown,) = evidence.evidence(ada, [judgment.assignment])
    assert shown.speed == 12 / 4


@pytest.mark.postgresql
@pytest.mark.parametrize(("make", "said"), [(factory.open_verdicts, "Error"), (factory.open_correction, "He go to")])
def test_answers_without_versions_are_described(db, browser_of, make, said):
    campaign = make(redundancy=1)
    ada = factory.judge(campaign, "ada")
    for _ in range(3):
        assignment = claiming.claim_next(ada)
        answers = [] if campaign.protocol == "correction" else ["error"]
        submission.submit(assignment, key=uuid4(), answers=answers)
    client = browser_of(factory.organiser(campaign, "olga"))
    assert said in client.get(reverse("judge", args=[campaign.slug, ada.pk])).content.decode()


@pytest.mark.postgresql
def test_an_alarm_leads_to_the_screens_it_is_about(ada, client, address):
    factory.answer_all(ada)
    alarm = alarm_about(ada, 2, 4)
    page = client.get(address)
    assert f"?alarm={alarm.pk}#answers" in page.content.decode()
    assert len(page.context["answers"]) == 5
    shown = client.get(address, {"alarm": alarm.pk}).context["answers"]
    assert [one.assignment for one in shown] == list(watching.screens_of(ada))[1:4]


def test_a_foreign_or_broken_alarm_shows_all_answers(ada, ben, client, address):
    factory.answer_all(ada)
    for chosen in (str(alarm_about(ben, 1, 1).pk), "x", ""):
        assert len(client.get(address, {"alarm": chosen}).context["answers"]) == 5


@pytest.mark.wide
def test_the_page_asks_a_fixed_number_of_questions(ada, ben, client, address, django_assert_num_queries):
    factory.answer_all(ben)
    factory.judge_batch(ada)
    alarm_about(ada, 1, 2)
    for _ in ("a few", "more"):
        with django_assert_num_queries(15):
            assert client.get(address).status_code == 200
        factory.answer_all(ada)


# Alarms


@pytest.mark.wide
def test_an_alarm_is_shown_on_three_pages_until_it_is_dismissed(campaign, ada, client):
    factory.answer_all(ada)
    alarm = alarm_about(ada, 1, 3)
    sentence = "ada gives the same answer on 9 of 9 screens; the other judges give it on 0 of 20."
    for name in ("judges", "board"):
        assert sentence in client.get(reverse(name, args=[campaign.slug])).content.decode()
    step = steps.next_of(steps.steps_of(campaign, overview.progress(campaign)))
    assert (step.page, step.state) == ("board", steps.State.ATTENTION)
    assert step.note == "5 of 10 judged. 1 alarm about judges waits for a look."
    client.post(reverse("dismiss_alarm", args=[campaign.slug, alarm.pk]))
    for name in ("judges", "board"):
        assert "Nobody, for now." in client.get(reverse(name, args=[campaign.slug])).content.decode()
    assert steps.next_of(steps.steps_of(campaign, overview.progress(campaign))).state is steps.State.TO_DO
    assert journal()[-1] == f"dismissed an alarm: {sentence}"


def test_alarms_of_other_campaigns_are_out_of_reach(campaign, client):
    alarm = alarm_about(factory.judge(factory.open_campaign(), "eve"), 1, 1)
    assert client.post(reverse("dismiss_alarm", args=[campaign.slug, alarm.pk])).status_code == 404
    alarm.refresh_from_db()
    assert alarm.dismissed_at is None


# Pause


def test_a_paused_judge_gets_no_screens_and_others_get_the_open_ones(campaign, ada, ben, client):
    begun = claiming.claim_next(ada)
    submission.save_draft(begun, {"rank_1": "2"}, 3.0)
    client.post(reverse("set_pause", args=[campaign.slug, ada.pk]), {"is_paused": "on"})
    assert claiming.claim_next(anew(ada)) is None
    assert not claiming.is_anything_left(anew(ada))
    assert claiming.claim_next(ben) == begun
    assert Draft.objects.filter(judge=ada).exists()
    client.post(reverse("set_pause", args=[campaign.slug, ada.pk]))
    assert claiming.claim_next(anew(ada))
    assert journal()[-2:] == ["paused the judging of ada", "resumed the judging of ada"]


def test_a_paused_judge_is_told_so(campaign, ada, browser_of):
    browser, assignment = browser_of(ada.user), claiming.claim_next(ada)
    people.set_pause(ada, True)
    fields, headers = {"key": str(uuid4())}, {"accept": "application/json", "x-csrftoken": "x"}
    answer = browser.post(f"/assignments/{assignment.pk}/", fields, headers=headers)
    assert (answer.status_code, "paused your judging" in answer.json()["message"]) == (409, True)
    page = browser.post(reverse("begin", args=[campaign.slug]), follow=True).content.decode()
    assert "The organiser has paused your judging." in page
    assert "Thank you</h1>" not in page


def test_nobody_is_paused_twice(ada):
    with pytest.raises(Refused, match="not paused"):
        people.set_pause(ada, False)
    people.set_pause(ada, True)
    with pytest.raises(Refused, match="already paused"):
        people.set_pause(ada, True)


# Messages


def test_a_message_is_shown_at_the_next_screen_until_the_judge_closes_it(campaign, ada, client, browser_of):
    client.post(reverse("send_message", args=[campaign.slug, ada.pk]), {"message": "Read <the> \n source."})
    screen = reverse("assignment", args=[claiming.claim_next(ada).pk])
    browser, text = browser_of(ada.user), "Read &lt;the&gt; source."
    for _ in ("first", "again"):
        assert text in browser.get(screen).content.decode()
    close = reverse("close_message", args=[campaign.slug])
    assert browser.post(close, {"message": "an older one"}).url == screen
    assert text in browser.get(screen).content.decode()
    browser.post(close, {"message": "Read <the> source."})
    assert text not in browser.get(screen).content.decode()
    assert journal()[-1] == "sent ada a message: Read <the> source."


def test_a_message_can_be_taken_back_and_has_a_length(campaign, ada, client):
    address = reverse("send_message", args=[campaign.slug, ada.pk])
    client.post(address, {"message": "Slowly."})
    assert "Nothing was changed" in client.post(address, {"message": "x" * 501}, follow=True).content.decode()
    assert anew(ada).message == "Slowly."
    client.post(address, {"message": ""})
    assert (anew(ada).message, journal()[-1]) == ("", "took back the message to ada")


# Exclusion


@pytest.mark.postgresql
@pytest.mark.parametrize("again", [True, False])
def test_the_screens_of_an_excluded_judge_are_judged_again_if_wished(campaign, ada, ben, client, again):
    done = len(factory.answer_all(ada))
    before = Assignment.objects.count()
    fields = {"reason": "careless"} | ({"judged_again": "on"} if again else {})
    client.post(reverse("exclude", args=[campaign.slug, ada.pk]), fields)
    assert StandIn.objects.count() == Assignment.objects.count() - before == (done if again else 0)
    assert anew(ada).is_dismissed == again
    assert journal()[-1] == "excluded ada: careless" + ("; others judge these screens again" if again else "")
    client.post(reverse("include", args=[campaign.slug, ada.pk]), {"reason": "explained it"})
    assert Assignment.objects.count() == before
    assert not anew(ada).is_dismissed


def test_programs_and_the_command_line_can_wish_it_too(campaign, ada, ben, client):
    for judge in (ada, ben):
        factory.judge_batch(judge)
    call_command("exclude_judge", campaign.slug, "ada", "--reason", "careless", "--judge-again")
    address = reverse("api_exclude", args=[campaign.slug, ben.pk])
    sent = {"reason": "careless", "judged_again": True}
    assert client.post(address, sent, content_type="application/json").status_code == 204
    assert anew(ada).is_dismissed
    assert anew(ben).is_dismissed


@pytest.mark.wide
@pytest.mark.postgresql
def test_the_rule_has_screens_judged_again_where_the_settings_say_so(db):
    texts = {"source": factory.SOURCE * 3, "Heron": factory.SYSTEMS["Heron"] * 3}
    campaign = factory.open_campaign(texts, least_seconds=5.0, judge_again=True, batch_size=12, redundancy=1)
    ada = factory.judge(campaign, "ada")
    factory.judge_batch(ada)
    assert anew(ada).is_dismissed
    assert StandIn.objects.count() == 12
    assert claiming.claim_next(anew(ada)) is None


def test_open_screens_go_to_others(campaign, ada, ben, client):
    begun = claiming.claim_next(ada)
    address = reverse("release_screens", args=[campaign.slug, ada.pk])
    client.post(address)
    assert claiming.claim_next(ben) == begun
    assert "has no open screen" in client.post(address, follow=True).content.decode()
    assert journal()[-1] == "gave 1 open screens of ada to others"
