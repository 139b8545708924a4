"""What becomes of files that were handed in, by what a campaign is about: sentences and outputs, or usages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from judgments.material import storing, storing_usages
from judgments.material.rules.contents import Material
from judgments.material.rules.preview import Preview, names_in, preview_of, seed_of
from judgments.material.rules.reading import Roles, read_material
from judgments.material.rules.usages import Usages, UsagesPreview, read_usage_files
from judgments.material.rules.usages import preview_of as preview_of_usages
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.base import TEXTS, USAGES
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress


class LookedAt(NamedTuple):
    """What files would bring, and what is worth saying about it."""

    preview: dict[str, Any]
    notes: list[str]


class UploadHandler(Protocol):
    """How files of a kind are read, looked at and stored; `state_of` changes when others store something meanwhile."""

    has_roles: bool

    def read_preview(self, written: dict[str, Any]) -> Preview | UsagesPreview:
        """What `look_at` gave, as it was written."""

    def names(self, files: Sequence[UploadedFile]) -> list[str]:
        """Of which an organiser can say what they are."""

    def state_of(self, campaign: Campaign) -> object:
        """What the files are checked against."""

    def read(self, campaign: Campaign, files: Iterable[UploadedFile], roles: Roles) -> Any:
        """What the files hold, if it fits what the campaign has."""

    def look_at(self, campaign: Campaign, found: Any, files: Sequence[UploadedFile], progress: Progress) -> LookedAt:
        """What it would bring."""

    def store(self, campaign: Campaign, found: Any, progress: Progress) -> dict[str, Any]:
        """Store it; what was taken, in numbers."""


class TextHandler:
    """Sentences, and what systems made of them."""

    has_roles = True

    def read_preview(self, written: dict[str, Any]) -> Preview:
        """As it was written."""
        return Preview.read(written)

    def names(self, files: Sequence[UploadedFile]) -> list[str]:
        """Of which an organiser can say what they are."""
        return names_in(files)

    def state_of(self, campaign: Campaign) -> object:
        """The places of the sentences."""
        return storing.places_of(campaign)

    def read(self, campaign: Campaign, files: Iterable[UploadedFile], roles: Roles) -> Material:
        """The files as material."""
        return read_material(files, roles, storing.places_of(campaign), storing.source_of(campaign))

    def look_at(
        self, campaign: Campaign, found: Material, files: Sequence[UploadedFile], progress: Progress
    ) -> LookedAt:
        """Numbers, how often outputs differ, and samples."""
        replaced = storing.foresee(campaign, found)
        source = found.source.texts if found.source else storing.source_of(campaign) or []
        preview = preview_of(found, source, seed_of(files), progress)
        return LookedAt(preview.written(), [*found.notes, *_about(replaced, found)])

    def store(self, campaign: Campaign, found: Material, progress: Progress) -> dict[str, Any]:
        """As material of the campaign."""
        return storing.store_material(campaign, found, progress)._asdict()


class UsageHandler:
    """Usages, and what systems say of them."""

    has_roles = False

    def read_preview(self, written: dict[str, Any]) -> UsagesPreview:
        """As it was written."""
        return UsagesPreview.read(written)

    def names(self, files: Sequence[UploadedFile]) -> list[str]:
        """Files say themselves what they are."""
        return []

    def state_of(self, campaign: Campaign) -> object:
        """The newest usage that is there."""
        return storing_usages.newest_usage(campaign)

    def read(self, campaign: Campaign, files: Iterable[UploadedFile], roles: Roles) -> Usages:
        """The files as usages and classes."""
        return read_usage_files(list(files), storing_usages.known_usages(campaign))

    def look_at(self, campaign: Campaign, found: Usages, files: Sequence[UploadedFile], progress: Progress) -> LookedAt:
        """Numbers and samples."""
        replaced = storing_usages.foresee(campaign, found)
        preview = preview_of_usages(found, storing_usages.known_usages(campaign), seed_of(files))
        said = [f"{name}: is there already; what it says now takes the place of what it said" for name in replaced]
        return LookedAt(preview.written(), [*found.notes, *said])

    def store(self, campaign: Campaign, found: Usages, progress: Progress) -> dict[str, Any]:
        """Behind what the campaign has."""
        return storing_usages.store_usages(campaign, found, progress)._asdict()


# By what judges are asked about.
HANDLERS: Mapping[str, UploadHandler] = {TEXTS: TextHandler(), USAGES: UsageHandler()}


def handler_for(campaign: Campaign) -> UploadHandler:
    """What the files of a campaign hold."""
    return HANDLERS[protocol_of(campaign).material]


def _about(replaced: Iterable[str], material: Material) -> Iterator[str]:
    """What becomes of systems that are there already."""
    for name in replaced:
        if material.source is None or name != material.source.name:
            yield f"{name}: is there already; outputs that differ replace the earlier ones, if no judge has seen them"
