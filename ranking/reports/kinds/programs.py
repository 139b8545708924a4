"""Reports on programs beside people: what is read, what is answered first, and what the page shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Min, Q, Sum
from django.db.models.functions import Coalesce, Length

from judgments.assignment.assistance import by_program
from judgments.charts.numbers import number, quantity, span, text_list
from judgments.judges.statistics import controls
from judgments.models import Assignment, Campaign, Candidate, Judgment, Membership, ProgramAnswer, Prompt, Slot, Usage
from judgments.models import Verdict as VerdictRow
from judgments.models.screens import shown_positions
from judgments.protocols import protocol_of
from judgments.protocols.stream import IN_NO_TIME
from ranking.charts.judged import judgments_over_time
from ranking.charts.lines import lines_of
from ranking.charts.programs import program_estimates
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, computed_with, counts_of, facts_of, with_interval
from ranking.reports.ballots import collect
from ranking.reports.kinds import edits, verdicts
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind
from ranking.reports.rows import days_of, reread_judgments
from ranking.stats.ballots import BallotCandidates, Ballots, starts_of
from ranking.stats.edits.study import PLAIN, EditParameters, EditStudy
from ranking.stats.programs import SECTIONS
from ranking.stats.programs.agreement import ALL_SYSTEMS
from ranking.stats.programs.corrected import ERRORS, MEAN, RIGHT, WINS
from ranking.stats.programs.habits import EARLIER_WINS, EARLIER_WINS_BOTH_ORDERS
from ranking.stats.programs.study import (
    EDITS,
    EVERY,
    NO_EXPERIMENT,
    NO_PEOPLE,
    NO_PROGRAM,
    PRESETS,
    PURPOSES,
    RANKING,
    RATING,
    VERDICT,
    Asked,
    Experiment,
    Probes,
    ProgramParameters,
    ProgramStudy,
)
from ranking.stats.resampling import Unit
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN
from ranking.stats.verdicts.study import VerdictParameters, VerdictStudy

Purpose = ProgramAnswer.Purpose
MERITS = {VerdictRow.Finding.ERROR: 1.0, VerdictRow.Finding.OK: 0.0}
# From this probability on, a system calls a usage an error.
CALLED = 0.5


class Numbers(NamedTuple):
    """The numbers that a study gives to judges by name; and to sentences (or usages), candidates, and assignments, of
    which ballots are, by their keys.
    """

    judges: Mapping[str, int]
    segments: Mapping[int, int]
    candidates: Mapping[int, int]
    ballots: Mapping[int, int]

    @classmethod
    def of(cls, *keys: Iterable[Any]) -> "Numbers":
        return cls(*({key: number for number, key in enumerate(each)} for each in keys))


def extract(campaign: Campaign, chosen: ProgramParameters) -> Extracted:
    """Read the judgments of people and programs: those of comparisons, or verdicts as ballots on usages or edits."""
    protocol = protocol_of(campaign)
    if protocol.scale is None:
        return _extract_verdicts(campaign, chosen)
    if EDITS in protocol.report_kinds:
        return _extract_edits(campaign, chosen)
    found = collect(campaign, chosen.judged_by, chosen.answers)
    ballots = found.of_judges
    judgments, is_repeat = reread_judgments(campaign, chosen.judged_by, chosen.answers, found.newest, len(ballots))
    assignments = judgments.values_list("assignment", flat=True)
    known = Candidate.objects.filter(segment__document__campaign=campaign)
    length = dict(known.values_list("pk", Coalesce(Length("text"), 0)))
    lengths = np.array([length.get(pk, 0) for pk in found.candidates], dtype=np.int64)
    numbers = Numbers.of(found.names.judges, found.segments, found.candidates, assignments)
    scale = RATING if protocol.has_scores else RANKING
    study = _study(campaign, chosen, scale, ballots, is_repeat, lengths, found.names.systems, numbers)
    return Extracted(study, found.newest, study.judgments)


def _study(
    campaign: Campaign, chosen: ProgramParameters, scale: str, ballots: Ballots, is_repeat: np.ndarray,
    lengths: np.ndarray, systems: tuple[str, ...], numbers: Numbers,
) -> ProgramStudy:  # fmt: skip
    judges = tuple(numbers.judges)
    programs = Membership.objects.filter(campaign=campaign, role=Membership.Role.PROGRAM, pseudonym__in=judges)
    of_program = {one.pseudonym: controls(one) for one in programs.select_related("campaign")}
    is_program = np.array([name in of_program for name in judges], dtype=bool)
    passed = {name: (one.seen, one.passed) for name, one in of_program.items()}
    # How programs were asked: their answers by model and prompt, in the order of the first ones.
    said = ProgramAnswer.objects.filter(assignment__campaign=campaign, assignment__judge__pseudonym__in=judges)
    ways = said.values_list("assignment__judge__pseudonym", "prompt", "model", "answered_by", "temperature").annotate(
        least_seed=Min("seed"), judgments=Count("judgment"), probes=Count("pk", ~Q(purpose=Purpose.JUDGMENT)),
        unreadable=Count("pk", Q(answers__isnull=True)), read=Sum("tokens_in"), written=Sum("tokens_out"),
        paid=Sum("cost"), first=Min("pk"),
    ).order_by("first")  # fmt: skip
    prompts = Prompt.objects.in_bulk({prompt for _, prompt, *_ in ways})
    asked = tuple(
        Asked(numbers.judges[name], model, answered_by, prompts[prompt].version, prompts[prompt].digest, *how)
        for name, prompt, model, answered_by, *how, _ in ways
    )
    return ProgramStudy(
        scale, ballots, is_repeat, is_program, lengths, systems, judges,
        tuple(passed.get(name, (0, 0)) for name in judges), chosen, _probes(campaign, numbers, ballots),
        asked, days_of(campaign, judges), _experiment(campaign),
    )  # fmt: skip


def _experiment(campaign: Campaign) -> Experiment:
    """Judgments of people with and without the program's answers in view, and what the program said of the same."""
    given = Judgment.objects.comparable().filter(
        assignment__campaign=campaign, assignment__assisted__isnull=False
    ).select_related("assignment", "screen").order_by(*IN_NO_TIME)  # fmt: skip
    rows = list(given)
    if not rows:
        return NO_EXPERIMENT
    of_program, protocol = by_program(campaign), protocol_of(campaign)
    answered, said = protocol.answers_by_question(given), protocol.answers_by_question(of_program)
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


def _extract_verdicts(campaign: Campaign, chosen: ProgramParameters) -> Extracted:
    read = verdicts.extract(campaign, VerdictParameters(judged_by=chosen.judged_by, answers=chosen.answers))
    given: VerdictStudy = read.study
    said = given.verdicts.choose(~given.verdicts.is_control & (given.verdicts.value != UNKNOWN))
    marked = np.append(given.classes >= CALLED, np.ones((1, said.units), dtype=bool), axis=0)
    ballots = Ballots(
        systems=len(marked), judges=said.judges, documents=len(given.names.documents), judge=said.judge,
        segment=said.unit, seconds=said.seconds, starts=np.arange(len(said) + 1), candidate=said.unit,
        merit=(said.value == ERROR).astype(float), candidates=_behind(marked), document_of=given.document,
    )  # fmt: skip
    keys = list(Usage.objects.filter(campaign=campaign).order_by("pk").values_list("pk", flat=True))
    numbers = Numbers.of(given.names.judges, keys, keys, ())
    of_ballots = {pair: place for place, pair in enumerate(zip(said.judge.tolist(), said.unit.tolist(), strict=True))}
    assigned = Assignment.objects.filter(campaign=campaign, judge__role=Membership.Role.PROGRAM, repeats=None)
    rows = assigned.values_list("pk", "judge__pseudonym", "screen__usage")
    pairs = {pk: (numbers.judges.get(name), numbers.segments.get(key)) for pk, name, key in rows}
    numbers = numbers._replace(ballots={pk: of_ballots[pair] for pk, pair in pairs.items() if pair in of_ballots})
    systems, lengths = (*given.names.systems, EVERY[VERDICT]), np.zeros(said.units, dtype=np.int64)
    study = _study(campaign, chosen, VERDICT, ballots, said.is_repeat, lengths, systems, numbers)
    return Extracted(study, read.newest, given.judgments)


def _extract_edits(campaign: Campaign, chosen: ProgramParameters) -> Extracted:
    """Each edit once for a judgment, however many versions on its screen make it; errors that are left do not count."""
    choices = EditParameters(judged_by=chosen.judged_by, answers=chosen.answers, categories=PLAIN)
    read = edits.extract(campaign, choices)
    given: EditStudy = read.study
    first, edit = np.flatnonzero(given.is_decision), given.marks.edit
    # Numbers of edits are in order within each ballot.
    first = first[np.lexsort((edit[first], given.ballot[first]))]
    sizes = np.bincount(given.ballot[first], minlength=len(given.ballots))
    # Screens without edits say nothing; skipped ones say that they were skipped.
    counts = (sizes > 0) | (given.ballots.sizes == 0)
    makes = np.zeros((len(given.names.systems) + 1, len(given.category)), dtype=bool)
    makes[-1, edit] = True
    mark, system = given.members[given.marks.row].nonzero()
    makes[system, edit[mark]] = True
    ballots = replace(
        given.ballots, systems=len(makes), starts=starts_of(sizes), candidate=edit[first],
        merit=given.is_accepted[first].astype(float), candidates=_behind(makes),
    )  # fmt: skip
    numbers, lengths = Numbers.of(given.names.judges, (), (), ()), np.zeros(len(given.category), dtype=np.int64)
    systems = (*given.names.systems, EVERY[EDITS])
    study = _study(campaign, chosen, EDITS, ballots.choose(counts), given.is_repeat[counts], lengths, systems, numbers)
    return Extracted(study, read.newest, study.judgments)


def _behind(marked: np.ndarray) -> BallotCandidates:
    """The systems (rows) that mark or make each usage or edit (column)."""
    candidate, system = np.nonzero(marked.T)
    return BallotCandidates(starts_of(np.bincount(candidate, minlength=marked.shape[1])), system)


def _probes(campaign: Campaign, numbers: Numbers, like: Ballots) -> Probes:
    """Read the answers to probes as ballots that are numbered like others; incomplete answers are left out."""
    said = ProgramAnswer.objects.probes().filter(
        assignment__campaign=campaign, assignment__judge__pseudonym__in=numbers.judges, answers__isnull=False
    )  # fmt: skip
    rows = list(said.order_by("assignment__screen__segment__position", "assignment__judge__lot", "pk").values_list(
        "purpose", "answers", "assignment", "assignment__order", "assignment__judge__pseudonym", "assignment__screen",
        "assignment__screen__segment", "assignment__screen__usage",
    ))  # fmt: skip
    slots = Slot.objects.filter(screen__in={row[5] for row in rows}).values_list("screen", "position", "candidate")
    on_screen = {(screen, position): candidate for screen, position, candidate in slots}
    scale = protocol_of(campaign).scale
    heads: list[tuple[int, ...]] = []
    given: list[tuple[int, float]] = []
    for purpose, answers, assignment, order, judge, screen, segment, usage in rows:
        # The candidates as the program saw them, and the merit that it gave to each.
        shown = [usage] if usage else [on_screen[screen, position] for position in shown_positions(order)]
        if purpose == Purpose.IDENTICAL:
            shown = shown[:1] * 2
        if scale is None:
            merits = [MERITS.get(answer.get("finding", "")) for answer in answers or []]
        else:
            values = [answer.get(scale.column) for answer in answers or []]
            merits = [None if value is None else scale.merit(value) for value in values]
        answered = [
            (numbers.candidates[one], merit)
            for one, merit in zip(shown, merits, strict=False)
            if one in numbers.candidates and merit is not None
        ]
        is_complete = 0 < len(answered) == len(shown) == len(merits)
        if is_complete and assignment in numbers.ballots:
            place, first = numbers.segments[usage or segment], numbers.ballots[assignment]
            heads.append((numbers.judges[judge], place, PURPOSES.index(purpose), first, len(answered)))
            given += answered[::-1] if purpose == Purpose.REVERSED else answered
    judges, segments, purposes, firsts, sizes = np.array(heads, dtype=np.int64).reshape(-1, 5).T
    candidate, merit = np.array(given, dtype=float).reshape(-1, 2).T
    ballots = replace(
        like, judge=judges, segment=segments, seconds=np.full(len(heads), np.nan), starts=starts_of(sizes),
        candidate=candidate.astype(np.int64), merit=merit,
    )  # fmt: skip
    return Probes(ballots, purposes, firsts)


ORDER = (EARLIER_WINS, EARLIER_WINS_BOTH_ORDERS)
WORDS = {MEAN.name: "mean", WINS.name: "Expected Wins", ERRORS.name: "share of errors",
         RIGHT.name: "share of right edits"}  # fmt: skip
MOST_SAID = 5
# A program whose judgments are worth less than so many of people's, in percent, adds little.
LITTLE = 10


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    """Whether programs are good enough, and what they add to people's judgments."""
    if "who_judged" not in tables:
        return None
    counts, chosen = counts_of(tables), ProgramParameters.of(parameters)
    scope = Unit(chosen.for_judges(counts["judges"]).unit).generalises_to
    found = lines_of(tables, "program_estimates")
    main = [line for line in found if line["measure"] == found[0]["measure"]]
    agreement = "; ".join(
        f"{line['program']} gives the same answer as people in {number(line['with_people'])} of cases"
        + f", people as each other in {number(line['among_people'])}" * (line["among_people"] is not None)
        for line in lines_of(tables, "program_agreement", "with_people") if line["system"] == ALL_SYSTEMS
    )  # fmt: skip
    answered = Answer(
        _sentence(counts, lines_of(tables, "alternative_annotator"), main), facts_of(tables), scope, agreement,
        may_say=tuple(_may_say(main)), may_not_say=tuple(_may_not_say(tables, scope)),
    )  # fmt: skip
    if not main:
        return answered
    level = f"{100 * parameters['level']:g}%"
    others = "with what other judges would change [@cameron2011] and " * (main[0]["unit"] == Unit.SENTENCE_AND_JUDGE)
    converted = (
        "The programs' verdicts are also converted by sensitivity and specificity [@rogan1978], with intervals that "
        "count the uncertainty of both [@lang2014]. "
    ) * ("program_verdicts" in tables)
    tested = (
        "Whether a program can stand in for people is tested by leaving each person out in turn [@calderon2025], with "
        "false discoveries controlled [@benjamini2001]. "
    ) * ("alternative_annotator" in tables)
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['judgments'], 'judgment')}, and "
        f"{quantity(counts['programs'], 'program')} {counts['judgments of programs']:,}. {tested}Numbers of people are "
        "corrected by a program's judgments of more sentences than people judged [@angelopoulos2023], with the weight "
        f"of least variance [@angelopoulos2023b]. The {level} intervals of these numbers come from "
        f"{parameters['replicates']:,} bootstrap replicates [@efron1993] "
        f"that draw sentences, {others}with moderated variances [@smyth2004]; they hold for {scope}. {converted}"
        f"{computed_with(parameters['seed'])}"
    )
    rows = [
        (line["program"], line["system"], with_interval(line, "classical"), with_interval(line, "corrected"))
        for line in main
    ]
    table = Table.of("programs", ("Program", "System", "People", "Corrected"), rows)
    return answered.with_paper(methods, f"Numbers of people, and corrected by programs, with {level} intervals", table)


def _sentence(counts: Mapping[str, int], tests: Sequence[dict], main: Sequence[dict]) -> str:
    if not counts["programs"]:
        return NO_PROGRAM
    if not counts["judges"]:
        return NO_PEOPLE
    # A sentence for all programs of which the same holds.
    found: dict[tuple[str, bool, int, int], list[str]] = {}
    for line in tests:
        found.setdefault((line["unmet"], line["passes"], line["won"], line["judges"]), []).append(line["program"])
    said = []
    for (unmet, passes, won, judges), names in found.items():
        who, they = (f"{names[0]} is", "it is") if len(names) == 1 else (f"{text_list(names)} are", "each is")
        stand_in = "good enough to stand in for people"
        said.append(
            f"Whether {who} {stand_in} cannot be said: {unmet}." if unmet
            else f"{who} {'' if passes else 'not '}{stand_in} by the alternative annotator test: {they} as good as "
            f"{won} of {judges} people."
        )  # fmt: skip
    if not said:
        said = ["Whether a program is good enough cannot be said: no sentence was judged by it and by two people."]
    shares: dict[int, list[str]] = {}
    for program, (judgments, gained) in _worth(main).items():
        shares.setdefault(round(100 * max(gained / judgments, 0)), []).append(program)
    for share, names in shares.items():
        little = ", which is little" * (share < LITTLE)
        said.append(
            f"The judgments of {text_list(names)} are worth {share}% more judgments of people{little}."
            if share else f"The judgments of {text_list(names)} add nothing to those of people."
        )  # fmt: skip
    return " ".join(said)


def _worth(main: Sequence[dict]) -> dict[str, tuple[float, float]]:
    """By program, how many judgments people gave, and how many more those of the program are worth."""
    found: dict[str, tuple[float, float]] = {}
    for line in main:
        if line["gained"] is not None and line["judgments"]:
            judgments, gained = found.get(line["program"], (0, 0))
            found[line["program"]] = judgments + line["judgments"], gained + line["gained"]
    return found


def _may_say(main: Sequence[dict]) -> Iterator[str]:
    """With the program that adds most; by people alone if none adds anything."""
    worth = _worth(main)
    most = max(worth, key=lambda program: worth[program][1], default=None)
    for line in [line for line in main if line["program"] == most][:MOST_SAID]:
        by_people, has = with_interval(line, "classical"), f"{line['system']} has the {WORDS[line['measure']]}"
        if worth[line["program"]][1] <= 0:
            yield f"By people alone, {has} {by_people}."
        else:
            yield (
                f"With the judgments of {line['program']}, {has} {with_interval(line, 'corrected')}; by people alone, "
                f"{by_people}."
            )


def _may_not_say(tables: Mapping[str, Table], scope: str) -> Iterator[str]:
    for line in lines_of(tables, "alternative_annotator"):
        if line["unmet"] or not line["passes"]:
            why = f"The test asks for more: {line['unmet']}" if line["unmet"] else "It does not pass the test"
            yield f"“{line['program']} can replace people.” {why}."
    # By program, which systems it favours and disfavours, and by how much.
    favours: dict[str, dict[str, list[str]]] = {}
    for line in sorted(lines_of(tables, "program_agreement", "favour_low"), key=lambda line: -abs(line["favour"])):
        if line["favour_low"] > 0 or line["favour_high"] < 0:
            does = "favours" if line["favour"] > 0 else "disfavours"
            system = f"{line['system']} by {number(abs(line['favour']))}"
            favours.setdefault(line["program"], {}).setdefault(does, []).append(system)
    for program, by in favours.items():
        favoured = ", and ".join(f"{does} {text_list(systems)}" for does, systems in sorted(by.items(), reverse=True))
        yield f"“{program} is fair to all.” Compared with people, it {favoured}."
    # For each program what is known best: probes show a screen in both orders.
    of_order = [line for line in lines_of(tables, "program_habits", "low") if line["habit"] in ORDER]
    best = {line["program"]: line for line in sorted(of_order, key=lambda line: ORDER.index(line["habit"]))}
    for line in best.values():
        if not line["low"] <= 0.5 <= line["high"]:
            yield (
                f"“The order does not matter to {line['program']}.” What is shown earlier wins "
                f"{number(line['value'])}{span(line['low'], line['high'])} of its comparisons."
            )
    programs = list(dict.fromkeys(line["program"] for line in lines_of(tables, "program_estimates")))
    if programs:
        yield (
            f"“{text_list(programs)} {'says' if len(programs) == 1 else 'say'} what people think.” Only numbers that "
            "people’s judgments correct do, none of the program alone."
        )
        yield "“The corrected numbers hold for all sentences.” They do if chance decided which of them people judged."
    yield f"“Others would find the same.” Intervals hold for {scope}."


PROGRAMS = ReportKind(
    study=ProgramStudy,
    presets=PRESETS,
    presets_say={"recommended": "Recommended: other sentences, and other judges from 5 on"},
    sections=SECTIONS,
    does="compares programs with people, and corrects numbers of people by what programs judged",
    headline="program_estimates",
    answer=answer,
    extract=extract,
    charts=(program_estimates, judgments_over_time),
    chapters=(
        Chapter(
            "corrected", "What people would say of all sentences",
            "People’s judgments of some sentences, corrected by the program’s of all. Whatever the program answers, "
            "the numbers stay those of people if chance decided which sentences people judged.",
            ("program_estimates",), ("program_ranking", "program_pairs", "program_verdicts"), ("program_estimates",),
        ),
        Chapter(
            "good-enough", "Is the program good enough?",
            "Each person is left out in turn: is the program at least as close to the others, and whom does it favour?",
            (), ("alternative_annotator", "alternative_annotator_by_judge", "program_agreement"),
            ("program_agreement",),
        ),
        Chapter(
            "habits", "Habits that should not matter",
            "Position and length on the sentences that both judged; what repeats and probes brought.",
            (), ("program_habits",), ("program_habits",),
        ),
        Chapter(
            "assistance", "What showing it to judges did",
            "Chance decided which screens showed what the program said: how much time that saved, and how far people "
            "were "
            "drawn towards it, right or wrong.", (), ("program_assistance",), ("program_assistance",),
        ),
        Chapter("judged", "Who judged what", "", ("judgments_over_time",), ("who_judged", "program_models")),
    ),
    titles={
        "program_estimates": "Corrected numbers",
        "program_ranking": "Ranks by people alone and corrected",
        "program_pairs": "Systems in pairs",
        "program_verdicts": "Verdicts of the program, converted",
        "alternative_annotator": "The alternative annotator test",
        "alternative_annotator_by_judge": "The test, person by person",
        "program_agreement": "Agreement with people, and of people",
        "program_assistance": "With and without the program in view",
        "program_habits": "Habits of programs and people",
        "program_models": "How programs were asked, and what that cost",
    },
    other_inputs=verdicts.other_inputs,
    needs_programs=True,
)  # fmt: skip
