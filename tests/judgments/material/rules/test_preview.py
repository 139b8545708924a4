"""The preview of an upload, by toys that can be counted by hand."""

import json
from typing import Any

from judgments.material.rules.contents import UploadedMaterial
from judgments.material.rules.preview import LONGEST_MARKED, preview_of, seed_of
from judgments.material.rules.reading import EmptyLine, Roles, read_files, read_material
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


def material(texts=TEXTS, **roles) -> UploadedMaterial:
    return read_material(factory.upload(texts), Roles(**ROLES | roles) if texts is TEXTS else Roles(**roles))


def preview(texts=TEXTS, seed="seed", **roles) -> dict[str, Any]:
    brought = material(texts, **roles)
    return preview_of(brought, brought.source.texts, seed)


def contributions(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The name, kind, outputs and unchanged outputs of each."""
    return [tuple(one.values()) for one in found["contributions"]]


def test_it_says_what_each_file_is_and_counts_distinct_outputs_of_what_judges_compare():
    assert contributions(preview()) == [
        ("source", "source", 3, None), ("Heron", "system", 3, 1), ("Wren", "system", 3, 2), ("gold", "reference", 3, 1),
        ("worse", "control", 3, 1),
    ]  # fmt: skip
    assert preview()["distinct"] == [(1, 2), (2, 1)]
    assert preview(source_takes_part=True)["distinct"] == [(1, 1), (2, 2)]
    assert preview({"source": ["A ."], "gold": ["B ."]}, references=frozenset({"gold"}))["distinct"] == []


def test_missing_outputs_are_no_outputs():
    texts = {"source": ["A .", "B ."], "Heron": ["A !", ""], "Wren": ["", "C ."]}
    found = preview(texts, empty_line=EmptyLine.MISSING)
    assert [one["outputs"] for one in found["contributions"]] == [2, 1, 1]
    assert found["distinct"] == [(1, 2)]
    found = preview(texts, empty_line=EmptyLine.OUTPUT)
    assert found["distinct"] == [(2, 2)]


def test_a_sample_has_each_distinct_text_once_with_its_edits_and_authors_and_long_ones_are_cut():
    second = preview()["samples"][1]
    assert (second["line"], second["document"], second["source"]) == (2, "document-1", "Two cat .")
    versions = {tuple(version["names"]): version["pieces"] for version in second["versions"]}
    assert [*versions] == [("Heron", "Wren", "gold"), ("worse",)]
    assert Piece("cat", "cats") in versions["Heron", "Wren", "gold"]
    assert all(piece.old == piece.new for piece in versions["worse",])
    texts = {"source": ["word " * 3000], "Heron": ["other " * 3000]}
    (sample,) = preview(texts)["samples"]
    assert len(sample["source"]) < LONGEST_MARKED + 5
    assert len(sample["versions"][0]["pieces"]) == 1


def long(count: int) -> dict[str, list[str]]:
    return {"source": [f"Line {n} ." for n in range(count)], "Heron": [f"Line {n} !" for n in range(count)]}


def test_samples_are_spread_over_the_files_and_drawn_by_their_content_and_not_their_order():
    lines = [sample["line"] for sample in preview(long(1000))["samples"]]
    assert [(line - 1) // 100 for line in lines] == list(range(10))
    assert lines == [sample["line"] for sample in preview(long(1000))["samples"]]
    assert lines != [sample["line"] for sample in preview(long(1000), seed="other")["samples"]]
    files = factory.upload(TEXTS)
    assert seed_of(files) == seed_of(files[::-1])
    assert seed_of(files) != seed_of(factory.upload(TEXTS | {"Heron": ["x"]}))


def test_new_material_is_compared_with_the_source_of_the_campaign_if_there_is_one():
    first = material()
    joining = read_material(factory.upload({"Plover": ["One cat .", "X", "Y"]}), Roles(), first.places)
    found = preview_of(joining, first.source.texts, "seed")
    assert contributions(found) == [("Plover", "system", 3, 1)]
    found = preview_of(read_files(factory.upload({"Heron": ["A ."], "Wren": ["B ."]}), Roles()).material, None, "seed")
    assert contributions(found) == [("Heron", "system", 1, None), ("Wren", "system", 1, None)]
    assert found["distinct"] == [(2, 1)]
    pieces = [piece for version in found["samples"][0]["versions"] for piece in version["pieces"]]
    assert all(piece.old == piece.new for piece in pieces)


def test_it_reports_its_progress_and_survives_being_written_as_json():
    calls = []
    brought = material(long(2500))
    preview_of(brought, brought.source.texts, "seed", lambda done, total: calls.append((done, total)))
    assert calls == [(1000, 2500), (2000, 2500), *[(2500, 2500)] * 10]
    found = preview()
    assert json.loads(json.dumps(found))["samples"][1]["versions"][0]["pieces"][1] == ["cat", "cats"]
    assert found["summary"] == "2 systems, the source, 1 reference and 1 control with 3 sentences"
