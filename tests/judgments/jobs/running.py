"""Runs one job as a worker would whose turn it is."""

from judgments.jobs.attempts import run_now
from judgments.jobs.kinds import KINDS


def run_job(kind: str, pk: int) -> None:
    if job := KINDS[kind].rows.filter(pk=pk).first():
        run_now(job)
