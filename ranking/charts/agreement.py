"""Agreement of judges: kappa of pairs below the diagonal, of own repeats on it, and with all others at the left."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import NO_CHART, SMALL, Chart, box, shortened, width_of, words
from judgments.web.charts.numbers import counted, listed, number, share, span
from ranking.charts.drawing.heat import step_of_kappa
from ranking.charts.drawing.sheets import Sheet, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.agreement.kappa import ENOUGH

NAME, INTERVALS, TITLE = "agreement", "agreement_intervals", "Agreement of the judges"
TOP, GAP = 28, 20
# With more judges squares are too small for intervals; with many more, too small for kappas.
MOST_WITH_INTERVALS, MOST = 12, 25
FEW = "*"
HEADS = ("All others", "Two judges; on the diagonal, own repeats")
# The number of judges in a line of each kind; "everybody" and "the rest" are not judges.
NAMED = {"inter": 2, "intra": 1, "rest": 1}
Key = tuple[str, str, str]
Kappas = dict[Key, dict]


def agreement(tables: Mapping[str, Table]) -> list[Chart]:
    kappas = _kappas(tables)
    if not kappas:
        return []
    judges = list(dict.fromkeys(name for kind, *two in kappas for name in two[: NAMED.get(kind, 0)]))
    used = tuple(name for name in (NAME, INTERVALS) if name in tables)
    if not judges:  # an interim report has only the overall agreement
        return [Chart(NAME, TITLE, sentence(kappas), NO_CHART, used)]
    too_large = f"With {counted(len(judges), 'judge')} a matrix would be unreadable" if len(judges) > MOST else ""
    return plotted(NAME, TITLE, sentence(kappas), lambda: _sheet(judges, kappas), too_large, used)


def _kappas(tables: Mapping[str, Table]) -> Kappas:
    """Index the lines by kind and judges, with their intervals."""
    bounds = {_key(line): line for line in lines_of(tables, INTERVALS)}
    return {
        _key(line): line | {end: bounds.get(_key(line), {}).get(end) for end in ("low", "high")}
        for line in lines_of(tables, NAME)
    }


def _key(line: dict) -> Key:
    return str(line["kind"]), str(line["judge"]), str(line["other"])


def _sheet(judges: Sequence[str], kappas: Kappas) -> Sheet:
    with_intervals = len(judges) <= MOST_WITH_INTERVALS
    width, height = (76, 42) if with_intervals else (44, 28)
    left = width + GAP
    names = [shortened(name) for name in judges]
    right = max(left + width * (place + 1) + GAP / 2 + width_of([name]) for place, name in enumerate(names))
    parts = [words(x, TOP / 2, head, class_="faded", size=SMALL) for x, head in zip((0, left), HEADS, strict=True)]
    for row in range(len(judges)):
        y = TOP + row * height
        for x, kappa in _row(row, judges, kappas, left, width):
            parts += _square(x, y, width, height, kappa, with_intervals)
        parts.append(words(left + width * (row + 1) + GAP / 2, y + height / 2, names[row], class_="name"))
    right = max(right, left + width_of([HEADS[1]], SMALL))  # the head may be wider than the squares
    return right + 4, TOP + height * len(judges) + 2, parts


def _row(
    row: int, judges: Sequence[str], kappas: Kappas, left: float, width: float
) -> Iterator[tuple[float, dict | None]]:
    """Yield the squares of a judge: with all others, with earlier judges, with their own repeats."""
    judge = judges[row]
    yield 0, next((kappa for (kind, who, _), kappa in kappas.items() if kind == "rest" and who == judge), None)
    for column, other in enumerate(judges[:row]):
        yield left + column * width, kappas.get(("inter", judge, other)) or kappas.get(("inter", other, judge))
    yield left + row * width, kappas.get(("intra", judge, judge))


def _square(
    x: float, y: float, width: float, height: float, kappa: dict | None, with_intervals: bool
) -> Iterator[SafeString]:
    inside = x + 1, y + 1, width - 2, height - 2
    if kappa is None:
        yield box(*inside, "cell void")
        return
    yield box(*inside, "cell void" if kappa["kappa"] is None else step_of_kappa(kappa["kappa"]), _tip(kappa))
    text = share(kappa["kappa"]) + ("" if kappa["enough"] else FEW)
    has_interval = with_intervals and kappa["low"] is not None and kappa["high"] is not None
    yield words(x + width / 2, y + height / 2 - (8 if has_interval else 0), text, "middle")
    if has_interval:
        yield words(x + width / 2, y + height / 2 + 10, f"{share(kappa['low'])} to {share(kappa['high'])}", "middle",
                    size=SMALL)  # fmt: skip


def _tip(kappa: dict) -> str:
    about = "" if kappa["kind"] == "intra" else f" and {kappa['other']}"
    text = f"{kappa['judge']}{about}: kappa {number(kappa['kappa'], 3)}{span(kappa['low'], kappa['high'], 3)}"
    return f"{text}, {counted(kappa['compared'], 'comparison')}"


def sentence(kappas: Kappas) -> str:
    by_kind = {kind: kappa for (kind, *_), kappa in kappas.items() if kind.startswith("overall")}
    parts = [
        f"{verb} at a kappa of {number(kappa['kappa'])}{span(kappa['low'], kappa['high'])}"
        for kind, verb in (("overall inter", "with each other"), ("overall intra", "with their own repeats"))
        if (kappa := by_kind.get(kind)) and kappa["kappa"] is not None
    ]
    overall = f"Judges agree {listed(parts)}." if parts else "There are too few comparisons for an overall agreement."
    sentences = [overall, _extremes(kappas)]
    if few := sum(not kappa["enough"] for (kind, *_), kappa in kappas.items() if kind in NAMED):
        sentences.append(f"A star marks {counted(few, 'kappa')} from fewer than {ENOUGH} comparisons.")
    return " ".join(filter(None, sentences))


def _extremes(kappas: Kappas) -> str:
    sure = [
        line for (kind, *_), line in kappas.items() if kind == "inter" and line["enough"] and line["kappa"] is not None
    ]
    if len(sure) < 2:
        return ""
    sure.sort(key=lambda line: line["kappa"])
    least, most = sure[0], sure[-1]
    return (
        f"Agreement is highest between {most['judge']} and {most['other']} ({number(most['kappa'])}) "
        f"and lowest between {least['judge']} and {least['other']} ({number(least['kappa'])})."
    )
