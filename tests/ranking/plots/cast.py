"""Tables as a report has them, and what stands in a picture."""

from collections.abc import Sequence
from itertools import combinations, permutations
from xml.etree.ElementTree import Element, fromstring

from ranking.plots.standalone import to_svg
from ranking.stats.sections.judges import AGREEMENT, AGREEMENT_INTERVALS
from ranking.stats.sections.ranking import COUNTED, STANDINGS
from ranking.stats.tables import Table

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(\"1\")</script> & 'x' ]]>\x00\x0b\ufffe</desc>"
MEETINGS = ("system", "opponent", "wins", "losses", "ties", "share", "p_value", "mark")


def standings(systems: Sequence[str], method: str = "expected-wins", clusters: Sequence[int] | None = None) -> list:
    """The first system is best; every one has a cluster of its own unless told otherwise."""
    step = 1 / len(systems)
    return [
        (method, "sentence", clusters[place] if clusters else place + 1, place + 1, system, 1 - place * step,
         1 - (place + 0.4) * step, 1 - (place - 0.3) * step, place + 1, min(place + 2, len(systems)), 0.5)
        for place, system in enumerate(systems)
    ]  # fmt: skip


def meetings(systems: Sequence[str]) -> list:
    """Whoever comes first wins three of four."""
    places = {system: place for place, system in enumerate(systems)}
    return [
        (one, other, *((30, 10) if places[one] < places[other] else (10, 30)), 5,
         0.75 if places[one] < places[other] else 0.25, 0.003, "‡")
        for one, other in permutations(systems, 2)
    ]  # fmt: skip


def kappas(judges: Sequence[str]) -> list:
    """Everybody agrees with everybody, and not always with themselves."""
    told = [("intra", judge, judge, 0.55, 60, True) for judge in judges]
    told += [("inter", one, other, 0.35, 80, True) for one, other in combinations(judges, 2)]
    told += [("rest", judge, "the rest", 0.4, 200, True) for judge in judges]
    return [*told, ("overall inter", "everybody", "everybody", 0.35, 900, True)]


def tables(systems: Sequence[str] = ("Heron", "Wren", "source"), judges: Sequence[str] = ("ada", "ben", "eve")) -> dict:
    """All tables that are drawn."""
    lines = kappas(judges)
    counts = [(judge, 10, 0, 40 + place, 5, 60, 9) for place, judge in enumerate(judges)]
    total = ("total", *(sum(column) for column in list(zip(*counts, strict=True))[1:]))
    measured = [("expected-wins", "honest", 0.8, 0.6), ("always a tie", "honest", None, 0.2)]
    made = [
        Table.of("standings", STANDINGS, [*standings(systems), *standings(systems, "bradley-terry")]),
        Table.of("head_to_head", MEETINGS, meetings(systems)),
        Table.of("agreement", AGREEMENT, lines),
        Table.of("agreement_intervals", AGREEMENT_INTERVALS,
                 [(*line[:4], line[3] - 0.1, line[3] + 0.1) for line in lines]),
        Table.of("comparison_counts", ("judge", *COUNTED), [*counts, total]),
        Table.of("accuracy", ("method", "folds", "total", "clustered"), measured),
    ]  # fmt: skip
    return {table.name: table for table in made}


def drawn(plot) -> Element:
    """The picture, read as XML; so is the file, which must be well-formed too."""
    fromstring(to_svg(plot))  # noqa: S314 - our own text
    return fromstring(plot.svg)  # noqa: S314 - our own text


def texts(plot, class_: str | None = None) -> list[str]:
    """What is written in the picture, or what of it has a class."""
    found = drawn(plot).iter(f"{SVG}text")
    return [text.text or "" for text in found if class_ is None or text.get("class") == class_]


def marks(plot, kind: str, class_: str) -> list[dict[str, float]]:
    """Where all marks of a kind and class stand, from the top down."""
    found = [mark for mark in drawn(plot).iter(f"{SVG}{kind}") if (mark.get("class") or "").startswith(class_)]
    return [{key: float(value) for key, value in mark.items() if key != "class"} for mark in found]
