"""Corrections exported and imported: M2, parallel text, lines of JSON; scorers read what we write."""

import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from judgments.assignment import claiming
from judgments.exchange.exporters import EXPORTS, NO_OPTIONS, ExportOptions
from judgments.exchange.exporters.corrections import sentences
from judgments.exchange.importers.rules import corrections
from judgments.judges import programs
from judgments.judging.submission import submit
from judgments.models import Assignment, Judgment, Membership
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import read_text
from judgments.rules.texts.edits import Edit, apply_edits
from judgments.rules.texts.m2 import correct_sentence as corrected_by
from judgments.rules.texts.m2 import read_m2
from ranking.metrics.material import Candidates
from ranking.metrics.maxmatch import MaxMatch
from ranking.reports.kinds.corrections import CORRECTIONS, extract
from ranking.scores.files import material_of_m2
from tests import factory
from tests.judgments.exchange.corrections import MADE, SOURCE, bring, correction_campaign, exported, lines_of, stored
from tests.judgments.exchange.importing import bring_in
from tests.judgments.rules.zips import packed, unpacked

pytestmark = pytest.mark.django_db
M2 = """\
S He go school .
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0
A 2 2|||Prep|||to|||REQUIRED|||-NONE-|||0
A 1 2|||Vt|||went|||REQUIRED|||-NONE-|||1

S She have a cat
A 1 2|||SVA|||has|||REQUIRED|||-NONE-|||0

S I likes tea .
A 1 2|||SVA|||like|||REQUIRED|||-NONE-|||1
A 2 3|||Wci|||coffee|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||-NONE-|||!|||REQUIRED|||-NONE-|||1

"""
FORMATS = {
    "corrections-m2": "corrections.m2",
    "corrections-text": "corrections.zip",
    "corrections-jsonl": "corrections.jsonl",
}


@pytest.fixture
def campaign(db):
    made = correction_campaign()
    bring(made)
    return made


def texts(campaign) -> dict[tuple[str, int], list[str] | str]:
    """By judge and line the tokens of the corrected sentence, or the label."""
    return {
        (judge, line): label or apply_edits(SOURCE[line - 1], [Edit(*edit) for edit in edits]).split()
        for (judge, line), (edits, label) in stored(campaign).items()
    }


def test_each_format_says_what_judges_corrected(campaign):
    assert exported(campaign, "corrections.m2").decode() == M2
    assert unpacked(exported(campaign, "corrections.zip")) == {
        "judges.csv": "file,judge\njudge-0.txt,ada\njudge-1.txt,ben\n",
        "source.txt": "".join(f"{line}\n" for line in SOURCE),
        "judge-0.txt": "He goes to school .\nShe has  a cat\nI likes tea .\nFine .\n",
        "judge-1.txt": "He went school .\nShe have  a cat\nI like coffee .\nFine !\n",
        "left-out.csv": "file,line,label\njudge-0.txt,3,merge\njudge-1.txt,2,\n",
    }
    records = [json.loads(line) for line in exported(campaign, "corrections.jsonl").decode().splitlines()]
    assert records[0] == {
        "judge": "ada", "line": 1, "document": records[0]["document"], "source": "He go school .",
        "corrected": "He goes to school .",
        "edits": [{"start": 3, "end": 5, "replacement": "goes", "category": "SVA"},
                  {"start": 5, "end": 5, "replacement": " to", "category": "Prep"}],
        "token_edits": [{"start": 1, "end": 2, "correction": "goes", "category": "SVA"},
                        {"start": 2, "end": 2, "correction": "to", "category": "Prep"}],
        "label": "", "seconds": None,
    }  # fmt: skip
    assert (records[-1]["judge"], records[-1]["corrected"]) == ("ben", "Fine !")
    (skip,) = [one for one in records if one["label"]]
    assert [skip[name] for name in ("judge", "line", "label", "corrected", "edits")] == ["ada", 3, "merge", None, []]


def test_judges_who_do_not_count_and_programs_are_left_out_without_a_request(campaign):
    ben = Membership.objects.filter(pseudonym="ben")
    ben.update(role=Membership.Role.PROGRAM)
    assert "went" not in exported(campaign, "corrections.m2").decode()
    assert exported(campaign, "corrections.m2", ExportOptions(with_programs=True)).decode() == M2
    ben.update(role=Membership.Role.JUDGE)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=timezone.now())
    assert "|||1" not in exported(campaign, "corrections.m2").decode()
    assert exported(campaign, "corrections.m2", ExportOptions(with_excluded=True)).decode() == M2
    assert b'"ada"' not in exported(campaign, "corrections.jsonl")
    assert "ada" not in unpacked(exported(campaign, "corrections.zip"))["judges.csv"]


def test_corrections_keep_to_their_own_campaigns(db):
    ranking = factory.make_campaign()
    with pytest.raises(Refused, match="Corrections are for correction campaigns"):
        bring(ranking)
    for name in FORMATS.values():
        with pytest.raises(Refused, match="is for correction campaigns"):
            EXPORTS[name].parts(ranking)


@pytest.mark.wide
def test_our_scorer_reads_it_and_gives_judges_full_marks_for_their_own_edits(campaign):
    sentences = read_m2(read_text("corrections.m2", exported(campaign, "corrections.m2")))
    material = material_of_m2(sentences)
    for annotator in (0, 1):
        output = [corrected_by(sentence, annotator) or sentence.text for sentence in sentences]
        candidates = Candidates.of([output])
        scores = MaxMatch().of_systems(MaxMatch().count(material.only([annotator]), candidates), candidates.chosen)
        assert {name: values[0] for name, values in scores.items()} == {"M2 F0.5": 1, "M2 P": 1, "M2 R": 1}


@pytest.mark.wide
def test_errant_reads_it(campaign, tmp_path, capsys):
    command = pytest.importorskip("errant.commands.compare_m2")
    file = tmp_path / "corrections.m2"
    file.write_bytes(exported(campaign, "corrections.m2"))
    arguments = command.parse_args.__globals__["argparse"].Namespace(
        hyp=str(file), ref=str(file), beta=0.5, verbose=False, ds=False, dt=False, cs=False, cse=False, single=False,
        multi=False, filt=[], cat=None,
    )  # fmt: skip
    parse, command.parse_args = command.parse_args, lambda: arguments
    try:
        command.main()
    finally:
        command.parse_args = parse
    words = capsys.readouterr().out.split()
    assert words[-4:-1] == ["1.0", "1.0", "1.0"]


@pytest.mark.parametrize("form", FORMATS)
def test_exported_corrections_come_back_the_same(campaign, form):
    copy = correction_campaign()
    content = exported(campaign, FORMATS[form])
    brought = bring_in(copy, FORMATS[form], content, form, judges=("ada", "ben"))
    there = texts(campaign)
    if form == "corrections-m2":
        there.pop(("ada", 3))
    assert texts(copy) == there
    assert brought.added == len(there)
    assert exported(copy, "corrections.m2") == exported(campaign, "corrections.m2") or form == "corrections-text"
    again = bring_in(copy, FORMATS[form], content, form, judges=("ada", "ben"))
    assert (again.added, again.known) == (0, len(there))


def test_a_second_correction_is_a_repeat_and_many_repeats_ask_for_few_queries(
    campaign, db, django_assert_max_num_queries
):
    more = bring_in(campaign, "more.jsonl", lines_of({("ada", 2): [(4, 8, "had", "Vt")]}), "corrections-jsonl")
    assert more.added == 1
    assert Judgment.objects.filter(assignment__campaign=campaign, assignment__repeats__isnull=False).count() == 1
    assert exported(campaign, "corrections.m2").decode() == M2
    campaign = correction_campaign()
    lines = b"\n".join(lines_of({("ada", 1): [(0, 1, f"x{number}", "")]}) for number in range(200))
    with django_assert_max_num_queries(22):
        bring_in(campaign, "many.jsonl", lines, "corrections-jsonl")
    assignments = list(Assignment.objects.filter(campaign=campaign).order_by("pk"))
    assert [assignment.repeats_id for assignment in assignments] == [None, *(one.pk for one in assignments[:-1])]
    assert {assignment.judge.pseudonym for assignment in assignments} == {"ada"}


def test_an_answer_that_was_revised_after_its_repeat_still_comes_first(db):
    campaign = factory.open_correction(redundancy=1, batch_size=6, repeat_share=0.5)
    ada = factory.judge(campaign, "ada")
    while assignment := claiming.claim_next(ada):
        submit(assignment, key=uuid4(), answers=[Edit(0, 1, "again" if assignment.repeats_id else "first")])
    original = Assignment.objects.filter(campaign=campaign, repeat__isnull=False).earliest("pk")
    submit(original, key=uuid4(), answers=[Edit(0, 1, "revised")])
    place = original.screen.segment.position
    study = extract(campaign, CORRECTIONS.preset("recommended")).study
    assert study.corrections.edits[0][place][0].corrections[0].startswith("revised")
    sentence = list(sentences(campaign, NO_OPTIONS))[place]
    assert [head.repeats for head, _ in sentence.judgments[ada.pk]] == [None, original.pk]
    assert sentence.edits(ada.pk) == [Edit(0, 1, "revised")]


def test_one_text_is_by_one_judge(db):
    campaign = correction_campaign()
    bring_in(campaign, "eve.txt", b"He goes to school .\nShe have  a cat\nI like tea .\n\n", "corrections-text")
    assert texts(campaign) == {
        ("eve", 1): ["He", "goes", "to", "school", "."], ("eve", 2): ["She", "have", "a", "cat"],
        ("eve", 3): ["I", "like", "tea", "."], ("eve", 4): [],
    }  # fmt: skip


FORMS = {"m2": "corrections-m2", "txt": "corrections-text", "zip": "corrections-text", "jsonl": "corrections-jsonl"}
NO_LINE = "category that is not a single line"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.m2", b"S Other .\n", "has 1 sentences where the campaign has 4"),
        ("a.m2", M2.replace("Fine", "Fin").encode(), "is not the sentence of the campaign"),
        ("a.m2", b"nonsense\n", "expected a line that begins with S or A"),
        ("a.txt", b"one\n", "has 1 line where the campaign has 4 sentences"),
        ("a.zip", b"no zip", "cannot be read as a ZIP"),
        ("a.jsonl", b"{", "is not JSON"),
        ("a.jsonl", b"[]", "is not a JSON object; write one object a line"),
        ("a.jsonl", b'{"judge": "ada", "line": 9, "edits": []}', "is about line 9"),
        ("a.jsonl", b'{"judge": "ada", "line": 1}', "needs edits"),
        ("a.jsonl", b'{"judge": "ada", "line": 1, "edits": [7]}', "needs edits"),
        ("a.jsonl", b'{"judge": "a", "line": 1, "edits": [], "source": "x"}', "not about the"),
        ("a.jsonl", lines_of({("a\ud800", 1): []}), "invisible character"),
        ("a.jsonl", lines_of({("", 1): []}), "name is empty"),
        ("a.jsonl", b"\n", "contains no correction"),
        *[
            ("a.jsonl", lines_of({("ada", 1): answer}), message)
            for answer, message in [
                ([(3, 50, "x", "")], "from 3 to 50"),
                ([(3, 3, "", "")], "changes nothing"),
                ([(3, 5, "go", "")], "changes nothing"),
                ([(3, 6, "", ""), (5, 7, "", "")], "overlap"),
                *[([(3, 3, text, "")], "line break") for text in ("a\nb", "a\ud800", "a\r", "a\x85")],
                ([(3, 3, "x" * 2001, "")], "more than 2,000"),
                ([(3, 3, "a", "n" * 41)], "more than 40 characters"),
                *[([(3, 3, "a", category)], NO_LINE) for category in ("n\nS evil", "\0", "\ud800")],
                ([(0, 1, "x", "")] * 501, "has 501 edits"),
                ("a\ud800", "label that is not a single line"),
                ("a\0", "label that is not a single line"),
                ("a" * 201, "at most 200 characters"),
            ]
        ],
    ],
)
def test_faults_in_a_file_are_reported(db, name, content, message):
    campaign = correction_campaign()
    with pytest.raises(Problems) as reason:
        bring_in(campaign, name, content, FORMS[name.partition(".")[2]])
    assert message in str(reason.value)
    assert not stored(campaign)


def test_the_comparisons_of_all_judges_in_a_file_are_bounded_and_equal_lines_cost_nothing(db, monkeypatch):
    campaign, source = correction_campaign(), "".join(f"{line}\n" for line in SOURCE)
    # `He go school .` and `He went school .` have 14 and 16 letters, and `go` and `went` are compared.
    monkeypatch.setattr(corrections, "MOST_EFFORT", 2 * (32 * (14 + 16) + 32 + 2 + 4))
    judges = {f"{name}.txt": source.replace("go", "went") for name in ("ada", "ben", "eve")}
    with pytest.raises(Problems, match=r"Import fewer judges at a time, or corrections\.jsonl"):
        bring_in(campaign, "c.zip", packed(judges), "corrections-text")
    judges["eve.txt"] = source
    assert bring_in(campaign, "c.zip", packed(judges), "corrections-text").added == 12


def test_numbers_beyond_all_measure_are_not_kept(db, campaign):
    campaign = correction_campaign()
    record = {"judge": "ada", "line": 1, "edits": [], "seconds": 10**400}
    bring_in(campaign, "a.jsonl", json.dumps(record).encode(), "corrections-jsonl")
    assert Judgment.objects.get(assignment__campaign=campaign).wall_seconds is None
    parts = unpacked(exported(campaign, "corrections.zip"))
    parts["left-out.csv"] = f"file,line,label\njudge-0.txt,{'1' * 5000},merge\n"
    copy = correction_campaign()
    assert bring_in(copy, "c.zip", packed(parts), "corrections-text").skipped == 0


def test_edits_of_a_file_that_change_no_word_or_mark_no_correction_are_left_out(db):
    campaign = correction_campaign(["He go the of ."])
    annotations = [
        "A 2 4|||Um||||||REQUIRED|||-NONE-|||0", "A 1 2|||Vt|||went|||REQUIRED|||-NONE-|||0",
        "A 1 3|||UNK|||goes to the|||REQUIRED|||-NONE-|||0", "A 3 5|||Um|||his home|||REQUIRED|||-NONE-|||0",
        "A 4 4|||Um|||old|||REQUIRED|||-NONE-|||0",
        "A 1 2|||SVA|||go|||REQUIRED|||-NONE-|||1", "A 0 1|||Pform|||She|||REQUIRED|||-NONE-|||1",
    ]  # fmt: skip
    content = "\n".join(["S He go the of .", *annotations, ""]).encode()
    bring_in(campaign, "a.m2", content, "corrections-m2", judges=("ada",))
    assert stored(campaign) == {
        ("ada", 1): (((3, 5, "went", "Vt"), (10, 14, "his home", "Um")), ""),
        ("judge-1", 1): (((0, 2, "She", "Pform"),), ""),
    }


@pytest.mark.parametrize("kind", ["Um", "UNK"])
def test_corrections_of_unclear_words_come_back(db, kind):
    source = ["He go the of .", "Fine ."]
    campaign, copy = correction_campaign(source), correction_campaign(source)
    bring(campaign, {("ada", 1): [(3, 5, "went", kind), (6, 10, "", kind)], ("ada", 2): [(0, 0, "So ", kind)]})
    bring_in(copy, "a.m2", exported(campaign, "corrections.m2"), "corrections-m2", judges=("ada",))
    assert stored(copy) == {
        ("ada", 1): (((3, 5, "went", kind), (6, 10, "", f"{kind}-")), ""), ("ada", 2): (((0, 0, "So ", kind),), "")
    }  # fmt: skip
    assert exported(copy, "corrections.m2") == exported(campaign, "corrections.m2")


def test_words_with_a_loose_accent_come_back(db):
    source = ["a \u0301b c"]
    campaign, copy = correction_campaign(source), correction_campaign(source)
    bring_in(campaign, "a.m2", b"S a \xcc\x81b c\nA 1 2|||X|||d|||REQUIRED|||-NONE-|||0\n", "corrections-m2")
    bring_in(copy, "a.jsonl", exported(campaign, "corrections.jsonl"), "corrections-jsonl")
    assert stored(copy) == stored(campaign)


def test_names_of_organisers_and_programs_are_no_names_of_judges(db):
    campaign = correction_campaign()
    olga = Membership.objects.get(campaign=campaign, user=factory.organiser(campaign, "olga")).pseudonym
    programs.enrol(campaign, "bot")
    with pytest.raises(Refused, match=rf"not judges: bot \(program\), {olga} \(organiser\)\. Give the judges"):
        bring(campaign, {(olga, 1): [], ("bot", 1): [], ("ada", 1): []})
    assert not stored(campaign)


def test_the_commands_import_and_export_them(campaign, tmp_path):
    file, other = tmp_path / "gold.m2", tmp_path / "out.zip"
    call_command("export", campaign.slug, "corrections.m2", "--out", str(file))
    copy = correction_campaign()
    output = call_command(
        "import_judgments", copy.slug, str(file), "--format", "corrections-m2", "--judges", "ada", "eve"
    )
    assert "6 corrections added, 0 were already stored" in output
    assert {judge for judge, _ in stored(copy)} == {"ada", "eve"}
    call_command("export", copy.slug, "corrections.zip", "--out", str(other))
    assert "eve" in unpacked(other.read_bytes())["judges.csv"]
    with pytest.raises(CommandError, match="write it to a file with --out FILE"):
        call_command("export", copy.slug, "corrections.zip")
    assert len(MADE) == 7
