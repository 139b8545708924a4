"""Names of systems: what a file name says, and which names can stand everywhere unquoted."""

import csv
import io
import unicodedata
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.names import (
    LONGEST,
    fault_of_name,
    fault_of_pseudonym,
    is_reference_name,
    is_source_name,
    system_name,
)


@pytest.mark.parametrize(
    ("file", "system"),
    [
        ("AMU", "AMU"),
        ("AMU.txt", "AMU"),
        ("outputs/AMU.txt", "AMU"),
        ("AMU.txt.txt", "AMU.txt"),
        ("source+error", "source+error"),
        ("gold.m2", "gold.m2"),
        ("AMU.v2", "AMU.v2"),
    ],
)
def test_a_file_speaks_for_the_system_it_is_named_after(file, system):
    assert system_name(file) == system


def test_the_source_is_known_in_any_case_and_a_name_that_was_taken_apart_is_the_one_that_was_typed():
    names = ["INPUT", "input", "Source", "SOURCE", "source+error", "inputs", "", "AMU"]
    assert list(filter(is_source_name, names)) == names[:4]
    names = ["ref", "Ref0", "reference-b", "gold", "refined", "golden-eye", "A"]
    assert list(filter(is_reference_name, names)) == names[:4]
    apart = unicodedata.normalize("NFD", "Zoë.txt")
    assert system_name(apart) == "Zoë"
    assert fault_of_name(system_name(apart)) is None


@pytest.mark.parametrize(
    "name",
    ["AMU", "source+error", "lstm-r", "gpt.4_1", "2nd", "ÆØÅ", "система", "系统", "हिन्दी-1", "ไทย", "Zoë", "系统1"],
)
def test_names_of_letters_and_digits_of_any_script_are_accepted(name):
    assert fault_of_name(name) is None


@pytest.mark.parametrize(
    "name", ["", "A B", "A,B", 'A"B', "<A>", "A&B", "A\n", "A\tB", ".hidden", "-rf", "+A", "_A", "A/B", "A\\B", "A:B"]
)
def test_a_name_that_would_need_quoting_is_refused(name):
    assert fault_of_name(name) == (
        f"{name!r} cannot name a system: begin with a letter or digit and use only letters, digits "
        "and . _ + - (it must stand in CSV, XML and file names)"
    )


def test_a_name_may_have_eighty_characters_and_no_more():
    assert fault_of_name("A" * LONGEST) is fault_of_pseudonym("A" * LONGEST) is None
    assert fault_of_name("A" * (LONGEST + 1)) == "the name is longer than 80 characters; shorten it"
    assert fault_of_pseudonym("A" * (LONGEST + 1)) == (
        "the judge's name 'AAAAAAAAAAAAAAAAAAAA'... is longer than 80 characters; shorten it"
    )


@given(st.text(max_size=90))
def test_a_name_without_fault_stands_unquoted_in_csv_xml_and_lists(name):
    if fault_of_name(name) is None:
        row = io.StringIO()
        csv.writer(row, lineterminator="").writerow([name, name])
        assert row.getvalue() == f"{name},{name}"
        assert quoteattr(name) == f'"{name}"'
        assert f"{name} {name}".split() == [name, name]
        assert system_name(f"{name}.txt") == name


EMPTY, INVISIBLE = "a judge's name is empty; give each judge a name", "contains an invisible character; remove it"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *[(name, None) for name in ("Ada", "annotator01", "turker_64", "Ada Lovelace", "Łukasz", "अदा", "评委 一")],
        *[(name, EMPTY) for name in ("", " ", "\u3000")],
        *[
            (name, f"the judge's name {name!a} {INVISIBLE}")
            for name in ("A\tda", "Ada\n", "A\u200bda", "\u202eAda", "Ada\0", "A\u2028da", "\ufeffAda")
        ],
    ],
)
def test_a_judge_may_have_any_name_that_can_be_seen(name, fault):
    assert fault_of_pseudonym(name) == fault
