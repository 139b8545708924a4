"""Creating a campaign from a bundle: checked first, then all or nothing in one transaction."""

from array import array
from collections.abc import Callable, Collection
from itertools import islice
from typing import Any, BinaryIO, NamedTuple
from uuid import UUID, uuid5

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Model, UUIDField

from judgments.archive.kinds import LINE, SETTINGS, Kind, fields_of, kinds_of
from judgments.archive.reading import Bundle, open_bundle
from judgments.archive.serialiser import Row, check_of, reader
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import short_names
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems, refuse
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE, UPDATED_AT_ONCE = 1000, 200


class Importer:
    """Stores rows kind by kind and remembers the keys to which later rows refer."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign
        self.has_new_keys: bool | None = None
        self._numbered: dict[str, array] = {}
        self._named: dict[str, dict[Any, int]] = {}

    def store(self, kind: Kind, rows: list[Row]) -> None:
        keys = [name for name, field in kind.fields.items() if isinstance(field, UUIDField)]
        if self.has_new_keys is None and keys:  # generate new keys if this installation has these already
            same = {f"{keys[0]}__in": [row[keys[0]] for row in rows]}
            self.has_new_keys = kind.model._default_manager.filter(**same).exists()
        created = self._store(kind, rows)
        if kind.parts:
            self._store_parts(kind.parts, created, rows)

    def _store(self, kind: Kind, rows: list[Row]) -> list[Model]:
        table = kind.model._default_manager
        of_campaign = {"campaign": self.campaign} if kind.campaign == "campaign" else {}
        to_itself = next((name for name, other in kind.references.items() if other.name == kind.name), None)
        nullable = {name for name, field in kind.fields.items() if field.null}
        # A row may refer to another row of its table in the same insert; such references are set afterwards.
        waiting = [to_itself is not None and row[to_itself] is not None for row in rows]
        created = table.bulk_create(
            kind.model(**of_campaign, **self._values(kind, row, nullable if waits else ()))
            for row, waits in zip(rows, waiting, strict=True)
        )
        if kind.is_numbered:
            self._numbered.setdefault(kind.name, array("q")).extend(one.pk for one in created)
        elif kind.key:
            keys = {row[kind.key]: one.pk for row, one in zip(rows, created, strict=True)}
            self._named.setdefault(kind.name, {}).update(keys)
        completed = [(one, row) for one, row, waits in zip(created, rows, waiting, strict=True) if waits]
        self._set(kind, completed, nullable)
        self._set(kind, list(zip(created, rows, strict=True)), {
            name for name, field in kind.fields.items() if getattr(field, "auto_now_add", False)
        })  # fmt: skip
        return created

    def _set(self, kind: Kind, pairs: list[tuple[Model, Row]], names: set[str]) -> None:
        """Set fields that could not be set on creation."""
        if not pairs or not names:
            return
        others = kind.fields.keys() - names
        for one, row in pairs:
            for name, value in self._values(kind, row, others).items():
                setattr(one, name, value)
        created = [one for one, _ in pairs]
        kind.model._default_manager.bulk_update(created, [kind.fields[name].name for name in names], UPDATED_AT_ONCE)

    def _store_parts(self, parts: Kind, created: list[Model], rows: list[Row]) -> None:
        """Store parts, which inherit fields of the row that contains them."""
        inherited = {
            field.attname: "pk" if field.name == parts.key else field.attname
            for field in parts.model._meta.concrete_fields
            if field.is_relation and field.name not in parts.fields
        }
        parts.model._default_manager.bulk_create(
            parts.model(
                **self._values(parts, part), **{name: getattr(one, theirs) for name, theirs in inherited.items()}
            )
            for one, row in zip(created, rows, strict=True)
            for part in row[parts.name]
        )

    def _values(self, kind: Kind, row: Row, without: Collection[str] = ()) -> dict[str, Any]:
        return {
            field.attname: None if row[name] is None else self._value(kind, name, row[name])
            for name, field in kind.fields.items()
            if name not in without
        }

    def _value(self, kind: Kind, name: str, value: Any) -> Any:
        if other := kind.references.get(name):
            return self._numbered[other.name][value - 1] if other.is_numbered else self._named[other.name][value]
        if name == LINE:
            return value - 1
        value = kind.readers[name](value) if name in kind.readers else value
        return uuid5(value, self.campaign.slug) if self.has_new_keys and isinstance(value, UUID) else value


class Imported(NamedTuple):
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
    finish: Callable[[Imported], None] = lambda imported: None,
) -> Imported:
    """Create the campaign of a bundle, under its own short name or another; never replace an existing one.

    `finish` runs in the same transaction.
    """
    with open_bundle(name, file) as bundle:
        settings = _settings(bundle.settings())
        settings["slug"] = short_names.wanted(slug or settings.get("slug", ""), organiser)
        bundle.check(protocol_of(Campaign(**settings)))
        try:
            with transaction.atomic():
                imported = _import(bundle, settings, organiser, progress)
                finish(imported)
                return imported
        except DatabaseError as error:
            raise Refused(f"The bundle is inconsistent. Nothing was stored: {str(error)[:200]}") from error


def _settings(row: Row) -> dict[str, Any]:
    """Return the campaign's fields; those that the bundle lacks keep their defaults."""
    fields = fields_of(Campaign)
    problems, settings = [], {}
    if unknown := sorted(row.keys() - fields.keys()):
        what = f"contains settings unknown to this platform, which may be older: {', '.join(unknown)[:200]}"
        problems.append(Problem(SETTINGS, None, what))
    for name in fields.keys() & row.keys():
        if fault := check_of(fields[name])(row[name]):
            problems.append(Problem(SETTINGS, None, f"{name}: {fault}"))
        else:
            read = reader(fields[name])
            settings[name] = read(row[name]) if read and row[name] is not None else row[name]
    if settings.get("protocol", Campaign().protocol) not in PROTOCOLS:
        what = f"protocol: there is no {settings['protocol']!r}; choose from {', '.join(PROTOCOLS)}"
        problems.append(Problem(SETTINGS, None, what))
    refuse(problems)
    return settings


def _import(bundle: Bundle, settings: dict[str, Any], organiser: str | None, progress: Progress) -> Imported:
    campaign = campaign_settings.configure(Campaign(), **settings)
    if "created_at" in settings:  # auto_now_add ignores given values
        Campaign.objects.filter(pk=campaign.pk).update(created_at=settings["created_at"])
    importer = Importer(campaign)
    done, total = 0, sum(bundle.lines.values())
    for kind in kinds_of(protocol_of(campaign)).values():
        stored, remaining = 0, bundle.rows(kind)
        while rows := list(islice(remaining, ROWS_AT_ONCE)):
            _store(importer, kind, rows, stored + 1)
            stored += len(rows)
            done += len(rows)
            progress(done, total)
    if organiser:
        campaign_settings.make_organiser(campaign, organiser)
    campaign.refresh_from_db()
    lines = bundle.lines
    return Imported(campaign, lines["segments"], lines["judges"], lines["judgments"], bool(importer.has_new_keys))


def _store(importer: Importer, kind: Kind, rows: list[Row], first: int) -> None:
    """Store rows; if a database constraint fails, find the line that violates it."""
    try:
        with transaction.atomic():
            importer.store(kind, rows)
    except IntegrityError as error:
        for number, row in enumerate(rows, first) if len(rows) > 1 else ():
            _store(importer, kind, [row], number)
        what = f"contradicts itself or an earlier line: {str(error)[:200]}"
        raise Problems([Problem(kind.file, first, what)]) from error
