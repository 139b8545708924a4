"""Reading the catalogues of translations as translators write them."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

FIELD = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE)


class Message(NamedTuple):
    """A text in one form or two, with its context, and its translation in as many forms as the language has."""

    context: str
    source: tuple[str, ...]
    translated: tuple[str, ...]
    fuzzy: bool

    @property
    def names(self) -> list[tuple[str, int] | str]:
        """How a compiled catalogue names each form of the translation."""
        name = f"{self.context}\x04{self.source[0]}" if self.context else self.source[0]
        return [name] if len(self.source) == 1 else [(name, form) for form in range(len(self.translated))]


def read_catalogue(file: Path) -> list[Message]:
    """The messages of a .po file, its header first."""
    return [_read(block) for block in file.read_text(encoding="utf-8").split("\n\n")]


def _read(block: str) -> Message:
    fields = {name: "".join(map(ast.literal_eval, text.splitlines())) for name, text in FIELD.findall(block)}
    return Message(
        context=fields.get("msgctxt", ""),
        source=tuple(fields[name] for name in ("msgid", "msgid_plural") if name in fields),
        translated=tuple(text for name, text in fields.items() if name.startswith("msgstr")),
        fuzzy="fuzzy" in block.split("msgid")[0],
    )
