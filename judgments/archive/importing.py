"""Making a campaign from a bundle: one transaction, checked before, all or nothing."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction

from judgments.archive.creation import Maker
from judgments.archive.rules.fields import KINDS, moment
from judgments.archive.rules.layout import SETTINGS, Row
from judgments.archive.rules.reading import Bundle, open_bundle
from judgments.campaigns import settings as campaign_settings
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.values import IMPOSSIBLE
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE = 1000


class Restored(NamedTuple):
    """The campaign that was made, and how much came with it."""

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
    """Make the campaign of a bundle, under its own short name or another; never over one that is there.

    What `conclude` does is done with it, or not at all.
    """
    with open_bundle(name, file) as bundle:
        settings = _settings(bundle.settings())
        settings["slug"] = slug or settings.get("slug", "")
        if Campaign.objects.filter(slug=settings["slug"]).exists():
            raise Refused(f"There is a campaign {settings['slug']} already; import this one under another name.")
        bundle.check(protocol_of(Campaign(**settings)).fault_of_answers)
        try:
            with transaction.atomic():
                made = _make(bundle, settings, organiser, progress)
                conclude(made)
                return made
        except DatabaseError as error:
            raise Refused(f"The bundle contradicts itself, and nothing was stored: {str(error)[:200]}") from error


def _settings(told: Row) -> dict[str, Any]:
    """The campaign's fields; one that the bundle does not know keeps its default."""
    fields = {field.attname: field for field in Campaign._meta.concrete_fields if not field.primary_key}
    problems, settings = [], {}
    if unknown := sorted(told.keys() - fields.keys()):
        what = f"holds settings that this platform does not know: {', '.join(unknown)[:200]}; it may be older"
        problems.append(Problem(SETTINGS, None, what))
    for name in fields.keys() & told.keys():
        try:
            settings[name] = _cleaned(fields[name], told[name])
        except ValidationError as error:
            problems.append(Problem(SETTINGS, None, f"{name}: {' '.join(error.messages)}"))
    if settings.get("protocol", Campaign().protocol) not in PROTOCOLS:
        what = f"protocol: there is none called {settings['protocol']!r}; there are {', '.join(PROTOCOLS)}"
        problems.append(Problem(SETTINGS, None, what))
    if problems:
        raise Problems(problems)
    return settings


def _cleaned(field: models.Field, value: Any) -> Any:
    if isinstance(value, list | dict) or (isinstance(value, str) and IMPOSSIBLE.search(value)):
        raise ValidationError("is no value that can be stored")
    if isinstance(field, models.DateTimeField) and value is not None and (fault := moment(value)):
        raise ValidationError(fault)
    return field.clean(value, None)


def _make(bundle: Bundle, settings: dict[str, Any], organiser: str | None, progress: Progress) -> Restored:
    campaign = campaign_settings.configure(Campaign(), **settings)
    if "created_at" in settings:  # the field itself knows only now
        Campaign.objects.filter(pk=campaign.pk).update(created_at=settings["created_at"])
    maker = Maker(campaign, bundle)
    total = sum(bundle.lines.values())
    done = 0
    for kind in KINDS:
        for rows in _chunks(bundle.rows(kind)):
            getattr(maker, f"make_{kind}")(rows)
            done += len(rows)
            progress(done, total)
    if organiser:
        campaign_settings.make_organiser(campaign, organiser)
    campaign.refresh_from_db()
    lines = bundle.lines
    return Restored(campaign, lines["segments"], lines["judges"], lines["judgments"], bool(maker.has_new_keys))


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield chunk
