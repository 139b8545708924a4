"""Rankings that others collected: Appraise's results as XML, and two kinds of tables.

* Appraise: <ranking-item user src-id duration> with <translation rank system> children.
* Pairs: each row has two systems and their ranks; rows with the same rankingID form one ranking.
* WMT: N systems per row, columns system1Id ... and system1rank ...; a rank of -1 means skipped.
"""

import re
from collections.abc import Iterable
from io import BytesIO
from itertools import chain
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml import sax as defused

from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment
from judgments.rules.files.csv_tables import Row, read_rows, whole_number
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.values import RowFault, read_each

ITEM, OUTPUT = "ranking-item", "translation"
DURATION = re.compile(r"([0-9]{1,4}):([0-9]{2}):([0-9]{2}(?:\.[0-9]{1,9})?)")


def read_appraise_xml(name: str, content: bytes) -> list[RecordedJudgment]:
    """Read the rankings of a results file in order, or raise all problems in it."""
    handler = _Items(name)
    try:
        defused.parse(BytesIO(content), handler, forbid_dtd=True)
    except SAXParseException as error:
        handler.problems.append(Problem(name, error.getLineNumber(), f"is not well-formed XML: {error.getMessage()}"))
    except DefusedXmlException as error:
        what = f"declares a document type or entities, which is not accepted ({type(error).__name__})"
        handler.problems.append(Problem(name, None, what))
    except (LookupError, ValueError):
        handler.problems.append(Problem(name, None, "has an unknown encoding; save it as UTF-8"))
    if not handler.recorded and not handler.problems:
        handler.problems.append(Problem(name, None, f"contains no ranking (no <{ITEM}> element)"))
    refuse(shorten(name, handler.problems))
    return handler.recorded


class _Items(ContentHandler):
    def __init__(self, name: str):
        super().__init__()
        self.name = name
        self.recorded: list[RecordedJudgment] = []
        self.problems: list[Problem] = []
        self._locator: Any = None
        self._item: dict[str, str] | None = None
        self._line = 0
        self._groups: list[RecordedGroup] = []

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 (xml.sax names it)
        if name == ITEM:
            self._item, self._line, self._groups = dict(attrs.items()), self._locator.getLineNumber(), []
        elif name == OUTPUT and self._item is not None:
            systems, rank = attrs.get("system", ""), attrs.get("rank", "")
            number = whole_number(rank)
            if systems.strip() and number is not None and number > 0:
                self._groups.append(RecordedGroup(systems.strip(), number))
            else:
                needs = "a translation needs a system and a rank of 1 or more"
                self._fault(f"{needs}, not {systems[:40]!r} and {rank[:20]!r}")

    def endElement(self, name: str) -> None:  # noqa: N802
        if name == ITEM and self._item is not None:
            self._take_item(self._item)
            self._item = None

    def _take_item(self, item: dict[str, str]) -> None:
        segment = whole_number(item.get("src-id", item.get("id", "")))
        judge = item.get("user", "").strip()
        skipped = item.get("skipped", "").casefold() == "true"
        if segment is None or segment < 0 or not judge:
            self._fault(f"a {ITEM} needs a user and a whole number as src-id (or id)", self._line)
        elif not skipped and not self._groups:
            self._fault(f"a {ITEM} that is not skipped ranks nothing", self._line)
        else:
            label = f"{item.get('doc-id', '')}:{item.get('id', '')}"
            groups = () if skipped else tuple(self._groups)
            seconds = _seconds(item.get("duration", ""))
            self.recorded.append(RecordedJudgment(self._line, judge, segment, groups, seconds, label))

    def _fault(self, what: str, line: int | None = None) -> None:
        self.problems.append(Problem(self.name, line or self._locator.getLineNumber(), what))


def _seconds(duration: str) -> float | None:
    found = DURATION.fullmatch(duration)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


COLUMNS = ["segmentId", "judgeId", "system1Id", "system1rank", "system2Id", "system2rank"]
RANKING = "rankingid"


def read_pairs_csv(name: str, content: bytes) -> list[RecordedJudgment]:
    """Read the rankings of a table of pairs in the order of their first rows, or raise all problems in it."""
    rows = read_rows(name, content, COLUMNS, if_empty="contains no pair below its header")
    rankings: dict[tuple[str, int, str, int], tuple[int, dict[str, int]]] = {}
    read_each(name, rows, lambda line, row: _take_pair(rankings, line, row))
    return [
        RecordedJudgment(
            line, judge, segment, tuple(RecordedGroup(*rank) for rank in sorted(ranks.items())), None, label
        )
        for (judge, segment, label, _), (line, ranks) in rankings.items()
    ]


def _take_pair(rankings: dict[tuple[str, int, str, int], tuple[int, dict[str, int]]], line: int, row: Row) -> None:
    segment = whole_number(row["segmentid"])
    if segment is None or segment < 0 or not row["judgeid"]:
        raise RowFault("needs a judge and a whole number as segmentId")
    if row["system1id"] and row["system1id"] == row["system2id"]:
        raise RowFault("names one system twice")
    label = row.get(RANKING, "")
    own_line = 0 if label else line  # without an ID each row is a separate ranking
    _, ranks = rankings.setdefault((row["judgeid"], segment, label, own_line), (line, {}))
    for side in (1, 2):
        rank = whole_number(row[f"system{side}rank"])
        system = row[f"system{side}id"]
        if not system or rank is None or rank < 1:
            raise RowFault(f"system {side} needs a name and a rank of 1 or more")
        if ranks.setdefault(system, rank) != rank:
            earlier = f"rank {ranks[system]} in an earlier row of the same ranking"
            raise RowFault(f"{system} has rank {rank} here and {earlier}")


SYSTEM_COLUMN = re.compile(r"system(.*)id")
SYSTEM_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
SKIPPED = -1


def read_wmt_csv(name: str, content: bytes) -> list[RecordedJudgment]:
    """Read the rankings of a WMT table in order, or raise all problems in it."""
    needed = ["segmentId", "judgeId", "system1Id", "system1rank"]
    rows = read_rows(name, content, needed, if_empty="contains no ranking below its header")
    first = next(rows)
    numbers = _system_numbers(name, first[1])
    return read_each(name, chain([first], rows), lambda line, row: _ranking(line, row, numbers))


def _system_numbers(name: str, header: Iterable[str]) -> list[int]:
    written = [found[1] for column in header if (found := SYSTEM_COLUMN.fullmatch(column))]
    if strange := [number for number in written if not SYSTEM_NUMBER.fullmatch(number)]:
        what = f"has a column system{strange[0][:20]}Id; systems are numbered system1Id, system2Id and so on"
        raise Problems([Problem(name, 1, what)])
    return sorted(map(int, written))


def _ranking(line: int, row: Row, numbers: list[int]) -> RecordedJudgment:
    segment = whole_number(row["segmentid"])
    ranks = [whole_number(row.get(f"system{number}rank", "")) for number in numbers]
    systems = [row[f"system{number}id"] for number in numbers]
    if segment is None or segment < 0 or not row["judgeid"]:
        raise RowFault("needs a judge and a whole number as segmentId")
    if "" in systems or None in ranks or any(rank < 1 and rank != SKIPPED for rank in ranks if rank is not None):
        raise RowFault("every system needs a name and a rank of 1 or more, or -1 for skipped")
    if len(set(systems)) < len(systems):
        raise RowFault("names one system twice")
    groups = tuple(RecordedGroup(s, r) for s, r in zip(systems, ranks, strict=True) if r is not None)
    return RecordedJudgment(
        line, row["judgeid"], segment, () if SKIPPED in ranks else groups, None, row.get("documentid", "")
    )
