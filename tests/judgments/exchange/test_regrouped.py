"""Systems that a file shows under one output here and apart there: stored as it is, counted once, and never merged."""

import io
from uuid import uuid4

import pytest

from judgments.archive.importing import import_campaign
from judgments.exchange.exporters import EXPORTS
from judgments.models import Campaign, Candidate, RecordedOutput, SystemOutput
from tests import factory
from tests.judgments.exchange.importing import ballots_of, bring_in

ITEM = '<ranking-item user="{}" src-id="{}" id="0" doc-id="d">{}</ranking-item>'
OUTPUT = '<translation rank="{}" system="{}"/>'
TOGETHER = {"A B": 1, "C": 2}
APART = {"A": 2, "B": 1, "C": 3}


def results(*items: tuple[str, int, dict[str, int]]) -> bytes:
    """Appraise's results: judge, sentence, and the rank of each output."""
    written = [
        ITEM.format(judge, line, "".join(OUTPUT.format(rank, names) for names, rank in ranks.items()))
        for judge, line, ranks in items
    ]
    return f"<appraise-results>{''.join(written)}</appraise-results>".encode()


def bare() -> Campaign:
    slug = f"bare-{uuid4().hex[:8]}"
    return Campaign.objects.create(slug=slug, name=slug)


def ballots(campaign: Campaign) -> list[tuple]:
    return [(judge, line, sorted(groups)) for judge, line, groups in ballots_of(campaign)]


FILE = results(("ada", 3, TOGETHER), ("ben", 3, APART), ("eve", 3, TOGETHER), ("eve", 4, APART))
BALLOTS = [
    ("ada", 0, [(0, ("A", "B")), (1, ("C",))]),
    ("ben", 0, [(0, ("B",)), (1, ("A",)), (2, ("C",))]),
    ("eve", 0, [(0, ("A", "B")), (1, ("C",))]),
    ("eve", 1, [(0, ("B",)), (1, ("A",)), (2, ("C",))]),
]


@pytest.fixture
def recorded(db) -> Campaign:
    campaign = bare()
    imported = bring_in(campaign, "j.xml", FILE, "appraise-xml", without_texts=True)
    assert imported.notes[1] == (
        "j.xml: 1 of 4 judgments group systems otherwise than the first judgment of the sentence, and are kept as "
        "they are: A and B apart (1)"
    )
    return campaign


def test_each_judgment_is_stored_with_its_own_outputs_and_a_bundle_keeps_it(recorded):
    assert ballots(recorded) == BALLOTS
    assert Candidate.objects.filter(segment__position=3).count() == 4, "A with B, A, B, and C for all"
    assert SystemOutput.objects.filter(segment__position=3).count() == 3, "a system has one output"
    assert sorted(RecordedOutput.objects.values_list("system__name", flat=True)) == ["A", "B"]
    bundle = b"".join(EXPORTS["campaign.zip"].blocks(recorded))
    copy = import_campaign("c.zip", io.BytesIO(bundle), slug="copy").campaign
    assert ballots(copy) == BALLOTS
    assert RecordedOutput.objects.filter(system__campaign=copy).count() == 2


def test_the_same_file_again_adds_nothing_and_a_longer_one_shares_its_outputs(recorded):
    longer = FILE.replace(
        b"</appraise-results>", results(("dan", 3, APART), ("dan", 4, TOGETHER))[len("<appraise-results>") :]
    )
    assert bring_in(recorded, "j.xml", FILE, "appraise-xml")[:2] == (0, 4)
    assert bring_in(recorded, "j.xml", longer, "appraise-xml")[:2] == (2, 4)
    assert Candidate.objects.filter(segment__position=3).count() == 4
    assert Candidate.objects.filter(segment__position=4).count() == 4


@pytest.mark.parametrize(
    ("export", "file_format"), [("appraise.xml", "appraise-xml"), ("pairs-unexpanded.csv", "pairs-csv")]
)
def test_an_export_that_is_imported_again_gives_the_same_ballots(recorded, export, file_format):
    content = b"".join(EXPORTS[export].blocks(recorded))
    copy = bare()
    bring_in(copy, export, content, file_format, without_texts=True)
    assert ballots(copy) == BALLOTS


# With texts: Wren and the source are equal in sentence 0, and no others are.


def test_with_texts_what_collapses_otherwise_is_stored_as_it_is(db):
    campaign = factory.make_campaign()
    as_texts, otherwise = {"Wren source": 2, "Heron": 1}, {"Wren": 1, "Heron source": 2}
    content = results(*[("ada", 0, as_texts)] * 2, ("ben", 0, otherwise))
    imported = bring_in(campaign, "j.xml", content, "appraise-xml")
    assert imported.notes[1].startswith("j.xml: 1 of 3 judgments group systems otherwise than their outputs")
    assert ballots(campaign)[2] == ("ben", 0, [(0, ("Wren",)), (1, ("Heron", "source"))])
    assert ballots(campaign)[0] == ("ada", 0, [(0, ("Heron",)), (1, ("Wren", "source"))])
    assert set(Candidate.objects.exclude(recordedoutput=None).values_list("text", flat=True)) == {None}
    again = b"".join(EXPORTS["appraise.xml"].blocks(campaign))
    copy = factory.make_campaign()
    bring_in(copy, "j.xml", again, "appraise-xml", numbered_from=0)
    assert ballots(copy) == ballots(campaign)
    campaign = factory.make_campaign(protocol="rating")
    table = (
        "judge,segment,system,score\n"
        "ada,0,Wren,40\nada,0,source,60\nada,0,Heron,90\nada,1,Heron,80\nada,1,Wren,80\nada,2,Heron,7\nada,2,Wren,7\n"
    )
    imported = bring_in(campaign, "r.csv", table.encode(), "ratings-csv")
    assert "Wren and source apart (1)" in imported.notes[1]
    assert ballots(campaign)[0][2] == [(0, ("Heron",)), (1, ("source",)), (2, ("Wren",))]
    scores = "".join(EXPORTS["gmeg-segments.csv"].parts(campaign)).splitlines()
    assert scores[:3] == ["Heron,Magpie,Wren,source", "90,,40,60", "80,,80,"]
