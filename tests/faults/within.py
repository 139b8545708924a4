"""What is done within a platform: `python -m tests.faults.within install TEXTS JUDGES`, `hurry` or `examine FILE`."""

import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

SLUG = "faults"
ROUNDS = 3
ORGANISER = "olga"
BROKEN_ASSIGNMENTS = {
    "assignments with two current judgments": "SELECT assignment_id FROM judgments_judgment "
    "WHERE current GROUP BY assignment_id HAVING COUNT(*) > 1",
    "keys stored twice": "SELECT key FROM judgments_judgment GROUP BY key HAVING COUNT(*) > 1",
    "revisions that are missing": "SELECT assignment_id FROM judgments_judgment GROUP BY assignment_id "
    "HAVING COUNT(*) <> MAX(revision)",
    "assignments that were submitted without a judgment": "SELECT id FROM judgments_assignment "
    "WHERE submitted_at IS NOT NULL AND id NOT IN (SELECT assignment_id FROM judgments_judgment)",
    "judgments from assignments that were not submitted": "SELECT assignment_id FROM judgments_judgment "
    "WHERE assignment_id IN (SELECT id FROM judgments_assignment WHERE submitted_at IS NULL)",
    "screens that a judge has twice": "SELECT screen_id FROM judgments_assignment WHERE judge_id IS NOT NULL "
    "AND repeats_id IS NULL GROUP BY screen_id, judge_id HAVING COUNT(*) > 1",
    "judgments with the wrong number of placements": "SELECT j.id FROM judgments_judgment j WHERE NOT j.skipped AND "
    "(SELECT COUNT(*) FROM judgments_placement p WHERE p.judgment_id = j.id) <> "
    "(SELECT COUNT(*) FROM judgments_slot s WHERE s.screen_id = j.screen_id)",
}
# One being judged, and the next one fetched ahead.
MOST_HELD = 2


def install(texts: str, judges: str) -> dict[str, object]:
    """A campaign, by the platform's own verbs; the tokens by which judges and the organiser's program come in."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from django.contrib.auth.models import User

    from judgments.assignment import assigning
    from judgments.campaigns import settings as campaign_settings
    from judgments.campaigns import states
    from judgments.judges import invitations, programs
    from judgments.models import Campaign

    User.objects.create_user(ORGANISER, is_staff=True)
    call_command("import_outputs", SLUG, texts, organiser=ORGANISER, guidance="none", stdout=StringIO())
    complete = Campaign.Design.COMPLETE
    settings = {"design": complete, "redundancy": ROUNDS, "batch_size": 20, "repeat_share": 0.1, "seed": 5}
    settings["least_seconds"] = None  # machines are faster
    campaign = campaign_settings.configure(Campaign.objects.get(slug=SLUG), **settings)
    assigning.assign(campaign)
    states.open_campaign(campaign)
    invited = invitations.invite(campaign, [f"judge-{number}" for number in range(int(judges))])
    return {"judges": [invitation.token for invitation in invited], "organiser": programs.token_of(ORGANISER)}


def hurry() -> dict[str, int]:
    """Work that nobody is at looks as old as it would in a minute, and is looked for.

    Work that goes on meanwhile looks abandoned as well, so that two workers are at it, which must do no harm either.
    """
    from django.db.models import F

    from appraise_gec.celery import app
    from judgments.models import Job
    from judgments.models.jobs import STALE_AFTER

    older = {"heartbeat": F("heartbeat") - STALE_AFTER, "queued_at": F("queued_at") - STALE_AFTER}
    aged = Job.objects.unfinished().update(**older)
    app.send_task("judgments.sweep_jobs")
    return {"aged": aged}


def examine(file: str) -> dict[str, Any]:
    """Every fault found, where the file says what judges sent and what was confirmed as saved; and the totals."""
    happened = json.loads(Path(file).read_text())
    faults = [
        *_answers(happened["sent"], happened["confirmed"]), *_assignments(), *_jobs(), *_reports(), *_material(),
    ]  # fmt: skip
    return {"faults": faults, **amounts()}


def _answers(sent: dict[str, dict[str, str]], confirmed: list[str]) -> Iterator[str]:
    from judgments.models import Judgment, Slot

    slots: dict[int, dict[int, int]] = {}
    for screen, position, candidate in Slot.objects.values_list("screen", "position", "candidate"):
        slots.setdefault(screen, {})[position] = candidate
    stored = {}
    for judgment in Judgment.objects.select_related("assignment").prefetch_related("placement_set"):
        ranks = {placement.candidate_id: placement.rank for placement in judgment.placement_set.all()}
        shown = [slots[judgment.screen_id][position] for position in judgment.assignment.shown_positions()]
        stored[str(judgment.key)] = {f"rank_{place}": str(ranks[slot]) for place, slot in enumerate(shown, 1)}
    yield from (f"{key} was confirmed as saved, and is lost" for key in confirmed if key not in stored)
    yield from (f"{key} was never sent" for key in stored if key not in sent)
    for key, ranks in stored.items():
        meant = {name: rank for name, rank in sent.get(key, {}).items() if name.startswith("rank_")}
        if key in sent and meant != ranks:
            yield f"{key} was sent as {meant} and is stored as {ranks}"


def _assignments() -> Iterator[str]:
    from django.db import connection
    from django.db.models import Count

    from judgments.models import Assignment

    with connection.cursor() as cursor:
        for what, query in BROKEN_ASSIGNMENTS.items():
            cursor.execute(query)
            if found := cursor.fetchall():
                yield f"{what}: {len(found)}, such as {found[0][0]}"
        if connection.vendor == "sqlite":
            for question in ("integrity_check", "foreign_key_check"):
                cursor.execute(f"PRAGMA {question}")
                yield from (f"SQLite says {row}" for row in cursor.fetchall() if row != ("ok",))
    waiting = Assignment.objects.exclude(judge=None).filter(submitted_at=None)
    for judge, held in waiting.values_list("judge__pseudonym").annotate(held=Count("pk")):
        if held > MOST_HELD:
            yield f"{judge} holds {held} assignments"


def _jobs() -> Iterator[str]:
    from judgments.models import Job

    for job in Job.objects.all():
        if not job.is_over:
            yield f"{job} is still {job.state}"
        if job.state == Job.State.FAILED and not job.error.endswith("."):
            yield f"{job} failed without a sentence"


def _reports() -> Iterator[str]:
    """Those that are ready are whole: their numbers can be made again from what they keep."""
    from judgments.models import Job
    from ranking.models import Report, ReportPart, ReportTable
    from ranking.reports import downloads
    from ranking.reports.downloads import stored_study
    from ranking.reports.kinds.kind import kind_of
    from ranking.stats.analysis import analyse, texts_of

    for report in Report.objects.filter(state=Job.State.DONE):
        study = stored_study(report)
        analysis = analyse(study, kind_of(report).sections)
        again = texts_of(analysis.tables, analysis.gaps, study.signature(), report.metadata())
        if again != downloads.texts(report, downloads.tables_of(report)):
            yield f"{report} is not what its inputs make"
    if halves := ReportTable.objects.exclude(report__state=Job.State.DONE).count():
        yield f"{halves} tables of reports that are not ready"
    if left := ReportPart.objects.count():
        yield f"{left} parts of reports are left over"


def _material() -> Iterator[str]:
    """Texts are stored whole or not at all, and once."""
    from judgments.models import Campaign, Segment, SystemOutput, Upload

    whole = None
    for campaign in Campaign.objects.order_by("pk"):
        segments = Segment.objects.filter(campaign=campaign).count()
        outputs = SystemOutput.objects.filter(segment__campaign=campaign).count()
        whole = whole or (segments, outputs)
        is_stored = Upload.objects.filter(campaign=campaign, stage=Upload.Stage.STORE, state=Upload.State.DONE).exists()
        if (segments, outputs) not in ((0, 0), whole):
            yield f"{campaign} has {segments} segments with {outputs} outputs, not {whole}"
        if is_stored and not segments:
            yield f"{campaign} was reported as stored, and is empty"


def amounts() -> dict[str, Any]:
    from django.db.models import Count

    from judgments.models import Judgment, Upload
    from ranking.models import Report

    return {
        "judgments": Judgment.objects.count(),
        "reports": dict(Report.objects.values_list("state").annotate(Count("pk")).order_by()),
        "uploads": dict(Upload.objects.values_list("state").annotate(Count("pk")).order_by()),
        "attempts": sum(Report.objects.values_list("attempt", flat=True)),
    }


if __name__ == "__main__":
    django.setup()
    print(json.dumps({"install": install, "hurry": hurry, "examine": examine}[sys.argv[1]](*sys.argv[2:])))
