"""Systems by a method: point and interval of the score, range of ranks, clusters as pale bands.

Systems are in the order of the first ranking, whatever the method, so that each row is the same system in every chart.
A band ends where the next row is in another cluster.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, Chart, dot, line, shortened, width_of, words
from judgments.web.charts.numbers import counted, listed, number, ranks, span
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.order import order_of
from ranking.charts.drawing.sheets import BOTTOM, ROW, Sheet, axis, cluster_bands, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS

TOP, AXIS, GAP, COLUMN = 28, 260, 12, 56


def forests(tables: Mapping[str, Table]) -> list[Chart]:
    places = {system: place for place, system in enumerate(order_of(tables))}
    by_method: dict[str, list[dict]] = {}
    for standing in lines_of(tables, "standings"):
        by_method.setdefault(str(standing["method"]), []).append(standing)
    charts = []
    for method, lines in by_method.items():
        lines.sort(key=lambda line: places[str(line["system"])])
        label = METHODS[method].label if method in METHODS else method
        draw = partial(_sheet, label, lines)
        charts += plotted(forest_name(method), f"Scores by {label}", sentence(lines), draw, tables=("standings",))
    return charts


def forest_name(method: str) -> str:
    return f"forest_{method}"


def _sheet(label: str, lines: Sequence[dict]) -> Sheet:
    names = [shortened(str(line["system"])) for line in lines]
    start = width_of([*names, "System"]) + GAP
    known = [line[key] for line in lines for key in ("score", "score_low", "score_high") if line[key] is not None]
    scale = Scale.around(known, start, start + AXIS)
    width, bottom = scale.end + GAP + 2 * COLUMN, TOP + ROW * len(lines)
    parts = [
        words(scale.end + GAP, TOP / 2, "Ranks", class_="faded", size=SMALL),
        words(width - 8, TOP / 2, "Cluster", "end", "faded", SMALL),
        *cluster_bands(lines, 0, TOP, width),
        words(scale.start, TOP / 2, f"Score by {label}", class_="faded", size=SMALL),
        *axis(scale, 6, TOP, bottom),
    ]
    for place, (name, standing) in enumerate(zip(names, lines, strict=True)):
        parts += _row(name, standing, scale, TOP + ROW * (place + 0.5))
    return width, bottom + BOTTOM, parts


def _row(name: str, standing: dict, scale: Scale, y: float) -> Iterator[SafeString]:
    yield words(scale.start - GAP, y, name, "end", "name")
    score, low, high = (standing[key] for key in ("score", "score_low", "score_high"))
    if low is not None and high is not None:
        yield line(scale.at(low), y, scale.at(high), y, "interval")
    if score is None:
        yield words((scale.start + scale.end) / 2, y, "not known", "middle", "faded")
    else:
        yield dot(scale.at(score), y)
    yield words(scale.end + GAP, y, ranks(standing["rank_low"], standing["rank_high"]))


def sentence(lines: Sequence[dict]) -> str:
    numbers = {line["cluster"] for line in lines if line["cluster"] is not None}
    first = [str(line["system"]) for line in lines if numbers and line["cluster"] == min(numbers)]
    score = max((line["score"] for line in lines if line["score"] is not None), default=None)
    best = [line for line in lines if line["score"] is not None and line["score"] == score]
    names = [str(line["system"]) for line in best]
    if len(numbers) < 2:
        text = f"All {counted(len(lines), 'system')} are in one cluster"
    else:
        text = f"{listed(first)} {'is alone in' if len(first) == 1 else 'share'} the first of {len(numbers)} clusters"
    if not best:
        return f"{text}."
    if names == first:
        return f"{text}, with {_score(best)}."
    return f"{text}; {listed(names)} {'has' if len(best) == 1 else 'have'} {_score(best)}."


def _score(best: Sequence[dict]) -> str:
    """Describe the highest score, with its uncertainty if only one system has it."""
    text = f"the highest score, {number(best[0]['score'], 3)}"
    if len(best) > 1:
        return text
    chance = best[0]["p_best"]
    text += span(best[0]["score_low"], best[0]["score_high"], 3)
    return text if chance is None else f"{text} and a chance of {number(chance)} to be the best"
