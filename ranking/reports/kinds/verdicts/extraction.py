"""Extract verdicts: judges' findings on usages, the known answers, and the systems' classifications."""

from typing import Any

import numpy as np
from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from judgments.models import Campaign, Classification, Document, Membership, System, Usage
from judgments.models import Verdict as VerdictRow
from ranking.reports.kinds.kind import Extracted
from ranking.reports.rows import UNTIMED, days_of, flat, judges_that_count, judgments_that_count, numbered
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN, Verdicts
from ranking.stats.verdicts.parameters import VerdictParameters
from ranking.stats.verdicts.study import Document as DocumentName
from ranking.stats.verdicts.study import VerdictNames, VerdictStudy

Finding = VerdictRow.Finding
CODES = {Finding.ERROR: ERROR, Finding.OK: OK, Finding.UNKNOWN: UNKNOWN}
# A judgment without a verdict.
SKIPPED = -2
GOLD = {True: 1.0, False: 0.0, None: np.nan}
# Columns of a row: judgment, judge, usage, seconds, finding, whether it is a control, whether it is a repeat.
WIDTH = 7


def extract(campaign: Campaign, chosen: VerdictParameters) -> Extracted:
    """Read the judgments that count, usage by usage."""
    people = judges_that_count(campaign, chosen.judged_by, chosen.answers)
    judges = list(people.values_list("pk", "pseudonym", "is_expert"))
    usages = list(
        Usage.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name", "segment__document", "gold")
    )
    documents = list(Document.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name", "domain"))
    classifying = System.objects.filter(campaign=campaign).filter(
        Exists(Classification.objects.filter(system=OuterRef("pk")))
    )
    systems = list(classifying.order_by("name").values_list("pk", "name"))
    rows = flat(_answers(campaign, [pk for pk, *_ in judges], chosen.answers), WIDTH, np.float64)
    known = [pk for pk, *_ in usages]
    judge = numbered(rows[:, 1], [pk for pk, *_ in judges]).astype(np.int64)
    in_no_time = np.lexsort((judge, rows[:, 2]))
    rows, judge = rows[in_no_time], judge[in_no_time]
    answered = rows[:, 4] > SKIPPED
    names = VerdictNames(
        tuple(name for _, name in systems),
        tuple(name for _, name, _ in judges),
        tuple(name for _, name, *_ in usages),
        tuple(DocumentName(name, domain) for _, name, domain in documents),
    )
    study = VerdictStudy(
        verdicts=Verdicts(
            numbered(rows[answered, 2], known).astype(np.int64), judge[answered], rows[answered, 4].astype(np.int64),
            len(usages), len(judges),
        ),
        seconds=np.where(rows[answered, 3] < 0, np.nan, rows[answered, 3]),
        is_repeat=_is_repeat(rows[answered]),
        is_control=rows[answered, 5] > 0,
        gold=np.array([GOLD[gold] for *_, gold in usages], dtype=float),
        document=numbered(np.array([of for _, _, of, _ in usages]), [pk for pk, *_ in documents]).astype(np.int64),
        is_expert=np.array([is_expert for *_, is_expert in judges], dtype=bool),
        skipped=np.bincount(judge[~answered], minlength=len(judges)).astype(np.int64),
        classes=_classes([pk for pk, _ in systems], known),
        names=names,
        parameters=chosen,
        days=days_of(campaign, names.judges),
    )  # fmt: skip
    return Extracted(study, int(rows[:, 0].max(initial=0)))


def other_inputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: usages, classifications, and who is an expert."""
    known = Classification.objects.filter(system__campaign=campaign).aggregate(number=Count("pk"), newest=Max("pk"))
    experts = Membership.objects.filter(campaign=campaign, is_expert=True).order_by("pk")
    return {
        "usages": Usage.objects.filter(campaign=campaign).count(),
        "classifications": [known["number"], known["newest"]],
        "experts": list(experts.values_list("pk", flat=True)),
    }


def _answers(campaign: Campaign, judges: list[int], answers: str) -> QuerySet:
    """Read a row per judgment; one without a verdict on a usage counts as skipped."""
    codes = [When(verdict__finding=finding, then=Value(code)) for finding, code in CODES.items()]
    found = Case(*codes, default=Value(SKIPPED), output_field=IntegerField())
    is_repeat = ExpressionWrapper(Q(assignment__repeats__isnull=False), output_field=BooleanField())
    return (
        judgments_that_count(campaign, judges, answers)
        .order_by("pk")
        .values_list(
            "pk", "assignment__judge", Coalesce("screen__usage", Value(0)),
            Coalesce("active_seconds", "wall_seconds", Value(UNTIMED), output_field=FloatField()),
            Case(When(screen__usage=None, then=Value(SKIPPED)), default=found), F("screen__has_control"), is_repeat,
        )
    )  # fmt: skip


def _is_repeat(rows: np.ndarray) -> np.ndarray:
    """Mark repeats, and second verdicts on a usage that is not a control, as when a plan and a file both have it."""
    places = rows[:, [1, 2, 5]]
    order = np.lexsort((np.arange(len(rows)), rows[:, 6] > 0, *places.T))
    is_first = np.ones(len(rows), dtype=bool)
    is_first[order[1:]] = np.any(places[order[1:]] != places[order[:-1]], axis=1)
    return (rows[:, 6] > 0) | (~is_first & (rows[:, 5] == 0))


def _classes(systems: list[int], usages: list[int]) -> np.ndarray:
    """Probabilities of each system (rows) for each usage (columns); NaN where a system has none."""
    rows = Classification.objects.filter(system__in=systems).order_by("pk")
    found = flat(rows.values_list("system", "usage", "probability"), 3, np.float64)
    classes = np.full((len(systems), len(usages)), np.nan)
    classes[numbered(found[:, 0], systems), numbered(found[:, 1], usages)] = found[:, 2]
    return classes
