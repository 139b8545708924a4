"""What matrices of rows against columns share: where squares stand, and the names beside and above them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, box, tag, words
from judgments.web.charts.lettering import shortened, width_of
from ranking.plots.heat import step_around_half

GAP = 10
# With more names a square is too small for its number; with still more it is too small to be seen.
MOST_WITH_NUMBERS, MOST = 16, 60
# How far a slanted text goes, of its own length.
SLANTED = 0.71
KEY = 22


@dataclass(frozen=True)
class Matrix:
    """A square matrix of so many names; the head says what the row is to the column."""

    names: tuple[str, ...]
    head: str

    @classmethod
    def of(cls, names: Sequence[str], head: str) -> "Matrix":
        """A matrix with names as they fit."""
        return cls(tuple(shortened(name) for name in names), head)

    @property
    def with_numbers(self) -> bool:
        """Whether a number has room in a square."""
        return len(self.names) <= MOST_WITH_NUMBERS

    @property
    def side(self) -> tuple[float, float]:
        """Width and height of a square."""
        return (50, 32) if self.with_numbers else (20, 20)

    @property
    def left(self) -> float:
        """Where the first column begins."""
        return max(width_of(list(self.names)), width_of([self.head], SMALL)) + GAP

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return width_of(list(self.names)) * SLANTED + TEXT + GAP

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.top + self.side[1] * len(self.names)

    @property
    def width(self) -> float:
        """How wide all of it is, with the last slanted name."""
        slanted = width_of(list(self.names)) * SLANTED
        return self.left + self.side[0] * len(self.names) + max(slanted - self.side[0] / 2, 0) + GAP

    def corners(self) -> list[list[tuple[float, float]]]:
        """The upper left corner of every square, row by row."""
        (left, top), (width, height), many = (self.left, self.top), self.side, range(len(self.names))
        return [[(left + column * width, top + row * height) for column in many] for row in many]

    def heads(self) -> Iterator[SafeString]:
        """The names of rows and columns."""
        size, (left, top), (width, height) = TEXT if self.with_numbers else SMALL, (self.left, self.top), self.side
        yield words(left - GAP, top - GAP, self.head, "end", "faded", SMALL)
        for place, name in enumerate(self.names):
            yield words(left - GAP, top + (place + 0.5) * height, name, "end", "name", size)
            x, y = left + (place + 0.5) * width, top - GAP / 2
            turned = f"rotate(-45 {x:.1f} {y:.1f})"
            yield tag("text", name, x=x, y=y, font_size=size, class_="name column", transform=turned)

    def square(self, corner: tuple[float, float], class_: str, tip: str = "", told: str = "") -> Iterator[SafeString]:
        """One square with what is written in it."""
        (x, y), (width, height) = corner, self.side
        yield box(x + 1, y + 1, width - 2, height - 2, class_, tip)
        if told:
            yield words(x + width / 2, y + height / 2, told, "middle", size=TEXT if self.with_numbers else SMALL)

    def key(self, least: str, most: str) -> Iterator[SafeString]:
        """What the colours stand for, where squares cannot say it themselves."""
        x, y = self.left, self.bottom + GAP
        for place in range(9):
            yield box(x + place * KEY, y, KEY - 2, 12, step_around_half(place / 8))
        yield words(x, y + 26, least, class_="faded", size=SMALL)
        yield words(x + 9 * KEY - 2, y + 26, most, "end", "faded", SMALL)

    @property
    def height_with_key(self) -> float:
        """How high all of it is, with the key where there is one."""
        return self.bottom + 2 + (0 if self.with_numbers else GAP + 44)
