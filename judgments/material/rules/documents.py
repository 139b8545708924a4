from collections.abc import Collection

from judgments.material.rules.contents import SegmentPlace
from judgments.rules.files.csv_tables import whole_number
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.files.text_files import TextFile

SIDECAR = "documents.tsv"
HEADER = "segment"
LONGEST_DOCUMENT, LONGEST_DOMAIN = 200, 100


def places_by_blank_lines(line_count: int, blank: Collection[int]) -> list[SegmentPlace]:
    """Every line that is not blank is a segment; blank lines separate documents."""
    places: list[SegmentPlace] = []
    document = 1
    for position in range(line_count):
        if position in blank:
            continue
        if places and position - 1 != places[-1].position:
            document += 1
        places.append(SegmentPlace(position, f"document-{document}", ""))
    return places


def places_by_sidecar(sidecar: TextFile, line_count: int, blank: Collection[int]) -> list[SegmentPlace]:
    """Places from a table of line numbers (from 1), documents and, optionally, domains."""
    problems = list(sidecar.problems)
    rows: dict[int, tuple[str, str]] = {}
    domains: dict[str, str] = {}
    for number, line in enumerate(sidecar.lines, 1):
        if not line.strip() or (number == 1 and line.split("\t")[0].casefold() == HEADER):
            continue
        fault = _take_row(rows, domains, line, line_count)
        if fault:
            problems.append(Problem(sidecar.name, number, fault))
    wanted = [position for position in range(line_count) if position not in blank]
    missing = [position + 1 for position in wanted if position not in rows]
    if missing and not problems:
        listed = ", ".join(map(str, missing[:5])) + (" ..." if len(missing) > 5 else "")
        problems.append(Problem(sidecar.name, None, f"gives no document for {len(missing)} lines: {listed}"))
    if problems:
        raise Problems(shorten(sidecar.name, problems))
    return [SegmentPlace(position, *rows[position]) for position in wanted]


def _take_row(rows: dict[int, tuple[str, str]], domains: dict[str, str], line: str, line_count: int) -> str | None:
    columns = [column.strip() for column in line.split("\t")]
    number = whole_number(columns[0])
    if len(columns) not in (2, 3) or number is None or not columns[1]:
        return "expected a line number, a document and perhaps a domain, separated by tabs"
    position = number - 1
    if not 0 <= position < line_count:
        return f"line {columns[0]} does not exist; the texts have {line_count} lines"
    if position in rows:
        return f"line {columns[0]} was given a document before"
    document, domain = columns[1], columns[2] if len(columns) == 3 else ""
    for what, text, longest in (("document", document, LONGEST_DOCUMENT), ("domain", domain, LONGEST_DOMAIN)):
        if len(text) > longest:
            return f"the name of the {what} is longer than {longest} characters; shorten it"
    if domains.setdefault(document, domain) != domain:
        return f"{document} is of domain {domain!r} here and of {domains[document]!r} above; a document has one"
    rows[position] = (document, domain)
    return None
