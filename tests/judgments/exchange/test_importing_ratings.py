"""Ratings that others collected: matched with the outputs, stored with all their digits, imported once."""

import csv

import pytest

from judgments.exchange.exporters import EXPORTS
from judgments.exchange.importers.joining import ImportedJudgments
from judgments.material.rules.reading import Roles, read_material
from judgments.material.storing import store_material
from judgments.models import Campaign, Judgment, Rating, Slot, System
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.shared_data import shared

# Wren and the source are equal in sentence 0, Heron and Wren in sentences 1, 2 and 4.
TABLE = """judge,segment,system,score,meaning_changed,seconds
ada,0,Heron,90.5,no,12
ada,0,Wren,40,yes,12
ada,0,source,40,yes,12
ada,1,Heron,80,,
ada,1,Wren,80,,
ben,1,Magpie,10,,
"""


def bring(campaign: Campaign, text: str = TABLE, **options) -> ImportedJudgments:
    return bring_in(campaign, "ratings.csv", text.encode(), "ratings-csv", **options)


def exported(campaign: Campaign, name: str) -> str:
    return "".join(EXPORTS[name].parts(campaign))


def scores_of(campaign: Campaign) -> list[tuple]:
    rows = Rating.objects.filter(judgment__assignment__campaign=campaign).order_by("pk")
    names = ("judgment__assignment__judge__pseudonym", "screen__segment__position", "score", "meaning_changed")
    return list(rows.values_list(*names))


@pytest.fixture
def prepared(db) -> Campaign:
    return factory.make_campaign(protocol="rating")


def test_scores_of_one_judge_and_sentence_share_a_screen_and_equal_texts_a_candidate(prepared):
    imported = bring(prepared)
    assert imported[:6] == (3, 0, 2, 0, 2, 6)
    assert scores_of(prepared) == [
        ("ada", 0, 90.5, False),
        ("ada", 0, 40, True),
        ("ada", 1, 80, False),
        ("ben", 1, 10, False),
    ]
    assert Judgment.objects.earliest("pk").wall_seconds == 12
    assert str(imported).startswith(
        "3 ratings added, 0 were already stored. The file contains 3 ratings of 2 sentences"
    )
    assert bring(prepared)[:2] == (0, 3)


def test_what_cannot_be_is_refused_and_nothing_is_stored(prepared):
    with pytest.raises(Refused, match="Ratings are for rating campaigns"):
        bring(factory.make_campaign())
    with pytest.raises(Refused, match="Rankings are for ranking campaigns"):
        bring_in(prepared, "j.xml", b"<r/>", "appraise-xml")
    with pytest.raises(Problems, match=r"line 4: the judge's name .* invisible character"):
        bring(prepared, TABLE.replace("ada,0,source", "a\u200bda,0,source"))
    with pytest.raises(Problems, match="names systems that the campaign does not have: Stork"):
        bring(prepared, TABLE.replace("Heron", "Stork"))
    with pytest.raises(Refused, match="The lowest score of a scale must be a number below its highest"):
        bring(prepared, scale=(5.0, 1.0))
    assert not Judgment.objects.exists()


def test_more_outputs_than_a_screen_has_room_for_take_several(db):
    campaign = Campaign.objects.create(slug="many", name="Many", protocol="rating")
    rows = "".join(f"ada,0,S{number},{number}\n" for number in range(45))
    bring(campaign, f"judge,segment,system,score\n{rows}", without_texts=True)
    screens = Slot.objects.filter(screen__campaign=campaign).order_by("screen").values_list("screen", flat=True)
    assert sorted([list(screens).count(screen) for screen in set(screens)]) == [5, 20, 20]


def test_our_table_is_imported_again_with_repeats_and_skips(db):
    campaign = factory.open_campaign(protocol="rating", repeat_share=0.5)
    factory.answer_all(factory.judge(campaign, "ada"))
    copy = factory.make_campaign(protocol="rating")
    imported = bring_in(copy, "judgments.csv", exported(campaign, "judgments.csv").encode(), "ratings-csv")
    assert imported.notes[0] == "judgments.csv: sentences are numbered from 1"
    assert scores_of(copy) == scores_of(campaign)
    assert bring_in(copy, "judgments.csv", exported(copy, "judgments.csv").encode(), "ratings-csv").added == 0


def test_references_behind_an_output_do_not_take_part_unless_they_were_judged(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "gold": factory.SYSTEMS["Heron"]}
    campaign = factory.make_campaign(texts, Roles(references=frozenset({"gold"})), protocol="rating")
    bring(campaign, "judge,segment,systems,score\nada,0,Heron gold,90\nada,0,Magpie,10\n", numbered_from=0)
    assert not System.objects.get(name="gold").takes_part
    imported = bring(campaign, "judge,segment,system,score\nben,0,gold,90\nben,0,Magpie,10\n", numbered_from=0)
    assert System.objects.get(name="gold").takes_part
    assert "gold is judged in the file, so it takes part from now on" in imported.notes


# As published


@pytest.mark.wide
def test_published_means_come_out_with_all_their_digits(db):
    folder = shared("data/gmeg-fce/dev")
    names = ["amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source"]
    campaign = Campaign.objects.create(slug="gmeg", name="GMEG", protocol="rating")
    store_material(
        campaign, read_material([UploadedFile(name, (folder / name).read_bytes()) for name in names], Roles())
    )
    table = (folder / "segment-scores.csv").read_bytes()
    imported = bring_in(campaign, "segment-scores.csv", table, "gmeg-csv", judges=("crowd",))
    assert (imported.added, imported.judges, len(imported.notes)) == (962, 1, 4), "numbers, the source, the judge, ref"
    with (folder / "corpus-scores.csv").open() as file:
        published = {row["system"]: float(row["score"]) for row in csv.DictReader(file)}
    ours = {
        row["system"]: float(row["score"]) for row in csv.DictReader(exported(campaign, "gmeg-corpus.csv").splitlines())
    }
    assert ours == pytest.approx({name: published[name] for name in names}, abs=1e-12)
