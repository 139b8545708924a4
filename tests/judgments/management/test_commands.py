"""Commands: a closing sentence when all is well, an error with file and line and an exit status when not."""

import csv
import io
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from judgments.judges import invitations
from judgments.models import Campaign, Judgment, Membership, Screen, SharedLink, System
from tests import factory

ROOT = Path(__file__).parents[3]


def run(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, lines in {"INPUT": factory.SOURCE, **factory.SYSTEMS}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_import_outputs_makes_a_campaign(db, folder):
    output = run(
        "import_outputs", "mytask", str(folder), "--source-takes-part", "--name", "My task", "--language", "pl"
    )
    assert output == ("mytask: 5 sentences, 4 new systems with 20 outputs, 3.000 distinct judged outputs a sentence.")
    campaign = Campaign.objects.get(slug="mytask")
    assert (campaign.name, campaign.language, campaign.protocol) == ("My task", "pl", "ranking")


def test_import_outputs_makes_a_campaign_of_corrections(db, folder):
    run("import_outputs", "mytexts", str(folder), "--protocol", "correction")
    made = Campaign.objects.get()
    assert (made.protocol, made.preset, made.design) == ("correction", "recommended", "complete")


def test_import_outputs_refuses_a_preset_of_another_protocol(db, folder):
    with pytest.raises(CommandError, match="napoles2019 is for rating campaigns, not for ranking ones"):
        run("import_outputs", "mytexts", str(folder), "--protocol", "ranking", "--preset", "napoles2019")


def test_import_outputs_takes_names_or_files_as_references_and_controls(db, folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "ref0").write_text("\n".join(factory.SYSTEMS["Heron"]) + "\n", encoding="utf-8")
    run("import_outputs", "mytask", str(folder), "--references", str(elsewhere), "--control", "Magpie")
    kinds = dict(System.objects.values_list("name", "kind"))
    assert kinds == {"INPUT": "source", "Heron": "system", "Wren": "system", "Magpie": "control", "ref0": "reference"}


def test_import_outputs_reads_a_zip_and_m2(db, folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(elsewhere / "outputs.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    m2 = "".join(f"S {line}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" for line in factory.SOURCE)
    (elsewhere / "gold.m2").write_text(m2, encoding="utf-8")
    run("import_outputs", "mytask", str(elsewhere / "outputs.zip"), "--references", str(elsewhere / "gold.m2"))
    assert System.objects.get(name="gold-0").kind == System.Kind.REFERENCE


def test_import_outputs_passes_over_tables_in_a_folder(db, folder):
    (folder / "corpus-scores.csv").write_text("system,score\n", encoding="utf-8")
    run("import_outputs", "mytask", str(folder))
    assert not System.objects.filter(name__contains="scores").exists()


def test_import_outputs_names_every_problem_and_stores_nothing(db, folder):
    (folder / "Heron").write_text("one line\n", encoding="utf-8")
    (folder / "Wren").write_bytes(b"bad \xff\n" * 5)
    with pytest.raises(CommandError) as refused:
        run("import_outputs", "mytask", str(folder))
    error = str(refused.value)
    assert "Nothing was stored." in error
    assert "Heron: has 1 lines where most files have 5" in error
    assert "Wren, line 1: byte 5 of the line (0xff) is not UTF-8" in error
    assert not Campaign.objects.exists()


def test_import_outputs_advises_what_to_type(db, folder):
    (folder / "Heron").write_text("\n".join(["", *factory.SYSTEMS["Heron"][1:]]) + "\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"Heron, line 1: the line is empty.*\n.*--empty-lines output or"):
        run("import_outputs", "mytask", str(folder))
    run("import_outputs", "mytask", str(folder), "--empty-lines", "missing")
    (folder / "INPUT").rename(folder / "Originals")
    with pytest.raises(CommandError, match="--source NAME"):
        run("import_outputs", "other", str(folder), "--empty-lines", "missing")
    run("import_outputs", "other", str(folder), "--empty-lines", "missing", "--source", "Originals")
    assert System.objects.get(kind=System.Kind.SOURCE, campaign__slug="other").name == "Originals"


def test_configure_campaign_takes_texts_and_words_also_after_assigning(db, folder, tmp_path_factory):
    words = tmp_path_factory.mktemp("words")
    texts = {"instructions": "Read *twice*.", "consent": "You agree.", "tutorial": factory.TUTORIAL}
    for name, text in texts.items():
        (words / name).write_text(text, encoding="utf-8")
    run("import_outputs", "mytask", str(folder))
    run("assign_screens", "mytask")
    files = [word for name in texts for word in (f"--{name}", str(words / name))]
    output = run("configure_campaign", "mytask", *files, "--completion-code", "C1", "--batches-per-judge", "2")
    assert output == (
        "mytask: instructions set, consent set, tutorial set, batches_per_judge set, completion_code set."
    )
    campaign = Campaign.objects.get()
    assert {name: getattr(campaign, name) for name in texts} == {name: text.strip() for name, text in texts.items()}
    assert (campaign.completion_code, campaign.batches_per_judge) == ("C1", 2)
    output = run("configure_campaign", "mytask", "--completion-code", "")
    assert (output, Campaign.objects.get().completion_code) == ("mytask: completion_code removed.", "")
    (words / "tutorial").write_text("", encoding="utf-8")
    assert run("configure_campaign", "mytask", "--tutorial", str(words / "tutorial")) == "mytask: tutorial removed."


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--instructions", b"Read\n\xff", r"text, line 2: byte 1 of the line \(0xff\) is not UTF-8"),
        ("--tutorial", b"> He go .\nbest: He goes .\n", "tutorial, line 2: 'best' is not a rank"),
        ("--questions", b"? Well?\n+ Yes.\n", "questions, line 1: a question needs"),
    ],
)
def test_configure_campaign_says_what_is_wrong_with_a_text(db, folder, tmp_path_factory, option, content, message):
    run("import_outputs", "mytask", str(folder))
    before = Campaign.objects.values().get()
    file = tmp_path_factory.mktemp("words") / "text"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=message):
        run("configure_campaign", "mytask", option, str(file))
    assert Campaign.objects.values().get() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--return-address", "http://example.org/{code}"), "must begin with https://"),
        (("--pass-share", "1.5"), "must lie between 0 and 1"),
        (("--batches-per-judge", "0"), "must lie between 1 and"),
        (("--control-pass-share", "0.7"), "has been opened"),
        (("--lease-minutes", "0"), "must lie between 1 and"),
        (("--completion-code", "A", "--failed-code", "A"), "completion_code and failed_code must differ"),
    ],
)
def test_configure_campaign_refuses_what_cannot_be(campaign, words, message):
    with pytest.raises(CommandError, match=message):
        run("configure_campaign", campaign.slug, *words)


def test_assigning_again_says_what_was_added(db, folder):
    run("import_outputs", "mytask", str(folder))
    first = run("assign_screens", "mytask", "--screens", "4", "--batch-size", "20", "--seed", "1")
    assert first == "mytask: 4 screens in 1 batch, 6 assignments, seed 1."
    assert run("assign_screens", "mytask", "--screens", "4").startswith(
        "mytask: 4 screens more, 8 in total, in 1 batch,"
    )


def test_export_judges_says_who_came_and_what_they_earned(db):
    campaign = factory.open_campaign(completion_code="=DONE", batch_size=5)
    link = invitations.share(campaign, 3)
    for worker in ("p1", "p2"):
        invitations.join(link, {"PROLIFIC_PID": worker})
    factory.answer_all(campaign.membership_set.get(worker="p1"))
    rows = list(csv.DictReader(io.StringIO(run("export_judges", campaign.slug) + "\n")))
    assert [(row["judge"], row["worker"], row["screens"], row["batches"]) for row in rows] == [
        ("judge-1", "p1", "5", "1"),
        ("judge-2", "p2", "0", "0"),
    ]
    assert [row["codes"] for row in rows] == ["'=DONE", ""], "no formula for a spreadsheet"


def test_share_link_prints_one_address_for_many(campaign):
    output = run("share_link", campaign.slug, "--judges", "40", "--days", "14")
    link = SharedLink.objects.get()
    assert output.endswith(f"/take-part/{link.token}/")
    assert link.most_judges == 40
    assert link.expires_at
    with pytest.raises(CommandError, match="number of judges"):
        run("share_link", campaign.slug, "--judges", "0")


def test_import_outputs_names_an_organiser(db, folder):
    User.objects.create_user("olga")
    run("import_outputs", "mytask", str(folder), "--organiser", "olga")
    assert Membership.objects.get().role == Membership.Role.ORGANISER
    with pytest.raises(CommandError, match="There is no user 'oleg'"):
        run("import_outputs", "other", str(folder), "--organiser", "oleg")
    assert not Campaign.objects.filter(slug="other").exists()


@pytest.mark.parametrize("slug", ["my task", "../etc", "ü", "x" * 60])
def test_a_slug_that_cannot_be_in_an_address_is_refused(db, folder, slug):
    with pytest.raises(CommandError, match="slug"):
        run("import_outputs", slug, str(folder))


def test_a_campaign_stays_with_its_protocol(db, folder):
    run("import_outputs", "mytask", str(folder))
    with pytest.raises(CommandError, match="mytask is a ranking campaign and stays one"):
        run("import_outputs", "mytask", str(folder), "--protocol", "rating")


def test_assign_screens_stores_settings_assigns_and_opens(db, folder):
    run("import_outputs", "mytask", str(folder))
    output = run(
        "assign_screens", "mytask", "--design", "complete", "--redundancy", "3", "--seed", "5", "--repeat-share", "0"
    )
    assert output == "mytask: 4 screens in 1 batches, 12 assignments, seed 5." or output.startswith("mytask: 5 screens")
    campaign = Campaign.objects.get()
    assert (campaign.is_open, campaign.redundancy, campaign.seed) == (True, 3, 5)


def test_assign_screens_begins_with_a_preset(db, folder):
    run("import_outputs", "mytask", str(folder), "--source-takes-part")
    run("assign_screens", "mytask", "--preset", "grundkiewicz2015", "--screens", "8", "--keep-closed")
    campaign = Campaign.objects.get()
    assert (campaign.preset, campaign.automatic_ties, campaign.is_open) == ("grundkiewicz2015", True, False)
    assert Screen.objects.exclude(batch=None).count() == 8


def test_assign_screens_makes_controls(db, folder):
    run("import_outputs", "mytask", str(folder))
    run("assign_screens", "mytask", "--design", "complete", "--make-controls", "--control-share", "1")
    assert Screen.objects.filter(has_control=True).exists()


def test_settings_out_of_range_are_named(db, folder):
    run("import_outputs", "mytask", str(folder))
    with pytest.raises(CommandError, match=r"screen_size: must lie between 1 and 20, and is 0\."):
        run("assign_screens", "mytask", "--screen-size", "0")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--redundancy", "0", "redundancy: must lie between 1 and 1000"),
        ("--batch-size", "0", "batch_size: must lie between"),
        ("--repeat-share", "nan", "repeat_share: must lie between 0 and 0.5, and is nan"),
        ("--control-share", "2", "control_share: must lie between 0 and 1"),
        ("--seed", "99999999999", "seed: must lie between"),
        ("--screens", "-5", "1 or more"),
    ],
)
def test_senseless_settings_are_refused_with_what_they_may_be(db, folder, option, value, message):
    run("import_outputs", "mytask", str(folder))
    with pytest.raises(CommandError, match=message):
        run("assign_screens", "mytask", f"{option}={value}")


@pytest.mark.parametrize("name", ["", " ", "a\u200bb", "x" * 500])
def test_judges_without_a_proper_name_are_not_invited(campaign, name):
    with pytest.raises(CommandError, match="judge's name"):
        run("invite_judges", campaign.slug, name)


def test_skipped_files_of_a_folder_are_reported(db, folder, capsys):
    (folder / "scores.csv").write_text("system,score\n")
    (folder / "more").mkdir()
    call_command("import_outputs", "mytask", str(folder))
    output = capsys.readouterr().err
    assert f"{folder / 'scores.csv'}: skipped" in output
    assert f"{folder / 'more'}: skipped" in output


def test_a_place_where_nothing_can_be_written_is_named(campaign, tmp_path):
    with pytest.raises(CommandError, match=r"is a folder\. Give the name of a file in it"):
        run("export_judgments", campaign.slug, "--out", str(tmp_path))


def test_import_judgments_asks_how_sentences_are_numbered_where_both_fit(campaign, tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n1,eve,Heron,1,Magpie,2\n")
    with pytest.raises(CommandError, match="Add --numbered-from 0 or --numbered-from 1"):
        run("import_judgments", campaign.slug, str(file), "--format", "pairs-csv")
    run("import_judgments", campaign.slug, str(file), "--format", "pairs-csv", "--numbered-from", "1")
    assert Judgment.objects.get().screen.segment.position == 0


def test_settings_of_a_assigned_campaign_do_not_change(campaign):
    with pytest.raises(CommandError, match="already assigned, so redundancy cannot be changed"):
        run("assign_screens", campaign.slug, "--redundancy", "7")


@pytest.mark.parametrize("command", [["assign_screens", "nothing"], ["export_judgments", "nothing"]])
def test_an_unknown_campaign_is_reported_with_those_there_are(campaign, command):
    with pytest.raises(CommandError, match=f"There is no campaign 'nothing'. Campaigns: {campaign.slug}."):
        run(*command)


def test_import_judgments_says_what_came_in(campaign, tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n0,eve,Heron,1,Wren,2\n")
    output = run("import_judgments", campaign.slug, str(file), "--format", "pairs-csv")
    assert output.startswith(f"{campaign.slug}: 1 rankings added, 0 were already stored.")
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize(
    ("file_format", "first"),
    [("corrections-m2", "its sentences"), ("verdicts-csv", "its usages"), ("pairs-csv", "its outputs")],
)
def test_import_judgments_makes_no_campaign_without_texts_unless_told_to(db, tmp_path, file_format, first):
    file = tmp_path / "made"
    file.write_text("segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n0,eve,Heron,1,Wren,2\n")
    with pytest.raises(
        CommandError, match=f"There is no campaign 'mytexts'. Create it by importing {first}"
    ) as refused:
        run("import_judgments", "mytexts", str(file), "--format", file_format)
    assert not Campaign.objects.exists()
    assert ("add --without-texts" in str(refused.value)) == (file_format == "pairs-csv")
    if file_format == "pairs-csv":
        run("import_judgments", "mytexts", str(file), "--format", file_format, "--without-texts")
        assert Judgment.objects.count() == 1


def test_import_judgments_takes_ratings_of_another_scale_and_prints_notes(db, tmp_path):
    file, notes = tmp_path / "ratings.csv", io.StringIO()
    file.write_text("judge,segment,system,score\nada,1,A B,3\nada,1,C,1\nben,1,A,5\nben,1,B,2\n")
    words = ("--format", "ratings-csv", "--scale", "1", "5", "--without-texts")
    call_command("import_judgments", "theirs", str(file), *words, stdout=io.StringIO(), stderr=notes)
    assert Campaign.objects.get().protocol == "rating"
    assert list(Judgment.objects.order_by("pk").values_list("rating__score", flat=True)) == [50, 0, 100, 25]
    assert "1 of 2 judgments group systems otherwise than the first judgment of the sentence" in notes.getvalue()
    assert "A and B apart (1)" in notes.getvalue()


def test_import_judgments_names_a_missing_file(campaign):
    with pytest.raises(CommandError, match="there is no such file"):
        run("import_judgments", campaign.slug, "nowhere.xml", "--format", "appraise-xml")


def test_export_judgments_writes_a_file_or_the_screen(campaign, ada, tmp_path):
    factory.answer_all(ada)
    file = tmp_path / "out.csv"
    output = run("export_judgments", campaign.slug, "--out", str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    assert output == f"{file}: {len(lines) - 1} rows."
    assert run("export_judgments", campaign.slug).splitlines() == lines


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("pairs-expanded.csv", r".* rows\."),
        ("pairs-unexpanded.csv", r".* rows\."),
        ("appraise.xml", r".*[\d,]+ bytes\."),
        ("everything.jsonl", r".*[\d,]+ bytes\."),
    ],
)
def test_export_judgments_writes_other_formats(campaign, ada, tmp_path, name, summary):
    factory.answer_all(ada)
    file = tmp_path / name
    assert re.fullmatch(summary, run("export_judgments", campaign.slug, "--format", name, "--out", str(file)))
    assert run("export_judgments", campaign.slug, "--format", name) == file.read_text(encoding="utf-8").strip()


def test_export_judgments_refuses_what_does_not_fit_and_leaves_no_file(campaign, tmp_path):
    file = tmp_path / "scores.csv"
    with pytest.raises(CommandError, match=r"gmeg-corpus\.csv is for rating campaigns"):
        run("export_judgments", campaign.slug, "--format", "gmeg-corpus.csv", "--out", str(file))
    with pytest.raises(CommandError, match="cannot contain names"):
        run("export_judgments", campaign.slug, "--format", "appraise.xml", "--with-names")
    assert not file.exists()


def test_export_judgments_includes_names_and_excluded_judges_on_request(campaign, ada):
    factory.judge_batch(ada)
    Membership.objects.filter(pk=ada.pk).update(worker="W7", excluded_at=timezone.now())
    assert "W7" not in run("export_judgments", campaign.slug)
    assert "W7" in run("export_judgments", campaign.slug, "--with-names")
    assert "ada" not in run("export_judgments", campaign.slug, "--format", "pairs-expanded.csv")
    assert "ada" in run("export_judgments", campaign.slug, "--format", "pairs-expanded.csv", "--with-excluded")


def test_a_campaign_goes_out_and_comes_in(campaign, ada, olga, tmp_path):
    factory.judge_batch(ada)
    file, again = tmp_path / "campaign.zip", tmp_path / "again.zip"
    assert run("export_campaign", campaign.slug, "--out", str(file)) == f"{file}: {file.stat().st_size:,} bytes."
    output = run("import_campaign", str(file), "--as", "copy", "--organiser", "olga")
    assert output.startswith("copy: 5 sentences, 1 judges, 3 judgments. The judgments have new keys")
    assert run("export_campaign", campaign.slug, "--out", str(again))
    assert file.read_bytes() == again.read_bytes()
    with pytest.raises(CommandError, match="There is a campaign copy already; choose another short name"):
        run("import_campaign", str(file), "--as", "copy")
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(CommandError, match=r"Nothing was stored\. 1 problem:\n.*cannot be read as a ZIP"):
        run("import_campaign", str(file), "--as", "other")
    with pytest.raises(CommandError, match="there is no such file"):
        run("import_campaign", str(tmp_path / "nowhere.zip"))


def test_invite_judges_gives_links_that_stay(campaign):
    output = run("invite_judges", campaign.slug, "judge-1", "judge-2")
    assert [line.split("\t")[0] for line in output.splitlines()] == ["judge-1", "judge-2"]
    assert "http://127.0.0.1:8000/join/" in output
    assert run("invite_judges", campaign.slug, "judge-1", "judge-2") == output


@pytest.mark.parametrize(
    "command",
    [
        "import_outputs",
        "import_judgments",
        "assign_screens",
        "export_judgments",
        "export_campaign",
        "import_campaign",
        "invite_judges",
        "load_demo",
    ],
)
def test_help_teaches(command, capsys):
    with pytest.raises(SystemExit) as left:
        call_command(command, "--help")
    assert left.value.code == 0
    assert len(capsys.readouterr().out.splitlines()) > 8


@pytest.mark.wide
def test_a_refusal_ends_with_a_status_a_sentence_and_no_traceback():
    done = subprocess.run(
        [sys.executable, "manage.py", "import_outputs", "mytask", "nowhere"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "nowhere: there is no such file or folder" in done.stderr
    assert "Traceback" not in done.stderr
