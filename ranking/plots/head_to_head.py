"""Who beats whom: a heat map of shares, the row's system against the column's."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import UNKNOWN, counted, listed, share
from ranking.plots.heat import step_around_half
from ranking.plots.matrix import MOST, Matrix
from ranking.plots.order import order_of
from ranking.stats.rankings.head_to_head import MARKS
from ranking.stats.tables import Table

NAME, TITLE = "head_to_head", "Head to head"
HEAD = "Row beats column"
Meetings = dict[tuple[str, str], dict]


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
    matrix = Matrix.of(systems, HEAD)
    parts = [*matrix.heads(), *_squares(systems, meetings, matrix)]
    if not matrix.with_numbers:
        parts += matrix.key("loses all", "wins all")
    return frame(NAME, TITLE, told, matrix.width, matrix.height_with_key, parts)


def _squares(systems: Sequence[str], meetings: Meetings, matrix: Matrix) -> Iterator[SafeString]:
    for system, corners in zip(systems, matrix.corners(), strict=True):
        for opponent, corner in zip(systems, corners, strict=True):
            if meeting := meetings.get((system, opponent)):
                known = meeting["share"]
                class_ = "cell void" if known is None else step_around_half(known)
                yield from matrix.square(corner, class_, _tip(meeting), _written(meeting, matrix))
            elif system != opponent:
                yield from matrix.square(corner, "cell void")


def _written(meeting: dict, matrix: Matrix) -> str:
    known, mark = meeting["share"], meeting["mark"] or ""
    if matrix.with_numbers:
        return share(known) + mark
    return mark or (UNKNOWN if known is None else "")


def _tip(meeting: dict) -> str:
    p_value = "" if meeting["p_value"] is None else f", p = {meeting['p_value']:.2g}"
    counts = f"{meeting['wins']:,} won, {meeting['losses']:,} lost, {meeting['ties']:,} tied"
    return f"{meeting['system']} against {meeting['opponent']}: {counts}{p_value}"


def sentence(systems: Sequence[str], meetings: Meetings) -> str:
    """How many pairs differ by more than chance, and whether any of them contradicts the ranking."""
    pairs = [(one, other) for place, one in enumerate(systems) for other in systems[place + 1 :]]
    marked = [pair for pair in pairs if pair in meetings and meetings[pair]["mark"]]
    levels = ", ".join(f"{mark} {level}" for level, mark in reversed(MARKS))
    told = f"Each square is the row's share of decisive comparisons with the column. {len(marked):,} of "
    told += f"{counted(len(pairs), 'pair')} differ by more than chance (p at most: {levels})"
    against = [(other, one) for one, other in marked if (meetings[one, other]["share"] or 0) < 0.5]
    if not against:
        return told + (", and none of them contradicts the order of the ranking." if marked else ".")
    beaten = listed([f"{other} beats {one}" for other, one in against], 4)
    return told + f"; against the order of the ranking, {beaten}."
