from collections.abc import Collection

from judgments.material.rules.contents import SegmentPlace
from judgments.rules.files.csv_tables import whole_number
from judgments.rules.files.problems import Problem, Problems, refuse, shorten
from judgments.rules.files.text_files import TextFile
from judgments.rules.files.values import RowFault, read_each

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
    refuse(shorten(sidecar.name, sidecar.problems))
    rows: dict[int, tuple[str, str]] = {}
    domains: dict[str, str] = {}

    def read(number: int, line: str) -> None:
        columns = [column.strip() for column in line.split("\t")]
        position = whole_number(columns[0])
        if len(columns) not in (2, 3) or position is None or not columns[1]:
            raise RowFault("expected a line number, a document and perhaps a domain, separated by tabs")
        if not 1 <= position <= line_count:
            raise RowFault(f"line {columns[0]} does not exist; the texts have {line_count} lines")
        if position - 1 in rows:
            raise RowFault(f"line {columns[0]} was given a document before")
        document, domain = columns[1], columns[2] if len(columns) == 3 else ""
        for what, text, longest in (("document", document, LONGEST_DOCUMENT), ("domain", domain, LONGEST_DOMAIN)):
            if len(text) > longest:
                raise RowFault(f"the name of the {what} is longer than {longest} characters; shorten it")
        if domains.setdefault(document, domain) != domain:
            other = domains[document]
            raise RowFault(f"{document} is of domain {domain!r} here and of {other!r} above; a document has one")
        rows[position - 1] = (document, domain)

    lines = [(number, line) for number, line in enumerate(sidecar.lines, 1) if line.strip()]
    if lines and lines[0][0] == 1 and lines[0][1].split("\t")[0].casefold() == HEADER:
        del lines[0]
    read_each(sidecar.name, lines, read)
    wanted = [position for position in range(line_count) if position not in blank]
    if missing := [position + 1 for position in wanted if position not in rows]:
        listed = ", ".join(map(str, missing[:5])) + (" ..." if len(missing) > 5 else "")
        raise Problems([Problem(sidecar.name, None, f"gives no document for {len(missing)} lines: {listed}")])
    return [SegmentPlace(position, *rows[position]) for position in wanted]
