"""Extract the judgments of people and programs: those of comparisons, or verdicts as ballots on one usage."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from django.db.models.functions import Coalesce, Length

from judgments.assignment.assistance import by_program
from judgments.judges.statistics import controls
from judgments.models import Assignment, Campaign, Candidate, Judgment, Membership, Usage
from judgments.protocols import protocol_of
from judgments.protocols.stream import IN_NO_TIME
from ranking.reports.kinds import edits, verdicts
from ranking.reports.kinds.comparisons.extraction import collect
from ranking.reports.kinds.kind import Extracted
from ranking.reports.kinds.programs.asking import Numbers, probes, ways_of_asking
from ranking.reports.rows import days_of, judgments_again
from ranking.stats.ballots import Ballots, Candidates, starts_of
from ranking.stats.edits.study import PLAIN, EditParameters, EditStudy
from ranking.stats.programs.assistance import NO_EXPERIMENT, Experiment
from ranking.stats.programs.parameters import ProgramParameters
from ranking.stats.programs.study import EDITS, EVERY, RANKING, RATING, VERDICT, ProgramStudy
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN
from ranking.stats.verdicts.study import VerdictParameters, VerdictStudy

# From this probability on, a system calls a usage an error.
CALLED = 0.5


def extract(campaign: Campaign, chosen: ProgramParameters) -> Extracted:
    protocol = protocol_of(campaign)
    if protocol.scale is None:
        return _verdicts(campaign, chosen)
    if EDITS in protocol.report_kinds:
        return _edits(campaign, chosen)
    found = collect(campaign, chosen.judged_by, chosen.answers)
    ballots = found.of_judges
    counted, is_repeat = judgments_again(campaign, chosen.judged_by, chosen.answers, found.newest, len(ballots))
    assignments = counted.values_list("assignment", flat=True)
    known = Candidate.objects.filter(segment__document__campaign=campaign)
    length = dict(known.values_list("pk", Coalesce(Length("text"), 0)))
    lengths = np.array([length.get(pk, 0) for pk in found.candidates], dtype=np.int64)
    scale = RATING if protocol.has_scores else RANKING
    numbers = Numbers(
        _numbers(found.names.judges), _numbers(found.segments), _numbers(found.candidates), _numbers(assignments)
    )  # fmt: skip
    study = _study(campaign, chosen, scale, ballots, is_repeat, lengths, found.names.systems, numbers)
    return Extracted(study, found.newest)


def _study(
    campaign: Campaign, chosen: ProgramParameters, scale: str, ballots: Ballots, is_repeat: np.ndarray,
    lengths: np.ndarray, systems: tuple[str, ...], numbers: Numbers,
) -> ProgramStudy:  # fmt: skip
    judges = tuple(numbers.judges)
    programs = Membership.objects.filter(campaign=campaign, role=Membership.Role.PROGRAM)
    named = {one.pseudonym: controls(one) for one in programs.select_related("campaign").filter(pseudonym__in=judges)}
    is_program = np.array([name in named for name in judges], dtype=bool)
    seen = tuple((named[name].seen, named[name].passed) if name in named else (0, 0) for name in judges)
    return ProgramStudy(
        scale, ballots, is_repeat, is_program, lengths, systems, judges, seen, chosen,
        probes(campaign, numbers, ballots), ways_of_asking(campaign, numbers.judges), days_of(campaign, judges),
        _experiment(campaign),
    )  # fmt: skip


def _numbers(keys: Iterable[Any]) -> dict[Any, int]:
    return {key: number for number, key in enumerate(keys)}


def _experiment(campaign: Campaign) -> Experiment:
    """Judgments of people with and without the program's answers in view, and what the program said of the same."""
    given = Judgment.objects.comparable().filter(
        assignment__campaign=campaign, assignment__assisted__isnull=False
    ).select_related("assignment", "screen").order_by(*IN_NO_TIME)  # fmt: skip
    rows = list(given)
    if not rows:
        return NO_EXPERIMENT
    of_program = by_program(campaign)
    protocol = protocol_of(campaign)
    answered, said = protocol.compared(given), protocol.compared(of_program)
    of_screen = {screen: said[pk] for pk, screen in of_program.values_list("pk", "screen") if pk in said}
    found = []
    for one in rows:
        own, other = answered.get(one.pk, {}), of_screen.get(one.screen_id, {})
        shared = own.keys() & other.keys()
        same = sum(own[question] == other[question] for question in shared)
        unit = one.screen.usage_id or one.screen.segment_id
        found.append((unit, one.assignment.assisted, one.seconds or np.nan, len(shared), same))
    units, shown, seconds, answers, agreed = (np.array(column) for column in zip(*found, strict=True))
    _, sentence = np.unique(units, return_inverse=True)
    return Experiment(sentence, shown.astype(bool), seconds.astype(float), answers.astype(int), agreed.astype(float))


def _verdicts(campaign: Campaign, chosen: ProgramParameters) -> Extracted:
    read = verdicts.extract(campaign, VerdictParameters(judged_by=chosen.judged_by, answers=chosen.answers))
    given: VerdictStudy = read.study
    said = given.verdicts.choose(~given.verdicts.is_control & (given.verdicts.value != UNKNOWN))
    judge, usage = said.judge, said.unit
    marked = np.append(given.classes >= CALLED, np.ones((1, given.classes.shape[1]), dtype=bool), axis=0)
    of_usage, system = np.nonzero(marked.T)
    ballots = Ballots(
        systems=len(marked), judges=len(given.names.judges), documents=len(given.names.documents), judge=judge,
        segment=usage, seconds=said.seconds, starts=np.arange(len(said) + 1), candidate=usage,
        merit=(said.value == ERROR).astype(float),
        candidates=Candidates(starts_of(np.bincount(of_usage, minlength=marked.shape[1])), system),
        document_of=given.document,
    )  # fmt: skip
    systems = (*given.names.systems, EVERY[VERDICT])
    lengths = np.zeros(marked.shape[1], dtype=np.int64)
    usages = _numbers(Usage.objects.filter(campaign=campaign).order_by("pk").values_list("pk", flat=True))
    names = _numbers(given.names.judges)
    of_ballots = {pair: number for number, pair in enumerate(zip(judge.tolist(), usage.tolist(), strict=True))}
    assigned = Assignment.objects.filter(campaign=campaign, judge__role=Membership.Role.PROGRAM, repeats=None)
    numbers = Numbers(names, usages, usages, {
        pk: of_ballots[names[name], usages[key]]
        for pk, name, key in assigned.values_list("pk", "judge__pseudonym", "screen__usage")
        if (names.get(name), usages.get(key)) in of_ballots
    })  # fmt: skip
    study = _study(campaign, chosen, VERDICT, ballots, said.is_repeat, lengths, systems, numbers)
    return Extracted(study, read.newest, given.judgments)


def _edits(campaign: Campaign, chosen: ProgramParameters) -> Extracted:
    """Each edit once for a judgment, however many versions on its screen make it; errors that are left do not count."""
    choices = EditParameters(judged_by=chosen.judged_by, answers=chosen.answers, categories=PLAIN)
    read = edits.extract(campaign, choices)
    given: EditStudy = read.study
    marks, behind = given.marks, given.ballots.candidates
    ballot, edit = given.ballots.ballot_of[marks.row], marks.edit
    _, first = np.unique(np.stack([ballot, edit]), axis=1, return_index=True)
    sizes = np.bincount(ballot[first], minlength=len(given.ballots))
    # Screens without edits say nothing; skipped ones say that they were skipped.
    counts = (sizes > 0) | (given.ballots.sizes == 0)
    of_version = np.zeros((len(behind.sizes), len(given.names.systems) + 1), dtype=bool)
    of_version[np.repeat(np.arange(len(of_version)), behind.sizes), behind.members] = True
    of_version[:, -1] = True
    makes = np.zeros((len(given.category), of_version.shape[1]), dtype=bool)
    np.logical_or.at(makes, edit, of_version[given.ballots.candidate[marks.row]])
    of_edit, system = np.nonzero(makes)
    ballots = replace(
        given.ballots, systems=makes.shape[1], starts=starts_of(sizes), candidate=edit[first],
        merit=given.accepted[first].astype(float),
        candidates=Candidates(starts_of(np.bincount(of_edit, minlength=len(makes))), system),
    )  # fmt: skip
    names = _numbers(given.names.judges)
    systems, lengths = (*given.names.systems, EVERY[EDITS]), np.zeros(len(makes), dtype=np.int64)
    numbers = Numbers(names, {}, {}, {})
    study = _study(campaign, chosen, EDITS, ballots.choose(counts), given.is_repeat[counts], lengths, systems, numbers)
    return Extracted(study, read.newest)
