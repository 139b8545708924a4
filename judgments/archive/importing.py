"""Making a campaign from a bundle: checked first, in one transaction, all or nothing."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from django.db import DatabaseError, IntegrityError, transaction

from judgments.archive.creation import Maker
from judgments.archive.kinds import SETTINGS, Kind, fields_of, kinds_of
from judgments.archive.reading import Bundle, open_bundle
from judgments.archive.serialiser import Row, check_of, reader
from judgments.campaigns import settings as campaign_settings
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE = 1000


class Restored(NamedTuple):
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
    conclude: Callable[[Restored], None] = lambda made: None,
) -> Restored:
    """Make the campaign of a bundle, under its own short name or another; never replace an existing one.

    What `conclude` does is done with it, or not at all.
    """
    with open_bundle(name, file) as bundle:
        settings = _settings(bundle.settings())
        settings["slug"] = slug or settings.get("slug", "")
        if Campaign.objects.filter(slug=settings["slug"]).exists():
            raise Refused(f"There is a campaign {settings['slug']} already; import this one under another name.")
        bundle.check(protocol_of(Campaign(**settings)))
        try:
            with transaction.atomic():
                made = _make(bundle, settings, organiser, progress)
                conclude(made)
                return made
        except DatabaseError as error:
            raise Refused(f"The bundle contradicts itself, and nothing was stored: {str(error)[:200]}") from error


def _settings(told: Row) -> dict[str, Any]:
    """Fields of the campaign; those that the bundle lacks keep their defaults."""
    fields = fields_of(Campaign)
    problems, settings = [], {}
    if unknown := sorted(told.keys() - fields.keys()):
        what = f"holds settings that this platform does not know: {', '.join(unknown)[:200]}; it may be older"
        problems.append(Problem(SETTINGS, None, what))
    for name in fields.keys() & told.keys():
        if fault := check_of(fields[name])(told[name]):
            problems.append(Problem(SETTINGS, None, f"{name}: {fault}"))
        else:
            back = reader(fields[name])
            settings[name] = back(told[name]) if back and told[name] is not None else told[name]
    if settings.get("protocol", Campaign().protocol) not in PROTOCOLS:
        what = f"protocol: there is none called {settings['protocol']!r}; there are {', '.join(PROTOCOLS)}"
        problems.append(Problem(SETTINGS, None, what))
    if problems:
        raise Problems(problems)
    return settings


def _make(bundle: Bundle, settings: dict[str, Any], organiser: str | None, progress: Progress) -> Restored:
    campaign = campaign_settings.configure(Campaign(), **settings)
    if "created_at" in settings:  # the field itself knows only now
        Campaign.objects.filter(pk=campaign.pk).update(created_at=settings["created_at"])
    maker = Maker(campaign)
    total = sum(bundle.lines.values())
    done = 0
    for kind in kinds_of(protocol_of(campaign)).values():
        number = 1
        for rows in _chunks(bundle.rows(kind)):
            _store(maker, kind, rows, number)
            number += len(rows)
            done += len(rows)
            progress(done, total)
    if organiser:
        campaign_settings.make_organiser(campaign, organiser)
    campaign.refresh_from_db()
    lines = bundle.lines
    return Restored(campaign, lines["segments"], lines["judges"], lines["judgments"], bool(maker.has_new_keys))


def _store(maker: Maker, kind: Kind, rows: list[Row], first: int) -> None:
    """Store rows; if a database constraint fails, find the line that breaks it."""
    try:
        with transaction.atomic():
            maker.make(kind, rows)
    except IntegrityError as error:
        for number, row in enumerate(rows, first) if len(rows) > 1 else ():
            _store(maker, kind, [row], number)
        what = f"contradicts itself or a line before, and nothing was stored: {str(error)[:200]}"
        raise Problems([Problem(kind.file, first, what)]) from error


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield chunk
