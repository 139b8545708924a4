"""Forgetting a judge: no name is left anywhere, and no answer and no number changes."""

import json
import re

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.authtoken.models import Token

from judgments.assignment import claiming
from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, invitations
from judgments.models import (
    Campaign,
    Draft,
    Invitation,
    Job,
    JournalEntry,
    Judgment,
    MailJob,
    Membership,
    StoredResponse,
    Upload,
)
from judgments.models.journal import note
from judgments.privacy.erasure import forget_judge, forget_person, may_be_forgotten
from judgments.privacy.person import Person, names_pattern
from judgments.rules.errors import Refused
from ranking.models import Report, ReportInputs
from ranking.reports import building, downloads
from ranking.reports.downloads import read_zip, texts
from tests import factory

WORDS = ("zenobia", "Zenobia", "Quuxington", "zen-login", "zenobia@quux.example", "P-4711", "S-0815")


@pytest.fixture(scope="module")
def known(lasting) -> int:
    with lasting():
        return known_everywhere().pk


@pytest.fixture
def zenobia(known, db) -> Membership:
    """She judges beside Ben, has left traces wherever possible, and comes last in the order of names."""
    return Membership.objects.get(pk=known)


@pytest.fixture
def campaign(zenobia) -> Campaign:
    return zenobia.campaign


@pytest.fixture
def olga(zenobia) -> User:
    return User.objects.get(username="olga")


@pytest.fixture
def ben(campaign) -> Membership:
    return campaign.membership_set.get(pseudonym="ben")


def known_everywhere() -> Membership:
    campaign = factory.open_campaign()
    olga, ben = factory.organiser(campaign, "olga"), factory.judge(campaign, "ben")
    user = User.objects.create_user(
        "zen-login", "zenobia@quux.example", "a good password", first_name="Zenobia", last_name="Quuxington"
    )
    judge = Membership.objects.create(
        campaign=campaign, user=user, role="judge", pseudonym="zenobia", worker="P-4711",
        platform={"PROLIFIC_PID": "P-4711", "SESSION_ID": "S-0815"},
    )  # fmt: skip
    Invitation.objects.create(
        campaign=campaign,
        pseudonym="zenobia",
        address="zenobia@quux.example",
        membership=judge,
        mailed_at=timezone.now(),
    )
    factory.answer_all(ben)
    factory.judge_batch(judge)
    mine = Judgment.objects.filter(assignment__judge=judge)
    mine.filter(pk=mine.first().pk).update(comment="I am Zenobia, write to Zenobia@quux.example")
    assignment = claiming.claim_next(judge)
    Draft.objects.create(assignment=assignment, judge=judge, answers={"comment": "zenobia"})
    exclusion.exclude(judge, "zenobia fell asleep")
    exclusion.include(judge, "Zenobia Quuxington woke up")
    Membership.objects.filter(pk=judge.pk).update(exclusion_reason="zenobia fell asleep")
    note(campaign, "invited ben, zenobia, zenobias-sister")
    JournalEntry.objects.create(campaign=campaign, slug=campaign.slug, actor="zen-login", what="did it")
    MailJob.objects.create(
        campaign=campaign, payload={"subject": "s", "text": "{link}"}, state="done",
        problems=[{"address": "zenobia@quux.example", "why": "full"}, {"address": "eve@x.example", "why": "full"}],
    )  # fmt: skip
    Token.objects.create(user=user)
    for whose in (user, olga):
        sent = {"address": f"/api/v1/campaigns/{campaign.slug}/invitations/", "content": [{"pseudonym": "zenobia"}]}
        StoredResponse.objects.create(user=whose, key="k", fingerprint="f", **sent)
    for model, pk in ((Membership, judge.pk), (User, user.pk)):
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.create(user=olga, content_type=kind, object_id=pk, object_repr="zenobia", action_flag=2)
    Client().force_login(user)
    return judge


def made(campaign: Campaign) -> Report:
    report = building.request_report(campaign)
    run_now(report)
    report.refresh_from_db()
    assert report.state == Report.State.DONE, report.error
    return report


def traces() -> list[str]:
    """Every place with one of her words, in any column of any table and in the inputs of reports."""
    pattern = names_pattern(set(WORDS))
    found = []
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.values():
            cells = {
                name: json.dumps(cell, default=str, ensure_ascii=False)
                for name, cell in row.items()
                if not isinstance(cell, bytes | memoryview)
            }
            found += [f"{model._meta.label}.{name}: {cell}" for name, cell in cells.items() if pattern.search(cell)]
    for inputs in ReportInputs.objects.all():
        for name, content in read_zip(bytes(inputs.content)).items():
            if pattern.search(content.decode()):
                found.append(f"{inputs}: {name}")
    return found


def all_texts(campaign: Campaign, report: Report) -> dict[str, str]:
    """Every export, every file of a report and its bundle, as text, with her name wherever it stands in them."""
    exports = {
        name: b"".join(export.blocks(campaign, ExportOptions(with_excluded=True))).decode()
        for name, export in EXPORTS.items()
        if not export.fault(campaign) and not name.endswith(".zip")
    }
    return exports | texts(report, {row.name: row.table() for row in report.reporttable_set.all()})


def renamed(files: dict[str, str]) -> dict[str, str]:
    """The texts as they should be afterwards."""
    pattern = names_pattern(set(WORDS))
    return {name: pattern.sub("forgotten-1", text) for name, text in files.items()}


@pytest.mark.wide
@pytest.mark.postgresql
def test_no_word_of_hers_is_left_in_any_table(zenobia, ben):
    made(zenobia.campaign)
    named_by_others(zenobia.campaign, ben)
    assert len({trace.split(":")[0] for trace in traces()}) > 15, "there was enough to find"
    forget_person(Person.of_judge(zenobia))
    assert traces() == []
    assert not Session.objects.exists()
    assert JournalEntry.objects.filter(what="invited ben, forgotten-1, zenobias-sister").exists(), "only whole words go"
    assert [one["address"] for one in MailJob.objects.get().problems] == ["eve@x.example"]
    assert Judgment.objects.filter(comment="forgotten-1 says he goed, see forgotten-1").exists()
    assert Draft.objects.get().answers == {"comment": "ask forgotten-1", "edits-1": "Ben"}
    datasheet = Campaign.objects.get(pk=zenobia.campaign_id).datasheet
    assert datasheet == {"3.1.1": {"words": "forgotten-1 and Ben", "chosen": ["may"]}}
    assert Upload.objects.get().preview == {"by_judge": {"forgotten-1": 3, "ben": 2}}


def named_by_others(campaign: Campaign, ben: Membership) -> None:
    """Write her name into rows of others: remarks, a draft, messages, reasons, the datasheet and the error of a job."""
    his = Judgment.objects.filter(assignment__judge=ben).order_by("pk")
    his.filter(pk=his[0].pk).update(comment="zenobia says he goed, see zenobia@quux.example")
    drafted = {"comment": "ask Zenobia Quuxington", "edits-1": "Ben"}
    Draft.objects.create(assignment=his[0].assignment, judge=ben, answers=drafted)
    Membership.objects.filter(pk=ben.pk).update(message="Talk to Zenobia.", exclusion_reason="copied from zenobia")
    campaign.datasheet = {"3.1.1": {"words": "Zenobia and Ben", "chosen": ["may"]}}
    campaign.save()
    MailJob.objects.update(
        error="No answer from zenobia@quux.example", payload={"subject": "Zenobia!", "text": "{link}, zenobia"}
    )
    Report.objects.filter(campaign=campaign).update(error="zenobia")
    Upload.objects.create(
        campaign=campaign, about=Upload.Purpose.JUDGMENTS, file_names=["zenobia.csv"], options={"judges": ["zenobia"]},
        preview={"by_judge": {"zenobia": 3, "ben": 2}}, notes=["zenobia has judged twice"],
        problems=[{"file": "zenobia.csv", "line": 3, "message": "zenobia has judged twice"}],
    )  # fmt: skip


@pytest.mark.parametrize("name", ["a", "7", "2015"])
def test_words_of_others_that_only_look_like_a_name_stay(campaign, ada, ben, name):
    Membership.objects.filter(pk=ada.pk).update(pseudonym=name)
    said = f"In {name} of {name} sentences"
    Judgment.objects.filter(assignment__judge=ben).update(comment=said)
    ada.refresh_from_db()
    for what in (f"assigned {name} screens in {name} assignments by seed {name}", f"excluded {name}: in {name} words"):
        note(campaign, what)
    forget_judge(ada, name)
    assert list(JournalEntry.objects.order_by("-pk").values_list("what", flat=True)[1:3]) == [
        f"excluded forgotten-1: in {name} words", f"assigned {name} screens in {name} assignments by seed {name}"
    ]  # fmt: skip
    assert set(Judgment.objects.filter(assignment__judge=ben).values_list("comment", flat=True)) == {said}


@pytest.mark.wide
def test_every_export_and_report_stays_the_same_but_for_the_name(zenobia):
    campaign = zenobia.campaign
    report = made(campaign)
    before, bundle = all_texts(campaign, report), read_zip(downloads.bundle(report))
    forget_judge(zenobia, "zenobia")
    campaign.refresh_from_db()
    report.refresh_from_db()
    assert all_texts(campaign, report) == renamed(before)
    after = read_zip(downloads.bundle(report))
    plain = {name: content.decode() for name, content in bundle.items()}
    # Plots are drawn when they are asked for, and a longer name takes more room.
    ours = {name: text for name, text in plain.items() if not name.startswith(("ranking/", "judgments/", "plots/"))}
    assert {name: after[name].decode() for name in ours} == renamed(ours)
    anew = made(campaign)
    assert anew.signature == report.signature
    assert all_texts(campaign, anew) == renamed(before)


@pytest.mark.postgresql
def test_nobody_else_is_touched_and_judging_goes_on(zenobia, ben):
    others = list(Membership.objects.exclude(pk=zenobia.pk).values())
    answers = list(Judgment.objects.exclude(assignment__judge=zenobia).values())
    with pytest.raises(Refused, match="Type zenobia"):
        forget_judge(zenobia, "zeno")
    zenobia.refresh_from_db()
    assert zenobia.pseudonym == "zenobia"
    assert forget_judge(zenobia, "zenobia") == "forgotten-1"
    assert list(Membership.objects.exclude(pk=zenobia.pk).values()) == others
    assert list(Judgment.objects.exclude(assignment__judge=zenobia).values()) == answers
    assert not zenobia.assignment_set.filter(submitted_at=None).exists(), "what she held goes to others"
    assert User.objects.filter(username="zen-login").exists(), "an account with a password stays"
    newest = JournalEntry.objects.order_by("pk").last()
    assert "on request" in newest.what
    assert "forgotten" not in newest.what + newest.actor, "the journal says that and not whom"
    assert factory.answer_all(factory.judge(zenobia.campaign, "carl"))
    assert forget_judge(ben, "ben") == "forgotten-2", "two are kept apart"


def test_an_account_made_for_a_link_goes_with_the_name_and_the_link_lets_nobody_in(campaign, client):
    (invitation,) = invitations.invite(campaign, ["dan@quux.example"])
    user = invitations.accept(invitation)
    judge = Membership.objects.get(user=user)
    forget_judge(judge, "dan")
    assert not User.objects.filter(pk=user.pk).exists()
    assert client.get(reverse("join", args=[invitation.token])).status_code == 404


def test_nobody_is_erased_twice_and_no_number_is_reused(campaign, olga, ada, ben):
    assert forget_judge(ada, "ada") == "forgotten-1"
    ada.refresh_from_db()
    with pytest.raises(Refused, match="forgotten-1 was forgotten already"):
        forget_judge(ada, "forgotten-1")
    with pytest.raises(Refused, match="forgotten already"):
        forget_person(Person.of_judge(ada))
    with pytest.raises(CommandError, match="forgotten already"):
        call_command("act", campaign.slug, "forget-judge", "forgotten-1", "--typed", "forgotten-1", "--everywhere")
    browser = Client()
    browser.force_login(olga)
    address = reverse("forget_judge", args=[campaign.slug, ada.pk])
    assert address not in browser.get(reverse("judge", args=[campaign.slug, ada.pk])).content.decode()
    page = browser.get(address).content.decode()
    assert "forgotten already" in page
    assert 'name="typed"' not in page
    assert browser.post(address, {"typed": "forgotten-1"}).status_code == 200
    Membership.objects.filter(pk=ada.pk).update(pseudonym="forgotten-7")
    assert forget_judge(ben, "ben") == "forgotten-8"
    came_with_such_a_name = factory.judge(campaign, "forgotten-9")
    assert forget_judge(came_with_such_a_name, "forgotten-9") == "forgotten-10"


@pytest.mark.parametrize("power", ["is_staff", "is_superuser"])
def test_users_with_duties_cannot_be_erased_by_a_button(zenobia, olga, power):
    User.objects.filter(pk=zenobia.user_id).update(**{power: True})
    for person in (Person.of(User.objects.get(pk=zenobia.user_id)), Person.of(olga)):
        with pytest.raises(Refused, match="runs a campaign"):
            forget_person(person)


def test_an_organiser_whose_campaigns_are_deleted_can_be_forgotten(zenobia, olga):
    call_command("act", zenobia.campaign.slug, "change-state", "--state", "closed")
    call_command("act", zenobia.campaign.slug, "delete-campaign", "--typed", zenobia.campaign.slug)
    assert may_be_forgotten(olga)
    forget_person(Person.of(olga))
    assert not User.objects.filter(username="olga").exists()


def test_a_report_in_progress_starts_again(zenobia, no_worker):
    report = building.request_report(zenobia.campaign)
    Job.objects.claim(report.pk)
    Job.objects.filter(pk=report.pk).update(progress=0.5)
    forget_judge(zenobia, "zenobia")
    assert Job.objects.revive() == {"long"}


def test_a_judge_does_it_alone_from_a_page(zenobia):
    browser = Client()
    browser.force_login(zenobia.user)
    page = browser.get(reverse("your_data")).content.decode()
    assert reverse("forget_me") in page
    assert "control" not in page
    browser.post(reverse("forget_me"))
    assert User.objects.filter(username="zen-login").exists(), "without the tick nothing happens"
    answer = browser.post(reverse("forget_me"), {"is_sure": "on"}, follow=True)
    assert answer.redirect_chain == [(reverse("forgotten"), 302)]
    assert "Your name has been removed from this site" in answer.content.decode()
    assert traces() == []
    assert JournalEntry.objects.order_by("pk").last().actor == "the platform"
    assert "_auth_user_id" not in browser.session


@pytest.mark.postgresql
def test_an_organiser_does_it_from_the_page_of_the_judge_and_an_operator_by_a_command(zenobia, olga, ben, ada):
    """The journal says who did it."""
    browser, slug = Client(), zenobia.campaign.slug
    browser.force_login(olga)
    address = reverse("forget_judge", args=[slug, ada.pk])
    assert address in browser.get(reverse("judge", args=[slug, ada.pk])).content.decode()
    assert "Type ada" in browser.post(address, {"typed": "no"}).content.decode()
    page = browser.post(address, {"typed": "ada"}, follow=True).content.decode()
    assert "the judgments stay" in page
    assert set(re.findall(r"\b(?:ada|forgotten-1)\b", page[page.index("<main") :])) == {"forgotten-1"}
    assert JournalEntry.objects.order_by("pk").last().actor == "olga"
    with pytest.raises(CommandError, match="Type zenobia"):
        call_command("act", slug, "forget-judge", "zenobia", "--typed", "xenia", "--everywhere")
    assert "forgotten-2" in call_command("act", slug, "forget-judge", "zenobia", "--typed", "zenobia", "--everywhere")
    assert JournalEntry.objects.order_by("pk").last().actor == "the command line"
    assert traces() == []
