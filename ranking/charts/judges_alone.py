"""Ranks of the systems by each judge alone: a square for each judge and system, with the rank and its range."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, TEXT, Chart, box, shortened, tag, width_of, words
from judgments.web.charts.numbers import counted, listed, ranks
from ranking.charts.drawing.heat import step_around_half
from ranking.charts.drawing.order import order_of
from ranking.charts.drawing.sheets import Sheet, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS

NAME, TITLE = "standings_by_judge", "Rankings by single judges"
WIDTH, HEIGHT, GAP = 60, 40, 10
# The width of slanted text as a share of its length.
SLANTED = 0.71
MOST_JUDGES, MOST_SYSTEMS = 25, 60
Lines = dict[tuple[str, str], dict]


def judges_alone(tables: Mapping[str, Table]) -> list[Chart]:
    """Plot the first method only; the table has all."""
    rows = lines_of(tables, NAME)
    if not rows:
        return []
    method = rows[0]["method"]
    lines: Lines = {(str(row["judge"]), str(row["system"])): row for row in rows if row["method"] == method}
    judges = list(dict.fromkeys(judge for judge, _ in lines))
    systems = [system for system in order_of(tables) if any((judge, system) in lines for judge in judges)]
    too_large = ""
    if len(judges) > MOST_JUDGES or len(systems) > MOST_SYSTEMS:
        too_large = (
            f"With {counted(len(judges), 'judge')} and {counted(len(systems), 'system')} a chart would be too large"
        )
    text = sentence(str(method), judges, systems, lines)
    return plotted(NAME, TITLE, text, lambda: _sheet(judges, systems, lines), too_large)


def _sheet(judges: Sequence[str], systems: Sequence[str], lines: Lines) -> Sheet:
    names = [shortened(name) for name in judges]
    left, slanted = width_of([shortened(name) for name in systems]) + GAP, width_of(names) * SLANTED
    top = slanted + TEXT + GAP
    parts: list[SafeString] = []
    for column, name in enumerate(names):
        x, y = left + (column + 0.5) * WIDTH, top - GAP / 2
        turned = f"rotate(-45 {x:.1f} {y:.1f})"
        parts.append(tag("text", name, x=x, y=y, font_size=TEXT, class_="name column", transform=turned))
    for row, system in enumerate(systems):
        y = top + row * HEIGHT
        parts.append(words(left - GAP, y + HEIGHT / 2, shortened(system), "end", "name"))
        for column, judge in enumerate(judges):
            parts += _square(lines.get((judge, system)), len(systems), left + column * WIDTH, y)
    width = left + WIDTH * len(judges) + max(slanted - WIDTH / 2, 0) + GAP
    return width, top + HEIGHT * len(systems) + 2, parts


def _square(one: dict | None, systems: int, x: float, y: float) -> Iterator[SafeString]:
    inside = x + 1, y + 1, WIDTH - 2, HEIGHT - 2
    if one is None or one["rank"] is None:
        yield box(*inside, "cell void")
        return
    places = ranks(one["rank_low"], one["rank_high"])
    tip = f"{one['judge']} alone: {one['system']} has rank {one['rank']}, range {places}"
    yield box(*inside, step_around_half(1 - (one["rank"] - 1) / max(systems - 1, 1)), tip)
    yield words(x + WIDTH / 2, y + HEIGHT / 2 - 8, str(one["rank"]), "middle")
    yield words(x + WIDTH / 2, y + HEIGHT / 2 + 10, places, "middle", size=SMALL)


def sentence(method: str, judges: Sequence[str], systems: Sequence[str], lines: Lines) -> str:
    firsts = {system: sum(lines.get((judge, system), {}).get("rank") == 1 for judge in judges) for system in systems}
    leading = [f"{system} by {number}" for system, number in sorted(firsts.items(), key=lambda one: -one[1]) if number]
    label = METHODS[method].label if method in METHODS else method
    return (
        f"Of {counted(len(judges), 'judge')}, each ranking alone by {label}, the first place goes to "
        f"{listed(leading, 4)}. Each square has the rank, and below it the range at 90 %."
    )
