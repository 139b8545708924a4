"""Runs one job as a worker would whose turn it is."""

from judgments.jobs.attempts import run_now
from judgments.models import Job


def run_job(kind: str, pk: int) -> None:
    if job := Job.objects.filter(kind=kind, pk=pk).first():
        run_now(job)
