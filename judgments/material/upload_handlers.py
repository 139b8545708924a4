"""Handlers of uploaded files, one for each kind of material: texts, or usages; and others that are registered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Max
from django.utils.module_loading import import_string

from judgments.material import storing, storing_usages
from judgments.material.rules import essays
from judgments.material.rules.pearmut import expand_pearmut
from judgments.material.rules.preview import NOTHING, preview_of, seed_of
from judgments.material.rules.reading import ReadFiles, Roles, read_tables_and_files
from judgments.material.rules.usages import GivenUsages, read_usage_files
from judgments.material.rules.usages import preview_of as preview_of_usages
from judgments.models import Campaign, System, Upload, Usage
from judgments.protocols import protocol_of
from judgments.protocols.base import ESSAYS, TEXTS, USAGES
from judgments.rules.errors import Refused
from judgments.rules.files.archives import unpack_archives
from judgments.rules.files.names import system_name
from judgments.rules.files.problems import Problem
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress


class UploadFindings(NamedTuple):
    """A preview of the files, notes on it, and the problems that keep the files from being stored."""

    preview: dict[str, Any]
    notes: list[str]
    problems: list[Problem] = []


class Handler:
    """How uploaded files are read, previewed and stored."""

    has_roles = False  # whether an organiser can set the roles of the files

    def refuse(self, campaign: Campaign) -> None:
        """Refuse a campaign that takes no files."""
        storing.refuse_closed(campaign)

    def open_files(self, files: Sequence[UploadedFile]) -> list[UploadedFile]:
        """The files to read, by default those inside archives too."""
        return unpack_archives(files)

    def names(self, found: Any) -> list[str]:
        """The systems whose roles can be set."""
        return []

    def state_of(self, campaign: Campaign) -> object:
        """A value that changes whenever files are stored that would make `read` out of date."""
        return None

    def read(self, campaign: Campaign, files: Iterable[UploadedFile], options: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def preview(
        self, campaign: Campaign, found: Any, files: Sequence[UploadedFile], progress: Progress
    ) -> UploadFindings:
        raise NotImplementedError

    def store(self, campaign: Campaign, found: Any, progress: Progress) -> dict[str, Any]:
        """Store what was read, and return it in numbers."""
        raise NotImplementedError


class TextHandler(Handler):
    has_roles = True
    read_files: Callable[..., ReadFiles] = staticmethod(read_tables_and_files)

    def open_files(self, files: Sequence[UploadedFile]) -> list[UploadedFile]:
        return expand_pearmut(super().open_files(files))

    def names(self, found: ReadFiles) -> list[str]:
        kinds = {kind.value for kind in System.Kind}
        return sorted(system_name(row.file) for row in found.files if row.kind in kinds and not row.is_annotated)

    def state_of(self, campaign: Campaign) -> object:
        return storing.places_of(campaign)

    def read(self, campaign: Campaign, files: Iterable[UploadedFile], options: Mapping[str, Any]) -> ReadFiles:
        """Check files against each other and against the campaign."""
        return self.read_files(files, Roles.read(options), storing.places_of(campaign), storing.source_of(campaign))

    def preview(
        self, campaign: Campaign, found: ReadFiles, files: Sequence[UploadedFile], progress: Progress
    ) -> UploadFindings:
        rows, material = {"files": [file._asdict() for file in found.files]}, found.material
        if material is None:
            return UploadFindings(NOTHING | rows, [], found.problems)
        source = material.source.texts if material.source else storing.source_of(campaign)
        preview = preview_of(material, source, seed_of(files), progress) | rows
        try:
            replaced = storing.systems_to_replace(campaign, material)
        except Refused as reason:
            return UploadFindings(preview, material.notes, [*found.problems, Problem("", None, str(reason))])
        changed = [name for name in replaced if material.source is None or name != material.source.name]
        what = "exists already; different outputs replace the earlier ones, unless a judge has seen them"
        notes = [*material.notes, *(f"{name}: {what}" for name in changed)]
        return UploadFindings(preview, notes, found.problems)

    def store(self, campaign: Campaign, found: ReadFiles, progress: Progress) -> dict[str, Any]:
        counts = storing.store_material(campaign, found.whole(), progress)
        storing.name_accepted(campaign, {file.file: file.name for file in found.files if not file.is_dropped})
        return counts._asdict()


class EssayHandler(TextHandler):
    read_files = staticmethod(essays.read_essays)

    def open_files(self, files: Sequence[UploadedFile]) -> list[UploadedFile]:
        return unpack_archives(files, essays.MOST_TEXTS, with_folders=True)


class UsageHandler(Handler):
    def state_of(self, campaign: Campaign) -> object:
        return Usage.objects.filter(campaign=campaign).aggregate(newest=Max("pk"))["newest"]

    def read(self, campaign: Campaign, files: Iterable[UploadedFile], options: Mapping[str, Any]) -> GivenUsages:
        return read_usage_files(list(files), storing_usages.known_usages(campaign))

    def preview(
        self, campaign: Campaign, found: GivenUsages, files: Sequence[UploadedFile], progress: Progress
    ) -> UploadFindings:
        replaced = storing_usages.systems_to_replace(campaign, found)
        preview = preview_of_usages(found, storing_usages.known_usages(campaign), seed_of(files))
        changes = [f"{name}: exists already; the new classifications replace the earlier ones" for name in replaced]
        return UploadFindings(preview, [*found.notes, *changes])

    def store(self, campaign: Campaign, found: GivenUsages, progress: Progress) -> dict[str, Any]:
        return storing_usages.store_usages(campaign, found, progress)._asdict()


HANDLERS: Mapping[str, TextHandler | UsageHandler] = {
    TEXTS: TextHandler(), ESSAYS: EssayHandler(), USAGES: UsageHandler()
}  # fmt: skip


def handler_for(campaign: Campaign) -> TextHandler | UsageHandler:
    return HANDLERS[protocol_of(campaign).material]


def handler_of(upload: Upload) -> Handler:
    if upload.purpose == Upload.Purpose.JUDGMENTS:
        return import_string("judgments.exchange.importers.upload_handler.JudgmentsHandler")()  # above this room
    return handler_for(upload.campaign)
