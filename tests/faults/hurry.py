"""Work that nobody is at looks as old as it would in a minute, and is looked for: `python -m tests.faults.hurry`.

Work that goes on meanwhile looks abandoned as well, so that two workers are at it, which must do no harm either.
"""

import json

import django


def hurry() -> int:
    from django.db.models import F

    from appraise_gec.celery import app
    from judgments.jobs.kinds import KINDS
    from judgments.models.jobs import STALE_AFTER

    older = {"heartbeat": F("heartbeat") - STALE_AFTER, "queued_at": F("queued_at") - STALE_AFTER}
    aged = sum(kind.rows.unfinished().update(**older) for kind in KINDS.values())
    app.send_task("judgments.sweep_jobs")
    return aged


if __name__ == "__main__":
    django.setup()
    print(json.dumps({"aged": hurry()}))
