"""Files of judgments that were uploaded in the browser or by the API: previewed first, stored on request."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgments.exchange.importers.importing import BY_FORMAT, find, import_judgments, refuse_archived
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.material.upload_handlers import Handler, UploadFindings
from judgments.models import Campaign
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress

# The judges and systems listed in a preview, those with the most judgments first.
MOST_LISTED = 100


class JudgmentsHandler(Handler):
    def refuse(self, campaign: Campaign) -> None:
        """Judgments may come into a closed campaign, but not into an archived one."""
        refuse_archived(campaign)

    def open_files(self, files: Sequence[UploadedFile]) -> list[UploadedFile]:
        """A ZIP is one file: a format such as corrections.zip."""
        return list(files)

    def read(
        self, campaign: Campaign, files: Iterable[UploadedFile], options: Mapping[str, Any]
    ) -> tuple[UploadedFile, ImportOptions]:
        """Return the file unread: preview and storing each compare it with the campaign as it is then."""
        (file,) = files
        return file, ImportOptions.read(options)

    def preview(
        self,
        campaign: Campaign,
        found: tuple[UploadedFile, ImportOptions],
        files: Sequence[UploadedFile],
        progress: Progress,
    ) -> UploadFindings:
        file, options = found
        imported, kind = find(campaign, file, options).imported, BY_FORMAT[options.file_format]
        preview = imported._asdict() | {
            "what": kind.what,
            "summary": f"{imported.added:,} {kind.what if imported.added != 1 else kind.what.removesuffix('s')}",
            "subject": kind.subject,
            "sentence": str(imported),
            "systems": len(imported.by_system),
            "by_judge": _most_often(imported.by_judge),
            "by_system": _most_often(imported.by_system),
        }
        return UploadFindings(preview, list(preview.pop("notes")))

    def store(
        self, campaign: Campaign, found: tuple[UploadedFile, ImportOptions], progress: Progress
    ) -> dict[str, Any]:
        imported = import_judgments(campaign, *found, progress)
        return {"added": imported.added, "known": imported.known, "sentence": str(imported)}


def _most_often(counted: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:MOST_LISTED]
