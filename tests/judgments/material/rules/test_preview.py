"""The preview of an upload, by toys that can be counted by hand."""

import json
from dataclasses import replace

from judgments.material.rules.contents import Material
from judgments.material.rules.preview import LONGEST_MARKED, Contribution, Preview, names_in, preview_of, seed_of
from judgments.material.rules.reading import EmptyLine, Roles, read_files, read_material
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.diff import Piece
from tests import factory

TEXTS = {
    "source": ["One cat .", "Two cat .", "Tree cats ."],
    "Heron": ["One cat .", "Two cats .", "Three cats ."],
    "Wren": ["One  cat . ", "Two cats .", "Tree cats ."],
    "gold": ["One cat .", "Two cats .", "Three cats !"],
    "worse": ["cat cat .", "Two cat .", "Tree the cats ."],
}
ROLES = {"references": frozenset({"gold"}), "controls": frozenset({"worse"})}


def material(texts=TEXTS, **roles) -> Material:
    return read_material(factory.upload(texts), Roles(**ROLES | roles) if texts is TEXTS else Roles(**roles))


def preview(texts=TEXTS, seed="seed", **roles) -> Preview:
    brought = material(texts, **roles)
    return preview_of(brought, brought.source.texts, seed)


def test_it_says_what_each_file_is_and_counts_distinct_outputs_of_what_judges_compare():
    assert preview().contributions == (
        Contribution("source", "source", 3, None),
        Contribution("Heron", "system", 3, 1),
        Contribution("Wren", "system", 3, 2),
        Contribution("gold", "reference", 3, 1),
        Contribution("worse", "control", 3, 1),
    )
    assert preview().distinct == ((1, 2), (2, 1))
    assert preview(source_takes_part=True).distinct == ((1, 1), (2, 2))
    assert preview({"source": ["A ."], "gold": ["B ."]}, references=frozenset({"gold"})).distinct == ()


def test_missing_outputs_are_no_outputs():
    texts = {"source": ["A .", "B ."], "Heron": ["A !", ""], "Wren": ["", "C ."]}
    found = preview(texts, empty_line=EmptyLine.MISSING)
    assert [one.outputs for one in found.contributions] == [2, 1, 1]
    assert found.distinct == ((1, 2),)
    found = preview(texts, empty_line=EmptyLine.OUTPUT)
    assert found.distinct == ((2, 2),)


def test_a_sample_has_each_distinct_text_once_with_its_edits_and_authors_and_long_ones_are_cut():
    second = preview().samples[1]
    assert (second.line, second.document, second.source) == (2, "document-1", "Two cat .")
    assert [version.names for version in second.versions] == [("Heron", "Wren", "gold"), ("worse",)]
    assert Piece("cat", "cats") in second.versions[0].pieces
    assert all(piece.old == piece.new for piece in second.versions[1].pieces)
    texts = {"source": ["word " * 3000], "Heron": ["other " * 3000]}
    (sample,) = preview(texts).samples
    assert len(sample.source) < LONGEST_MARKED + 5
    assert len(sample.versions[0].pieces) == 1


def long(count: int) -> dict[str, list[str]]:
    return {"source": [f"Line {n} ." for n in range(count)], "Heron": [f"Line {n} !" for n in range(count)]}


def test_samples_are_spread_over_the_files_and_drawn_by_their_content_and_not_their_order():
    lines = [sample.line for sample in preview(long(1000)).samples]
    assert [(line - 1) // 100 for line in lines] == list(range(10))
    assert lines == [sample.line for sample in preview(long(1000)).samples]
    assert lines != [sample.line for sample in preview(long(1000), seed="other").samples]
    files = factory.upload(TEXTS)
    assert seed_of(files) == seed_of(files[::-1])
    assert seed_of(files) != seed_of(factory.upload(TEXTS | {"Heron": ["x"]}))


def test_new_material_is_compared_with_the_source_of_the_campaign_if_there_is_one():
    first = material()
    joining = read_material(factory.upload({"Plover": ["One cat .", "X", "Y"]}), Roles(), first.places)
    found = preview_of(joining, first.source.texts, "seed")
    assert found.contributions == (Contribution("Plover", "system", 3, 1),)
    found = preview_of(read_files(factory.upload({"Heron": ["A ."], "Wren": ["B ."]}), Roles()).material, None, "seed")
    assert found.contributions == (Contribution("Heron", "system", 1, None), Contribution("Wren", "system", 1, None))
    assert found.distinct == ((2, 1),)
    assert [piece for version in found.samples[0].versions for piece in version.pieces if piece.old != piece.new] == []


def test_it_reports_its_progress_and_survives_being_written_as_json():
    calls = []
    brought = material(long(2500))
    preview_of(brought, brought.source.texts, "seed", lambda done, total: calls.append((done, total)))
    assert calls == [(1000, 2500), (2000, 2500), *[(2500, 2500)] * 10]
    found = replace(preview(), files=tuple(read_files(factory.upload(TEXTS), Roles()).files))
    assert Preview.read(json.loads(json.dumps(found.written()))) == found


def test_names_are_those_of_which_one_can_say_what_they_are():
    names = ["Heron.txt", "gold.m2", "documents.tsv", "../x", "=1+1", "x" * 81, "INPUT", ""]
    assert names_in(UploadedFile(name, b"") for name in names) == ["Heron", "INPUT", "x"]
