"""One attempt at a report: what it reads, what it writes, and how it ends; another attempt may overtake it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from judgments.jobs.attempts import NO_MEMORY, beating
from judgments.judges.exclusion import stated
from judgments.models import Work
from ranking.models import Report, ReportInputs, ReportTable
from ranking.numbers.tables import StatisticsError
from ranking.reports.inputs import inputs_of
from ranking.reports.judge_statistics import record_judge_statistics
from ranking.reports.kinds.registry import kind_of, parameters_of
from ranking.stats.analysis import Analysis, AnyStudy, analyse

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
        kind = kind_of(report)
        other_inputs = kind.other_inputs(report.campaign)
        study, newest = kind.extract(report.campaign, parameters_of(report))
        report.exclusion = stated(report.campaign)
        content = b"" if report.is_interim else inputs_of(report, study)
        with transaction.atomic():
            if not self.mine.update(
                judgments=study.judgments,
                newest_judgment=newest,
                exclusion=report.exclusion,
                other_inputs=other_inputs,
            ):
                raise Overtaken
            if content:
                ReportInputs.objects.update_or_create(report=report, defaults={"content": content})
        return study

    def conclude(self, report: Report, study: AnyStudy) -> None:
        """Compute, and write everything at once."""
        kind = kind_of(report).study
        sections = kind.at_a_glance if report.is_interim else kind.sections
        analysis = analyse(study, sections, lambda name, done: self.step(name, 0.1 + 0.8 * done))
        with transaction.atomic():
            self.step(WRITING, 0.9)
            ReportTable.objects.filter(report=report).delete()
            ReportTable.objects.bulk_create(ReportTable.written(report, table) for table in analysis.tables.values())
            record_judge_statistics(report, analysis.tables)
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
