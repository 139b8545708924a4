"""Every action does the same and says the same by a button, through the API, and on the command line."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from html import unescape

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.actions import MODULES, actions_in
from judgments.actions.base import Action, name_of
from judgments.actions.campaigns import AssignScreens, WithdrawScreens
from judgments.actions.fields import WordsField
from judgments.assignment import claiming
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, invitations, programs
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import (
    Alarm,
    Campaign,
    JournalEntry,
    Membership,
    RequestCount,
    StoredResponse,
    Submission,
    System,
    Upload,
)
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Report, ScoringJob
from ranking.publishing import public_page
from ranking.reports.building import request_report
from ranking.scores.stored import add_metrics
from tests import factory
from tests.program import Program

ACTIONS = {name_of(action): action for action in actions_in(*MODULES)}
# What the fields of each are given; those left out have none.
GIVEN: dict[str, dict] = {
    "change_state": {"state": "closed"},
    "configure": {"name": "Our task", "least_seconds": 4.0},
    "restore_guidance": {"language": "pl", "texts": ["instructions", "consent"]},
    "use_corrections": {"to": "mine"},
    "send_links": {"subject": "Come", "text": "Here: {link}"},
    "share_link": {"most_judges": 5, "days": 3},
    "add_organiser": {"username": "zoe"},
    "delete_campaign": {"typed": "mine"},
    "change_system": {"name": "Robin"},
    "exclude_judge": {"reason": "asleep", "judged_again": False},
    "include_judge": {"reason": "awake"},
    "set_quota": {"quota": 3},
    "mark_expert": {"is_expert": True},
    "set_pause": {"is_paused": True},
    "send_message": {"message": "Slowly, please."},
    "forget_judge": {"typed": "ada"},
    "enrol_program": {"name": "wren"},
    "change_prompt": {"text": "Judge well."},
    "run_program": {"endpoint": "edit-distance", "program": "stork", "temperature": 0.5, "most": 3},
    "invite_judges": {"names": ["dan", "eve@example.org"], "days": 3},
    "invite_observers": {"names": ["vera"]},
    "publish_report": {"licence": "cc0-1.0", "creators": "Olga"},
    "score_outputs": {"metrics": ["m2:beta=1", "gleu"]},
    "assign_screens": {"screens": 3, "assigned_before": 0},
    "plan_screens": {"redundancy": 3},
    "fix_plan": {"wanted": 500, "until": f"{timezone.now().year + 1}-01-31", "changes": ["level=0.9"]},
    "predict": {"campaigns": 1, "ties": 2.5},
    "invite_teams": {"names": ["CAMB", "UFC"], "deadline": f"{timezone.now().year + 1}-01-31T23:59"},
    "add_metrics": {"files": "bleu.txt"},
    "import_judgments": {"file": "pairs.csv", "format": "pairs-csv"},
    "check_judgments": {"format": "pairs-csv", "numbered_from": 1},
    "remove_metric": {"name": "m2", "level": "system"},
}
# The page that has a form of its own for it.
PAGES = {
    "send_links": "",
    "invite_teams": "submissions",
    "publish_report": "",
    "score_outputs": "",
    "plan_screens": "",
    "fix_plan": "analysis_plan",
    "predict": "",
    "add_metrics": "metrics",
}
FILES = {
    "bleu.txt": b"Heron\t.3\nWren\t.2\nMagpie\t.1\nsource\t.0\n",
    "pairs.csv": b"segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n1,eve,Heron,1,Magpie,2\n",
}
LINKS = re.compile(r"\n[^\n]+\thttp\S+")  # which pages show in lists, and programs get in the outcome
CHANCE = re.compile(r"[\w-]{20,}")


@pytest.fixture
def subjects(campaign, olga, ada, zoe, no_worker) -> dict[str, tuple[object, str]]:
    """Give the campaign one of everything; say which row is meant and how a command names it."""
    Campaign.objects.filter(pk=campaign.pk).update(slug="mine")
    campaign.refresh_from_db()
    claiming.claim_next(ada)
    figures = {"screens": 1, "speed": 40, "usual": 4, "bound": 32}
    alarm = Alarm.objects.create(judge=ada, kind="haste", first=1, last=1, figures=figures)
    robin, xenia = factory.program(campaign, "robin"), User.objects.create_user("xenia")
    member = Membership.objects.create(campaign=campaign, user=xenia, role="organiser", pseudonym="xenia")
    add_metrics(campaign, "m2.txt", FILES["bleu.txt"])
    ScoringJob.objects.create(campaign=campaign, about="gleu")
    factory.submission(campaign, "AMU")
    report = request_report(campaign)
    upload = uploads.upload_files(campaign, olga, factory.upload({"Plover": factory.SOURCE}), Roles())
    run_now(upload)
    pairs = [UploadedFile("pairs.csv", FILES["pairs.csv"])]
    imported = uploads.upload_files(campaign, olga, pairs, ImportOptions("pairs-csv"), Upload.Purpose.JUDGMENTS)
    wren = System.objects.get(campaign=campaign, name="Wren")
    return {
        "judge": (ada, "ada"),
        "system": (wren, "Wren"),
        "alarm": (alarm, str(alarm.pk)),
        "program": (robin, "robin"),
        "member": (member, "xenia"),
        "upload": (upload, str(upload.pk)),
        "import": (imported, str(imported.pk)),
        "report": (report, str(report.pk)),
    }


@contextmanager
def for_a_moment() -> Iterator[list[str]]:
    """What the journal says of what is done inside, which is then undone."""
    noted: list[str] = []
    with transaction.atomic():
        last = JournalEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        yield noted
        noted += [CHANCE.sub("", entry.what) for entry in JournalEntry.objects.filter(pk__gt=last).order_by("pk")]
        transaction.set_rollback(True)


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_has_three_faces_and_says_one_thing(
    name, campaign, subjects, olga, browser_of, tmp_path, monkeypatch
):
    action, given = ACTIONS[name], GIVEN.get(name, {})
    row, called = subjects[action.about.word] if action.about else (None, "")
    if name == "include_judge":
        exclusion.exclude(row, "asleep")
    elif name == "delete_campaign":
        Campaign.objects.update(state="closed")
    elif name == "revoke_link":
        given = {"token": invitations.invite(campaign, ["dan"])[0].token}
    elif name == "accept_submissions":
        given = {"chosen": [Submission.objects.get().pk]}
    elif name in ("add_metrics", "import_judgments"):
        monkeypatch.chdir(tmp_path)
        for file, content in FILES.items():
            (tmp_path / file).write_bytes(content)
    address = [campaign.slug, *([row.pk] if row else [])]
    said, done = {}, {}
    if page := PAGES.get(name, name):
        with for_a_moment() as done["page"]:
            said["page"] = by_a_button(browser_of(olga), reverse(page, args=address), as_sent(action, given))
    with for_a_moment() as done["API"]:
        answer = by_a_program(reverse(f"api_{name}", args=address), given).json()
        said["API"] = answer.get("message") or answer.get("detail") or said["page"]  # a job says nothing
    with for_a_moment() as done["command"]:
        said["command"] = by_a_command(campaign.slug, name.replace("_", "-"), *([called] if row else []), **given)
    said["command"] = LINKS.sub("", said["command"])
    assert len({CHANCE.sub("", words) for words in said.values()}) == 1, said
    assert done.get("page", done["API"]) == done["API"] == done["command"]


# What can be undone, if it is done as above, and what must be so before.
UNDOABLE = {
    "change_state", "configure", "restore_guidance", "share_link", "add_organiser", "remove_organiser", "change_system",
    "exclude_judge", "include_judge", "set_quota", "mark_expert", "set_pause", "send_message", "dismiss_alarm",
    "publish_report",
}  # fmt: skip
REMARKS = {JournalEntry, RequestCount, Session, StoredResponse}


def state() -> dict[str, list[dict]]:
    """All rows but those that have ended, with whether there is a time rather than which."""
    found = {}
    for model in apps.get_models():
        ended = {name for name in ("removed_at", "revoked_at") if hasattr(model, name)}
        if model not in REMARKS:
            rows = model._default_manager.filter(**dict.fromkeys(ended)).order_by("pk").values()
            found[model.__name__] = [
                {name: bool(value) if isinstance(value, datetime) else value for name, value in row.items()}
                for row in rows
            ]
    return found


@pytest.mark.parametrize("name", ACTIONS)
def test_what_can_be_undone_is_undone_by_the_button_and_by_what_the_api_says(
    name, campaign, subjects, olga, browser_of, monkeypatch
):
    action, given = ACTIONS[name], GIVEN.get(name, {})
    row, _ = subjects[action.about.word] if action.about else (None, "")
    subjects["judge"][0].release_screens()
    if name == "include_judge":
        exclusion.exclude(row, "asleep", judged_again=True)
    elif name == "publish_report":
        Report.objects.update(state="done")
        monkeypatch.setattr(public_page, "site_of", lambda *_: b"")
    elif name == "configure":
        given = {"name": "Our task", "completion_code": "C1", "batches_per_judge": 2}
    elif name == "delete_campaign":
        Campaign.objects.update(state="closed")
    elif name == "revoke_link":
        given = {"token": invitations.invite(campaign, ["dan"])[0].token}
    elif name == "accept_submissions":
        given = {"chosen": [Submission.objects.get().pk]}
    args = [campaign.slug, *([row.pk] if row else [])]
    program, client, before = Program(programs.token_of("olga")), browser_of(olga), state()
    with transaction.atomic():
        answer = by_a_program(reverse(f"api_{name}", args=args), given).json()
        assert (name in UNDOABLE) == bool(answer.get("undo")), answer
        if name in UNDOABLE:
            assert state() != before
            assert program.post(answer["undo"]["address"], answer["undo"]["body"]).json()["message"]
            assert state() == before
        transaction.set_rollback(True)
    if not action.has_own_page and name in UNDOABLE:
        page = client.get(client.post(reverse(name, args=args), as_sent(action, given)).url).content.decode()
        assert state() != before
        (button,) = re.findall(
            r'<form method="post" action="([^"]+)" class="actions">(.*?)<button class="quiet">Undo', page
        )
        fields = re.findall(r'name="([^"]+)" value="([^"]*)"', button[1])
        sent = {field: [unescape(value) for one, value in fields if one == field] for field, _ in fields}
        client.post(button[0], sent)
        assert state() == before
        client.get(reverse("organise", args=args[:1]))
        assert "Undo" not in client.get(reverse("organise", args=args[:1])).content.decode()


@pytest.mark.parametrize("changed", [{}, {"redundancy": 3}, {"make_controls": True}])
def test_the_first_screens_are_withdrawn_to_undo_them_if_nothing_else_was_changed(changed, db):
    campaign = factory.make_campaign()
    before, assigning = state(), AssignScreens(campaign, data=changed)
    assert assigning.is_valid()
    assigning.act()
    assert bool(assigning.undo) == (not changed)
    if assigning.undo:
        factory.act(WithdrawScreens, campaign)
        assert state() == before


def as_sent(action: type[Action], given: dict) -> dict:
    """The fields as a browser sends them."""
    pasted = {
        name: ", ".join(value) for name, value in given.items() if isinstance(action.base_fields[name], WordsField)
    }
    return (
        {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}
        | pasted
        | file_of(given)
    )


def file_of(given: dict) -> dict:
    named = {name: given[name] for name in ("file", "files") if name in given}
    return {name: SimpleUploadedFile(file, FILES[file]) for name, file in named.items()}


def by_a_program(address: str, given: dict) -> HttpResponse:
    program = Program(programs.token_of("olga"))
    files = file_of(given)
    return program.client.post(address, given | files) if files else program.post(address, given)


def by_a_button(client: Client, address: str, given: dict) -> str:
    return str(next(iter(client.post(address, given).wsgi_request._messages)))


def by_a_command(*words: str, **given: object) -> str:
    out = io.StringIO()
    for field, value in given.items():
        flag = f"--{field.replace('_', '-')}"
        if isinstance(value, bool):
            words += (flag if value else flag.replace("--", "--no-"),)
        else:
            words += (flag, *(map(str, value) if isinstance(value, list) else [str(value)]))
    try:
        call_command("act", *words, stdout=out)
    except CommandError as refused:
        return str(refused)
    return out.getvalue().strip()
