"""Who beats whom: a heat map of shares, the row's system against the column's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from ranking.plots.drawing import SMALL, TEXT, box, frame, tag, words
from ranking.plots.heat import step_around_half
from ranking.plots.lettering import shortened, width_of
from ranking.plots.numbers import UNKNOWN, counted, listed, share
from ranking.plots.order import order_of
from ranking.plots.plot import NO_PICTURE, Plot
from ranking.stats.rankings.head_to_head import MARKS
from ranking.stats.tables import Table

NAME, TITLE = "head_to_head", "Head to head"
HEAD = "Row beats column"
GAP = 10
# With more systems a square is too small for its share; with still more it is too small to be seen.
MOST_WITH_SHARES, MOST = 16, 60
Meetings = dict[tuple[str, str], dict]


@dataclass(frozen=True)
class Layout:
    """Where squares stand."""

    left: float
    top: float
    width: float
    height: float
    with_shares: bool

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """The upper left corner of a square."""
        return self.left + column * self.width, self.top + row * self.height


def head_to_head(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if systems met at all."""
    if NAME not in tables or not tables[NAME].rows:
        return []
    meetings = {(str(row["system"]), str(row["opponent"])): row for row in tables[NAME].dicts()}
    met = dict.fromkeys(name for pair in meetings for name in pair)
    systems = [name for name in dict.fromkeys([*order_of(tables), *met]) if name in met]
    told = sentence(systems, meetings)
    if len(systems) > MOST:
        told += f" With {len(systems)} systems a picture would be too large to read; the numbers have it all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    return [Plot(NAME, TITLE, told, _picture(systems, meetings, told), (NAME,))]


def _picture(systems: Sequence[str], meetings: Meetings, told: str) -> SafeString:
    names = [shortened(name) for name in systems]
    with_shares = len(systems) <= MOST_WITH_SHARES
    width, height = (50, 32) if with_shares else (20, 20)
    slanted = width_of(names) * 0.71
    layout = Layout(
        max(width_of(names), width_of([HEAD], SMALL)) + GAP, slanted + TEXT + GAP, width, height, with_shares
    )
    right, bottom = layout.corner(len(systems), len(systems))
    parts = [*_names(names, layout), *_squares(systems, meetings, layout)]
    if not with_shares:
        parts += _key(layout.left, bottom + GAP)
        bottom += GAP + 44
    return frame(NAME, TITLE, told, right + max(slanted - width / 2, 0) + GAP, bottom + 2, parts)


def _names(names: Sequence[str], layout: Layout) -> Iterator[SafeString]:
    size = TEXT if layout.with_shares else SMALL
    yield words(layout.left - GAP, layout.top - GAP, HEAD, "end", "faded", SMALL)
    for place, name in enumerate(names):
        x, y = layout.corner(place, place)
        yield words(layout.left - GAP, y + layout.height / 2, name, "end", "name", size)
        x, y = x + layout.width / 2, layout.top - GAP / 2
        turned = f"rotate(-45 {x:.1f} {y:.1f})"
        yield tag("text", name, x=x, y=y, font_size=size, class_="name column", transform=turned)


def _squares(systems: Sequence[str], meetings: Meetings, layout: Layout) -> Iterator[SafeString]:
    for row, system in enumerate(systems):
        for column, opponent in enumerate(systems):
            x, y = layout.corner(row, column)
            if meeting := meetings.get((system, opponent)):
                yield from _square(x, y, meeting, layout)
            elif system != opponent:
                yield box(x + 1, y + 1, layout.width - 2, layout.height - 2, "cell void")


def _square(x: float, y: float, meeting: dict, layout: Layout) -> Iterator[SafeString]:
    known, mark = meeting["share"], meeting["mark"] or ""
    class_ = "cell void" if known is None else step_around_half(known)
    yield box(x + 1, y + 1, layout.width - 2, layout.height - 2, class_, _tip(meeting))
    middle = (x + layout.width / 2, y + layout.height / 2)
    if layout.with_shares:
        yield words(*middle, share(known) + mark, "middle")
    elif mark or known is None:
        yield words(*middle, mark or UNKNOWN, "middle", size=SMALL)


def _tip(meeting: dict) -> str:
    p_value = "" if meeting["p_value"] is None else f", p = {meeting['p_value']:.2g}"
    counts = f"{meeting['wins']:,} won, {meeting['losses']:,} lost, {meeting['ties']:,} tied"
    return f"{meeting['system']} against {meeting['opponent']}: {counts}{p_value}"


def _key(x: float, y: float) -> Iterator[SafeString]:
    """What the colours stand for, where squares cannot say it themselves."""
    for place in range(9):
        yield box(x + place * 22, y, 20, 12, step_around_half(place / 8))
    for place, told in ((0, "loses all"), (8, "wins all")):
        yield words(
            x + place * 22 + (0 if place == 0 else 20), y + 26, told, "end" if place else "start", "faded", SMALL
        )


def sentence(systems: Sequence[str], meetings: Meetings) -> str:
    """How many pairs differ by more than chance, and whether any of them contradicts the ranking."""
    pairs = [(one, other) for place, one in enumerate(systems) for other in systems[place + 1 :]]
    marked = [pair for pair in pairs if pair in meetings and meetings[pair]["mark"]]
    levels = ", ".join(f"{mark} {level}" for level, mark in reversed(MARKS))
    told = f"Each square is the row's share of decisive comparisons with the column. {len(marked)} of "
    told += f"{counted(len(pairs), 'pair')} differ by more than chance (p at most: {levels})"
    against = [(other, one) for one, other in marked if (meetings[one, other]["share"] or 0) < 0.5]
    if not against:
        return told + (", and none of them contradicts the order of the ranking." if marked else ".")
    beaten = listed([f"{other} beats {one}" for other, one in against], 4)
    return told + f"; against the order of the ranking, {beaten}."
