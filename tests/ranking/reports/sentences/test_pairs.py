"""The sentences behind a line of head to head."""

import csv
import io
from uuid import uuid4

import pytest

from judgments.assignment import claiming
from judgments.judges import exclusion
from judgments.judging.submission import shown_slots, submit
from judgments.models import System
from judgments.protocols.rating import Score
from ranking.models import Report
from ranking.reports.downloads import tables_named
from ranking.reports.kinds.comparisons.extraction import collect
from ranking.reports.sentences.pairs import SHOWN, SORTS, Pair
from ranking.stats.tally import tally
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.ranking.reports.test_reports import QUICK, made

pytestmark = pytest.mark.postgresql

# Two judges rank three versions of the first sentence, in which `Wren` is the source; ben finds A and B alike.
LETTERS = {"source": ["a b", "c", "d e f"], "Heron": ["a", "c", "d"], "Wren": ["a b", "c x", "d e f g h"]}


def pair_of(report: Report, system: str, opponent: str) -> Pair:
    systems = {one.name: one for one in System.objects.filter(campaign=report.campaign)}
    return Pair(report, systems[system], systems[opponent])


def judge_by_text(judge, merits: dict[str, int]) -> None:
    """Rank or rate by text; what is not named is worst."""
    while assignment := claiming.claim_next(judge):
        given = [merits.get(slot.candidate.text, 9) for slot in shown_slots(assignment)]
        if assignment.campaign.protocol == "rating":
            given = [Score(100 - rank) for rank in given]
        submit(assignment, key=uuid4(), answers=[min(rank, 9) for rank in given] if isinstance(given[0], int) else given)
        claiming.finish_batch(judge)


@pytest.fixture(params=["ranking", "rating"])
def judged(request, db) -> Report:
    """Three judges; ada prefers Heron throughout, ben Wren on two sentences, and cleo sees no difference."""
    campaign = factory.open_campaign(LETTERS, protocol=request.param, redundancy=3, screen_size=5)
    judge_by_text(factory.judge(campaign, "ada"), dict.fromkeys(LETTERS["Heron"], 1))
    judge_by_text(factory.judge(campaign, "ben"), {"a": 1, "c x": 1, "d e f g h": 1})
    judge_by_text(factory.judge(campaign, "cleo"), {})
    return made(campaign)


def test_every_line_of_head_to_head_is_the_sum_of_its_sentences(judged):
    counted = tally(collect(judged.campaign).ballots)
    lines = tables_named(judged, ["head_to_head"])["head_to_head"].dicts()
    assert len(lines) == 6
    names = sorted({line["system"] for line in lines})
    for line in lines:
        pair = pair_of(judged, line["system"], line["opponent"])
        totals = pair.totals(pair.decided())
        place = names.index(line["system"]), names.index(line["opponent"])
        assert (totals.wins, totals.losses) == (line["wins"], line["losses"])
        assert (totals.ties, totals.shared) == (counted.ties[place], counted.shared[place])


def test_imported_rankings_with_several_versions_of_a_system_add_up_too(db):
    from tests.judgments.exchange.test_importing_rankings import XML

    shown = {"source": factory.SOURCE, **{name: factory.SYSTEMS[name] for name in ("Heron", "Wren")}}
    campaign = factory.make_campaign(shown)
    bring_in(campaign, "judgments.xml", XML.encode(), "appraise-xml")
    report = made(campaign)
    counted = tally(collect(campaign).ballots)
    pair = pair_of(report, "Heron", "Wren")
    totals = pair.totals(pair.decided())
    assert (totals.wins, totals.losses) == (counted.wins[0, 1], counted.wins[1, 0])
    assert (totals.ties, totals.shared) == (counted.ties[0, 1], counted.shared[0, 1])


def sentences(report: Report, show: str = "all", sort: str = "disagreement") -> list[int]:
    pair = pair_of(report, "Heron", "Wren")
    listing = pair.listing(pair.decided(), show, sort)
    return [one.segment.position + 1 for one in listing.read(listing.keys)]


def test_by_hand_who_won_where(judged):
    """Ada prefers Heron on all three; ben Heron on the first, Wren on the others; cleo nobody."""
    pair = pair_of(judged, "Heron", "Wren")
    decided = {one.position + 1: (one.wins, one.losses, one.ties) for one in pair.decided()}
    assert decided == {1: (2, 0, 1), 2: (1, 1, 1), 3: (1, 1, 1)}
    assert {show: sentences(judged, show) for show in SHOWN} == {
        "all": [2, 3, 1], "won": [1], "lost": [], "tied": [2, 3], "disputed": [2, 3, 1],
    }  # fmt: skip
    assert {sort: sentences(judged, sort=sort) for sort in SORTS} == {
        "disagreement": [2, 3, 1], "longest": [3, 1, 2], "shortest": [2, 1, 3],
        "inserted": [3, 2, 1], "deleted": [3, 1, 2], "replaced": [1, 2, 3],
    }  # fmt: skip


def test_a_sentence_is_shown_with_marks_and_every_judges_answer(judged):
    pair = pair_of(judged, "Heron", "Wren")
    first = pair.listing(pair.decided(), "won", "disagreement").read([one.segment for one in pair.decided()][:1])[0]
    assert [piece.change.value for piece in first.versions[0].pieces] == ["same", "deleted"]
    assert first.versions[1].text == "a b"
    assert [(answer.judge, answer.sign) for answer in first.answers] == [("ada", 1), ("ben", 1), ("cleo", 0)]
    assert [(sign, len(answers)) for sign, answers in first.by_winner] == [(1, 2), (0, 1)]


def test_a_file_has_a_row_for_each_answer(judged):
    pair = pair_of(judged, "Heron", "Wren")
    written = "".join(pair.listing(pair.decided(), "all", "shortest").written())
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [(row["segment"], row["judge"], row["winner"]) for row in rows[:3]] == [
        ("2", "ada", "Heron"), ("2", "ben", "Wren"), ("2", "cleo", ""),
    ]  # fmt: skip
    assert len(rows) == 9


def test_only_judgments_of_the_report_that_still_count_are_shown(judged):
    """What came later is left out; who is excluded later is left out too, and the equal outputs are not guessed."""
    campaign = judged.campaign
    ada = campaign.membership_set.get(pseudonym="ada")
    exclusion.exclude(ada, "in a hurry")
    pair = pair_of(judged, "Heron", "Wren")
    totals = pair.totals(pair.decided())
    assert (totals.wins, totals.losses, totals.ties, totals.shared) == (1, 2, 3, None)
    Report.objects.filter(pk=judged.pk).update(newest_judgment=0)
    judged.refresh_from_db()
    assert pair_of(judged, "Heron", "Wren").decided() == []


def test_judgments_of_programs_belong_to_reports_about_programs(judged):
    about_programs = made(judged.campaign, QUICK.changed(judged_by="programs", replicates=200))
    about_programs.newest_judgment = judged.newest_judgment
    assert pair_of(about_programs, "Heron", "Wren").decided() == []
