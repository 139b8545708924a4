"""The sentences behind a line of head to head."""

import csv
import io
from collections.abc import Collection
from uuid import uuid4

import pytest

from judgments.assignment import claiming
from judgments.judges import exclusion
from judgments.judging.submission import submit
from judgments.models import Membership, System
from judgments.protocols.rating import Score
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports.ballots import collect
from ranking.reports.downloads import tables_of
from ranking.reports.sentences.pairs import SHOWN, SORTS, JudgedPair
from ranking.stats.tally import tally
from tests import factory
from tests.judgments.exchange.test_regrouped import recorded  # noqa: F401 (a fixture)
from tests.ranking.reports.test_reports import QUICK, made

LETTERS = {"source": ["a b", "c", "d e f"], "Heron": ["a", "c", "d"], "Wren": ["a b", "c x", "d e f g h"]}


def pair_of(report: Report, system: str, opponent: str, *chosen: str) -> JudgedPair:
    systems = {one.name: one for one in System.objects.filter(campaign=report.campaign)}
    return JudgedPair(report, systems[system], systems[opponent], *chosen)


def judge_all(judge: Membership, best: Collection[str]) -> None:
    """Rank or rate the best texts first, and all others second."""
    while assignment := claiming.claim_next_skipping_breaks(judge):
        ranks = [1 if slot.candidate.text in best else 2 for slot in shown_slots(assignment)]
        is_rating = assignment.campaign.protocol == "rating"
        submit(assignment, key=uuid4(), answers=[Score(100 - rank) for rank in ranks] if is_rating else ranks)
    claiming.finish_batch(judge)


@pytest.fixture(scope="module", params=["ranking", "rating"])
def made_once(request, lasting) -> int:
    with lasting():
        campaign = factory.open_campaign(LETTERS, protocol=request.param, redundancy=3, screen_size=5)
        judge_all(factory.judge(campaign, "ada"), LETTERS["Heron"])
        judge_all(factory.judge(campaign, "ben"), ["a", "c x", "d e f g h"])
        judge_all(factory.judge(campaign, "cleo"), [])
        return made(campaign).pk


@pytest.fixture
def judged(made_once, db) -> Report:
    """Three judges; ada prefers Heron throughout, ben Wren on two sentences, and cleo sees no difference."""
    return Report.objects.get(pk=made_once)


def adds_up(report: Report) -> bool:
    """Whether every line of head to head is the sum of what judges decided and of equal outputs."""
    collected = collect(report.campaign)
    counted, names = tally(collected.ballots), collected.names.systems
    lines = tables_of(report, ["head_to_head"])["head_to_head"].dicts()
    assert len(lines) == len(names) * (len(names) - 1)
    for line in lines:
        pair = pair_of(report, line["system"], line["opponent"])
        totals = pair.totals()
        place = names.index(line["system"]), names.index(line["opponent"])
        assert (totals["wins"], totals["losses"]) == (line["wins"], line["losses"])
        assert (totals["ties"], totals["shared"]) == (counted.ties[place], counted.shared[place])
    return bool(lines)


def test_every_line_of_head_to_head_is_the_sum_of_its_sentences(judged):
    assert adds_up(judged)


def test_outputs_that_a_file_shows_together_here_and_apart_there_add_up_too(recorded):  # noqa: F811
    report = made(recorded)
    assert adds_up(report)
    pair = pair_of(report, "A", "B")
    (first, second) = pair.read([one.segment for one in pair.decided])
    assert [len(one.answers) for one in (first, second)] == [1, 1], "only where they were apart"
    assert first.versions[0].text is None


def sentences(report: Report, show: str = "all", sort: str = "disagreement") -> list[int]:
    pair = pair_of(report, "Heron", "Wren", show, sort)
    return [one.segment.position + 1 for one in pair.read(pair.keys)]


@pytest.mark.postgresql
def test_by_hand_who_won_where(judged):
    """Ada prefers Heron on all three; ben Heron on the first, Wren on the others; cleo nobody."""
    pair = pair_of(judged, "Heron", "Wren")
    assert [one[2:] for one in pair.decided] == [(2, 0, 1), (1, 1, 1), (1, 1, 1)]
    assert [one[2:] for one in pair_of(judged, "Wren", "Heron").decided] == [(0, 2, 1), (1, 1, 1), (1, 1, 1)]
    assert {show: sentences(judged, show) for show in SHOWN} == {
        "all": [2, 3, 1], "won": [1], "lost": [], "tied": [2, 3], "disputed": [2, 3, 1],
    }  # fmt: skip
    assert {sort: sentences(judged, sort=sort) for sort in SORTS} == {
        "disagreement": [2, 3, 1], "longest": [3, 1, 2], "shortest": [2, 1, 3],
        "inserted": [3, 2, 1], "deleted": [3, 1, 2], "replaced": [1, 2, 3],
    }  # fmt: skip


def test_a_sentence_is_shown_with_marks_and_every_judges_answer_which_have_rows_in_the_file(judged):
    pair = pair_of(judged, "Heron", "Wren", "won")
    (first,) = pair.read(pair.keys)
    assert [piece.change.value for piece in first.versions[0].pieces] == ["same", "deleted"]
    assert first.versions[1].text == "a b"
    assert [(answer.judge, answer.sign) for answer in first.answers] == [("ada", 1), ("ben", 1), ("cleo", 0)]
    assert [(sign, len(answers)) for sign, answers in first.by_winner] == [(1, 2), (0, 1)]
    written = "".join(pair_of(judged, "Heron", "Wren", "all", "shortest").csv())
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [(row["segment"], row["judge"], row["winner"]) for row in rows[:3]] == [
        ("2", "ada", "Heron"), ("2", "ben", "Wren"), ("2", "cleo", ""),
    ]  # fmt: skip
    assert len(rows) == 9


def test_sums_are_those_of_the_report_and_answers_those_that_still_count(judged):
    """Answers that came later are left out, and those of judges who were excluded later."""
    campaign = judged.campaign
    ada = campaign.membership_set.get(pseudonym="ada")
    exclusion.exclude(ada, "in a hurry")
    pair = pair_of(judged, "Heron", "Wren")
    decided = pair.decided
    assert pair.totals() == {"wins": 4, "losses": 2, "ties": 3, "shared": 0}
    shown = pair.read([one.segment for one in decided])
    assert {answer.judge for one in shown for answer in one.answers} == {"ben", "cleo"}
    Report.objects.filter(pk=judged.pk).update(newest_judgment=0)
    judged.refresh_from_db()
    assert pair_of(judged, "Heron", "Wren").read([one.segment for one in decided]) == []


@pytest.mark.postgresql
def test_pairs_of_renamed_systems_or_of_programs_need_a_report_of_their_own(judged):
    about_programs = made(judged.campaign, QUICK.with_changes(judged_by="programs", replicates=200))
    assert pair_of(about_programs, "Heron", "Wren").decided == []
    System.objects.filter(name="Heron").update(name="Egret")
    with pytest.raises(Refused, match="Make a new report"):
        pair_of(judged, "Egret", "Wren")
