"""The rows of a bundle as rows of this installation, kind by kind."""

from array import array
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from judgments.archive.rules.fields import KINDS
from judgments.archive.rules.layout import Row, file_of
from judgments.archive.rules.reading import Bundle
from judgments.models import (
    Assignment,
    Batch,
    Campaign,
    Candidate,
    Classification,
    Completion,
    Document,
    Judgment,
    Membership,
    Screen,
    Segment,
    Slot,
    StandIn,
    System,
    SystemOutput,
    Usage,
)
from judgments.protocols import protocol_of
from judgments.protocols.base import USAGES
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.texts.collapsing import fingerprint


class Maker:
    """Writes rows kind by kind and remembers under which key each was stored."""

    def __init__(self, campaign: Campaign, bundle: Bundle):
        self.campaign, self.bundle = campaign, bundle
        self.has_new_keys: bool | None = None
        self._named: dict[str, dict[Any, int]] = {
            kind: {} for kind in ("systems", "documents", "segments", "judges", "batches")
        }
        self._candidates, self._usages = array("q"), array("q")
        self._screens, self._assignments, self._screens_of_assignments = (array("q") for _ in range(3))

    def make_systems(self, rows: list[Row]) -> None:
        """Systems, known by name."""
        made = System.objects.bulk_create(System(campaign=self.campaign, **row) for row in rows)
        self._named["systems"] |= {system.name: system.pk for system in made}

    def make_documents(self, rows: list[Row]) -> None:
        """Documents, known by name."""
        made = Document.objects.bulk_create(Document(campaign=self.campaign, **row) for row in rows)
        self._named["documents"] |= {document.name: document.pk for document in made}

    def make_segments(self, rows: list[Row]) -> None:
        """Segments, known by line."""
        made = Segment.objects.bulk_create(
            Segment(
                campaign=self.campaign,
                document_id=self._named["documents"][row["document"]],
                position=row["line"] - 1,
                text=row["text"],
            )
            for row in rows
        )
        self._named["segments"] |= {segment.position + 1: segment.pk for segment in made}

    def make_candidates(self, rows: list[Row]) -> None:
        """Candidates, known by number."""
        made = Candidate.objects.bulk_create(
            Candidate(segment_id=self._segment(row), text=row["text"], fingerprint=_fingerprint(row)) for row in rows
        )
        self._candidates.extend(candidate.pk for candidate in made)

    def make_outputs(self, rows: list[Row]) -> None:
        """Which system made which candidate."""
        SystemOutput.objects.bulk_create(
            SystemOutput(
                system_id=self._named["systems"][row["system"]],
                segment_id=self._segment(row),
                candidate_id=self._candidate(row["candidate"]),
                verbatim=row["verbatim"],
                edits=row["edits"],
            )
            for row in rows
        )

    def make_usages(self, rows: list[Row]) -> None:
        """Usages, known by number."""
        plain = ("name", "start", "end", "gold")
        made = Usage.objects.bulk_create(
            Usage(campaign=self.campaign, segment_id=self._segment(row), **{name: row[name] for name in plain})
            for row in rows
        )
        self._usages.extend(usage.pk for usage in made)

    def make_classifications(self, rows: list[Row]) -> None:
        """What systems say of usages."""
        Classification.objects.bulk_create(
            Classification(
                system_id=self._named["systems"][row["system"]],
                usage_id=self._usages[row["usage"] - 1],
                probability=row["probability"],
            )
            for row in rows
        )

    def make_judges(self, rows: list[Row]) -> None:
        """Judges and programs without accounts, known by pseudonym."""
        roles = {True: Membership.Role.PROGRAM, False: Membership.Role.JUDGE}
        made = Membership.objects.bulk_create(
            Membership(
                campaign=self.campaign,
                role=roles[row["is_program"]],
                **{name: value for name, value in _with_moments(row).items() if name != "is_program"},
            )
            for row in rows
        )
        for judge, row in zip(made, rows, strict=True):
            judge.joined_at = datetime.fromisoformat(row["joined_at"])
        Membership.objects.bulk_update(made, ["joined_at"])
        self._named["judges"] |= {judge.pseudonym: judge.pk for judge in made}

    def make_batches(self, rows: list[Row]) -> None:
        """Batches, known by number."""
        made = Batch.objects.bulk_create(Batch(campaign=self.campaign, **row) for row in rows)
        self._named["batches"] |= {batch.number: batch.pk for batch in made}

    def make_screens(self, rows: list[Row]) -> None:
        """Screens with their slots, known by number."""
        self._check_screens(rows)
        plain = ("automatic", "has_control")
        made = Screen.objects.bulk_create(
            Screen(
                campaign=self.campaign,
                segment_id=self._segment(row),
                batch_id=self._batch(row),
                usage_id=self._usage(row),
                **{name: row[name] for name in plain},
            )
            for row in rows
        )
        Slot.objects.bulk_create(
            Slot(screen=screen, candidate_id=self._candidate(candidate), position=position)
            for screen, row in zip(made, rows, strict=True)
            for position, candidate in enumerate(row["slots"])
            if candidate is not None
        )
        self._screens.extend(screen.pk for screen in made)

    def _check_screens(self, rows: list[Row]) -> None:
        asks_about_usages = protocol_of(self.campaign).material == USAGES
        for row in rows:
            if (row["usage"] is None) == asks_about_usages:
                what = f"asks about {'no' if asks_about_usages else 'an'} usage in a {self.campaign.protocol} campaign"
                raise Problems([Problem(file_of("screens"), row["number"], what)])

    def make_assignments(self, rows: list[Row]) -> None:
        """Assignments, known by number; a repeat gets its judge when it is known what it repeats."""
        made = Assignment.objects.bulk_create(self._assignment(row) for row in rows)
        self._assignments.extend(assignment.pk for assignment in made)
        self._screens_of_assignments.extend(assignment.screen_id for assignment in made)
        repeats = []
        for assignment, row in zip(made, rows, strict=True):
            if row["repeats"] is not None:
                assignment.repeats_id = self._assignments[row["repeats"] - 1]
                assignment.judge_id, assignment.submitted_at = self._judge(row), _moment(row["submitted_at"])
                repeats.append(assignment)
        Assignment.objects.bulk_update(repeats, ["repeats", "judge", "submitted_at"], batch_size=200)

    def _assignment(self, row: Row) -> Assignment:
        is_repeat = row["repeats"] is not None
        return Assignment(
            campaign=self.campaign,
            screen_id=self._screens[row["screen"] - 1],
            batch_id=self._batch(row),
            round=row["round"],
            position=row["position"],
            order=row["order"],
            judge_id=None if is_repeat else self._judge(row),
            claimed_at=_moment(row["claimed_at"]),
            submitted_at=None if is_repeat else _moment(row["submitted_at"]),
        )

    def make_stand_ins(self, rows: list[Row]) -> None:
        """Which assignments stand in for which."""
        StandIn.objects.bulk_create(
            StandIn(
                assignment_id=self._assignments[row["assignment"] - 1],
                original_id=self._assignments[row["original"] - 1],
            )
            for row in rows
        )

    def make_judgments(self, rows: list[Row]) -> None:
        """Judgments with their answers, under new keys where this installation has theirs already."""
        if self.has_new_keys is None:
            self.has_new_keys = Judgment.objects.filter(key__in=[row["key"] for row in rows]).exists()
        plain = KINDS["judgments"].keys() - {"number", "assignment", "key", "submitted_at", "answers"}
        made = Judgment.objects.bulk_create(
            Judgment(
                assignment_id=self._assignments[row["assignment"] - 1],
                screen_id=self._screens_of_assignments[row["assignment"] - 1],
                key=self._key(row),
                submitted_at=datetime.fromisoformat(row["submitted_at"]),
                **{name: row[name] for name in plain},
            )
            for row in rows
        )
        table = protocol_of(self.campaign).answers
        table.model._default_manager.bulk_create(
            table.model(
                judgment=judgment,
                **(self._shown(judgment, answer) if table.of_candidates else {}),
                **{name: answer[name] for name in table.columns},
            )
            for judgment, row in zip(made, rows, strict=True)
            for answer in row["answers"]
        )

    def _shown(self, judgment: Judgment, answer: Row) -> dict[str, int]:
        return {"screen_id": judgment.screen_id, "candidate_id": self._candidate(answer["candidate"])}

    def _key(self, row: Row) -> UUID:
        key = UUID(row["key"])
        return uuid5(key, self.campaign.slug) if self.has_new_keys else key

    def make_completions(self, rows: list[Row]) -> None:
        """Finished batches."""
        made = Completion.objects.bulk_create(
            Completion(
                judge_id=self._named["judges"][row["judge"]],
                batch_id=self._named["batches"][row["batch"]],
                screens=row["screens"],
                earns_code=row["earns_code"],
                passed=row["passed"],
            )
            for row in rows
        )
        for completion, row in zip(made, rows, strict=True):
            completion.finished_at = datetime.fromisoformat(row["finished_at"])
        Completion.objects.bulk_update(made, ["finished_at"])

    def _segment(self, row: Row) -> int:
        return self._named["segments"][row["segment"]]

    def _candidate(self, number: int) -> int:
        return self._candidates[number - 1]

    def _usage(self, row: Row) -> int | None:
        return None if row["usage"] is None else self._usages[row["usage"] - 1]

    def _judge(self, row: Row) -> int | None:
        return None if row["judge"] is None else self._named["judges"][row["judge"]]

    def _batch(self, row: Row) -> int | None:
        return None if row["batch"] is None else self._named["batches"][row["batch"]]


def _fingerprint(candidate: Row) -> str:
    """The short name of the text; where there is no text it was told."""
    return candidate["fingerprint"] if candidate["text"] is None else fingerprint(candidate["text"])


def _moment(told: str | None) -> datetime | None:
    return None if told is None else datetime.fromisoformat(told)


def _with_moments(row: Row) -> Row:
    return {name: _moment(value) if name.endswith("_at") else value for name, value in row.items()}
