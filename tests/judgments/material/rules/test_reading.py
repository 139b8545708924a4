"""Uploads: files become material aligned line by line, or every problem is reported at once."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.material.rules.contents import Lines, SegmentPlace, UploadedMaterial
from judgments.material.rules.files import BEGINNING
from judgments.material.rules.reading import EmptyLine, ReadFiles, Roles, read_files, read_material
from judgments.rules.files.text_files import UploadedFile
from tests import published
from tests.judgments.rules.refusals import complaints
from tests.shared_data import shared

SOURCE = "One cat .\nTwo cat .\n"
M2 = """\
S One cat .

S Two cat .
A 1 2|||Nn|||cats|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""


def uploaded(files: dict[str, str | bytes]) -> list[UploadedFile]:
    return [UploadedFile(name, text.encode() if isinstance(text, str) else text) for name, text in files.items()]


def material(files: dict[str, str | bytes], known: list[SegmentPlace] | None = None, **roles) -> UploadedMaterial:
    return read_material(uploaded(files), Roles(**roles), known)


def problems(files: dict[str, str | bytes], known: list[SegmentPlace] | None = None, **roles) -> list[str]:
    return complaints(material, files, known, **roles)


def names(lines: list[Lines]) -> list[str]:
    return [one.name for one in lines]


# What is taken


def test_a_source_and_two_systems_are_lined_up():
    taken = material({"INPUT": SOURCE, "AMU": "One cat .\nTwo cats .\n", "UFC.txt": SOURCE})
    assert taken.places == [SegmentPlace(0, "document-1", ""), SegmentPlace(1, "document-1", "")]
    assert taken.source == Lines("INPUT", ["One cat .", "Two cat ."])
    assert taken.systems == [Lines("AMU", ["One cat .", "Two cats ."]), Lines("UFC", ["One cat .", "Two cat ."])]
    assert (taken.references, taken.controls, taken.notes) == ([], [], [])


@pytest.mark.parametrize(
    ("name", "chosen", "other"),
    [
        *[(name, None, "source+error") for name in ("INPUT", "source", "Source.txt")],
        *[("original.txt", chosen, "INPUT") for chosen in ("original", "original.txt")],
    ],
)
def test_the_source_is_found_by_its_name_or_named(name, chosen, other):
    taken = material({name: SOURCE, other: SOURCE}, source=chosen)
    assert (taken.source.name, names(taken.systems)) == (name.removesuffix(".txt"), [other])


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("outputs.csv", "source,Heron\nOne cat .,One cat .\n", "a table"),
        ("outputs.txt", "source\tHeron\nOne cat .\tOne cat .\n", "a table of 2 columns"),
        ("outputs.JSONL", '{"source": "One cat ."}\n{"source": "Two cat ."}\n', "JSON"),
        ("outputs", '{"source": "One cat ."}\n{"source": "Two cat ."}\n', "JSON"),
        ("outputs.docx", SOURCE, "a document of Word"),
    ],
)
def test_what_holds_no_sentences_is_refused_with_what_it_seems_to_be(name, text, what):
    found = problems({"INPUT": SOURCE, name: text})
    assert found == [f"{name}: seems to be {what}, not sentences; upload a text file with one sentence per line"]


def test_names_that_look_alike_or_differ_by_an_ending_are_pointed_out():
    cyrillic = "\N{CYRILLIC CAPITAL LETTER A}MU"
    taken = material(
        {
            "INPUT": SOURCE,
            "AMU.txt": SOURCE,
            cyrillic: SOURCE,
            "UFC.txt": SOURCE,
            "UFC.out": SOURCE,
            "v1.0": SOURCE,
            "v1.1": SOURCE,
        }
    )
    assert names(taken.systems) == ["AMU", cyrillic, "UFC", "UFC.out", "v1.0", "v1.1"]
    assert taken.notes == [
        f"AMU and {cyrillic} look alike, but their letters differ",
        "UFC and UFC.out are two systems, as the endings of their files differ",
    ]


def test_the_source_is_judged_only_if_chosen_and_references_and_controls_are_no_systems():
    files = {"INPUT": SOURCE, "AMU": SOURCE}
    assert names(material(files).taking_part()) == ["AMU"]
    assert names(material(files, source_takes_part=True).taking_part()) == ["INPUT", "AMU"]
    files = dict.fromkeys(["INPUT", "AMU", "theirs", "Ref0.txt", "gold", "target1", "source+error"], SOURCE)
    chosen = {"references": frozenset({"theirs"}), "controls": frozenset({"source+error", "target1"})}
    taken = material(files, **chosen, columns={"gold": "text"})
    kinds = (taken.systems, taken.references, taken.controls)
    assert list(map(names, kinds)) == [["AMU", "gold"], ["theirs", "Ref0"], ["target1", "source+error"]]


def test_lines_blank_in_every_file_or_a_table_part_documents():
    taken = material({"INPUT": "One\n\nTwo\n", "AMU": "one\n \ntwo\n"})
    assert taken.places == [SegmentPlace(0, "document-1", ""), SegmentPlace(2, "document-2", "")]
    assert [one.texts for one in taken.everything()] == [["One", "Two"], ["one", "two"]]
    taken = material({"INPUT": SOURCE, "documents.tsv": "1\tessay\tschool\n2\tletter\thome\n"})
    assert taken.places == [SegmentPlace(0, "essay", "school"), SegmentPlace(1, "letter", "home")]
    assert taken.systems == []


@pytest.mark.parametrize(("meaning", "text"), [(EmptyLine.OUTPUT, ""), (EmptyLine.MISSING, None)])
def test_an_empty_line_is_an_empty_or_a_missing_output_as_chosen(meaning, text):
    taken = material({"INPUT": SOURCE, "AMU": "One .\n \n"}, empty_line=meaning)
    assert taken.systems[0].texts == ["One .", text]


def test_what_was_quietly_accepted_is_noted():
    notes = material({"INPUT": codecs.BOM_UTF8 + SOURCE.encode(), "AMU": SOURCE.replace("\n", "\r\n")}).notes
    assert notes == [
        "INPUT: begins with a byte order mark, which was ignored",
        "AMU: has Windows line ends, which were accepted",
    ]


def test_letters_that_are_composed_in_some_files_only_are_noted():
    composed, decomposed = "Zo\u00e9 .\n", "Zoe\u0301 .\n"
    (note,) = material({"INPUT": composed, "AMU": decomposed, "CAMB": "Zoe .\n"}).notes
    assert note.startswith("AMU: has other signs than the rest for letters with accents")
    assert material({"INPUT": decomposed, "AMU": "Zoe .\n"}).notes == []


def test_edits_make_a_reference_for_each_annotator_and_bring_the_source_where_no_file_does():
    taken = material({"INPUT": SOURCE, "gold.m2": M2})
    assert taken.references == [
        Lines("gold-0", [None, "Two cats ."], [None, [[1, 2, ["cats"], "Nn"]]]),
        Lines("gold-1", [None, "Two cat ."], [None, []]),
    ]
    assert taken.notes == [
        "gold.m2: annotator 0 has no line in 1 sentences; missing there",
        "gold.m2: annotator 1 has no line in 1 sentences; missing there",
    ]
    taken = material({"gold.m2": M2, "AMU": SOURCE})
    assert taken.source == Lines("source", ["One cat .", "Two cat ."])
    assert material({"gold.m2": M2}).source == taken.source
    taken = material({"INPUT": " One  cat .\n\nTwo cat . \n", "gold.m2": M2})
    assert [one.texts for one in taken.references] == [[None, "Two cats ."], [None, "Two cat ."]]
    files = {"INPUT": SOURCE, "gold.m2": M2}
    assert names(material(files, references=frozenset({"gold.m2"})).references) == ["gold-0", "gold-1"]
    assert problems(files, controls=frozenset({"gold.m2"}))
    sentences = problems({"INPUT": SOURCE, "gold.m2": M2, "gold-0": SOURCE})
    assert len(sentences) == 1
    assert "gold-0" in sentences[0]


def test_a_later_upload_keeps_to_the_campaigns_places():
    places = [SegmentPlace(0, "essay", "school"), SegmentPlace(2, "letter", "home")]
    taken = material({"UMC": "one\n\ntwo\n"}, known=places)
    assert (taken.places, taken.source) == (places, None)
    assert taken.systems == taken.taking_part() == [Lines("UMC", ["one", "two"])]
    places = material({"INPUT": SOURCE}).places
    assert material({"INPUT": SOURCE, "UMC": SOURCE}, known=places).source.name == "INPUT"
    first = {"INPUT": "One\nTwo\n\n", "AMU": "one\ntwo\n\n"}
    assert material({"UMC": "one\ntwo\n\n"}, known=material(first).places).systems == [Lines("UMC", ["one", "two"])]
    assert problems({"AMU": "One\n", "UFC": SOURCE + "Three\n"}, known=places) == [
        "AMU: has 1 line where the campaign has 2; every file needs one line per sentence",
        "UFC: has 3 lines where the campaign has 2; every file needs one line per sentence",
    ]


# What is refused


BOTH = {"INPUT": SOURCE, "AMU": SOURCE}
WITH_M2 = {"INPUT": SOURCE, "gold.m2": M2}
SAY = "the line is empty; say whether the system wrote nothing, or there is no output"


def only(name: str) -> frozenset[str]:
    return frozenset({name})


@pytest.mark.parametrize(
    ("files", "roles", "sentences"),
    [
        ({"AMU": SOURCE}, {},
         ["no source: name the file of original sentences INPUT or source, or say which file it is"]),
        ({"INPUT": SOURCE, "source": SOURCE}, {}, ["both INPUT and source look like the source; say which one it is"]),
        (BOTH, {"references": only("ref0"), "controls": only("bad")},
         ["no file is named 'bad'; the files are: AMU, INPUT", "no file is named 'ref0'; the files are: AMU, INPUT"]),
        ({"gold.m2": M2}, {"source": "INPUT.txt"}, ["no file is named 'INPUT'; the files are: none"]),
        (BOTH, {"names": {"UFC": "UMC"}}, ["no file is named 'UFC'; the files are: AMU, INPUT"]),
        (BOTH, {"references": only("AMU"), "controls": only("AMU")},
         ["AMU: cannot be a reference and a control at once"]),
        (BOTH | {"amu.txt": SOURCE, "AMU.txt": SOURCE}, {},
         ["amu.txt: a second file has the name 'amu'; rename one, or leave one out",
          "AMU.txt (2): a second file has the name 'AMU'; rename one, or leave one out"]),
        (BOTH | {"UFC.txt": "One\n", "UMC": SOURCE + "Three\n"}, {},
         ["UFC.txt: has 1 line where most files have 2; every file needs one line per sentence",
          "UMC: has 3 lines where most files have 2; every file needs one line per sentence"]),
        ({"INPUT": SOURCE, "AMU": "One\n\n", "UFC": " \nTwo\n"}, {}, [f"AMU, line 2: {SAY}", f"UFC, line 1: {SAY}"]),
        *[(BOTH | {"INPUT": "One\n\n"}, {"empty_line": meaning}, ["INPUT, line 2: the source sentence is empty"])
          for meaning in EmptyLine],
        ({"gold.m2": "S One\n\nS \n"}, {}, ["gold.m2, line 3: the source sentence is empty"]),
        (WITH_M2 | {"INPUT": "One cat .\nTwo dogs .\n"}, {},
         ["gold.m2, line 3: sentence 2 is not the source's: 'Two cat .' against 'Two dogs .'"]),
        (WITH_M2 | {"INPUT": SOURCE + "Three .\n"}, {}, ["gold.m2: has 2 sentences where the texts have 3"]),
        ({"INPUT": SOURCE, "documents.tsv": "1\tessay\n3\tessay\n"}, {},
         ["documents.tsv, line 2: line 3 does not exist; the texts have 2 lines"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_sentences(files, roles, sentences):
    assert problems(files, **roles) == sentences


@pytest.mark.parametrize(
    ("files", "roles", "start"),
    [
        *[(BOTH, {role: only("INPUT")} | more, "INPUT: cannot be ")
          for role in ("references", "controls") for more in ({}, {"source": "INPUT"})],
        (BOTH | {"A MU.txt": SOURCE}, {}, "A MU.txt: 'A MU' cannot name a system: "),
        (WITH_M2 | {"gold.m2": M2 + "B 0 1\n"}, {}, "gold.m2, line 6: "),
        *[(BOTH, {"dropped": only("INPUT")} | more, "no source: ") for more in ({}, {"source": "INPUT"})],
    ],
)  # fmt: skip
def test_a_role_a_name_or_edits_that_cannot_be_are_refused_in_a_sentence(files, roles, start):
    (sentence,) = problems(files, **roles)
    assert sentence.startswith(start)


def test_no_file_and_files_of_blank_lines_are_reported():
    assert "there is no file; upload one text file for each system" in problems({})
    assert "there is no file; upload one text file for each system" in problems({"documents.tsv": "1\tessay\n"})
    assert problems({"INPUT": "\n\n", "AMU": "\n\n"})
    sentences = problems({"INPUT": "One\n" * 30, "AMU": "\n" * 30})
    assert len(sentences) == 11
    assert sentences[-1] == "AMU: and 20 more like these"


def test_every_problem_is_reported_at_once():
    sentences = problems(
        {"A MU": SOURCE, "UFC": b"\xff\n", "UMC": b"\0\n", "RAC": "", "gold.m2": "S\nB\n", "CAMB": SOURCE},
        references=frozenset({"ref0"}),
    )
    assert [sentence.split(":")[0] for sentence in sentences] == [
        "A MU", "UFC, line 1", "UFC", "UMC, line 1", "UMC", "RAC", "gold.m2, line 2",
        "no file is named 'ref0'; the files are",
    ]  # fmt: skip


# What fits in spite of problems


def reading(files: dict[str, str | bytes], **roles) -> ReadFiles:
    return read_files(uploaded(files), Roles(**roles))


def faulty(found: ReadFiles) -> set[str]:
    return {problem.file for problem in found.problems}


def test_a_problem_in_one_file_leaves_the_others_aligned():
    files = {"INPUT": SOURCE, "AMU": SOURCE, "UFC": "One\n", "UMC": b"\xff\n\n", "A B": SOURCE, "gold.m2": "S One\n"}
    found = reading(files)
    assert faulty(found) == {"UFC", "UMC", "A B", "gold.m2"}
    assert names(found.material.everything()) == ["INPUT", "AMU"]
    assert {row.file: row.made for row in found.files} == {file: [] for file in files} | {
        "INPUT": ["INPUT"],
        "AMU": ["AMU"],
    }
    found = reading({"INPUT": SOURCE, "AMU": "One\n\n"})
    assert faulty(found) == {"AMU"}
    assert found.material.systems == [Lines("AMU", ["One", None])]
    found = reading({"AMU": SOURCE, "UFC": SOURCE})
    assert (found.material.source, names(found.material.systems)) == (None, ["AMU", "UFC"])
    found = reading({"INPUT": SOURCE, "source": SOURCE, "AMU": SOURCE})
    assert (found.material.source.name, names(found.material.systems)) == ("INPUT", ["AMU"])
    assert [row.kind for row in found.files] == ["source", "source", "system"]
    found = reading({"INPUT": SOURCE, "AMU": SOURCE, "documents.tsv": "9\tessay\n"})
    assert faulty(found) == {"documents.tsv"}
    assert names(found.material.systems) == ["AMU"]


def test_a_row_has_the_first_line_shortened_and_without_control_characters():
    rows = reading({"INPUT": SOURCE, "AMU": "a" * 200 + "\n", "UFC": "\0\n", "gold.m2": M2, "UMC": ""}).files
    assert [(row.lines, row.first_line) for row in rows] == [
        (2, "One cat ."), (1, "a" * BEGINNING + " ..."), (1, "\ufffd"), (2, "One cat ."), (0, "")
    ]  # fmt: skip


# Names, and files left out


def test_files_are_renamed_or_left_out_with_their_problems():
    roles = {"names": {"A MU": "AMU", "gold.m2": "REF"}, "references": frozenset({"A MU"})}
    taken = material({"INPUT": SOURCE, "A MU.txt": SOURCE, "gold.m2": M2}, **roles)
    assert names(taken.references) == ["AMU", "REF-0", "REF-1"]
    taken = material({"INPUT": SOURCE, "AMU": SOURCE}, names={"INPUT": "UFC", "AMU": "source"})
    assert (taken.source.name, names(taken.systems)) == ("source", ["UFC"])
    files = [*uploaded({"INPUT": SOURCE, "AMU": SOURCE}), UploadedFile("AMU", b"a\nb\n")]
    assert complaints(read_material, files, Roles())
    assert names(read_material(files, Roles(names={"AMU (2)": "UFC"})).systems) == ["AMU", "UFC"]
    assert read_material(files, Roles(dropped=frozenset({"AMU"}))).systems == [Lines("AMU", ["a", "b"])]
    faults = {"UFC": "One\n", "UMC": b"\xff\n", "gold.m2": "S\nB\n", "documents.tsv": "x"}
    assert names(material(BOTH | faults, dropped=frozenset(faults)).everything()) == ["INPUT", "AMU"]


@pytest.mark.parametrize("name", ["A B", "UFC", "ufc", "x" * 81])
def test_new_names_are_checked_like_those_of_files(name):
    found = reading({"INPUT": SOURCE, "UFC": SOURCE, "AMU": SOURCE}, names={"AMU": name})
    assert faulty(found) == {"AMU"}


# What always holds


words = st.lists(st.sampled_from(["a", "cat", "."]), min_size=1, max_size=4).map(" ".join)


@pytest.mark.wide
@given(st.integers(1, 4).flatmap(lambda rows: st.lists(st.lists(words, min_size=rows, max_size=rows), min_size=1)))
def test_texts_come_back_as_they_were_written(columns):
    files = {"INPUT" if not number else f"system{number}": "\n".join(texts) for number, texts in enumerate(columns)}
    taken = material(files)
    assert [lines.texts for lines in taken.everything()] == columns


@pytest.mark.wide
@given(st.permutations(["INPUT", "AMU", "UFC", "ref0", "gold.m2", "documents.tsv"]))
def test_the_order_of_the_files_decides_nothing_but_the_order_of_the_systems(order):
    files = {"gold.m2": M2, "documents.tsv": "1\tessay\n2\tletter\n"}
    taken = material({name: files.get(name, SOURCE) for name in order}, references=frozenset({"ref0"}))
    assert names(taken.systems) == [name for name in order if name in ("AMU", "UFC")]
    assert (taken.source.name, names(taken.references)) == ("INPUT", ["ref0", "gold-0", "gold-1"])
    assert [place.document for place in taken.places] == ["essay", "letter"]


# As published


def test_the_published_outputs_and_edits_are_read_once_the_empty_line_is_explained():
    taken = published.outputs()
    golden = published.golden()
    assert taken.source.name == "INPUT"
    assert sorted(names(taken.taking_part())) == golden["systems"]
    assert len(taken.places) == golden["sampling"]["n"]
    assert [note.split(":")[0] for note in taken.notes] == ["IITB", "PKU"]
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(shared("data/gjg15/outputs").iterdir())]
    assert complaints(read_material, files, Roles()) == [
        "POST, line 24: the line is empty; say whether the system wrote nothing, or there is no output"
    ]
    missing = read_material(files, Roles(empty_line=EmptyLine.MISSING))
    assert {lines.name: lines.texts.count(None) for lines in missing.systems if None in lines.texts} == {"POST": 1}
    files = [
        UploadedFile(file.name, file.read_bytes())
        for file in (shared("data/gjg15/outputs/INPUT"), shared("data/gjg15/references/gold.m2"))
    ]
    taken = read_material(files, Roles())
    assert names(taken.references) == ["gold-0", "gold-1"]
