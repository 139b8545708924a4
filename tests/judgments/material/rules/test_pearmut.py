"""Campaigns of Pearmut as material: what becomes of tasks, documents and items, and what is wrong with a file."""

import json

import pytest

from judgments.material.rules.pearmut import expand_pearmut
from judgments.material.rules.reading import Roles, read_material
from judgments.rules.files.text_files import UploadedFile
from tests.judgments.rules.refusals import complaints


def item(source: str, /, **outputs: str) -> dict:
    return {"src": source, "tgt": outputs}


def campaign(*data: list, assignment: str = "single-stream") -> UploadedFile:
    content = {"info": {"assignment": assignment, "protocol": "ESA"}, "campaign_id": "c", "data": data}
    return UploadedFile("campaign.json", json.dumps(content).encode())


def lines_of(*files: UploadedFile) -> dict[str, list[str]]:
    return {file.name: file.content.decode().splitlines() for file in expand_pearmut(files)}


def test_a_stream_is_a_text_a_system_with_its_documents_without_tutorials_and_checks():
    first, second = item("He go .", Heron="He goes ."), item("It\nrain .", Heron="It rains .", Wren="It rain .")
    assert lines_of(campaign([first], [second, second | {"item_id": 7, "ref": "It rained ."}])) == {
        "source.txt": ["He go .", "It rain .", "It rain ."],
        "Heron.txt": ["He goes .", "It rains .", "It rains ."],
        "Wren.txt": ["", "It rain .", "It rain ."],
        "ref.txt": ["", "", "It rained ."],
        "documents.tsv": ["1\tdocument-1", "2\tdocument-2", "3\tdocument-2"],
    }
    check = item("He go .", A="x") | {"validation": {"A": {"score": [0, 9]}}}
    form = {"text": "Your name?", "form": "string"}
    assert lines_of(campaign([check], [form], [item("It rain .", A="It rains .")]))["source.txt"] == ["It rain ."]
    other = UploadedFile("Heron.txt", b"He goes .\n")
    assert expand_pearmut([other]) == [other]


def test_a_document_of_several_tasks_gathers_their_outputs():
    tasks = [[[item("He go .", Heron="He goes .")]], [[item("He go .", Wren="He went .")], [item("We was .", Wren="")]]]
    assert lines_of(campaign(*tasks, assignment="task-based")) == {
        "source.txt": ["He go .", "We was ."],
        "Heron.txt": ["He goes .", ""],
        "Wren.txt": ["He went .", ""],
        "documents.tsv": ["1\tdocument-1", "2\tdocument-2"],
    }


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (UploadedFile("campaign.json", b"{"), "is no campaign of Pearmut"),
        (UploadedFile("campaign.json", b'{"data": []}'), "is no campaign of Pearmut"),
        (campaign(), "contains no sentence"),
        (campaign([item("He go .", A="x"), {"src": "It rain ."}]), "task 1, document 1, item 2 needs src, a text"),
        (campaign([item("He go .", source="He goes .")]), "task 1, document 1, item 1 needs src, a text"),
        (campaign([item("He go .", **{"a b": "x"})]), "'a b' cannot name a system"),
        (
            campaign([item("He go .", A="x")], [item("He go .", A="y")]),
            "task 1, document 2 has another text of 'A' for 'He go .'; give items an item_id",
        ),
    ],
)
def test_a_campaign_that_cannot_be_is_reported_with_its_place(file, message):
    (complaint,) = complaints(expand_pearmut, [file])
    assert message in complaint


def test_text_that_is_no_unicode_is_a_problem_of_its_line():
    (complaint, *_) = complaints(
        read_material, expand_pearmut([campaign([item("He go .", A="x"), item("It \ud800 .", A="y")])]), Roles()
    )
    assert complaint.startswith("source.txt, line 2: byte 4 of the line (0xed) is not UTF-8")
