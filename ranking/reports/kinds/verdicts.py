"""Reports on verdicts: what is read, what is answered first, and what the page shows."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from django.db.models import Case, Count, Exists, Max, OuterRef, Value, When

from judgments.charts.numbers import in_words, number, quantity
from judgments.models import Campaign, Classification, Membership, System, Usage
from judgments.models import Document as DocumentRow
from judgments.models import Verdict as VerdictRow
from ranking.charts.judged import judgments_over_time
from ranking.charts.lines import lines_of
from ranking.charts.verdicts import agreement_histogram, bins, enough, measures, stability, verdict_judges
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, computed_with, counts_of, facts_of, with_interval
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind, SystemScore
from ranking.reports.rows import (
    ABOUT,
    IS_CONTROL,
    IS_REPEAT,
    JUDGE,
    JUDGMENT,
    SECONDS,
    VALUE,
    answers_to,
    days_of,
    flat,
    judges_that_count,
    judgments_that_count,
    numbers_of,
)
from ranking.stats.answers import Answers
from ranking.stats.rankings.method import SHARE
from ranking.stats.verdicts import SECTIONS
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN
from ranking.stats.verdicts.study import (
    PRESETS,
    VerdictDocument,
    VerdictNames,
    VerdictParameters,
    VerdictStudy,
)
from ranking.stats.verdicts.systems import RATIOS, WEIGHTED

Finding = VerdictRow.Finding
CODES = {Finding.ERROR: ERROR, Finding.OK: OK, Finding.UNKNOWN: UNKNOWN}
# A judgment without a verdict.
SKIPPED = -2
GOLD = {True: 1.0, False: 0.0, None: np.nan}


def extract(campaign: Campaign, chosen: VerdictParameters) -> Extracted:
    """Read the judgments that count, usage by usage."""
    people = judges_that_count(campaign, chosen.judged_by, chosen.answers)
    judges = list(people.values_list("pk", "pseudonym", "is_expert"))
    usages = list(
        Usage.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name", "segment__document", "gold")
    )
    documents = list(DocumentRow.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name", "domain"))
    classifying = Exists(Classification.objects.filter(system=OuterRef("pk")))
    systems = list(System.objects.filter(classifying, campaign=campaign).order_by("name").values_list("pk", "name"))
    known = [pk for pk, *_ in usages]
    codes = [When(verdict__finding=finding, then=Value(code)) for finding, code in CODES.items()]
    finding = Case(When(screen__usage=None, then=Value(SKIPPED)), *codes, default=Value(SKIPPED))
    counted = judgments_that_count(campaign, [pk for pk, *_ in judges], chosen.answers)
    rows = answers_to(counted, "usage", [pk for pk, *_ in judges], known, finding)
    skipped, given = rows[rows[:, VALUE] == SKIPPED], rows[rows[:, VALUE] > SKIPPED]
    unit, judge = (given[:, column].astype(np.int64) for column in (ABOUT, JUDGE))
    is_repeat, is_control = given[:, IS_REPEAT] > 0, given[:, IS_CONTROL] > 0
    # A second verdict on a usage that is not a control is a repeat, too, as when a plan and a file both have it.
    places = np.stack([judge, unit, is_control])
    order = np.lexsort((np.arange(len(given)), is_repeat, *places))
    is_second = np.zeros(len(given), dtype=bool)
    is_second[order[1:]] = np.all(places[:, order[1:]] == places[:, order[:-1]], axis=0)
    # Probabilities of each system (row) for each usage (column); NaN where a system has none.
    found = flat(
        Classification.objects.filter(system__in=[pk for pk, _ in systems]).order_by("pk").values_list(
            "system", "usage", "probability"
        ), 3, np.float64,
    )  # fmt: skip
    classes = np.full((len(systems), len(usages)), np.nan)
    classes[numbers_of(found[:, 0], [pk for pk, _ in systems]), numbers_of(found[:, 1], known)] = found[:, 2]
    study = VerdictStudy(
        verdicts=Answers(
            unit, judge, given[:, VALUE].astype(np.int64), len(usages), len(judges),
            seconds=np.where(given[:, SECONDS] < 0, np.nan, given[:, SECONDS]),
            is_repeat=is_repeat | (is_second & ~is_control), is_control=is_control,
        ),
        gold=np.array([GOLD[gold] for *_, gold in usages], dtype=float),
        document=numbers_of(np.array([of for _, _, of, _ in usages]), [pk for pk, *_ in documents]).astype(np.int64),
        is_expert=np.array([is_expert for *_, is_expert in judges], dtype=bool),
        skipped=np.bincount(skipped[:, JUDGE].astype(np.int64), minlength=len(judges)).astype(np.int64),
        classes=classes,
        names=VerdictNames(
            tuple(name for _, name in systems),
            tuple(name for _, name, _ in judges),
            tuple(name for _, name, *_ in usages),
            tuple(VerdictDocument(name, domain) for _, name, domain in documents),
        ),
        parameters=chosen,
        days=days_of(campaign, [name for _, name, _ in judges]),
    )  # fmt: skip
    return Extracted(study, int(rows[:, JUDGMENT].max(initial=0)), study.judgments)


def other_inputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: usages, classifications, and who is an expert."""
    known = Classification.objects.filter(system__campaign=campaign).aggregate(number=Count("pk"), newest=Max("pk"))
    experts = Membership.objects.filter(campaign=campaign, is_expert=True).order_by("pk")
    return {
        "usages": Usage.objects.filter(campaign=campaign).count(),
        "classifications": [known["number"], known["newest"]],
        "experts": list(experts.values_list("pk", flat=True)),
    }


OTHERS, THESE = "these usages, judged by other judges of the same kind", "these usages, judged by these judges"


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    lines = lines_of(tables, "measures")
    by_f = [line for line in lines if line["by"] == WEIGHTED and line["f"] is not None]
    has_intervals = any(line["f_low"] is not None for line in lines)
    scope = OTHERS if has_intervals else THESE
    alphas = lines_of(tables, "verdict_agreement", "alpha")
    agreement = f"alpha {number(alphas[0]['alpha'])} between judges" if alphas else ""
    may_say = tuple(
        f"{line['system']} reaches a precision of {with_interval(line, 'precision')} and a recall of "
        f"{with_interval(line, 'recall')} against the crowd."
        for line in by_f[:3]
    )
    may_not_say = [f"“Other texts would give the same.” The numbers hold for {scope}."]
    if len(by_f) > 1:
        best, second = by_f[:2]
        covered = "" if best["usages"] == second["usages"] else " They did not cover the same usages."
        may_not_say.insert(0, f"“{best['system']} is better than {second['system']}.” No test compares them.{covered}")
    if by_f:
        may_not_say.append("“What else it marks is correct.” The crowd may be wrong, or undecided.")
    answered = Answer(
        _sentence(by_f, lines), facts_of(tables), scope, agreement, may_say=may_say, may_not_say=tuple(may_not_say)
    )
    if not lines:
        return answered
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    by_draws = (
        f"The {level} intervals have the spread of {parameters['replicates']:,} bootstrap replicates [@efron1993] that "
        f"resample judges, times the quantile of Student's t; they hold for {scope}. "
    )
    by_alpha = "Agreement is measured by Krippendorff's alpha [@krippendorff2011]. "
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['verdicts'], 'verdict')} (error, OK or "
        f"unknown) on {quantity(counts['usages'], 'usage')}. Systems are measured against the crowd [@madnani2011]: "
        "each usage counts as an error in proportion to the verdicts that call it one. "
        f"{by_draws * has_intervals}{by_alpha * bool(alphas)}{computed_with(parameters['seed'])}"
    )
    weighted = [line for line in lines if line["by"] == WEIGHTED]
    rows = [(line["system"], line["usages"], *(with_interval(line, name) for name in RATIOS)) for line in weighted]
    table = Table.of("verdicts", ("System", "Usages", "Precision", "Recall", "F"), rows)
    caption = f"Systems measured against the crowd{f', with {level} intervals' * has_intervals}"
    return answered.with_paper(methods, caption, table)


def _sentence(by_f: list[dict], lines: list[dict]) -> str:
    if not lines:
        return "The crowd has judged; no system is measured yet."
    if not by_f:
        return "No system found a usage that the crowd calls an error."
    best, *others = by_f
    if not others:
        return f"{best['system']} has an F of {with_interval(best, 'f')}."
    said = f"{best['system']} has the highest F, {with_interval(best, 'f')}, of the {in_words(len(by_f))} systems"
    return f"{said}{', which did not cover the same usages' if len({line['usages'] for line in by_f}) > 1 else ''}."


def system_scores(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Iterator[SystemScore]:
    for line in lines_of(tables, "measures"):
        for name in RATIOS if line["by"] == WEIGHTED else ():
            label = f"{name.capitalize()} against the crowd"
            ends = line[f"{name}_low"], line[f"{name}_high"]
            yield SystemScore(line["system"], f"crowd-{name}", label, SHARE, line[name], *ends, "bootstrap (judge)")


VERDICTS = ReportKind(
    study=VerdictStudy,
    presets=PRESETS,
    presets_say={
        "recommended": "Recommended: the crowd against the majority of experts",
        "madnani2011": "As Madnani et al. (2011): the crowd against each expert, on average",
    },
    sections=SECTIONS,
    does="measures the systems by the verdicts",
    headline="measures",
    answer=answer,
    extract=extract,
    charts=(judgments_over_time, measures, bins, stability, agreement_histogram, enough, verdict_judges),
    chapters=(
        Chapter(
            "systems", "Systems against the crowd",
            "In weighted measures every verdict of the crowd counts; in unweighted ones only the majority "
            "counts. An interval shows what other judges might have given.",
            ("measures", "stability"), ("domains",), ("measures",),
        ),
        Chapter(
            "agreement-bins", "Clear cases and contested ones",
            "Systems need not do as well where people disagree. Within a bin, the majority counts.",
            ("agreement_histogram", "bins", "bins_kappa"), (), ("bins", "bins_kappa"),
        ),
        Chapter(
            "enough", "How many judgments are enough",
            "How well the majority of a few judges matches experts or the known answers.",
            ("enough",), ("experts",), ("enough",),
        ),
        Chapter(
            "verdict-judges", "Agreement and judges of verdicts",
            "Alpha is the agreement beyond chance: 1 is perfect, and 0 is as good as chance.",
            ("verdict_judges",), ("verdict_agreement",), ("verdict_agreement",),
        ),
        Chapter("judged", "What was judged", "", ("judgments_over_time",), ("crowd", "usages")),
    ),
    titles={
        "domains": "By domain",
        "experts": "Experts among themselves",
        "verdict_agreement": "Agreement of all",
        "crowd": "The crowd",
        "usages": "Usage by usage",
        "stability": "How measures vary with other judges",
        "judges": "The judges",
    },
    other_inputs=other_inputs,
    system_scores=system_scores,
)  # fmt: skip
