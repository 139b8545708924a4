"""One attempt at a report: what it reads, what it writes, and how it ends; another attempt may overtake it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from judgments.jobs.attempts import NO_MEMORY, beating
from judgments.judges.exclusion import stated
from judgments.models import Work
from ranking.archives import unzipped, zipped
from ranking.gathering import besides_now, gather
from ranking.judges_told import leave
from ranking.models import Report, ReportInputs, ReportTable
from ranking.stats.again import ABOUT
from ranking.stats.analysis import Analysis, analyse
from ranking.stats.ballots import StatisticsError
from ranking.stats.kinds import AnyStudy, kind_of, read, written

READING, ANALYSING, WRITING = "reading judgments", "analysing", "writing"


class Overtaken(Exception):
    """Another attempt at the same report has begun, or it was cancelled; this one must leave the rows alone."""


class Attempt:
    """An attempt by its number; whatever it writes it writes only while the report is still its own."""

    def __init__(self, report_id: int, number: int):
        self.report_id = report_id
        self.mine = Report.objects.filter(pk=report_id, attempt=number, state=Work.State.RUNNING)

    @contextmanager
    def going_on(self) -> Iterator[Report]:
        """Its report, kept alive; a failure is told in a sentence, and being overtaken is none.

        Whoever is overtaken before the beginning gets the report all the same, and stops at the first step.
        """
        report = Report.objects.select_related("campaign").get(pk=self.report_id)
        try:
            with beating(self.mine):
                yield report
        except Overtaken:
            return
        except StatisticsError as reason:
            self._fail(str(reason))
        except MemoryError:  # told on, it would end the worker
            self._fail(NO_MEMORY)
        except Exception:
            self._fail("Something went wrong in the program.")
            raise

    def step(self, name: str, progress: float) -> None:
        """Say what is done now, and how far it is."""
        if not self.mine.update(step=name, progress=progress, heartbeat=timezone.now()):
            raise Overtaken

    def gather(self, report: Report) -> AnyStudy:
        """What counts now, kept with the report so that its numbers can be made again; not for the live board."""
        self.step(READING, 0.0)
        besides = besides_now(report.campaign)
        study, newest = gather(report.campaign, report.chosen())
        report.exclusion = stated(report.campaign)
        content = b"" if report.is_interim else _inputs(report, study)
        with transaction.atomic():
            if not self.mine.update(
                judgments=study.judgments, newest_judgment=newest, exclusion=report.exclusion, besides=besides
            ):
                raise Overtaken
            if content:
                ReportInputs.objects.update_or_create(report=report, defaults={"content": content})
        return study

    def conclude(self, report: Report, study: AnyStudy) -> None:
        """Compute, and write everything at once."""
        sections = kind_of(study).at_a_glance if report.is_interim else None
        analysis = analyse(study, lambda name, done: self.step(name, 0.1 + 0.8 * done), sections)
        with transaction.atomic():
            self.step(WRITING, 0.9)
            ReportTable.objects.filter(report=report).delete()
            ReportTable.objects.bulk_create(ReportTable.written(report, table) for table in analysis.tables.values())
            leave(report, analysis.tables)
            self._finish(study, analysis)

    def _finish(self, study: AnyStudy, analysis: Analysis) -> None:
        self.mine.update(
            state=Work.State.DONE,
            progress=1,
            step="",
            signature=study.signature(),
            gaps=analysis.gaps,
            finished_at=timezone.now(),
        )

    def _fail(self, reason: str) -> None:
        self.mine.update(state=Work.State.FAILED, error=reason, finished_at=timezone.now())


def _inputs(report: Report, study: AnyStudy) -> bytes:
    about = json.dumps(report.about(), ensure_ascii=False, indent=1) + "\n"
    return zipped(written(study) | {ABOUT: about})


def gathered(report: Report) -> AnyStudy:
    """What an attempt gathered, by another worker."""
    content = bytes(ReportInputs.objects.get(report=report).content)
    return read({name: text.decode() for name, text in unzipped(content).items()})
