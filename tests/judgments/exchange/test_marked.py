"""Verdicts on edits typed by hand: read with their slips, refused as a whole, stored once; and exported."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.exchange.exporters import EXPORTS
from judgments.models import Judgment, Upload
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import read_text
from judgments.rules.texts.m2 import correct_sentence, read_m2
from tests import factory
from tests.judgments.exchange.corrections import exported
from tests.judgments.exchange.importing import bring_in
from tests.judgments.exchange.marked import (
    FILES,
    FIRST,
    OUTPUTS,
    RANKINGS,
    bring,
    marked_campaign,
    stored,
)
from tests.judgments.jobs.running import run_job
from tests.judgments.rules.zips import packed, unpacked

pytestmark = pytest.mark.django_db
GOES, DAY = (3, 5, "goes", "right"), (22, 26, "day", "right")
LEFT_DAYS = (22, 26, None, "missed")


def test_files_become_judgments_of_the_versions_that_they_hold_once():
    campaign = marked_campaign()
    imported = bring(campaign)
    assert str(imported).startswith("4 judgments added, 0 were already stored. The file contains 4 judgments of 2 sent")
    assert (imported.details, imported.by_judge, imported.notes) == (16, {"ada": 2, "ben": 2}, [])
    found = stored(campaign)
    assert found["ada", 1, OUTPUTS["Heron"][0]] == ((GOES, DAY), None)
    assert found["ada", 1, OUTPUTS["Wren"][0]] == (
        ((3, 5, "went", "right"), (8, 8, " the", "wrong"), LEFT_DAYS), None
    )  # fmt: skip
    assert found["ben", 1, OUTPUTS["Wren"][0]][0][0] == (3, 5, "went", "wrong")
    assert found["ada", 1, OUTPUTS["Magpie"][0]] == ((GOES, LEFT_DAYS), None)
    assert (bring(campaign).added, Judgment.objects.count()) == (0, 4)


@pytest.mark.postgresql
def test_rankings_of_the_same_versions_come_with_them_and_an_export_as_text_is_imported_the_same():
    campaign, again = marked_campaign(), marked_campaign()
    imported = bring(campaign, FILES | {"rankings.xml": RANKINGS})
    ranks = {key: rank for key, (_, rank) in stored(campaign).items()}
    assert [ranks["ada", 1, OUTPUTS[name][0]] for name in OUTPUTS] == [1, 3, 2]
    assert ranks["ben", 1, OUTPUTS["Heron"][0]] is None
    assert "numbered from 0" in "".join(imported.notes)
    content = exported(campaign, "edits.zip")
    imported = bring_in(again, "edits.zip", content, "edits-text")
    assert (imported.added, stored(again)) == (4, stored(campaign))
    files = unpacked(content)
    assert set(files) == {*FILES, "rankings.xml"}
    text = files["ada/1.txt"]
    assert text.splitlines()[:3] == [
        "<Source with context>",
        "<t>He go to school every [days] .</t>",
        "I likes tea .",
    ]
    assert "<s2>He [go→went|True] to [→the|False] school every days .</s2>" in text


SLIPS = {
    "ada/1.txt": FIRST.replace("<s1>He [go→goes|True]", "<s1>He [go→goes] |True,"),
    "ada/2.txt": FILES["ada/2.txt"].replace("|False]", "|Flase]"),
    "ben/1.txt": FIRST.replace("He [go→went", "She [go→went"),
    "ben/2.txt": FILES["ben/2.txt"].replace("[tea→coffee", "[tea→milk"),
    "ben/3.txt": "nothing of the kind\n",
}  # fmt: skip


def test_nothing_is_stored_until_the_organiser_goes_on_without_faulty_files():
    campaign = marked_campaign()
    with pytest.raises(Problems) as refused:
        bring(campaign, SLIPS)
    said = list(map(str, refused.value.problems))
    assert said[:4] == [
        "ada/2.txt, line 7: cannot be read: '[tea→coffee|Flase].' is no edit with a verdict; write [old→new|True] or "
        "[old→new|False]",
        "ben/1.txt, line 7: cannot be read: 'Shegotoschooleveryda' stands where the source has 'Hegotoschooleveryday'",
        "ben/2.txt, line 7: makes 'Ilikemilk.', which no system wrote for this sentence",
        "ben/3.txt: has no line <t>...</t> with the source",
    ]
    assert said[4].endswith("4 of its files cannot be read. Correct them, or choose to import what fits")
    assert not Judgment.objects.exists()
    imported = bring(campaign, SLIPS, skip_unmatched=True)
    assert (imported.added, imported.by_judge) == (1, {"ada": 1})
    assert "ada/1.txt, line 6: the verdict is behind the bracket: [go→goes] |True," in imported.notes
    assert sum(note.startswith("left out: ") for note in imported.notes) == 4
    assert stored(campaign)["ada", 1, OUTPUTS["Heron"][0]] == ((GOES, DAY), None)


def test_the_command_takes_the_folders_of_annotators(tmp_path):
    campaign = marked_campaign()
    for name, text in SLIPS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    brought = ("import_judgments", campaign.slug, str(tmp_path), "--format", "edits-text")
    with pytest.raises(CommandError, match="Add --skip-unmatched to take what fits"):
        call_command(*brought)
    assert "1 judgment added" in call_command(*brought, "--skip-unmatched")


def test_a_sentence_given_twice_has_the_same_verdicts_and_a_single_file_is_by_the_judge_named():
    campaign = marked_campaign()
    again = FIRST + "<s4>He [go→goes|True] to school every days .</s4>\n"
    twice = {"ada/1.txt": again.replace("<s3>He [go→goes|True]", "<s3>He [go→goes|False]")}
    with pytest.raises(Problems, match=r"1\.txt, line 9: has other verdicts than an earlier line"):
        bring(campaign, twice)
    assert any("line 9: has other verdicts" in note for note in bring(campaign, twice, keep_first=True).notes)
    assert "wrong" in {verdict for marks, _ in stored(campaign).values() for *_, verdict in marks}
    Judgment.objects.all().delete()
    bring(campaign, {"ada/1.txt": again})
    assert len(stored(campaign)) == 3
    assert bring_in(campaign, "1.txt", FIRST.encode(), "edits-text", judges=("eve",)).by_judge == {"eve": 1}


def test_an_organiser_sees_the_slips_and_may_go_on_without_faulty_files(browser_of, no_worker):
    campaign = marked_campaign()
    client = browser_of(factory.organiser(campaign, "olga"))
    file = SimpleUploadedFile("typed.zip", packed(SLIPS))
    client.post(reverse("import_judgments", args=[campaign.slug]), {"file": file, "format": "edits-text"})
    upload = Upload.objects.get()
    run_job("upload", upload.pk)
    page = client.get(upload.get_absolute_url()).content.decode()
    assert "which no system wrote for this sentence" in page
    assert "Import what fits" in page
    assert "How the file numbers sentences" in page, "rankings in the ZIP do"
    assert "Store 1 marking" not in page


def test_m2_has_a_file_a_system_with_verdicts_as_types():
    campaign = marked_campaign()
    bring(campaign)
    files = unpacked(exported(campaign, "edits-m2.zip"))
    assert files["judges.csv"].split() == ["annotator,judge", "0,ada", "1,ben"]
    lines = files["Wren.m2"].splitlines()
    assert lines[:5] == [
        "S He go to school every days .",
        "A 1 2|||right|||went|||REQUIRED|||-NONE-|||0",
        "A 3 3|||wrong|||the|||REQUIRED|||-NONE-|||0",
        "A 5 6|||UNK|||-NONE-|||REQUIRED|||-NONE-|||0",
        "A 1 2|||wrong|||went|||REQUIRED|||-NONE-|||1",
    ]
    first, *_ = read_m2(read_text("Wren.m2", files["Wren.m2"].encode()))
    assert correct_sentence(first, 0) == OUTPUTS["Wren"][0]


def test_json_lines_have_everything():
    campaign = marked_campaign()
    bring(campaign, FILES | {"rankings.xml": RANKINGS})
    rows = [json.loads(line) for line in exported(campaign, "edits.jsonl").decode().splitlines()]
    assert len(rows) == 10
    assert rows[0] | {"document": "", "version": ""} == {
        "judge": "ada", "line": 1, "document": "", "source": "He go to school every days .", "version": "",
        "systems": ["Heron"], "rank": 1, "seconds": None,
        "edits": [{"start": 3, "end": 5, "replacement": "goes", "verdict": "right"},
                  {"start": 22, "end": 26, "replacement": "day", "verdict": "right"}],
    }  # fmt: skip


def test_edits_keep_to_their_own_campaigns():
    other = factory.make_campaign()
    with pytest.raises(Refused, match="are for marking campaigns"):
        bring(other)
    for name in ("edits.zip", "edits-m2.zip", "edits.jsonl"):
        with pytest.raises(Refused, match=f"{name} is for marking campaigns"):
            list(EXPORTS[name].blocks(other))
