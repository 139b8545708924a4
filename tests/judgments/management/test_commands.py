"""Commands: a closing sentence when all is well, an error with file and line and an exit status when not."""

import csv
import io
import re
import subprocess
import sys
import zipfile
from errno import ENOSPC
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError
from django.utils import timezone

from judgments.judges import invitations
from judgments.management import base
from judgments.models import Campaign, Invitation, JournalEntry, Judgment, Membership, Screen, SharedLink, System
from judgments.rules.files import text_files
from ranking.models import Report
from tests import factory
from tests.ranking.verdict_campaign import verdict_campaign

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


def test_import_outputs_makes_a_campaign_that_stays_with_its_protocol(db, folder):
    User.objects.create_user("olga")
    words = ("--source-takes-part", "--name", "My task", "--language", "pl", "--organiser", "olga")
    output = run("import_outputs", "mytask", str(folder), *words)
    assert output.startswith("mytask: 5 sentences, 3 systems and the source with 20 outputs, 3.0 distinct judged outp")
    campaign = Campaign.objects.get(slug="mytask")
    assert (campaign.name, campaign.language, campaign.protocol) == ("My task", "pl", "ranking")
    assert (campaign.preset, campaign.redundancy) == ("recommended", 2)
    assert Membership.objects.get().role == Membership.Role.ORGANISER
    Campaign.objects.update(redundancy=3)
    run("import_outputs", "mytask", str(folder))
    assert Campaign.objects.get().redundancy == 3
    run("import_outputs", "mytexts", str(folder), "--protocol", "correction")
    made = Campaign.objects.get(slug="mytexts")
    assert (made.protocol, made.preset, made.design) == ("correction", "recommended", "complete")
    with pytest.raises(CommandError, match="mytask is a ranking campaign and stays one"):
        run("import_outputs", "mytask", str(folder), "--protocol", "rating")
    with pytest.raises(CommandError, match="Nothing was stored"):
        run("import_outputs", "other", str(folder), "--preset", "madnani2011")
    assert not Campaign.objects.filter(slug="other").exists()


def test_import_outputs_takes_names_files_zips_and_m2_for_any_kind_of_system(db, folder, tmp_path_factory, capsys):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(elsewhere / "outputs.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    m2 = "".join(f"S {line}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" for line in factory.SOURCE)
    (elsewhere / "gold.m2").write_text(m2, encoding="utf-8")
    run("import_outputs", "zipped", str(elsewhere / "outputs.zip"), "--references", str(elsewhere / "gold.m2"))
    assert System.objects.get(name="gold-0").kind == System.Kind.REFERENCE
    references = tmp_path_factory.mktemp("references")
    (references / "ref0").write_text("\n".join(factory.SYSTEMS["Heron"]) + "\n", encoding="utf-8")
    (folder / "scores.csv").write_text("system,score\n")
    (folder / "more").mkdir()
    call_command("import_outputs", "mytask", str(folder), "--references", str(references), "--control", "Magpie")
    kinds = dict(System.objects.filter(campaign__slug="mytask").values_list("name", "kind"))
    assert kinds == {"INPUT": "source", "Heron": "system", "Wren": "system", "Magpie": "control", "ref0": "reference"}
    output = capsys.readouterr().err
    for skipped in ("scores.csv", "more"):
        assert f"{folder / skipped}: skipped" in output


def test_import_outputs_takes_files_of_any_length_but_not_archives(db, folder, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(text_files, "MOST_LINES", len(factory.SOURCE))
    output = run("import_outputs", "long", str(folder))
    assert "20 outputs" in output
    assert output.endswith("assign-screens long")
    packed = tmp_path_factory.mktemp("packed") / "outputs.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    with pytest.raises(CommandError, match=r"lines; at most 5 are allowed(.|\n)*Unpack archives"):
        run("import_outputs", "zipped", str(packed))


def test_import_outputs_of_the_source_alone_asks_for_outputs_next_unless_judges_write(db, folder):
    output = run("import_outputs", "mytask", str(folder / "INPUT"))
    assert output.endswith("Next: appraise-gec import-outputs mytask FILES, with outputs of systems")
    assert run("import_outputs", "mytask", str(folder)).endswith("Next: appraise-gec assign-screens mytask")
    output = run("import_outputs", "written", str(folder / "INPUT"), "--protocol", "correction")
    assert output.endswith("Next: appraise-gec assign-screens written")


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


def test_settings_are_texts_from_files_and_words_also_after_assigning(db, folder, tmp_path_factory):
    words = tmp_path_factory.mktemp("words")
    texts = {"instructions": "Read *twice*.", "consent": "You agree.", "tutorial": factory.TUTORIAL}
    for name, text in texts.items():
        (words / name).write_text(text, encoding="utf-8")
    run("import_outputs", "mytask", str(folder))
    run("assign_screens", "mytask")
    files = [word for name in texts for word in (f"--{name}", f"@{words / name}")]
    output = run("act", "mytask", "configure", *files, "--completion-code", "C1", "--batches-per-judge", "2")
    names = ("instructions", "consent", "tutorial", "batches per judge", "completion code")
    assert output == f"mytask: {', '.join(f'{name} set' for name in names)}."
    campaign = Campaign.objects.get()
    assert {name: getattr(campaign, name) for name in texts} == {name: text.strip() for name, text in texts.items()}
    assert (campaign.completion_code, campaign.batches_per_judge) == ("C1", 2)
    output = run("act", "mytask", "configure", "--completion-code", "", "--batches-per-judge", "")
    assert output == "mytask: batches per judge removed, completion code removed."
    campaign.refresh_from_db()
    assert (campaign.completion_code, campaign.batches_per_judge) == ("", None)
    (words / "tutorial").write_text("", encoding="utf-8")
    assert run("act", "mytask", "configure", "--tutorial", f"@{words / 'tutorial'}") == "mytask: tutorial removed."
    (words / "tutorial").write_bytes(b"\xff\n")
    with pytest.raises(CommandError, match=r"tutorial, line 1: byte 1 of the line .* is not UTF-8"):
        run("act", "mytask", "configure", "--tutorial", f"@{words / 'tutorial'}")
    assert run("act", "mytask", "configure") == "mytask: nothing changed."
    run("act", "mytask", "configure", "--name", "@@home")
    assert Campaign.objects.get().name == "@home"
    with pytest.raises(CommandError, match="already assigned, so redundancy cannot be changed"):
        run("act", "mytask", "configure", "--redundancy", "7")
    with pytest.raises(CommandError, match="--redundancy: must lie between 1 and 1000, and is 0"):
        run("act", "mytask", "configure", "--redundancy", "0")


def test_assigning_again_says_what_was_added(db, folder):
    run("import_outputs", "mytask", str(folder), "--preset", "grundkiewicz2015")
    first = run("assign_screens", "mytask", "--screens", "4", "--batch-size", "20", "--seed", "1")
    assert first.startswith("mytask: 4 screens in 1 batch, 4 assignments, seed 1.")
    again = run("assign_screens", "mytask", "--screens", "4")
    assert again.startswith("mytask: 4 screens more, 8 in total, in 1 batch,")
    with pytest.raises(CommandError, match="already assigned, so redundancy cannot be changed"):
        run("assign_screens", "mytask", "--redundancy", "7")


def test_judges_csv_says_who_came_and_what_they_earned(db):
    campaign = factory.open_campaign(completion_code="=DONE", batch_size=5)
    link = invitations.share(campaign, 3)
    for worker in ("p1", "p2"):
        invitations.join(link, {"PROLIFIC_PID": worker})
    factory.answer_all(campaign.membership_set.get(worker="p1"))
    rows = list(csv.DictReader(io.StringIO(run("export", campaign.slug, "judges.csv") + "\n")))
    assert [(row["judge"], row["worker"], row["screens"], row["batches"]) for row in rows] == [
        ("judge-1", "p1", "5", "1"),
        ("judge-2", "p2", "0", "0"),
    ]
    assert [row["codes"] for row in rows] == ["'=DONE", ""], "no formula for a spreadsheet"


def test_assign_screens_stores_settings_makes_controls_assigns_and_opens(db, folder):
    run("import_outputs", "mytask", str(folder))
    words = ("--redundancy", "3", "--seed", "5", "--repeat-share", "0", "--make-controls", "--control-share", "1")
    output = run("assign_screens", "mytask", "--design", "complete", *words)
    assert output == "mytask: 5 screens in 1 batch, 15 assignments, seed 5."
    campaign = Campaign.objects.get()
    assert (campaign.is_open, campaign.redundancy, campaign.seed) == (True, 3, 5)
    assert Screen.objects.filter(has_control=True).exists()


def test_assign_screens_begins_with_a_preset(db, folder):
    run("import_outputs", "mytask", str(folder), "--source-takes-part")
    run("assign_screens", "mytask", "--preset", "grundkiewicz2015", "--screens", "8", "--keep-closed")
    campaign = Campaign.objects.get()
    assert (campaign.preset, campaign.automatic_ties, campaign.is_open) == ("grundkiewicz2015", True, False)
    assert Screen.objects.exclude(batch=None).count() == 8


def test_import_judgments_says_what_came_in_and_asks_how_sentences_are_numbered_where_both_fit(campaign, tmp_path):
    header, file = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n", tmp_path / "pairs.csv"
    words = ("import_judgments", campaign.slug, str(file), "--format", "pairs-csv")
    with pytest.raises(CommandError, match="there is no such file"):
        run(*words)
    file.write_text(f"{header}1,eve,Heron,1,Magpie,2\n")
    with pytest.raises(CommandError, match="Add --numbered-from 0 or --numbered-from 1"):
        run(*words)
    run(*words, "--numbered-from", "1")
    assert Judgment.objects.get().screen.segment.position == 0
    file.write_text(f"{header}0,eve,Heron,1,Wren,2\n")
    assert run(*words).startswith(f"{campaign.slug}: 1 ranking added, 0 were already stored.")
    assert Judgment.objects.count() == 2


def test_import_judgments_asks_whether_a_plus_sign_joins_names(db, tmp_path):
    file = tmp_path / "judgments.xml"
    ranking = '<ranking-item src-id="5" user="eve"><translation system="A+B" rank="1"/></ranking-item>'
    file.write_text(f"<results>{ranking}</results>")
    words = ("import_judgments", "mytask", str(file), "--format", "appraise-xml", "--without-texts")
    with pytest.raises(CommandError, match="Add --joined-by with nothing, space"):
        run(*words)
    run(*words, "--joined-by", "plus")
    assert [*System.objects.values_list("name", flat=True)] == ["A", "B"]


@pytest.mark.parametrize("command", [["assign_screens", "nothing"], ["export", "nothing"]])
def test_an_unknown_campaign_is_reported_with_those_there_are(campaign, command):
    with pytest.raises(CommandError, match=f"There is no campaign 'nothing'. Campaigns: {campaign.slug}."):
        run(*command)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OperationalError("database is locked"), "Something else is storing into the database"),
        (OperationalError("database or disk is full"), "The disk of the database is full"),
        (
            OperationalError('could not extend file "base/1": No space left on device\nHINT: x'),
            "The disk of the database",
        ),
        (OperationalError("disk I/O error"), r"run it again. \(disk I/O error\)"),
        (OperationalError("no such table: judgments_campaign"), "Prepare it by `migrate`"),
        (ProgrammingError('relation "judgments_campaign" does not exist'), "Prepare it by `migrate`"),
        (OperationalError('connection to server at "db", port 5432 failed: Connection refused'), "does not answer"),
        (OSError(ENOSPC, "No space left on device", "out.csv"), "out.csv: there is no space left on the disk"),
    ],
)
def test_what_the_machine_must_mend_ends_a_command_with_a_sentence(db, monkeypatch, error, message):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(base.PlatformCommand, "find_campaign", fail)
    with pytest.raises(CommandError, match=message) as ended:
        run("show_progress", "mytask")
    assert "\n" not in str(ended.value)
    monkeypatch.setattr(base.PlatformCommand, "find_campaign", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run("show_progress", "mytask")


@pytest.mark.parametrize(
    ("file_format", "first"),
    [("corrections-m2", "its sentences"), ("verdicts-csv", "its usages"), ("pairs-csv", "its outputs")],
)
def test_import_judgments_makes_no_campaign_without_texts_unless_told_to(db, tmp_path, file_format, first):
    file = tmp_path / "made"
    file.write_text("segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n0,eve,Heron,1,Wren,2\n")
    message = f"There is no campaign 'mytexts'. Create it by importing {first}"
    with pytest.raises(CommandError, match=message) as refused:
        run("import_judgments", "mytexts", str(file), "--format", file_format)
    assert not Campaign.objects.exists()
    assert ("add --without-texts" in str(refused.value)) == (file_format == "pairs-csv")
    if file_format == "pairs-csv":
        run("import_judgments", "mytexts", str(file), "--format", file_format, "--without-texts")
        assert Judgment.objects.count() == 1


def test_import_judgments_takes_ratings_of_another_scale_and_prints_notes(db, tmp_path):
    file, notes = tmp_path / "ratings.csv", io.StringIO()
    file.write_text("judge,segment,system,score\nada,1,A B,3\nada,1,C,1\nben,1,A,5\nben,1,B,2\n")
    words = ("--format", "ratings-csv", "--lowest", "1", "--highest", "5", "--without-texts")
    call_command("import_judgments", "theirs", str(file), *words, stdout=io.StringIO(), stderr=notes)
    assert Campaign.objects.get().protocol == "rating"
    assert list(Judgment.objects.order_by("pk").values_list("rating__score", flat=True)) == [50, 0, 100, 25]
    assert "1 of 2 judgments group systems otherwise than the first judgment of the sentence" in notes.getvalue()
    assert "A and B apart (1)" in notes.getvalue()


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        *((f"{table}.csv", r"(.*): (\d+) rows\.") for table in ("judgments", "pairs-expanded", "pairs-unexpanded")),
        ("appraise.xml", r"(.*): ([\d,]+) bytes\."),
        ("everything.jsonl", r"(.*): ([\d,]+) bytes\."),
    ],
)
def test_export_writes_a_file_or_the_screen(campaign, ada, tmp_path, name, summary):
    factory.answer_all(ada)
    file = tmp_path / name
    written = re.fullmatch(summary, run("export", campaign.slug, name, "--out", str(file)))
    content = file.read_text(encoding="utf-8")
    size = len(content.splitlines()) - 1 if name.endswith(".csv") else file.stat().st_size
    assert written.groups() == (str(file), f"{size:,}" if "bytes" in summary else str(size))
    assert run("export", campaign.slug, name) == content.strip()


def test_export_refuses_what_does_not_fit_and_leaves_no_file(campaign, tmp_path):
    file = tmp_path / "scores.csv"
    for words, message in (
        (["gmeg-corpus.csv", "--out", str(file)], r"gmeg-corpus\.csv is for rating campaigns"),
        (["appraise.xml", "--with-names"], "cannot contain names"),
        (["--out", str(tmp_path)], r"is a folder\. Give the name of a file in it"),
    ):
        with pytest.raises(CommandError, match=message):
            run("export", campaign.slug, *words)
    assert not file.exists()


def test_a_campaign_goes_out_and_comes_in(campaign, ada, olga, tmp_path):
    factory.judge_batch(ada)
    file, again = tmp_path / "campaign.zip", tmp_path / "again.zip"
    assert run("export", campaign.slug, "campaign.zip", "--out", str(file)) == f"{file}: {file.stat().st_size:,} bytes."
    output = run("import_campaign", str(file), "--as", "copy", "--organiser", "olga")
    assert output.startswith("copy: 5 sentences, 1 judges, 3 judgments. The judgments have new keys")
    assert run("export", campaign.slug, "campaign.zip", "--out", str(again))
    assert file.read_bytes() == again.read_bytes()
    with pytest.raises(CommandError, match="There is a campaign copy already; choose another short name"):
        run("import_campaign", str(file), "--as", "copy")
    assert run("import_campaign", str(file), "--as", "nobodys").endswith(
        " Nobody organises it here yet.\nNext: appraise-gec act nobodys add-organiser --username USERNAME"
    )
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(CommandError, match=r"Nothing was stored\. 1 problem:\n.*cannot be read as a ZIP"):
        run("import_campaign", str(file), "--as", "other")
    with pytest.raises(CommandError, match="there is no such file"):
        run("import_campaign", str(tmp_path / "nowhere.zip"))


def test_invite_judges_gives_links_that_stay_and_share_link_one_for_many(campaign):
    output = run("invite_judges", campaign.slug, "judge-1", "judge-2")
    assert [line.split("\t")[0] for line in output.splitlines()] == ["judge-1", "judge-2"]
    assert "http://127.0.0.1:8000/join/" in output
    assert run("invite_judges", campaign.slug, "judge-1", "judge-2") == output
    for name in ("", " ", "a\u200bb", "x" * 500):
        with pytest.raises(CommandError, match="judge's name"):
            run("invite_judges", campaign.slug, name)
    output = run("act", campaign.slug, "invite-observers", "--names", "vera")
    assert output.splitlines()[-1] == f"vera\t{Invitation.objects.get(pseudonym='vera').url}"
    output = run("act", campaign.slug, "share-link", "--most-judges", "40", "--days", "14")
    link = SharedLink.objects.get()
    assert output.endswith(f"/join/shared/{link.token}/")
    assert link.most_judges == 40
    assert link.expires_at
    with pytest.raises(CommandError, match="--most-judges: Ensure this value is greater"):
        run("act", campaign.slug, "share-link", "--most-judges", "0")


@pytest.mark.wide
def test_a_refusal_ends_with_a_status_a_sentence_and_no_traceback():
    done = subprocess.run(
        [sys.executable, "manage.py", "import_outputs", "mytask", "nowhere"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "nowhere: there is no such file or folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_campaign_is_closed_archived_and_deleted(campaign, ada, tmp_path):
    factory.judge_batch(ada)
    slug = campaign.slug
    assert run("act", slug, "change-state", "--state", "closed") == f"{campaign} is closed."
    lines = run("export", slug, "journal.csv").splitlines()
    assert lines[0] == "at,actor,what"
    assert lines[1].endswith(",the command line,closed the campaign")
    assert run("export", slug, "journal.csv", "--out", str(tmp_path / "j.csv")).endswith(f"{len(lines) - 1} rows.")
    assert run("act", slug, "change-state", "--state", "archived") == f"{campaign} is archived."
    with pytest.raises(CommandError, match="Nothing was deleted"):
        run("act", slug, "delete-campaign", "--typed", "other")
    assert run("act", slug, "delete-campaign", "--typed", slug).endswith("with 3 judgments by 1 judges.")
    assert not Campaign.objects.exists()
    assert JournalEntry.objects.filter(slug=slug, actor="the command line").exists()


def test_progress_is_reported_with_the_next_step(campaign, ada, monkeypatch):
    factory.judge_batch(ada)
    assert "At this rate" not in run("show_progress", campaign.slug), "three judgments do not foretell an end"
    monkeypatch.setattr("judgments.campaigns.overview.FEWEST_FOR_PACE", 3)
    lines = run("show_progress", campaign.slug).splitlines()
    assert lines[0].startswith(f"{campaign.slug} is open: 3 of 10 assignments judged, 5 sentences")
    assert lines[1].startswith("3 judgments in the last hour, 3 in the last day. At this rate, judging finishes on")
    assert lines[2] == "Next: Watch the judging. 3 of 10 judged"
    Campaign.objects.update(state="closed")
    Report.objects.create(campaign=campaign, state="done", started_at=timezone.now())
    assert run("show_progress", campaign.slug).endswith("\nNothing is left to do.")


def test_a_plan_is_reported_and_nothing_is_stored(db):
    campaign = factory.make_campaign()
    output = run("act", campaign.slug, "plan-screens", "--redundancy", "3")
    assert output.startswith("5 screens in 2 batches of at most 3, 15 assignments, 0.2 hours at 49 seconds per screen.")
    assert "Comparisons per pair: " in output
    campaign.refresh_from_db()
    assert campaign.redundancy == 2


@pytest.mark.wide
def test_a_plan_says_what_it_would_resolve(db):
    campaign = factory.make_campaign()
    options = ("--campaigns", "3", "--judges", "4", "--spread", "0.2")
    output = run("act", campaign.slug, "predict", *options)
    assert run("act", campaign.slug, "predict", *options) == output
    assert "standard deviation of 0.2, 28% of pairs tie" in output
    last = output.splitlines()[-2].split()
    assert (last[0], last[1]) == ("10", "0.1")
    with pytest.raises(CommandError, match="The share of ties must lie between"):
        run("act", campaign.slug, "predict", "--ties", "2")
    with pytest.raises(CommandError, match="--judges: Ensure this value is greater than or equal to 1"):
        run("act", campaign.slug, "predict", "--judges", "0")
    compared = run("act", campaign.slug, "predict", *options, "--compare", "--design", "sampled")
    assert "| distinct | yes | 3 |" in compared
    verdicts = verdict_campaign({})
    Screen.objects.filter(campaign=verdicts).delete()
    assert "| judgments | hours | campaigns | usages |" in run("act", verdicts.slug, "predict", *options)
    corrections = factory.make_campaign({"source": factory.SOURCE}, protocol="correction")
    with pytest.raises(CommandError, match="rank, rate or give verdicts"):
        run("act", corrections.slug, "predict")


def test_a_system_is_renamed_and_left_out(db):
    campaign = factory.make_campaign()
    change = ("act", campaign.slug, "change-system")
    assert run(*change, "Wren", "--name", "Robin") == "Robin is a system; judges compare it."
    assert run(*change, "Robin", "--no-takes-part").endswith("judges do not compare it.")
    assert run(*change, "Robin", "--takes-part").endswith("judges compare it.")
    run(*change, "Magpie", "--kind", "reference")
    assert System.objects.get(name="Magpie").kind == "reference"
    with pytest.raises(CommandError, match="There is no system 'Wren'"):
        run(*change, "Wren")


def test_actions_name_their_subject_and_say_what_is_wrong(campaign, ada):
    slug = campaign.slug
    assert run("act", slug, "set-quota", "ada", "--quota", "3") == "ada gets at most 3 batches."
    assert run("act", slug, "set-quota", "ada") == "The campaign's limit applies to ada."
    with pytest.raises(CommandError, match="--quota: Ensure this value is less than or equal to 1000"):
        run("act", slug, "set-quota", "ada", "--quota", "1001")
    with pytest.raises(CommandError, match="There is no judge 'zoe'"):
        run("act", slug, "set-quota", "zoe", "--quota", "3")
    (invitation,) = invitations.invite(campaign, ["dan"])
    run("act", slug, "revoke-link", "--token", invitation.token)
    assert not Invitation.objects.get().is_valid
    with pytest.raises(CommandError, match="There is no such link"):
        run("act", slug, "revoke-link", "--token", "none")
    assert "shown only now: " in run("act", slug, "enrol-program", "--name", "robin")
    assert run("act", slug, "dismiss-program", "robin") == "robin has no access any more. Its judgments stay stored."
    assert Membership.objects.get(pseudonym="robin").removed_at


def test_links_are_mailed_to_those_invited_by_an_address(campaign, settings, tmp_path, mailoutbox):
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example.org", "site@example.org"
    invitations.invite(campaign, ["ben@example.org"])
    (tmp_path / "text.txt").write_text("Come: {link}")
    words = ("act", campaign.slug, "send-links", "--subject", "Judging", "--text", f"@{tmp_path / 'text.txt'}")
    assert run(*words) == "Mails sent: 1, not reached: 0."
    assert Invitation.objects.get().token in mailoutbox[0].body
    with pytest.raises(CommandError, match="have already been sent"):
        run(*words)
    (tmp_path / "text.txt").write_text("Come")
    with pytest.raises(CommandError, match="where the link should go"):
        run(*words)
