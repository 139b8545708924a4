"""Documents: parted by blank lines or named by a table beside the texts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.material.rules.contents import SegmentPlace as Place
from judgments.material.rules.documents import SIDECAR, places_by_blank_lines, places_by_sidecar
from judgments.rules.files.text_files import read_text
from tests.judgments.rules.refusals import complaints


def by_table(table: str, line_count: int, blank: frozenset[int] = frozenset()) -> list[Place]:
    return places_by_sidecar(read_text(SIDECAR, table.encode()), line_count, blank)


def problems(table: str, line_count: int) -> list[str]:
    return complaints(by_table, table, line_count)


@pytest.mark.parametrize(
    ("lines", "blank", "places"),
    [
        (2, set(), [Place(0, "document-1", ""), Place(1, "document-1", "")]),
        (
            5,
            {1, 2},
            [Place(0, "document-1", ""), Place(3, "document-2", ""), Place(4, "document-2", "")],
        ),
        (3, {0, 2}, [Place(1, "document-1", "")]),
    ],
)
def test_a_run_of_blank_lines_parts_two_documents_but_nothing_at_the_ends(lines, blank, places):
    assert places_by_blank_lines(lines, blank) == places


@pytest.mark.parametrize(
    ("table", "blank", "places"),
    [
        ("1\tessay\tschool\n2\tletter\thome\n", (), [Place(0, "essay", "school"), Place(1, "letter", "home")]),
        pytest.param(
            "Segment\tdocument\n\n2\tletter\n1\t essay \n", (), [Place(0, "essay", ""), Place(1, "letter", "")],
            id="a header, a blank line, another order and no domain",
        ),
        pytest.param(
            "1\tessay\n3\tessay\n", (1,), [Place(0, "essay", ""), Place(2, "essay", "")], id="without blank lines"
        ),
    ],
)  # fmt: skip
def test_a_table_names_documents_and_domains(table, blank, places):
    assert by_table(table, places[-1].position + 1, frozenset(blank)) == places


def test_faults_in_a_table_are_reported_by_line():
    assert problems("1\tessay\nessay\tschool\n2\n3\t\tschool\n9\tessay\n0\tessay\n1\tletter\n", 3) == [
        "documents.tsv, line 2: expected a line number, a document and perhaps a domain, separated by tabs",
        "documents.tsv, line 3: expected a line number, a document and perhaps a domain, separated by tabs",
        "documents.tsv, line 4: expected a line number, a document and perhaps a domain, separated by tabs",
        "documents.tsv, line 5: line 9 does not exist; the texts have 3 lines",
        "documents.tsv, line 6: line 0 does not exist; the texts have 3 lines",
        "documents.tsv, line 7: line 1 was given a document before",
    ]
    assert problems("1\tessay\tschool\n2\tessay\thome\n3\tessay\n", 3) == [
        "documents.tsv, line 2: essay is of domain 'home' here and of 'school' above; a document has one",
        "documents.tsv, line 3: essay is of domain '' here and of 'school' above; a document has one",
    ]
    assert problems("2\tessay\n", 3) == ["documents.tsv: gives no document for 2 lines: 1, 3"]
    assert problems("2\tessay\n", 6) == ["documents.tsv: gives no document for 5 lines: 1, 3, 4, 5, 6"]
    assert problems("2\tessay\n", 9) == ["documents.tsv: gives no document for 8 lines: 1, 3, 4, 5, 6 ..."]
    sentences = problems("wrong\n" * 30, 3)
    assert len(sentences) == 11
    assert sentences[-1] == "documents.tsv: and 20 more like these"
    (sentence, *_) = complaints(places_by_sidecar, read_text(SIDECAR, b"\xff\n"), 1, set())
    assert sentence.startswith("documents.tsv, line 1:")
    assert "documents.tsv: the file is empty" in problems("", 1)
    (sentence,) = problems("1" * 5000 + "\tessay\n", 1)
    assert sentence.startswith("documents.tsv, line 1: ")


@given(st.integers(0, 30).flatmap(lambda count: st.tuples(st.just(count), st.sets(st.integers(0, max(count - 1, 0))))))
def test_every_line_that_is_not_blank_has_a_place_and_a_gap_begins_a_document(lines):
    count, blank = lines
    places = places_by_blank_lines(count, blank)
    assert [place.position for place in places] == [line for line in range(count) if line not in blank]
    for before, after in pairwise(places):
        assert (before.document == after.document) == (after.position == before.position + 1)


name = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=5)


@pytest.mark.wide
@given(st.lists(name, min_size=1, max_size=10), st.dictionaries(name, name), st.randoms(use_true_random=False))
def test_a_table_comes_back_as_it_was_written_whatever_its_order(documents, domains, rng):
    rows = [(document, domains.get(document, "")) for document in documents]
    lines = [f"{number}\t{document}\t{domain}" for number, (document, domain) in enumerate(rows, 1)]
    rng.shuffle(lines)
    places = [Place(position, *row) for position, row in enumerate(rows)]
    assert by_table("\n".join(["segment\tdocument\tdomain", *lines]), len(rows)) == places
