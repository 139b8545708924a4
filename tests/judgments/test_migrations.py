"""Migrations forward with data: from every state that an installation may be in to the newest, with nothing lost."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from judgments.backups.rows import all_models
from judgments.exports import EXPORTS
from judgments.models import Campaign, Judgment
from ranking import reports
from ranking.models import Report, ReportTable
from tests.judgments.backups.cast import fill_installation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
OURS = ("judgments", "ranking")


def chain(app: str) -> list[str]:
    """The migrations of an app in their order."""
    loader = MigrationLoader(None)
    return sorted(name for label, name in loader.disk_migrations if label == app)


@pytest.fixture
def newest_again() -> Iterator[None]:
    """Whatever a test did, the next one finds the newest tables."""
    yield
    call_command("migrate", verbosity=0)


def migrate(app: str, name: str) -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([(app, name)])


def told() -> dict[str, object]:
    """What people see: every export of every campaign, and every table of every report."""
    found: dict[str, object] = {
        f"{campaign.slug}/{name}": b"".join(export.blocks(campaign))
        for campaign in Campaign.objects.all()
        for name, export in EXPORTS.items()
        if not export.fault(campaign)
    }
    found |= {f"{table.report_id}/{table.name}": table.rows for table in ReportTable.objects.all()}
    return found | {f"signature {report.pk}": report.signature for report in Report.objects.all()}


def test_each_app_has_one_line_of_migrations():
    """Two branches that were merged would have two ends, and an upgrade would stop."""
    assert not MigrationLoader(None).detect_conflicts()
    for app in OURS:
        numbers = [name[:4] for name in chain(app)]
        assert numbers == sorted(set(numbers))


def test_the_tables_are_what_the_models_say():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.long
def test_every_step_forward_keeps_every_row_of_every_table(newest_again):
    """From the first migrations on, one by one: each table gets a row as soon as it is there, and none is lost."""
    call_command("flush", verbosity=0, interactive=False)
    migrate("ranking", "0001_initial")
    migrate("judgments", "0001_initial")
    executor = MigrationExecutor(connection)
    fill_first_version(executor.loader.project_state([("ranking", "0001_initial")]).apps)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    steps = [(migration.app_label, migration.name) for migration, _ in plan]
    assert len(steps) == sum(len(chain(app)) - 1 for app in OURS)
    filled: set[str] = set()
    for step in steps:
        filled |= fill_empty_tables(state_now())
        before = {label: rows_of(model) for label, model in ours(state_now()).items()}
        MigrationExecutor(connection).migrate([step])
        after = ours(state_now())
        for label in before.keys() & after.keys():
            now = rows_of(after[label])
            assert len(now) == len(before[label]), (step, label)
            for row, was in zip(now, before[label], strict=True):
                assert {name: row[name] for name in row.keys() & was} == {name: was[name] for name in row.keys() & was}
    filled |= fill_empty_tables(state_now())
    assert ours(apps).keys() - filled == set(), "every table had a row in it at some step"


def state_now() -> Any:
    """The models as the migrations that were applied know them."""
    executor = MigrationExecutor(connection)
    applied = [key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes]
    return executor.loader.project_state(applied).apps


def ours(registry: Any) -> dict[str, type[models.Model]]:
    return {model._meta.label: model for model in all_models(registry) if model._meta.app_label in OURS}


def rows_of(model: type[models.Model]) -> list[dict[str, Any]]:
    rows = model._base_manager.order_by("pk").values()
    return [{name: bytes(cell) if isinstance(cell, memoryview) else cell for name, cell in row.items()} for row in rows]


def fill_empty_tables(registry: Any) -> set[str]:
    """One row for each table that has none; which have one then."""
    User = registry.get_model("auth", "User")
    if not User.objects.exists():
        User.objects.create(username="olga", password="!")
    for model in ours(registry).values():
        if not model._base_manager.exists():
            model._base_manager.create(**{field.name: some_value(field) for field in fields_to_fill(model)})
    return {label for label, model in ours(registry).items() if model._base_manager.exists()}


def fields_to_fill(model: type[models.Model]) -> list[models.Field]:
    return [
        field
        for field in model._meta.local_concrete_fields
        if not field.has_default() and not field.null and not isinstance(field, models.AutoField | models.BigAutoField)
    ]


def some_value(field: models.Field) -> Any:
    """Something that the field takes; a reference leads to the newest row that there is."""
    if isinstance(field, models.ForeignKey):
        return field.related_model._base_manager.order_by("pk").last()
    kinds = {
        models.DateTimeField: timezone.now(), models.BooleanField: False, models.JSONField: [],
        models.BinaryField: b"bytes", models.FloatField: 0.5, models.IntegerField: 1,
    }  # fmt: skip
    for kind, value in kinds.items():
        if isinstance(field, kind):
            return 2 if field.name == "end" else value
    return field.choices[0][0] if field.choices else "some"


def test_an_upgrade_from_the_version_before_changes_no_export_and_no_report(newest_again):
    """What the last two migrations of each app add is empty here, so that going back and forth loses nothing."""
    fill_installation()
    before = told()
    judged = Judgment.objects.count()
    migrate("judgments", chain("judgments")[-2])
    migrate("ranking", chain("ranking")[-2])
    call_command("migrate", verbosity=0)
    assert told() == before
    campaign = Campaign.objects.filter(protocol="ranking", state="open").get()
    first = Report.objects.order_by("pk").first()
    again = reports.request_report(campaign)
    reports.build(again.pk)
    again.refresh_from_db()
    assert again.signature == first.signature
    assert Judgment.objects.count() == judged


@pytest.mark.long
def test_an_installation_of_the_first_version_with_data_comes_forward(newest_again):
    """Rows as the first migrations have them, written by hand, are answered for by all that is there today."""
    call_command("flush", verbosity=0, interactive=False)
    migrate("ranking", "0001_initial")
    migrate("judgments", "0001_initial")
    old = MigrationExecutor(connection).loader.project_state([("ranking", "0001_initial")]).apps
    fill_first_version(old)
    call_command("migrate", verbosity=0)
    campaign = Campaign.objects.get(slug="old")
    text = b"".join(EXPORTS["judgments.csv"].blocks(campaign)).decode()
    assert text.count("\nold,ada,") == 2, text
    report = reports.request_report(campaign)
    reports.build(report.pk)
    report.refresh_from_db()
    assert (report.state, report.judgments) == ("done", 1), report.error
    old_report = Report.objects.order_by("pk").first()
    assert old_report.state == "done"
    assert old_report.signature == "expected-wins"


def fill_first_version(old) -> None:
    """A campaign with one screen, judged once, and a report."""

    def make(model: str, /, **fields: object):
        return old.get_model("judgments", model).objects.create(**fields)

    campaign = make("Campaign", slug="old", name="Old", state="open")
    document = make("Document", campaign=campaign, name="one")
    segment = make("Segment", campaign=campaign, document=document, position=0, text="He go .")
    screen = make("Screen", campaign=campaign, segment=segment, batch=make("Batch", campaign=campaign, number=1))
    judge = make("Membership", campaign=campaign, role="judge", pseudonym="ada")
    seat = make(
        "Seat", campaign=campaign, screen=screen, batch=screen.batch, order="01", judge=judge,
        submitted_at=campaign.created_at,
    )  # fmt: skip
    judgment = make("Judgment", seat=seat, screen=screen, submitted_at=campaign.created_at)
    for place, (name, text) in enumerate({"Heron": "He goes .", "Wren": "He go ."}.items()):
        candidate = make("Candidate", segment=segment, text=text, fingerprint=name)
        system = make("System", campaign=campaign, name=name)
        make("SystemOutput", system=system, segment=segment, candidate=candidate)
        make("Slot", screen=screen, candidate=candidate, position=place)
        make("Placement", judgment=judgment, screen=screen, candidate=candidate, rank=place + 1)
    old.get_model("ranking", "Report").objects.create(campaign=campaign, state="done", signature="expected-wins")
