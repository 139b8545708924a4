"""Comparing ways of choosing sentences for a campaign's material, by simulated judges and by the texts alone."""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from judgments.assignment import assigning, planning
from judgments.assignment.rules.sampling import Sampling
from judgments.models import Campaign, Candidate, Segment, SystemOutput
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Change, compare_once
from judgments.rules.texts.words import tokenised
from ranking.numbers.tables import Table
from ranking.power.predicting import blank_ballots, parameters_of, pilot_of, worlds_of
from ranking.power.wanted import Wanted, check
from ranking.reports.ballots import Collected, collect
from ranking.stats.power import curves as sampling
from ranking.stats.power.curves import Chosen, Collection, table_of

# The others depend on judgments.
WAYS = tuple(way for way in Campaign.Sampling if not Sampling(way).is_adaptive)


def compare(campaign: Campaign, wanted: Wanted, made: Callable[[int], None] = lambda done: None) -> Table:
    """Simulate the plan with each way of choosing sentences; get told how many campaigns are done."""
    check(campaign, wanted)
    found = collect(campaign)
    pilot = None if wanted.assumptions else pilot_of(found)
    judges = wanted.judges if pilot is None else len(found.names.judges)
    collection = _collection(campaign, found)
    plans = {way.value: _plans(campaign, wanted, way.value, found, judges) for way in WAYS}
    worlds = worlds_of(wanted, found.ballots.systems, pilot, campaign.seed)
    simulated = []
    for one in islice(
        sampling.compare(worlds, plans, collection, parameters_of(campaign, wanted), campaign.seed), wanted.campaigns
    ):
        simulated.append(one)
        made(len(simulated))
    return table_of(simulated, collection)


def _plans(campaign: Campaign, wanted: Wanted, way: str, found: Collected, judges: int) -> Iterator[Chosen]:
    """Plans by different seeds, as ballots without answers."""
    for drawn in planning.draws(campaign, {**wanted.settings, "sampling": way}, wanted.screens):
        blank = blank_ballots(drawn.batches, found, judges)
        yield Chosen(blank.ballots, blank.weights)


def _collection(campaign: Campaign, found: Collected) -> Collection:
    """The texts of the systems, and what can be computed from them alone."""
    place_of = {segment: place for place, segment in enumerate(found.segments)}
    number_of = {candidate: number for number, candidate in enumerate(found.candidates)}
    system_of = {name: number for number, name in enumerate(found.names.systems)}
    texts = np.full((len(place_of), len(system_of)), -1)
    outputs = SystemOutput.objects.filter(system__campaign=campaign, system__name__in=system_of)
    for segment, system, candidate in outputs.values_list("segment", "system__name", "candidate").iterator(10_000):
        texts[place_of[segment], system_of[system]] = number_of[candidate]
    written = dict(Candidate.objects.filter(segment__campaign=campaign).values_list("pk", "text").iterator(10_000))
    sources = dict(Segment.objects.filter(campaign=campaign).values_list("pk", "text").iterator(10_000))
    facts = [
        _facts(sources[segment], [written[found.candidates[text]] or "" for text in own if text >= 0])
        for segment, own in zip(found.segments, texts.tolist(), strict=True)
    ]
    diversity = np.zeros(len(place_of))
    for choice in assigning.with_diversity(campaign, assigning.choices_of(campaign)):
        diversity[place_of[choice.segment]] = choice.diversity
    return Collection(texts, diversity, np.array(facts, dtype=float))


def _facts(source: str | None, texts: list[str]) -> tuple[float, ...]:
    """The number of distinct outputs, the share of unchanged ones, the mean number of edits, words of the source."""
    if source is None or not texts:
        return len(set(texts)), np.nan, np.nan, np.nan
    edits = {text: sum(piece.change is not Change.SAME for piece in compare_once(source, text)) for text in set(texts)}
    unchanged = sum(normalise(text) == normalise(source) for text in texts)
    words = sum(bool(token.text) for token in tokenised(source))
    return len(edits), unchanged / len(texts), sum(edits[text] for text in texts) / len(texts), words
