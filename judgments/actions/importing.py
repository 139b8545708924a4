"""Bringing in judgments that were collected elsewhere: the file, its format, and what the file may leave open."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet

from judgments.actions.base import Action, Subject
from judgments.actions.fields import WordsField
from judgments.campaigns import overview
from judgments.exchange.importers.importing import KINDS, kind_for
from judgments.exchange.importers.rules.recorded import FULL_SCALE, ImportOptions
from judgments.material import uploads
from judgments.models import Campaign, Upload

JUDGMENTS = Upload.Purpose.JUDGMENTS
NUMBERS = [("", "Recognised by the outputs"), ("0", "From 0"), ("1", "From 1")]
JOINED = [
    ("", "Recognised by the names"),
    ("nothing", "They are not joined"),
    ("space", "By spaces"),
    ("comma", "By commas"),
    ("plus", "By plus signs"),
]
RARELY_NEEDED = {
    "numbered_from": "sentence numbers",
    "joined_by": "joined names",
    "lowest": "scale",
    "judges": "names of judges",
}
ONLY_IF_ASKED = "Choose only if the preview asks for it."


class JudgmentsReader(Action):
    """How to read a file of judgments; fields that the judgments of the campaign do not need are removed."""

    format = forms.ChoiceField(
        choices=[(name, about) for kind in KINDS for name, about in kind.formats.items()],
        label="Format",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the format of the file."},
    )
    numbered_from = forms.TypedChoiceField(
        choices=NUMBERS,
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
        label="How the file numbers sentences",
        help_text=ONLY_IF_ASKED,
    )
    joined_by = forms.ChoiceField(
        choices=JOINED,
        required=False,
        widget=forms.RadioSelect,
        label="How the file joins the names of systems with one output",
        help_text=ONLY_IF_ASKED,
    )
    lowest = forms.FloatField(
        required=False, label="Lowest score of its scale", help_text="Leave both blank if it is 0 to 100."
    )
    highest = forms.FloatField(
        required=False,
        label="Highest score of its scale",
        help_text="Scores of another scale are converted to 0 to 100.",
    )
    judges = WordsField(
        required=False,
        max_length=20_000,
        label="Names of judges whom the file does not name",
        help_text="One per line or separated by commas, in the order of the file.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    without_texts = forms.BooleanField(
        required=False,
        label="Import judgments without their texts",
        help_text="The campaign then knows its systems by their names alone, which is enough for reports.",
    )
    skip_unmatched = forms.BooleanField(
        required=False,
        label="Import what fits",
        help_text="Leaves out what this campaign lacks, and files that cannot be read; the preview names them.",
    )
    keep_first = forms.BooleanField(
        required=False,
        label="Keep the first of two verdicts",
        help_text="Where a judge gave different verdicts on one version; otherwise such a file is refused.",
    )

    def __init__(self, campaign: Campaign, *given: Any, **named: Any):
        super().__init__(campaign, *given, **named)
        if kind := kind_for(campaign):
            if not kind.has_scores:
                del self.fields["lowest"], self.fields["highest"]
            # What can be cut is about sentences that the file numbers; a ZIP of verdicts may hold rankings.
            if not kind.can_be_cut:
                del self.fields["numbered_from"], self.fields["joined_by"], self.fields["skip_unmatched"]
            if not kind.can_contradict_itself:
                del self.fields["keep_first"]
            if not kind.can_lack_texts or overview.has_outputs(campaign):
                del self.fields["without_texts"]
            if not kind.has_unnamed_judges:
                del self.fields["judges"]
            self.fields["format"].widget.choices = list(kind.formats.items())  # type: ignore[attr-defined]

    def rarely_needed(self) -> str:
        """Name the fields that most files do not need."""
        return ", ".join(name for field, name in RARELY_NEEDED.items() if field in self.fields).capitalize()

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if (given.get("lowest") is None) != (given.get("highest") is None):
            self.add_error("highest", "Give both ends of the scale, or neither.")
        elif "format" in given and (fault := self.options().fault):
            self.add_error("highest", fault)
        return given

    def options(self) -> ImportOptions:
        given = self.cleaned_data
        low, high = given.get("lowest"), given.get("highest")
        return ImportOptions(
            given["format"],
            given.get("numbered_from"),
            tuple(given.get("judges", ())),
            FULL_SCALE if low is None or high is None else (low, high),
            given.get("without_texts", False),
            given.get("skip_unmatched", False),
            given.get("joined_by", ""),
            given.get("keep_first", False),
        )


class ImportJudgments(JudgmentsReader):
    """Upload a file of judgments that were collected elsewhere, to see its preview; nothing is stored yet."""

    address = "judgments/import/"
    page = "import_judgments"
    has_own_page = True
    may_take_long = True
    file = forms.FileField(
        help_text="One file, in one of the formats below.",
        error_messages={"required": "Choose the file.", "empty": "The file is empty; choose another one."},
    )
    field_order = ("file",)

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > uploads.MOST_BYTES:
            raise forms.ValidationError(uploads.too_large())
        return file

    def do(self, file: UploadedFile, **options: Any) -> str:
        self.job = uploads.upload_files(self.campaign, self.requester, [file], self.options(), JUDGMENTS)
        return "The file is being checked; nothing is stored yet."

    def return_address(self) -> str:
        return self.job.get_absolute_url() if self.job else super().return_address()


def _imports(campaign: Campaign) -> QuerySet[Upload]:
    return Upload.objects.filter(campaign=campaign, about=JUDGMENTS).select_related("campaign")


class CheckJudgments(JudgmentsReader):
    """Read an uploaded file of judgments in another way, to see another preview."""

    about = Subject("import", _imports)
    address = "judgments/import/<int:pk>/check/"
    may_take_long = True
    subject: Upload

    def __init__(self, campaign: Campaign, subject: Upload, *given: Any, **named: Any):
        super().__init__(campaign, subject, *given, **named)
        options = ImportOptions.read(subject.options)
        low, high = options.scale if options.scale != FULL_SCALE else (None, None)
        self.initial = options._asdict() | {
            "format": options.file_format,
            "lowest": low,
            "highest": high,
            "judges": "\n".join(options.judges),
        }

    def do(self, **options: Any) -> str:
        self.job = self.subject
        if shown := self.data.get("store"):  # the button of the page that has both
            uploads.request_storing(self.subject, shown, self.options() if self.has_changed() else None)
            return "The files are being stored."
        uploads.check_again(self.subject, self.options())
        return "The file is being read again; nothing is stored yet."

    def return_address(self) -> str:
        return self.subject.get_absolute_url()


ACTIONS = (ImportJudgments, CheckJudgments)
