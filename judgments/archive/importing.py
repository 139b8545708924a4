"""Creating a campaign from a bundle: checked first, then all or nothing in one transaction, mostly in a worker."""

from array import array
from collections.abc import Callable
from itertools import islice
from typing import Any, BinaryIO, NamedTuple
from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Model, UUIDField

from judgments.archive.reading import Bundle, check_of, open_bundle
from judgments.archive.tables import CAMPAIGN, CAMPAIGN_FILE, FILES, LINE, TablePolicy
from judgments.archive.writing import BundleRow
from judgments.campaigns import settings as campaign_settings
from judgments.jobs.attempts import Attempt, StaleAttempt
from judgments.jobs.tasks import enqueue
from judgments.material.uploads import MOST_BYTES
from judgments.models import Campaign, FilePiece, ImportJob
from judgments.models.members import Visitor
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems, refuse
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE, UPDATED_AT_ONCE = 1000, 200
CHECKING = "checking the bundle, then storing it"
LONGEST_NAME = 255


def too_large_a_bundle() -> str:
    return f"The bundle is larger than {MOST_BYTES // 2**20} MB. Import it with: python manage.py import_campaign FILE"


@transaction.atomic
def request_import(user: Visitor, name: str, bundle: BinaryIO, slug: str) -> ImportJob:
    """Keep a bundle that was uploaded in the browser, for a worker."""
    campaign_settings.choose_slug(slug, user.get_username())  # refuses at once what the job would refuse
    importer = User.objects.get(username=user.get_username())
    job = ImportJob.objects.create(requested_by=importer, about=name[:LONGEST_NAME], payload={"slug": slug})
    FilePiece.keep(job, bundle)
    return enqueue(job)


def import_in_job(job: ImportJob, attempt: Attempt) -> None:
    attempt.step(CHECKING, 0.0)
    bundle = FilePiece.open(job)
    if bundle is None:  # cancelled in the meantime
        raise StaleAttempt
    if job.requested_by is None:
        raise Refused("The account that uploaded this bundle was deleted.")
    with bundle:
        import_campaign(
            job.about, bundle, job.payload["slug"] or None, job.requested_by.get_username(),
            attempt.progress(0.0, 1.0), lambda imported: attempt.finish(campaign=imported.campaign),
        )  # fmt: skip


class ImportedCampaign(NamedTuple):
    campaign: Campaign
    segments: int
    judges: int
    judgments: int
    has_new_keys: bool


def import_campaign(
    name: str,
    file: BinaryIO,
    slug: str | None = None,
    organiser: str | None = None,
    progress: Progress = no_progress,
    finish: Callable[[ImportedCampaign], None] = lambda imported: None,
) -> ImportedCampaign:
    """Create the campaign of a bundle, under its own short name or another; never replace an existing one.

    `finish` runs in the same transaction.
    """
    with open_bundle(name, file) as bundle:
        settings = _read_settings(bundle.settings())
        settings["slug"] = campaign_settings.choose_slug(slug or settings.get("slug", ""), organiser)
        bundle.check(protocol_of(Campaign(**settings)))
        try:
            with transaction.atomic():
                imported = _store(bundle, settings, organiser, progress)
                finish(imported)
                return imported
        except DatabaseError as error:
            raise Refused(f"The bundle is inconsistent. Nothing was stored: {str(error)[:200]}") from error


def _read_settings(row: BundleRow) -> dict[str, Any]:
    """Return the campaign's fields; those that the bundle lacks keep their defaults."""
    problems, settings = [], {}
    if unknown := sorted(row.keys() - CAMPAIGN.fields.keys()):
        what = f"contains settings unknown to this platform, which may be older: {', '.join(unknown)[:200]}"
        problems.append(Problem(CAMPAIGN_FILE, None, what))
    for name in CAMPAIGN.fields.keys() & row.keys():
        if fault := check_of(CAMPAIGN.fields[name])(row[name]):
            problems.append(Problem(CAMPAIGN_FILE, None, f"{name}: {fault}"))
        else:
            settings[name] = CAMPAIGN.fields[name].to_python(row[name])
    if settings.get("protocol", Campaign().protocol) not in PROTOCOLS:
        what = f"protocol: there is no {settings['protocol']!r}; choose from {', '.join(PROTOCOLS)}"
        problems.append(Problem(CAMPAIGN_FILE, None, what))
    refuse(problems)
    return settings


def _store(bundle: Bundle, settings: dict[str, Any], organiser: str | None, progress: Progress) -> ImportedCampaign:
    campaign = campaign_settings.configure(Campaign(), **settings)
    if "created_at" in settings:  # auto_now_add ignores given values
        Campaign.objects.filter(pk=campaign.pk).update(created_at=settings["created_at"])
    importer = Importer(campaign)
    done, total = 0, sum(bundle.lines.values())
    for table in FILES.values():
        stored, remaining = 0, bundle.rows(table)
        while rows := list(islice(remaining, ROWS_AT_ONCE)):
            importer.store(table, rows, stored + 1)
            stored += len(rows)
            done += len(rows)
            progress(done, total)
    if organiser:
        campaign_settings.make_organiser(campaign, organiser)
    campaign.refresh_from_db()
    lines = bundle.lines
    return ImportedCampaign(
        campaign, lines["segments"], lines["judges"], lines["judgments"], bool(importer.has_new_keys)
    )


class Importer:
    """Stores rows table by table and remembers the keys to which later rows refer."""

    def __init__(self, campaign: Campaign):
        self.campaign, self.protocol = campaign, protocol_of(campaign)
        # Whether to generate new keys, because this installation has those of the bundle already.
        self.has_new_keys: bool | None = None
        self._numbered: dict[str, array] = {}
        self._named: dict[str, dict[Any, int]] = {}

    def store(self, table: TablePolicy, rows: list[BundleRow], first: int) -> None:
        """Store rows; if a database constraint fails, find the line that violates it."""
        try:
            with transaction.atomic():
                created = self._create(table, rows)
                if inner := table.parts(self.protocol):
                    self._create_parts(inner, created, rows)
        except IntegrityError as error:
            for number, row in enumerate(rows, first) if len(rows) > 1 else ():
                self.store(table, [row], number)
            what = f"contradicts itself or an earlier line: {str(error)[:200]}"
            raise Problems([Problem(table.file, first, what)]) from error

    def _create(self, table: TablePolicy, rows: list[BundleRow]) -> list[Model]:
        objects = table.model._default_manager
        uuids = [name for name, field in table.fields.items() if isinstance(field, UUIDField)]
        if self.has_new_keys is None and uuids:
            self.has_new_keys = objects.filter(**{f"{uuids[0]}__in": [row[uuids[0]] for row in rows]}).exists()
        of_campaign = {"campaign": self.campaign} if table.campaign == "campaign" else {}
        # A row may refer to another row of the same insert; what may be null in it is set afterwards, and so are times
        # that Django sets itself.
        to_itself = [name for name, other in table.references.items() if other is table]
        nullable = {name for name, field in table.fields.items() if field.null} if to_itself else set()
        stamped = {name for name, field in table.fields.items() if getattr(field, "auto_now_add", False)}
        waiting = [any(row[name] is not None for name in to_itself) for row in rows]
        created = objects.bulk_create(
            table.model(**of_campaign, **self._values(table, row | dict.fromkeys(nullable) if waits else row))
            for row, waits in zip(rows, waiting, strict=True)
        )
        if table.is_numbered:
            self._numbered.setdefault(table.name, array("q")).extend(one.pk for one in created)
        elif table.key:
            keys = {row[table.key]: one.pk for row, one in zip(rows, created, strict=True)}
            self._named.setdefault(table.name, {}).update(keys)
        incomplete = [(one, row) for one, row, waits in zip(created, rows, waiting, strict=True) if waits or stamped]
        for one, row in incomplete:
            for name, value in self._values(table, row).items():
                setattr(one, name, value)
        if incomplete:
            names = [table.fields[name].name for name in nullable | stamped]
            objects.bulk_update([one for one, _ in incomplete], names, UPDATED_AT_ONCE)
        return created

    def _create_parts(self, inner: TablePolicy, created: list[Model], rows: list[BundleRow]) -> None:
        """Store parts, which inherit fields of the row that contains them."""
        inherited = {
            field.attname: "pk" if field.name == inner.inside else field.attname
            for field in inner.model._meta.concrete_fields
            if field.is_relation and field.name not in inner.fields
        }
        inner.model._default_manager.bulk_create(
            inner.model(**self._values(inner, part), **{name: getattr(one, its) for name, its in inherited.items()})
            for one, row in zip(created, rows, strict=True)
            for part in row[inner.name]
        )

    def _values(self, table: TablePolicy, row: BundleRow) -> dict[str, Any]:
        """The values of a row's fields, by the names of their columns."""
        values = {}
        for name, field in table.fields.items():
            value = row[name]
            if value is None:
                pass
            elif other := table.references.get(name):
                value = self._numbered[other.name][value - 1] if other.is_numbered else self._named[other.name][value]
            elif name == LINE:
                value -= 1
            else:
                value = field.to_python(value)
                if self.has_new_keys and isinstance(value, UUID):
                    value = uuid5(value, self.campaign.slug)
            values[field.attname] = value
        return values
