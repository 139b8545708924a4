"""What one person downloads: all data about them, nothing about others, and nothing that would unblind them."""

import io
import json
import zipfile

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client
from django.urls import reverse

from judgments.archive.tables import FILES, IMPERSONAL, KEYS, NAMED_IN, PERSONAL, TABLES
from judgments.assignment import claiming
from judgments.jobs.attempts import run_now
from judgments.models import Draft, Judgment, Membership
from judgments.privacy.person import Person, privacy_hooks
from judgments.privacy.takeout import JOURNAL, MAIL, SESSIONS, file_of, personal_export, rows_about
from judgments.protocols import PROTOCOLS
from ranking.reports import building
from tests import factory


def files(content: bytes) -> dict[str, list]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


@pytest.fixture(scope="module")
def at_work(lasting) -> int:
    with lasting():
        campaign = factory.open_campaign()
        ada, ben = (factory.judge(campaign, name) for name in ("ada", "ben"))
        factory.judge_batch(ada)
        factory.answer_all(ben)
        Draft.objects.create(assignment=claiming.claim_next(ada), judge=ada, answers={"comment": "żółw"})
        run_now(building.request_report(campaign))
        return ada.pk


@pytest.fixture
def judged(at_work, db) -> Membership:
    """Ada, with a report that names her, and a screen that she has begun."""
    return Membership.objects.get(pk=at_work)


def test_every_table_and_every_file_has_a_decision():
    labels = {model._meta.label for model in apps.get_models(include_auto_created=True) if not model._meta.proxy}
    decided = [*TABLES, *NAMED_IN, *IMPERSONAL]
    assert labels == set(decided), "say in judgments/archive/tables.py what becomes of a new table's rows"
    assert len(decided) == len(set(decided))
    carried = {table.label for table in FILES.values()} | {"judgments.Campaign", "judgments.Slot"}
    carried |= {protocol.answer_model._meta.label for protocol in PROTOCOLS.values()}
    assert carried | PERSONAL.keys() == TABLES.keys()
    assert all(table.about for table in TABLES.values())
    files = [*map(file_of, PERSONAL.values()), JOURNAL, MAIL, SESSIONS, *(hook.name for hook in privacy_hooks())]
    assert len(files) == len(set(files))
    assert all(hook.about for hook in privacy_hooks())


def test_every_reference_to_a_person_is_followed():
    """A table that points at a user, a member, an assignment or a judgment holds something about a person."""
    people = {
        get_user_model(),
        *(apps.get_model("judgments", name) for name in ("Membership", "Assignment", "Judgment")),
    }
    pointing = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.local_concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model in people
    }
    # Which assignment was dealt anew for which, and what programs said.
    assert pointing - PERSONAL.keys() == {"judgments.StandIn", "judgments.ProgramAnswer"}


@pytest.mark.postgresql
@pytest.mark.parametrize("label", PERSONAL)
def test_the_way_to_the_person_and_the_columns_are_there(label, db):
    assert list(rows_about(PERSONAL[label], Person(None, ()))) == []


def columns_of(label: str) -> list[str]:
    return [field.attname for field in apps.get_model(label)._meta.concrete_fields]


@pytest.mark.parametrize("label", TABLES)
def test_every_column_has_one_decision(label):
    table = TABLES[label]
    named = [*table.bundle.split(), *table.here.split(), *table.erased.split(), *table.nowhere.split()]
    assert len(named) == len(set(named)), "each column once"
    assert {*named} <= {*columns_of(label)}, "and none that is gone"
    undecided = {*columns_of(label)} - {*named} - KEYS
    assert table.tells_more or not undecided, (
        f"say in TABLES in judgments/archive/tables.py whether {undecided} of {label} leave"
    )
    assert {*table.blind.split()} <= {*named} | KEYS
    assert {*table.columns_for_person(is_own=False)}.isdisjoint(table.nowhere.split())
    assert {*table.columns_for_person(is_own=True)}.isdisjoint([*table.nowhere.split(), *table.blind.split()])


def test_no_key_and_no_account_is_in_a_bundle():
    for table in TABLES.values():
        assert not [name for name, field in table.fields.items() if field.primary_key and not field.is_relation]
        assert User not in [field.related_model for field in table.fields.values()]


def test_everything_is_in_it_and_only_of_that_person(judged, settings):
    settings.TIME_ZONE = "Australia/Lord_Howe"
    content = b"".join(personal_export(Person.of_judge(judged), is_own=False))
    records = files(content)
    assert [one["pseudonym"] for one in records["membership.json"]] == ["ada"]
    assert [one["username"] for one in records["account.json"]] == ["ada"]
    mine = Judgment.objects.filter(assignment__judge=judged)
    assert [one["id"] for one in records["judgment.json"]] == list(mine.values_list("pk", flat=True))
    assert {one["judgment_id"] for one in records["placement.json"]} == {one["id"] for one in records["judgment.json"]}
    assert [one["answers"] for one in records["draft.json"]] == [{"comment": "żółw"}]
    assert any(one["judge"] == "ada" for one in records["reports.json"] if one["table"] == "judges")
    assert records["judgestatistics.json"][0]["controls"] == 0
    assert all(one["submitted_at"].endswith("+00:00") for one in records["judgment.json"])
    # Empty tables are left out, and the rest are explained.
    assert {"rating.json", "token.json", "mail.json", "sessions.json"}.isdisjoint(records)
    assert all(records.values())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        readme = archive.read("README.txt").decode()
    assert [line.split()[0] for line in readme.splitlines() if ".json " in line] == list(records)


def test_a_judge_takes_it_along_and_stays_blind(judged):
    browser = Client()
    browser.force_login(judged.user)
    answer = browser.get(reverse("your_data_file"))
    assert answer["Content-Type"] == "application/zip"
    assert "attachment" in answer["Content-Disposition"]
    content = b"".join(answer.streaming_content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist())
    for word in ("control", "repeats", "Heron", "Wren", "Magpie", judged.user.password, 'password"'):
        assert word not in text
    assert len(files(content)["sessions.json"]) == 1


@pytest.mark.postgresql
def test_an_operator_gives_it_by_a_command_in_a_file_that_is_its_owners_alone(judged, tmp_path):
    new, old, slug = tmp_path / "new.zip", tmp_path / "old.zip", judged.campaign.slug
    old.touch(mode=0o644)
    for out in (new, old):
        assert "bytes" in call_command("export", slug, "person.zip", "--judge", "ada", "--out", str(out))
        assert files(out.read_bytes())["membership.json"]
        assert out.stat().st_mode & 0o077 == 0
    for out, message in (
        ("/nowhere/ada.zip", "There is no folder /nowhere. Create it first"), ("/", r"is a folder\. Give the name"),
    ):  # fmt: skip
        with pytest.raises(CommandError, match=message):
            call_command("export", slug, "person.zip", "--judge", "ada", "--out", out)


def test_a_judge_whose_judgments_were_imported_has_data_too(campaign):
    judge = Membership.objects.create(campaign=campaign, role="judge", pseudonym="elsewhere")
    records = files(b"".join(personal_export(Person.of_judge(judge), is_own=False)))
    assert "account.json" not in records
    assert [one["pseudonym"] for one in records["membership.json"]] == ["elsewhere"]
