"""Migrations forward with data: from every state that an installation may be in to the newest, with nothing lost."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from judgments.exports import EXPORTS
from judgments.models import Campaign, Judgment
from ranking import reports
from ranking.models import Report, ReportTable
from tests import factory
from tests.judgments.backups.cast import fill_installation

pytestmark = pytest.mark.django_db(transaction=True)
OURS = ("judgments", "ranking")


def chain(app: str) -> list[str]:
    """The migrations of an app in their order."""
    loader = MigrationLoader(None, ignore_no_initial=True)
    return sorted(name for label, name in loader.disk_migrations if label == app)


STEPS = [(app, before, after) for app in OURS for before, after in zip(chain(app), chain(app)[1:], strict=False)]


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
    assert not MigrationLoader(None, ignore_no_initial=True).detect_conflicts()
    for app in OURS:
        numbers = [name[:4] for name in chain(app)]
        assert numbers == sorted(set(numbers))


def test_the_tables_are_what_the_models_say():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def rows_of(label: str, registry) -> list[dict]:
    return list(registry.get_model(label)._base_manager.order_by("pk").values())


@pytest.mark.parametrize(("app", "before", "after"), STEPS[-6:], ids=lambda name: str(name))
def test_a_step_forward_keeps_every_row(newest_again, app, before, after):
    """The rows that there are in the older state are there in the newer one, with all that both know of them."""
    campaign = factory.open_campaign()
    factory.judge_batch(factory.judge(campaign, "ada"))
    migrate(app, before)
    older = MigrationExecutor(connection).loader.project_state([(app, before)]).apps
    kept = {label: rows_of(label, older) for label in labels(older, app)}
    migrate(app, after)
    newer = MigrationExecutor(connection).loader.project_state([(app, after)]).apps
    for label in sorted(kept.keys() & labels(newer, app)):
        now = rows_of(label, newer)
        assert len(now) == len(kept[label]), label
        for row, was in zip(now, kept[label], strict=True):
            assert {name: row[name] for name in was if name in row} == {
                name: cell for name, cell in was.items() if name in row
            }


def labels(registry, app: str) -> set[str]:
    return {model._meta.label for model in registry.get_models() if model._meta.app_label == app}


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

    def make(name: str, **fields: object):
        return old.get_model("judgments", name).objects.create(**fields)

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


def test_every_table_of_ours_is_walked():
    assert {app.label for app in apps.get_app_configs() if app.name in OURS} == set(OURS)
