"""Taking in judgments that others collected: rows of a file become screens, seats and judgments of this platform."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from judgments.faults import Refused
from judgments.models import (
    Campaign,
    Candidate,
    Document,
    Judgment,
    Membership,
    Placement,
    Screen,
    Seat,
    Segment,
    Slot,
    System,
    SystemOutput,
)
from judgments.models.campaign import LARGEST_SCREEN
from judgments.models.judging import written_order
from judgments.progress import Progress, no_progress
from judgments.rules.collapsing import fingerprint
from judgments.rules.names import fault_of_pseudonym
from judgments.rules.problems import Problem, Problems, shorten
from judgments.rules.recorded import FORMATS
from judgments.rules.recorded.reconcile import (
    Outputs,
    Ranking,
    Reconciled,
    ranking_keys,
    reconcile_with_texts,
    reconcile_without_texts,
)
from judgments.rules.recorded.rows import Recorded

RANKINGS_AT_ONCE = 500
RECORDED_DOCUMENT = "recorded elsewhere"


class Imported(NamedTuple):
    """What a file brought: new rankings and how many the campaign had already, and what the whole file holds."""

    added: int
    known: int
    judges: int
    skipped: int
    segments: int
    groups: int
    notes: list[str]


@transaction.atomic
def record_judgments(
    campaign: Campaign,
    file: str,
    content: bytes,
    file_format: str,
    numbered_from: int | None = None,
    progress: Progress = no_progress,
) -> Imported:
    """Store the rankings of a file that are not there yet; refuse a file that disagrees with the outputs.

    Whether its sentences are numbered from 0 or from 1 is found out, unless it is said.
    """
    if campaign.protocol != Campaign.Protocol.RANKING:
        raise Refused(
            f"Files of rankings go into ranking campaigns; {campaign.slug} is a {campaign.protocol} campaign."
        )
    recorded = FORMATS[file_format](file, content)
    understood = _reconcile(campaign, file, recorded, numbered_from)
    keys = ranking_keys(understood.rankings, campaign.slug)
    there = set(Judgment.objects.filter(seat__campaign=campaign).values_list("key", flat=True))
    new = [(key, ranking) for key, ranking in zip(keys, understood.rankings, strict=True) if key not in there]
    _Recorder(campaign).write(new, progress)
    return Imported(
        added=len(new),
        known=len(keys) - len(new),
        judges=len({row.judge for row in recorded}),
        skipped=sum(row.skipped for row in recorded),
        segments=len({ranking.position for ranking in understood.rankings}),
        groups=sum(len(row.groups) for row in recorded),
        notes=understood.notes,
    )


def _reconcile(campaign: Campaign, file: str, recorded: list[Recorded], numbered_from: int | None) -> Reconciled:
    """Read the rows against the campaign's outputs; where it has none, make what the rows name."""
    if problems := [Problem(file, row.line, fault) for row in recorded if (fault := _fault(row))]:
        raise Problems(shorten(file, problems))
    with_texts = Candidate.objects.filter(segment__campaign=campaign, text__isnull=False).exists()
    outputs = _outputs(campaign)
    if with_texts:
        known = System.objects.filter(campaign=campaign).values_list("name", flat=True)
        understood = reconcile_with_texts(file, recorded, outputs, known, numbered_from)
        understood.notes.extend(_let_take_part(campaign, understood.systems))
        return understood
    understood = reconcile_without_texts(file, recorded, outputs)
    _write_textless(campaign, understood)
    return understood


def _fault(row: Recorded) -> str | None:
    if len(row.groups) > LARGEST_SCREEN:
        return f"ranks more than {LARGEST_SCREEN} outputs"
    if any(group.rank > LARGEST_SCREEN for group in row.groups):
        return f"has a rank beyond {LARGEST_SCREEN}; number the ranks from 1"
    return fault_of_pseudonym(row.judge)


def _let_take_part(campaign: Campaign, names: list[str]) -> list[str]:
    """Whatever was judged, the source above all, is a participant; said, as it changes what is dealt from now on."""
    judged = System.objects.filter(campaign=campaign, name__in=names, takes_part=False)
    judged = judged.exclude(kind=System.Kind.CONTROL)
    said = [
        f"{name} is ranked in the file, so it takes part from now on" for name in judged.values_list("name", flat=True)
    ]
    judged.update(takes_part=True)
    return said


def _outputs(campaign: Campaign) -> Outputs:
    outputs: dict[int, dict[str, int]] = defaultdict(dict)
    rows = SystemOutput.objects.filter(system__campaign=campaign).values_list(
        "segment__position", "system__name", "candidate"
    )
    for position, system, candidate in rows.iterator(10_000):
        outputs[position][system] = candidate
    return outputs


def _write_textless(campaign: Campaign, understood: Reconciled) -> None:
    """Segments, systems and candidates that are known by name alone."""
    positions = {ranking.position for ranking in understood.rankings}
    positions -= set(Segment.objects.filter(campaign=campaign).values_list("position", flat=True))
    document, _ = Document.objects.get_or_create(campaign=campaign, name=RECORDED_DOCUMENT)
    Segment.objects.bulk_create(Segment(campaign=campaign, document=document, position=p) for p in sorted(positions))
    System.objects.bulk_create(
        (System(campaign=campaign, name=name) for name in understood.systems), ignore_conflicts=True
    )
    systems = dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))
    segments = dict(Segment.objects.filter(campaign=campaign).values_list("position", "pk"))
    there = set(SystemOutput.objects.filter(system__campaign=campaign).values_list("segment", "system"))
    groups = {(segments[r.position], names) for r in understood.rankings for names, _ in r.groups}
    fresh = sorted((segment, names) for segment, names in groups if (segment, systems[names[0]]) not in there)
    candidates = Candidate.objects.bulk_create(
        Candidate(segment_id=segment, fingerprint=fingerprint("\0".join(names))) for segment, names in fresh
    )
    SystemOutput.objects.bulk_create(
        SystemOutput(system_id=systems[name], segment_id=segment, candidate=candidate)
        for (segment, names), candidate in zip(fresh, candidates, strict=True)
        for name in names
    )


class _Recorder:
    """Writes rankings; screens with the same candidates are shared, a judge's second ranking of one is a repeat."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign
        self.segments = dict(Segment.objects.filter(campaign=campaign).values_list("position", "pk"))
        self.outputs = _outputs(campaign)
        self.judges: dict[str, Membership] = {}
        self.screens: dict[tuple[int, frozenset[int]], Screen] = {}
        self.last_seats: dict[tuple[int, int], Seat] = {}
        self.now = timezone.now()

    def write(self, rankings: list[tuple[UUID, Ranking]], progress: Progress) -> None:
        self._find_judges({ranking.recorded.judge for _, ranking in rankings})
        self._find_screens()
        for start in range(0, len(rankings), RANKINGS_AT_ONCE):
            part = rankings[start : start + RANKINGS_AT_ONCE]
            self._write_screens(ranking for _, ranking in part)
            self._write_judgments(part)
            progress(start + len(part), len(rankings))

    def _find_judges(self, names: set[str]) -> None:
        there = Membership.objects.filter(campaign=self.campaign, pseudonym__in=names)
        self.judges = {judge.pseudonym: judge for judge in there}
        new = [
            Membership(campaign=self.campaign, role=Membership.Role.JUDGE, pseudonym=name)
            for name in sorted(names - self.judges.keys())
        ]
        self.judges |= {judge.pseudonym: judge for judge in Membership.objects.bulk_create(new)}

    def _find_screens(self) -> None:
        """Screens and seats of earlier imports, so that a repeat is seen across files."""
        recorded = Screen.objects.filter(campaign=self.campaign, batch=None, automatic=False)
        shown: dict[int, set[int]] = defaultdict(set)
        for screen, candidate in Slot.objects.filter(screen__in=recorded).values_list("screen", "candidate"):
            shown[screen].add(candidate)
        for row in recorded:
            self.screens[row.segment_id, frozenset(shown[row.pk])] = row
        for seat in Seat.objects.filter(screen__in=recorded).order_by("pk"):
            if seat.judge_id:
                self.last_seats[seat.judge_id, seat.screen_id] = seat

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

    def _write_judgments(self, rankings: list[tuple[UUID, Ranking]]) -> None:
        seats = [self._seat(ranking) for _, ranking in rankings]
        Seat.objects.bulk_create(seat for seat in seats if seat.repeats is None)
        for seat in seats:
            if seat.repeats is not None:
                seat.repeats = seat.repeats  # takes over the key that the repeated seat got when it was stored
                seat.save()
        judgments = Judgment.objects.bulk_create(
            Judgment(
                seat=seat,
                screen_id=seat.screen_id,
                key=key,
                skipped=ranking.recorded.skipped,
                skip_reason="recorded elsewhere" if ranking.recorded.skipped else "",
                wall_seconds=ranking.recorded.seconds,
                submitted_at=self.now,
            )
            for seat, (key, ranking) in zip(seats, rankings, strict=True)
        )
        Placement.objects.bulk_create(
            Placement(judgment=judgment, screen_id=judgment.screen_id, candidate_id=candidate, rank=rank)
            for judgment, (_, ranking) in zip(judgments, rankings, strict=True)
            for candidate, (_, rank) in zip(self._candidates(ranking), ranking.groups, strict=True)
        )

    def _seat(self, ranking: Ranking) -> Seat:
        """A finished seat; the judge's earlier one at the same screen is what it repeats."""
        judge = self.judges[ranking.recorded.judge]
        screen = self.screens[self._place(ranking)]
        seat = Seat(
            campaign=self.campaign,
            screen=screen,
            judge=judge,
            submitted_at=self.now,
            order=self._order(ranking),
            repeats=self.last_seats.get((judge.pk, screen.pk)),
        )
        self.last_seats[judge.pk, screen.pk] = seat
        return seat

    def _order(self, ranking: Ranking) -> str:
        """The order of the file, which is as near as it tells to the order shown."""
        candidates = self._candidates(ranking)
        return written_order(tuple(sorted(candidates).index(candidate) for candidate in candidates))
