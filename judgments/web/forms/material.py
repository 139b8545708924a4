"""Forms for uploading files, setting their roles, and changing systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile

from judgments.actions.fields import FilesField
from judgments.material.rules.files import M2, FileRow
from judgments.material.rules.reading import UNCLEAR_LINE, UNCLEAR_TEXT, EmptyLine, Roles
from judgments.material.rules.tables import ColumnRole
from judgments.models import System
from judgments.rules.files.names import is_source_name, system_name

EMPTY_LINES = [
    ("", "an error: show me where they are"),
    (EmptyLine.OUTPUT, "the system wrote nothing"),
    (EmptyLine.MISSING, "there is no output for this sentence"),
]
NO_FILES = {"required": "Choose a table, or a text file for each system, or a ZIP of them."}
LONGEST_FILE_NAME = 255  # may be longer than the name of a system, which the check reports
KINDS = [(kind.value, kind.label) for kind in System.Kind]
COLUMN_KINDS = [*KINDS, *((role.value, role.value) for role in ColumnRole if role is not ColumnRole.TEXT)]
PASTED = "pasted cells.tsv"


class SourceForm(forms.Form):
    source_takes_part = forms.BooleanField(
        required=False,
        label="Judges compare the unchanged source too",
        help_text="The source is ranked too. Systems often change nothing, so this costs few judgments.",
    )


class FilesForm(forms.Form):
    """Files with fixed roles: usages and classifications."""

    texts = FilesField(
        label="Files",
        error_messages=NO_FILES,
        help_text="Usages as CSV or JSON lines, with id, sentence, start and end, and optionally document, domain "
        "and gold (error or ok). A system's classifications are a file named after it, with the columns id and class "
        "(1 for an error, 0 for none) or probability. A ZIP of such files is accepted too.",
    )

    def roles(self) -> Roles:
        return Roles()


class TextsForm(forms.Form):
    """Files of texts or pasted cells, whose roles are recognised by their names, and corrected in the preview."""

    texts = FilesField(
        required=False,
        label="Files",
        help_text="A table (Excel, CSV or JSON lines) with a row for each sentence, a column for the source and one "
        "for each system; or a text file for each system, named after it, one sentence per line. ZIPs, M2 files, "
        "documents.tsv and campaigns of Pearmut are accepted too. Campaigns of whole texts take files with a line "
        "### essay_id = 1 before each text, or a ZIP of folders, one for each system.",
    )
    cells = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        label="Or paste cells from a spreadsheet",
        help_text="Select the cells there, copy them, and paste them here: a column for the source and one for each "
        "system.",
    )

    def clean(self) -> dict[str, Any]:
        """Pasted cells are a file too."""
        given = super().clean() or {}
        if given.get("cells", "").strip():
            pasted = SimpleUploadedFile(PASTED, given["cells"].encode())
            given["texts"] = [*given.get("texts", []), pasted]
        return given


class UploadForm(SourceForm, TextsForm):
    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if not given.get("texts") and not self.errors:
            self.add_error("texts", NO_FILES["required"])
        return given

    def roles(self) -> Roles:
        return Roles(source_takes_part=self.cleaned_data["source_takes_part"])


@dataclass
class TableRow:
    """A row of the table of files: its fields, and what was found in the file."""

    file: FileRow
    name: forms.BoundField | None
    kind: forms.BoundField | None
    dropped: forms.BoundField | None
    outputs: int | None
    unchanged: int | None
    problems: list[dict[str, Any]]

    @property
    def shows_file(self) -> bool:
        """Whether the name does not give away the file."""
        return (not self.file.place and self.name is None) or system_name(self.file.file) != self.file.name

    @property
    def asks_about_empty_lines(self) -> bool:
        return any(map(is_about_empty_line, self.problems))


def is_about_empty_line(problem: dict[str, Any]) -> bool:
    return str(problem["what"]).endswith((UNCLEAR_LINE, UNCLEAR_TEXT))


class TableForm(SourceForm):
    """The table of files, once they are known: the name and kind of each, and whether it is left out."""

    empty_line = forms.ChoiceField(
        label="Where one file has an empty line and others have text, it is",
        choices=EMPTY_LINES,
        required=False,
        help_text="Lines that are empty in every file separate documents.",
    )
    header = forms.ChoiceField(
        label="The cells of the first row are",
        choices=[("", "what they look like"), ("yes", "the names of the columns"), ("no", "a sentence")],
        required=False,
    )

    def __init__(self, given: Any = None, *, files: Sequence[FileRow], roles: Roles) -> None:
        """Fill in the names and kinds set or recognised before."""
        empty = "" if roles.empty_line is EmptyLine.ERROR else roles.empty_line
        initial = {"source_takes_part": roles.source_takes_part, "empty_line": empty, "header": roles.header}
        super().__init__(given, initial=initial)
        self.uploaded = files
        # The question stands above the table where nothing else is wrong.
        self.fields["empty_line"].widget.attrs["form"] = "uploaded-files"
        for number, file in enumerate(files):
            if file.kind in System.Kind:
                name = forms.CharField(required=False, max_length=LONGEST_FILE_NAME, initial=file.name)
                self._add("name", number, name, "Name")
            if file.place or (file.kind in System.Kind and not file.is_annotated):
                choices = COLUMN_KINDS if file.place else KINDS
                self._add("kind", number, forms.ChoiceField(choices=choices, initial=file.kind), "Kind")
            self._add("dropped", number, forms.BooleanField(required=False, initial=file.is_dropped), "Leave out")

    @property
    def has_table(self) -> bool:
        return any(file.place for file in self.uploaded)

    def _add(self, what: str, number: int, field: forms.Field, label: str) -> None:
        field.widget.attrs["aria-label"] = f"{label}: {self.uploaded[number].file}"
        self.fields[f"{what}_{number}"] = field

    def clean_empty_line(self) -> EmptyLine:
        return EmptyLine(self.cleaned_data["empty_line"] or EmptyLine.ERROR)

    def rows(self, contributions: Sequence[dict[str, Any]], problems: Sequence[dict[str, Any]]) -> list[TableRow]:
        """The fields of each file with what was found in it."""
        counted = {one["name"]: one for one in contributions}
        rows = []
        for number, file in enumerate(self.uploaded):
            made = [counted[name] for name in file.made if name in counted]
            unchanged = [one["unchanged"] for one in made if one["unchanged"] is not None]
            row = TableRow(
                file,
                name=self._field("name", number),
                kind=self._field("kind", number),
                dropped=self._field("dropped", number),
                outputs=sum(one["outputs"] for one in made) if made else None,
                unchanged=sum(unchanged) if unchanged else None,
                problems=[problem for problem in problems if problem["file"] == file.file],
            )
            rows.append(row)
        return rows

    def _field(self, what: str, number: int) -> forms.BoundField | None:
        return self[f"{what}_{number}"] if f"{what}_{number}" in self.fields else None

    def clean(self) -> dict[str, Any]:
        """Refuse more than one source."""
        given = super().clean() or {}
        sources = self._of_kind(System.Kind.SOURCE)
        if len(sources) > 1:
            names = " and ".join(self._name(number) for number in sources)
            raise forms.ValidationError(f"{names} cannot both be the source. Choose one of them.")
        texts = [number for number in self._kept() if self.cleaned_data.get(f"kind_{number}") in System.Kind]
        called = [name for name in map(self._name, texts) if is_source_name(name)]
        if called and not sources and not self.errors:
            raise forms.ValidationError(
                f"A file called {called[0]} counts as the source. Rename it, or choose it as the source."
            )
        return given

    def roles(self) -> Roles:
        handles = [system_name(file.file) for file in self.uploaded]
        sources, references, controls = (
            [handles[number] for number in self._of_kind(kind)]
            for kind in (System.Kind.SOURCE, System.Kind.REFERENCE, System.Kind.CONTROL)
        )
        kept = self._kept()
        return Roles(
            source=sources[0] if sources else None,
            source_takes_part=self.cleaned_data["source_takes_part"],
            references=frozenset(references),
            controls=frozenset(controls),
            empty_line=self.cleaned_data["empty_line"],
            names={handle: name for number, handle in enumerate(handles) if (name := self._name(number)) != handle},
            dropped=frozenset(handle for number, handle in enumerate(handles) if number not in kept),
            header=self.cleaned_data["header"],
            columns={
                handle: ColumnRole.TEXT if kind in System.Kind else kind
                for number, handle in enumerate(handles)
                if (kind := self.cleaned_data.get(f"kind_{number}"))
            },
        )

    def _name(self, number: int) -> str:
        """The name typed; where there is none, that of the file."""
        return self.cleaned_data.get(f"name_{number}") or system_name(self.uploaded[number].file).removesuffix(M2)

    def _kept(self) -> list[int]:
        return [number for number in range(len(self.uploaded)) if not self.cleaned_data.get(f"dropped_{number}")]

    def _of_kind(self, kind: str) -> list[int]:
        return [number for number in self._kept() if self.cleaned_data.get(f"kind_{number}") == kind]
