"""Forms for importing judgments: the file, its format, and what the file may leave open."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile as SentFile

from judgments.exchange.importers.importing import JudgmentKind
from judgments.exchange.importers.rules.recorded import FULL_SCALE, ImportOptions
from judgments.material.uploads import MOST_BYTES, too_large

MOST_NAMES = 20_000  # characters
CHOOSE = "Choose the format of the file."
RARELY_NEEDED = {
    "numbered_from": "sentence numbers",
    "joined_by": "joined names",
    "lowest": "scale",
    "judges": "names of judges",
}
NUMBERS = [("", "Recognised by the outputs"), ("0", "From 0"), ("1", "From 1")]
JOINED = [
    ("", "Recognised by the names"),
    ("nothing", "They are not joined"),
    ("space", "By spaces"),
    ("comma", "By commas"),
    ("plus", "By plus signs"),
]
ONLY_IF_ASKED = "Choose only if the preview asks for it."


class OptionsForm(forms.Form):
    """How to read a file of judgments; fields that its kind does not have are removed."""

    file_format = forms.ChoiceField(label="Format", widget=forms.RadioSelect, error_messages={"required": CHOOSE})
    numbered_from = forms.ChoiceField(
        choices=NUMBERS,
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
    judges = forms.CharField(
        required=False,
        max_length=MOST_NAMES,
        label="Names of judges whom the file does not name",
        help_text="One per line, in the order of the file.",
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

    def __init__(self, *given: Any, kind: JudgmentKind, has_outputs: bool, **named: Any):
        super().__init__(*given, **named)
        self.fields["file_format"].choices = list(kind.formats.items())  # type: ignore[attr-defined]
        if not kind.has_scores:
            del self.fields["lowest"], self.fields["highest"]
        # What can be cut is about sentences that the file numbers; a ZIP of verdicts may hold rankings.
        if not kind.can_be_cut:
            del self.fields["numbered_from"], self.fields["joined_by"], self.fields["skip_unmatched"]
        if not kind.can_contradict_itself:
            del self.fields["keep_first"]
        if not kind.can_lack_texts or has_outputs:
            del self.fields["without_texts"]
        if not kind.has_unnamed_judges:
            del self.fields["judges"]

    def rarely_needed(self) -> str:
        """Name the fields that most files do not need."""
        return ", ".join(name for field, name in RARELY_NEEDED.items() if field in self.fields).capitalize()

    @staticmethod
    def initial_of(options: ImportOptions) -> dict[str, Any]:
        """The values of the fields that give these options."""
        low, high = options.scale if options.scale != FULL_SCALE else (None, None)
        return {
            "file_format": options.file_format,
            "numbered_from": "" if options.numbered_from is None else str(options.numbered_from),
            "lowest": low,
            "highest": high,
            "judges": "\n".join(options.judges),
            "without_texts": options.without_texts,
            "skip_unmatched": options.skip_unmatched,
            "joined_by": options.joined_by,
            "keep_first": options.keep_first,
        }

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if (given.get("lowest") is None) != (given.get("highest") is None):
            self.add_error("highest", "Give both ends of the scale, or neither.")
        return given

    def options(self) -> ImportOptions:
        given = self.cleaned_data
        number, low, high = given.get("numbered_from"), given.get("lowest"), given.get("highest")
        return ImportOptions(
            given["file_format"],
            int(number) if number else None,
            tuple(name for line in given.get("judges", "").splitlines() if (name := line.strip())),
            FULL_SCALE if low is None or high is None else (low, high),
            given.get("without_texts", False),
            given.get("skip_unmatched", False),
            given.get("joined_by", ""),
            given.get("keep_first", False),
        )


class JudgmentsForm(OptionsForm):
    """A file of judgments, and how to read it."""

    file = forms.FileField(
        help_text="One file, in one of the formats below.",
        error_messages={"required": "Choose the file.", "empty": "The file is empty; choose another one."},
    )
    field_order = ["file"]

    def clean_file(self) -> SentFile:
        """Refuse a file that is too large."""
        file: SentFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(too_large())
        return file

    def file_sent(self) -> SentFile:
        file: SentFile = self.cleaned_data["file"]
        return file
