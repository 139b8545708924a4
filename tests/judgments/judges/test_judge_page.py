"""The page of judges and that of one: what an organiser sees there, and what they can do about it."""

import csv
import io
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.actions.judges import ReleaseScreens, SetPause, SetQuota
from judgments.assignment import claiming
from judgments.campaigns import overview, steps
from judgments.jobs.attempts import run_now
from judgments.judges import invitations, watching
from judgments.judges.reassignment import reassign_screens
from judgments.judging import evidence, submission
from judgments.models import Alarm, Assignment, Draft, Invitation, JournalEntry, JudgeStatistics, Membership, StandIn
from judgments.rules.errors import Refused
from judgments.rules.files.csv_tables import defuse
from ranking.reports import building
from tests import factory
from tests.judgments.judges.test_exclusion import anew
from tests.judgments.judges.test_statistics import controlled, judge_batch


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


@pytest.fixture
def address(campaign, ada) -> str:
    return reverse("judge", args=[campaign.slug, ada.pk])


def alarm_about(judge: Membership, first: int, last: int) -> Alarm:
    figures = {"same": 9, "screens": 9, "others_same": 0, "others_screens": 20}
    return Alarm.objects.create(judge=judge, kind="copying", figures=figures, first=first, last=last)


def waiting_alarms(organiser) -> int:
    """As the list of campaigns says."""
    (run,) = overview.runs_of(organiser)
    return run.alarms


def journal() -> list[str]:
    return list(JournalEntry.objects.order_by("pk").values_list("what", flat=True))


# Evidence


def test_an_answer_stands_beside_the_answers_of_others_and_the_words_a_second(campaign, ada, ben, db):
    judgments = factory.answer_all(ada)
    assignment = judgments[0].assignment
    factory.answer_all(ben)
    (shown,) = evidence.evidence(anew(ada), [assignment])
    assert [part["answer"] for part in shown.parts] == [1, 2, 3, 4][: len(shown.parts)]
    assert {name for part in shown.parts for name, _ in part["others"]} == {"ben"}
    assert shown.is_right is None
    # The words a second count the source and the versions.
    campaign = factory.open_campaign({"source": ["One two three ."], "Heron": ["One two four ."]})
    eve = factory.judge(campaign, "eve")
    (judgment,) = factory.answer_all(eve)
    type(judgment).objects.update(active_seconds=4.0)
    (shown,) = evidence.evidence(eve, [judgment.assignment])
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
def test_an_alarm_leads_to_the_screens_it_is_about(ada, client, address, ben):
    factory.answer_all(ada)
    alarm = alarm_about(ada, 2, 4)
    page = client.get(address)
    assert f"?alarm={alarm.pk}#answers" in page.content.decode()
    assert len(page.context["answers"]) == 5
    shown = client.get(address, {"alarm": alarm.pk}).context["answers"]
    assert [one.assignment for one in shown] == list(watching.screens_of(ada))[1:4]
    for chosen in (str(alarm_about(ben, 1, 1).pk), "x", ""):
        assert len(client.get(address, {"alarm": chosen}).context["answers"]) == 5


def test_figures_that_were_not_counted_yet_are_promised_for_the_next_batch(campaign, ada, client, address):
    assert "at the end of the first batch" in client.get(address).content.decode()
    factory.judge_batch(ada)
    JudgeStatistics.objects.all().delete()  # as in a campaign that was imported
    assert "at the end of the next batch, or when you recount" in client.get(address).content.decode()


# Alarms


@pytest.mark.wide
def test_an_alarm_is_shown_on_four_pages_until_it_is_dismissed(campaign, ada, client, olga):
    factory.answer_all(ada)
    alarm = alarm_about(ada, 1, 3)
    sentence = "ada gives the same answer on 9 of 9 screens; the other judges give it on 0 of 20."
    for name in ("judges", "board"):
        assert sentence in client.get(reverse(name, args=[campaign.slug])).content.decode()
    found = steps.steps_of(campaign, overview.progress(campaign))
    assert [step.note for step in found if step.page == "judges"] == ["1 judge"]
    step = steps.next_of(campaign, found)
    assert (step.page, step.state) == ("board", steps.StepState.ATTENTION)
    assert waiting_alarms(olga) == 1
    Membership.objects.filter(pk=ada.pk).update(excluded_at=timezone.now())
    assert waiting_alarms(olga) == 0, "an exclusion answers them"
    Membership.objects.filter(pk=ada.pk).update(excluded_at=None)
    campaign.state = "archived"
    campaign.save()
    assert (waiting_alarms(olga), steps.next_of(campaign, found)) == (0, None), "an archive asks for nothing"
    campaign.state = "open"
    campaign.save()
    assert step.note == "5 of 10 judged. 1 alarm about judges to look at."
    dismiss = reverse("dismiss_alarm", args=[campaign.slug, alarm.pk])
    page = client.post(dismiss, follow=True).content.decode()
    assert f'action="{dismiss}"' in page, "Undo"
    client.post(dismiss, {"is_taken_back": "True"})
    assert waiting_alarms(olga) == 1
    client.post(dismiss)
    for name in ("judges", "board"):
        assert "Nobody, for now." in client.get(reverse(name, args=[campaign.slug])).content.decode()
    assert steps.next_of(campaign, steps.steps_of(campaign, overview.progress(campaign))).state is steps.StepState.TO_DO
    assert journal()[-1] == f"dismissed an alarm: {sentence}"
    alarm = alarm_about(factory.judge(factory.open_campaign(), "eve"), 1, 1)  # of another campaign
    assert client.post(reverse("dismiss_alarm", args=[campaign.slug, alarm.pk])).status_code == 404
    alarm.refresh_from_db()
    assert alarm.dismissed_at is None


# Pause


def test_open_screens_go_to_others_if_they_are_released_or_their_judge_is_paused(campaign, ada, ben, client):
    begun, release = claiming.claim_next(ada), reverse("release_screens", args=[campaign.slug, ada.pk])
    client.post(release)
    assert claiming.claim_next(ben) == begun
    assert "has no open screen" in client.post(release, follow=True).content.decode()
    assert journal()[-1] == "gave 1 open screens of ada to others"
    factory.act(ReleaseScreens, ben)
    begun = claiming.claim_next(ada)
    submission.save_draft(begun, {"rank_1": "2"}, 3.0)
    client.post(reverse("set_pause", args=[campaign.slug, ada.pk]), {"is_paused": "on"})
    assert claiming.claim_next(anew(ada)) is None
    assert claiming.what_comes_next(anew(ada)) is None
    assert claiming.claim_next(ben) == begun
    assert Draft.objects.filter(judge=ada).exists()
    client.post(reverse("set_pause", args=[campaign.slug, ada.pk]))
    assert claiming.claim_next(anew(ada))
    assert journal()[-2:] == ["paused the judging of ada", "resumed the judging of ada"]


def test_a_paused_judge_is_told_so_and_paused_once(campaign, ada, browser_of):
    browser, assignment = browser_of(ada.user), claiming.claim_next(ada)
    with pytest.raises(Refused, match="not paused"):
        factory.act(SetPause, ada, is_paused=False)
    factory.act(SetPause, ada, is_paused=True)
    with pytest.raises(Refused, match="already paused"):
        factory.act(SetPause, ada, is_paused=True)
    fields, headers = {"key": str(uuid4())}, {"accept": "application/json", "x-csrftoken": "x"}
    answer = browser.post(f"/assignments/{assignment.pk}/", fields, headers=headers)
    assert (answer.status_code, "paused your judging" in answer.json()["message"]) == (409, True)
    page = browser.post(reverse("begin", args=[campaign.slug]), follow=True).content.decode()
    assert "The organiser has paused your judging." in page
    assert "Thank you</h1>" not in page


# Messages


def test_a_message_is_shown_at_the_next_screen_until_the_judge_closes_it(campaign, ada, client, browser_of):
    address = reverse("send_message", args=[campaign.slug, ada.pk])
    client.post(address, {"message": "Slowly."})
    assert "Nothing was changed" in client.post(address, {"message": "x" * 501}, follow=True).content.decode()
    assert anew(ada).message == "Slowly."
    client.post(address, {"message": ""})
    assert (anew(ada).message, journal()[-1]) == ("", "took back the message to ada")
    client.post(address, {"message": "Read <the> \n source."})
    assert journal()[-1] == "sent ada a message: Read <the> source."
    screen = reverse("assignment", args=[claiming.claim_next(ada).pk])
    browser, text = browser_of(ada.user), "Read &lt;the&gt; source."
    for _ in ("first", "again"):
        assert text in browser.get(screen).content.decode()
    close = reverse("close_message", args=[campaign.slug])
    assert browser.post(close, {"message": "an older one"}).url == screen
    assert text in browser.get(screen).content.decode()
    browser.post(close, {"message": "Read <the> source."})
    assert text not in browser.get(screen).content.decode()


# Exclusion


@pytest.mark.postgresql
@pytest.mark.parametrize("again", [True, False])
def test_the_screens_of_an_excluded_judge_are_judged_again_if_wished(campaign, ada, ben, client, again):
    done = len(factory.answer_all(ada))
    before = Assignment.objects.count()
    fields = {"reason": "careless"} | ({"judged_again": "true" if again else "false"})
    client.post(reverse("exclude_judge", args=[campaign.slug, ada.pk]), fields)
    assert StandIn.objects.count() == Assignment.objects.count() - before == (done if again else 0)
    assert anew(ada).is_dismissed == again
    assert journal()[-1] == "excluded ada: careless" + ("; others judge these screens again" if again else "")
    client.post(reverse("include_judge", args=[campaign.slug, ada.pk]), {"reason": "explained it"})
    assert Assignment.objects.count() == before
    assert not anew(ada).is_dismissed


@pytest.mark.wide
@pytest.mark.postgresql
def test_the_rule_has_screens_judged_again_where_the_settings_say_so(db):
    texts = {"source": factory.SOURCE * 3, "Heron": factory.SYSTEMS["Heron"] * 3}
    campaign = factory.open_campaign(texts, least_seconds=5.0, judge_again=True, batch_size=12, redundancy=1)
    ada = factory.judge(campaign, "ada")
    factory.judge_batch(ada)
    assert anew(ada).is_dismissed
    reassign_screens()
    assert StandIn.objects.count() == 12
    assert claiming.claim_next(anew(ada)) is None


@pytest.fixture
def listed(campaign) -> str:
    return reverse("judges", args=[campaign.slug])


def test_an_organiser_excludes_and_includes_on_the_page(campaign, ada, client, listed):
    exclude = reverse("exclude_judge", args=[campaign.slug, ada.pk])
    assert "Nothing was changed: Give a short" in client.post(exclude, {"reason": ""}, follow=True).content.decode()
    quota = client.post(reverse("set_quota", args=[campaign.slug, ada.pk]), {"quota": 1001}, follow=True)
    assert "Nothing was changed: Ensure “Batches for this judge” is less than or" in quota.content.decode()
    assert "<strong>excluded</strong>" not in client.get(listed).content.decode()
    client.post(exclude, {"reason": "wrote <to> us"})
    page = client.get(listed).content.decode()
    assert "<strong>excluded</strong>" in page
    assert "wrote &lt;to&gt; us" in page
    board = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert 'ada</a> <span class="state">excluded</span>' in board
    client.post(reverse("include_judge", args=[campaign.slug, ada.pk]), {"reason": "a slip"})
    page = client.get(listed).content.decode()
    assert "<strong>excluded</strong>" not in page
    assert "yes, included by hand" in page


@pytest.mark.parametrize("name", ["exclude_judge", "set_pause"])
def test_judges_of_other_campaigns_are_out_of_reach(campaign, client, name):
    eve = factory.judge(factory.open_campaign(), "eve")
    assert client.post(reverse(name, args=[campaign.slug, eve.pk]), {"reason": "x", "quota": 1}).status_code == 404


@pytest.mark.postgresql
def test_a_quota_counts_before_what_the_campaign_says(db):
    campaign = factory.open_campaign(batch_size=2, batches_per_judge=1)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.act(SetQuota, ada, quota=2)
    assert factory.act(SetQuota, ben, quota=1) == "ben gets at most 1 batch."
    factory.act(SetQuota, ben, quota=0)
    ada.refresh_from_db()
    assert len(factory.judge_all(ada)) == 4
    assert claiming.claim_next(ben) is None
    factory.act(SetQuota, ben)
    assert claiming.claim_next(ben)
    quotas = JournalEntry.objects.filter(what__startswith="set the quota of batches of ben to ")
    assert [entry.what.split()[-1] for entry in quotas] == ["campaign's", "0", "1"]


def test_a_quota_is_set_on_the_page_and_has_limits(campaign, ada, client):
    quota = reverse("set_quota", args=[campaign.slug, ada.pk])
    page = client.post(quota, {"quota": "3"}, follow=True).content.decode()
    assert "<dt>batches of at most 3</dt><dd>0</dd>" in page
    assert "Nothing was changed" in client.post(quota, {"quota": "-1"}, follow=True).content.decode()
    client.post(quota, {"quota": ""})
    ada.refresh_from_db()
    assert ada.quota is None


@pytest.mark.postgresql
def test_the_pages_say_how_each_judge_works(db, browser_of):
    campaign = controlled("rating")
    ada = factory.judge(campaign, "ada")
    judge_batch(ada, careful=4)
    client = browser_of(factory.organiser(campaign, "olga"))
    assert "4 of 5" in client.get(reverse("judges", args=[campaign.slug])).content.decode()
    page = client.get(reverse("judge", args=[campaign.slug, ada.pk])).content.decode()
    assert "controls passed (95% interval: 38% to 96%)</dt><dd>4 of 5" in page


def test_names_and_addresses_are_invited_from_one_box(campaign, ada, client, listed):
    pasted = "dan, Ada@Example.org; Eve <eve@example.org>\nada@elsewhere.org"
    for _ in ("first", "again"):
        client.post(reverse("invite_judges", args=[campaign.slug]), {"names": pasted})
    there = {invitation.pseudonym: invitation.address for invitation in Invitation.objects.all()}
    assert there == {
        "dan": "", "ada-2": "ada@example.org", "eve": "eve@example.org", "ada-3": "ada@elsewhere.org",
    }  # fmt: skip
    invitations.accept(Invitation.objects.get(pseudonym="dan"))
    waited_for = [invitation.pseudonym for invitation in client.get(listed).context["invitations"]]
    assert sorted(waited_for) == ["ada-2", "ada-3", "eve"], "who has joined is not listed as invited"


def test_personal_links_come_as_a_table_that_a_spreadsheet_does_not_run(campaign, client):
    invitations.invite(campaign, ["=dan", "eve@example.org", "gone"])
    invitations.accept(Invitation.objects.get(pseudonym="eve"))
    Invitation.objects.get(pseudonym="gone").revoke()
    answer = client.get(reverse("invitations_csv", args=[campaign.slug]))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["name"], row["mail"]) for row in rows] == [(defuse("=dan"), ""), ("eve", "eve@example.org")]
    tokens = Invitation.objects.exclude(pseudonym="gone").order_by("pseudonym").values_list("token", flat=True)
    links = [f"http://127.0.0.1:8000{reverse('join', args=[token])}" for token in tokens]
    assert [row["link"] for row in rows] == links


@pytest.mark.wide
def test_the_way_to_agreement_leads_to_the_newest_report(campaign, ada, client):
    way = reverse("judges_in_report", args=[campaign.slug])
    assert client.get(way).url == reverse("report_list", args=[campaign.slug])
    factory.answer_all(ada)
    report = building.request_report(campaign)
    run_now(report)
    building.request_report(campaign)
    assert client.get(way).url == reverse("report", args=[report.pk]) + "#judges"
