"""Jobs that predict what a plan of screens would resolve; their curves are stored while they grow."""

import json
from time import monotonic

from django.db import transaction

from judgments.assignment import planning
from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.tasks import enqueue
from judgments.models import Campaign
from judgments.models.members import Visitor
from ranking.models import Prediction
from ranking.numbers.tables import Table
from ranking.power.comparing import compare
from ranking.power.predicting import predict
from ranking.power.wanted import Wanted, check

UNFINISHED = "A prediction for this campaign is being made. Wait until it has finished, or cancel it."
SECONDS_BETWEEN_CURVES = 2
# Measured: 0.9 seconds for 2,000 judgments of 13 systems.
SECONDS_A_JUDGMENT = 5e-4


@transaction.atomic
def request(campaign: Campaign, user: Visitor, wanted: Wanted) -> Prediction:
    check(campaign, wanted)
    assignments = planning.plan(campaign, dict(wanted.settings), wanted.screens).assignments
    # A comparison analyses six times what a prediction does: four ways, two of them with weights too.
    work = wanted.campaigns * assignments * SECONDS_A_JUDGMENT * (4 if wanted.compare else 1)
    columns = {"campaign": campaign, "requested_by_id": user.pk, "payload": wanted.as_json(), "work": work}
    return enqueue(create_single(Prediction, UNFINISHED, **columns))


def simulate(job: Prediction, attempt: Attempt) -> None:
    wanted, stored = Wanted.of_json(job.campaign, job.payload), 0.0
    attempt.step("simulating campaigns", 0.0)
    progress = attempt.progress(0.0, 0.3 if wanted.compare else 1.0)

    def made(table: Table, done: int) -> None:
        nonlocal stored
        progress(done, wanted.campaigns)
        if monotonic() - stored > SECONDS_BETWEEN_CURVES:
            attempt.write(outcome={"curves": _written(table)})
            stored = monotonic()

    found = _written(predict(job.campaign, wanted, made))
    if not wanted.compare:
        attempt.finish(outcome={"curves": found})
        return
    attempt.write(outcome={"curves": found})
    attempt.step("comparing ways of choosing sentences", 0.3)
    progress = attempt.progress(0.3, 1.0)
    table = compare(job.campaign, wanted, lambda done: progress(done, wanted.campaigns))
    attempt.finish(outcome={"curves": found, "comparison": _written(table)})


def _written(table: Table) -> str:
    return json.dumps({"columns": table.columns, "rows": table.rows})
