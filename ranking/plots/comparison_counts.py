"""What every judge compared: a bar of decisions and ties."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import SMALL, box, frame, words
from judgments.web.charts.lettering import shortened, width_of
from judgments.web.charts.numbers import counted
from ranking.stats.tables import Table

NAME, TITLE = "comparison_counts", "Comparisons by judge"
ROW, TOP, GAP, AXIS = 26, 28, 12, 260
MOST = 60


def comparison_counts(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if there are judges."""
    if NAME not in tables or len(tables[NAME].rows) < 2:
        return []
    *judges, total = tables[NAME].dicts()
    told = sentence(judges, total)
    if len(judges) > MOST:
        told += " They are too many for a picture; the numbers have them all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    return [Plot(NAME, TITLE, told, _picture(judges, told), (NAME,))]


def _picture(judges: Sequence[dict], told: str) -> SafeString:
    names = [shortened(str(line["judge"])) for line in judges]
    start = width_of(names) + GAP
    unit = AXIS / max(1, *(line["unexpanded"] or 0 for line in judges))
    labels = [_label(line) for line in judges]
    parts = [words(start, TOP / 2, "Decided, then tied", class_="faded", size=SMALL)]
    for place, (name, line, label) in enumerate(zip(names, judges, labels, strict=True)):
        parts += _row(name, line, label, start, unit, TOP + ROW * (place + 0.5))
    width = start + AXIS + GAP + width_of(labels)
    return frame(NAME, TITLE, told, width, TOP + ROW * len(judges) + 4, parts)


def _row(name: str, line: dict, label: str, start: float, unit: float, y: float) -> Iterator[SafeString]:
    yield words(start - GAP, y, name, "end", "name")
    made, ties = line["unexpanded"] or 0, line["unexpanded_ties"] or 0
    yield box(start, y - 7, unit * (made - ties), 14, "bar")
    yield box(start + unit * (made - ties), y - 7, unit * ties, 14, "bar tied")
    yield words(start + unit * made + GAP / 2, y, label)


def _label(line: dict) -> str:
    return f"{line['unexpanded'] or 0:,}, {line['unexpanded_ties'] or 0:,} tied"


def sentence(judges: Sequence[dict], total: dict) -> str:
    """How much was compared, and who did most and least of it."""
    made, ties = total["unexpanded"] or 0, total["unexpanded_ties"] or 0
    told = f"{counted(len(judges), 'judge')} compared {counted(made, 'pair')} of outputs, {ties:,} of them as ties"
    if len(judges) < 2:
        return f"{told}."
    ordered = sorted(judges, key=lambda line: line["unexpanded"] or 0)
    least, most = ordered[0], ordered[-1]
    return (
        f"{told}: most by {most['judge']} ({most['unexpanded'] or 0:,}), "
        f"fewest by {least['judge']} ({least['unexpanded'] or 0:,})."
    )
