"""Appraise's ranking results: <ranking-item user src-id duration> with <translation rank system> children."""

import re
from io import BytesIO
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml import sax as defused

from judgments.exchange.importers.rules.recorded import Group, RecordedJudgment
from judgments.rules.files.csv_tables import whole_number
from judgments.rules.files.problems import Problem, refuse, shorten

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
        self._groups: list[Group] = []

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 (xml.sax names it)
        if name == ITEM:
            self._item, self._line, self._groups = dict(attrs.items()), self._locator.getLineNumber(), []
        elif name == OUTPUT and self._item is not None:
            systems, rank = attrs.get("system", ""), attrs.get("rank", "")
            number = whole_number(rank)
            if systems.strip() and number is not None and number > 0:
                self._groups.append(Group(systems.strip(), number))
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
