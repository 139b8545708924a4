"""Lines of files that need not fit into memory, and the texts on them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import overload

from judgments.material.rules.contents import SegmentPlace
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem
from judgments.rules.files.text_files import (
    LINES_AT_ONCE,
    TextFile,
    UploadedFile,
    decode_lines,
    fault_of_count,
    read_blocks,
)


class FileLines(Sequence[str]):
    """The lines of a file, read by blocks where they are asked for.

    `blank` has the numbers of blank lines, from 0, and `longest` is the number of characters of the longest line.
    """

    def __init__(self, file: UploadedFile):
        self.blank: set[int] = set()
        self.longest = 0
        self.is_sound = True
        self._file, self._count = file, 0
        self._starts: list[int] = []
        self._last: tuple[int, list[str]] = -1, []

    def add(self, start: int, lines: Sequence[str]) -> None:
        """Remember where a block begins in the file, and what is asked of all lines."""
        self.blank.update(number for number, line in enumerate(lines, self._count) if not line or line.isspace())
        self.longest = max(self.longest, *map(len, lines))
        self._starts.append(start)
        self._count += len(lines)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            first, end, _ = index.indices(len(self))
            return list(islice(self._from(first), max(end - first, 0)))
        number, place = divmod(range(len(self))[index], LINES_AT_ONCE)
        return self._block(number)[place]

    def __iter__(self) -> Iterator[str]:
        return self._from(0)

    def _from(self, first: int) -> Iterator[str]:
        start, skipped = divmod(first, LINES_AT_ONCE)
        for number in range(start, len(self._starts)):
            yield from islice(self._block(number), skipped, None)
            skipped = 0

    def _block(self, number: int) -> list[str]:
        if number != self._last[0]:
            with self._file.open() as file:
                file.seek(self._starts[number])
                lines, problems = decode_lines(self._file.name, 1, b"".join(islice(file, LINES_AT_ONCE)))
            if (problems and self.is_sound) or len(lines) != min(LINES_AT_ONCE, len(self) - number * LINES_AT_ONCE):
                raise Refused(f"{self._file.name} was changed while it was read. Nothing was stored; try again.")
            self._last = number, lines
        return self._last[1]


def read_lines(name: str, file: UploadedFile) -> TextFile:
    """Check a file like `read_text`, but leave its lines where they are. On disk there may be any number of them."""
    lines = FileLines(file)
    text = TextFile(name, lines)
    if not isinstance(file.kept, Path) and (fault := fault_of_count(file.kept.count(b"\n"))):
        text.problems.append(Problem(name, None, fault))
        return text
    with file.open() as opened:
        for start, block in read_blocks(opened, text):
            lines.add(start, block)
    lines.is_sound = not text.problems
    return text


def blank_lines(lines: Sequence[str]) -> set[int]:
    """The numbers of blank lines, from 0."""
    if isinstance(lines, FileLines):
        return lines.blank
    return {number for number, line in enumerate(lines) if not line or line.isspace()}


class AlignedTexts(Sequence[str | None]):
    """The lines of a file at the places of segments; `empty` says by segment whether a text is empty or missing."""

    def __init__(self, lines: Sequence[str], places: Sequence[SegmentPlace], empty: Mapping[int, str | None]):
        self._lines, self._places, self._empty = lines, places, empty

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[str | None]: ...
    def __getitem__(self, index: int | slice) -> str | list[str | None] | None:
        if isinstance(index, int):
            index = range(len(self))[index]
            return self._empty[index] if index in self._empty else self._lines[self._places[index].position]
        first, end, _ = index.indices(len(self))
        places = self._places[first:end]
        if not places:
            return []
        start = places[0].position
        lines = self._lines[start : places[-1].position + 1]
        texts: list[str | None] = [lines[place.position - start] for place in places]
        for index in self._empty.keys() & range(first, end) if self._empty else ():
            texts[index - first] = self._empty[index]
        return texts

    def __iter__(self) -> Iterator[str | None]:
        for first in range(0, len(self), LINES_AT_ONCE):
            yield from self[first : first + LINES_AT_ONCE]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
