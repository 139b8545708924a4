"""Files of usages and of systems read together, and what is shown of them before they are stored."""

import json

from judgments.material.rules.usages import preview_of, read_usage_files
from judgments.rules.files.text_files import UploadedFile
from tests import factory
from tests.judgments.rules.refusals import complaints


def problems(*files: tuple[str, str]) -> list[str]:
    return complaints(read_usage_files, [UploadedFile(name, text.encode()) for name, text in files], {})


def test_the_files_of_the_cast_bring_usages_and_two_systems():
    material = read_usage_files(factory.usage_files(), {})
    assert [usage.id for usage in material.usages] == ["u1", "u2", "u3", "u4", "u5", "g1", "g2"]
    assert material.classes["Heron"] == {"u1": 0.9, "u2": 0.2, "u3": 1.0, "u4": 0.6, "u5": 0.0}
    assert material.classes["Wren"] == {"u1": 1.0, "u2": 1.0, "u3": 0.0, "u4": 1.0}


def test_usages_come_as_lines_of_json_too_and_white_space_around_a_sentence_moves_no_span():
    line = {"id": "a", "sentence": " He likes the music . ", "start": 10, "end": 13, "gold": True}
    (usage,) = read_usage_files([UploadedFile("x.jsonl", json.dumps(line).encode())], {}).usages
    assert (usage.span, usage.gold) == ("the", True)


def test_every_problem_of_every_file_is_reported():
    assert problems(
        ("a.csv", "id,sentence,start,end\nx,A cat .,5,99\n"),
        ("Heron.csv", "id,class\nnobody,1\n"),
        ("b d.csv", "id,class\n"),
    ) == [
        "a.csv, line 2: has a span that does not lie in the sentence of 7 characters, or is empty",
        "Heron.csv, line 2: names the usage 'nobody', which does not exist",
        "b d.csv: contains no classification",
        "b d.csv: 'b d' cannot name a system: begin with a letter or digit and use only letters, digits and . _ + - "
        "(it must stand in CSV, XML and file names)",
    ]


def test_files_of_usages_or_systems_that_lack_or_are_too_many_are_problems():
    usages = ("i.csv", "id,sentence,start,end\nx,A cat .,0,1\n")
    assert problems(usages, ("Heron.csv", "id,class\nx,1\n"), ("heron.txt", "x 1\n")) == [
        "heron.txt: there are two files of the system heron"
    ]
    what = "there is no file of usages; upload one as CSV or JSON lines, before or together with the classifications"
    assert problems() == problems(("Heron.csv", "id,class\na,1\nb,0\n")) == [what]
    (found,) = problems(("i.csv", f"id,document,sentence,start,end\nx,{'d' * 201},A cat .,0,1\n"))
    assert "names a document by more than 200 characters" in found


def test_a_domain_is_that_of_its_document():
    text = "id,document,domain,sentence,start,end\na,d1,essays,A cat .,0,1\nb,,mails,A dog .,0,1\n"
    usages = read_usage_files([UploadedFile("i.csv", text.encode())], {}).usages
    assert [(one.document, one.domain) for one in usages] == [("d1", "essays"), ("mails", "mails")]
    text += "c,d1,mails,A bird .,0,1\n"
    assert problems(("i.csv", text)) == ["the document 'd1' has several domains: 'essays', 'mails'"]


def test_a_preview_counts_and_samples_with_the_usage_marked_and_survives_being_written():
    found = preview_of(read_usage_files(factory.usage_files(), {}), {}, "seed")
    assert [found[what] for what in ("usages", "sentences", "gold_errors", "gold_fine")] == [7, 7, 1, 1]
    assert [tuple(one.values()) for one in found["classifiers"]] == [
        ("Heron", 5, 3, 2), ("Wren", 4, 3, 3)
    ]  # fmt: skip
    assert {"".join(sample["marked"].values()) for sample in found["samples"]} >= {"He likes the music ."}
    assert found["summary"] == "7 usages and 2 systems"
    assert json.loads(json.dumps(found))["classifiers"] == found["classifiers"]


def test_a_preview_shows_classes_alone_on_what_is_there():
    known = {one.id: one for one in read_usage_files(factory.usage_files(), {}).usages}
    material = read_usage_files([UploadedFile("Lapwing.csv", b"id,class\nu1,1\n")], known)
    found = preview_of(material, known, "seed")
    assert found["usages"] == 0
    assert any(sample["classifications"] == [("Lapwing", 1.0)] for sample in found["samples"])
