"""Work that nobody is at looks as old as it would in a minute, and is looked for: `python -m tests.faults.hurry`.

Work that goes on meanwhile looks abandoned as well, so that two workers are at it, which must do no harm either.
"""

import json

import django


def hurry() -> int:
    """As when a minute has passed and the clock struck; how much was made to look old."""
    from django.conf import settings
    from django.db.models import F

    from appraise_gec.celery import app
    from judgments.models import Deal, Import, Mailing, Ruling, Upload, Work
    from judgments.models.jobs import STALE_AFTER
    from ranking.models import Report, Scoring

    older = {"heartbeat": F("heartbeat") - STALE_AFTER, "queued_at": F("queued_at") - STALE_AFTER}
    kinds = (Deal, Import, Mailing, Ruling, Upload, Report, Scoring)
    aged = sum(kind._default_manager.exclude(state__in=Work.OVER).update(**older) for kind in kinds)
    for told in settings.CELERY_BEAT_SCHEDULE.values():
        if "sweep" in told["task"]:
            app.send_task(told["task"])
    return aged


if __name__ == "__main__":
    django.setup()
    print(json.dumps({"aged": hurry()}))
