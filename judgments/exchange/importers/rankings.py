"""Importing rankings collected outside the platform: rows of a file become screens, assignments and judgments."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from judgments.exchange.importers.rules import FORMATS
from judgments.exchange.importers.rules.rankings import SKIPPED_ELSEWHERE, Recorded
from judgments.exchange.importers.rules.reconcile import (
    Outputs,
    Ranking,
    Reconciled,
    ranking_keys,
    reconcile_with_texts,
    reconcile_without_texts,
)
from judgments.exchange.importers.writing import (
    AssignmentWriter,
    Imported,
    NewJudgment,
    check_campaign,
    chunks_of,
    not_yet_stored,
    recorded_screens,
)
from judgments.models import Campaign, Candidate, Document, Placement, Screen, Segment, Slot, System, SystemOutput
from judgments.models.campaign import LARGEST_SCREEN
from judgments.models.journal import note
from judgments.models.screens import written_order
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, Problems, shorten
from judgments.rules.progress import Progress, no_progress
from judgments.rules.texts.collapsing import fingerprint

RECORDED_DOCUMENT = "recorded elsewhere"
OUTCOME = (
    "{added} rankings added, {known} were already stored. The file contains {total} rankings of {subjects} sentences "
    "by {judges} judges, {skipped} of them skipped, with {details} ranked outputs."
)


@transaction.atomic
def record_judgments(
    campaign: Campaign,
    file: str,
    content: bytes,
    file_format: str,
    numbered_from: int | None = None,
    progress: Progress = no_progress,
) -> Imported:
    """Store the new rankings of a file; refuse a file that disagrees with the outputs.

    Without `numbered_from`, the texts decide whether its sentences are numbered from 0 or from 1.
    """
    check_campaign(campaign, Placement, "rankings")
    recorded = FORMATS[file_format](file, content)
    reconciled = _reconcile(campaign, file, recorded, numbered_from)
    new = not_yet_stored(campaign, ranking_keys(reconciled.rankings, campaign.slug), reconciled.rankings)
    _Recorder(campaign, new).write(progress)
    note(campaign, f"imported {len(new)} rankings from {file}")
    return Imported(
        added=len(new),
        known=len(recorded) - len(new),
        judges=len({row.judge for row in recorded}),
        skipped=sum(row.skipped for row in recorded),
        subjects=len({ranking.position for ranking in reconciled.rankings}),
        details=sum(len(row.groups) for row in recorded),
        sentence=OUTCOME,
        notes=reconciled.notes,
    )


def _reconcile(campaign: Campaign, file: str, recorded: list[Recorded], numbered_from: int | None) -> Reconciled:
    """Match the rows with the campaign's outputs; if it has none, store systems and candidates by name."""
    if problems := [Problem(file, row.line, fault) for row in recorded if (fault := _fault(row))]:
        raise Problems(shorten(file, problems))
    outputs = _outputs(campaign)
    if Candidate.objects.filter(segment__campaign=campaign, text__isnull=False).exists():
        known = System.objects.filter(campaign=campaign).values_list("name", flat=True)
        reconciled = reconcile_with_texts(file, recorded, outputs, known, numbered_from)
        reconciled.notes.extend(_let_take_part(campaign, reconciled.systems))
        return reconciled
    reconciled = reconcile_without_texts(file, recorded, outputs)
    _write_textless(campaign, reconciled)
    return reconciled


def _fault(row: Recorded) -> str | None:
    if len(row.groups) > LARGEST_SCREEN:
        return f"ranks more than {LARGEST_SCREEN} outputs"
    if any(group.rank > LARGEST_SCREEN for group in row.groups):
        return f"has a rank above {LARGEST_SCREEN}; number the ranks from 1"
    return fault_of_pseudonym(row.judge)


def _let_take_part(campaign: Campaign, names: list[str]) -> list[str]:
    """Let every judged system take part, including the source; return notes, because this affects later assignments."""
    judged = System.objects.filter(campaign=campaign, name__in=names, takes_part=False)
    judged = judged.exclude(kind=System.Kind.CONTROL)
    names = list(judged.values_list("name", flat=True))
    judged.update(takes_part=True)
    return [f"{name} is ranked in the file, so it takes part from now on" for name in names]


def _outputs(campaign: Campaign) -> Outputs:
    outputs: dict[int, dict[str, int]] = defaultdict(dict)
    rows = SystemOutput.objects.filter(system__campaign=campaign)
    columns = ("segment__position", "system__name", "candidate")
    for position, system, candidate in rows.values_list(*columns).iterator(10_000):
        outputs[position][system] = candidate
    return outputs


def _write_textless(campaign: Campaign, reconciled: Reconciled) -> None:
    """Store segments, systems and candidates without texts."""
    positions = {ranking.position for ranking in reconciled.rankings}
    positions -= set(Segment.objects.filter(campaign=campaign).values_list("position", flat=True))
    document, _ = Document.objects.get_or_create(campaign=campaign, name=RECORDED_DOCUMENT)
    Segment.objects.bulk_create(Segment(campaign=campaign, document=document, position=p) for p in sorted(positions))
    System.objects.bulk_create(
        (System(campaign=campaign, name=name) for name in reconciled.systems), ignore_conflicts=True
    )
    systems = dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))
    segments = dict(Segment.objects.filter(campaign=campaign).values_list("position", "pk"))
    stored = set(SystemOutput.objects.filter(system__campaign=campaign).values_list("segment", "system"))
    groups = {(segments[r.position], names) for r in reconciled.rankings for names, _ in r.groups}
    new = sorted((segment, names) for segment, names in groups if (segment, systems[names[0]]) not in stored)
    candidates = Candidate.objects.bulk_create(
        Candidate(segment_id=segment, fingerprint=fingerprint("\0".join(names))) for segment, names in new
    )
    SystemOutput.objects.bulk_create(
        SystemOutput(system_id=systems[name], segment_id=segment, candidate=candidate)
        for (segment, names), candidate in zip(new, candidates, strict=True)
        for name in names
    )


class _Recorder:
    """Writes rankings; screens with the same candidates are shared, even across files."""

    def __init__(self, campaign: Campaign, rankings: list[tuple[UUID, Ranking]]):
        self.campaign, self.rankings = campaign, rankings
        self.segments = dict(Segment.objects.filter(campaign=campaign).values_list("position", "pk"))
        self.outputs = _outputs(campaign)
        self.assignments = AssignmentWriter(campaign, (ranking.recorded.judge for _, ranking in rankings))
        earlier = recorded_screens(campaign)
        shown: dict[int, set[int]] = defaultdict(set)
        for screen, candidate in Slot.objects.filter(screen__in=earlier).values_list("screen", "candidate"):
            shown[screen].add(candidate)
        self.screens = {(screen.segment_id, frozenset(shown[screen.pk])): screen for screen in earlier}

    def write(self, progress: Progress) -> None:
        for part in chunks_of(self.rankings, progress):
            self._write_screens(ranking for _, ranking in part)
            judgments = self.assignments.write([self._new_judgment(key, ranking) for key, ranking in part])
            Placement.objects.bulk_create(
                Placement(judgment=judgment, screen_id=judgment.screen_id, candidate_id=candidate, rank=rank)
                for judgment, (_, ranking) in zip(judgments, part, strict=True)
                for candidate, (_, rank) in zip(self._candidates(ranking), ranking.groups, strict=True)
            )

    def _candidates(self, ranking: Ranking) -> list[int]:
        texts = self.outputs[ranking.position] if ranking.groups else {}
        return [int(str(texts[systems[0]])) for systems, _ in ranking.groups]

    def _place(self, ranking: Ranking) -> tuple[int, frozenset[int]]:
        return self.segments[ranking.position], frozenset(self._candidates(ranking))

    def _write_screens(self, rankings: Iterable[Ranking]) -> None:
        new = dict.fromkeys(place for ranking in rankings if (place := self._place(ranking)) not in self.screens)
        screens = Screen.objects.bulk_create(Screen(campaign=self.campaign, segment_id=segment) for segment, _ in new)
        self.screens |= dict(zip(new, screens, strict=True))
        Slot.objects.bulk_create(
            Slot(screen=screen, candidate_id=candidate, position=position)
            for (_, candidates), screen in zip(new, screens, strict=True)
            for position, candidate in enumerate(sorted(candidates))
        )

    def _new_judgment(self, key: UUID, ranking: Ranking) -> NewJudgment:
        recorded, candidates = ranking.recorded, self._candidates(ranking)
        # The order in the file is the best estimate of the order on the screen.
        order = written_order(tuple(sorted(candidates).index(candidate) for candidate in candidates))
        reason = SKIPPED_ELSEWHERE if recorded.skipped else ""
        return NewJudgment(key, recorded.judge, self.screens[self._place(ranking)], order, reason, recorded.seconds)
