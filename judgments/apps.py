"""The app that collects judgments."""

from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    name = "judgments"

    def ready(self) -> None:
        """Register the kinds of jobs; their functions are imported where they run."""
        from django.db import connection

        from judgments import models
        from judgments.jobs.kinds import LONG, register

        damaged = "Nothing was stored, because this bundle cannot be imported."
        unfit = "Nothing was stored: the files do not fit the campaign as it is now."
        register(models.AssignmentJob, "judgments.assignment.planning.assign")
        register(models.ExclusionJob, "judgments.judges.exclusion.apply_rule_in_job")
        register(models.ImportJob, "judgments.archive.import_job.create_campaign", LONG, on_problems=damaged)
        register(models.MailJob, "judgments.judges.mailing.send_links")
        register(models.ProgramRun, "judgments.programs.runs.answer", LONG)
        register(models.Upload, "judgments.material.uploads.check_or_store", on_problems=unfit)

        # Django asks SQLite by writing, and takes a database that is locked for one without JSON, which none is.
        if connection.vendor == "sqlite":
            type(connection.features).supports_json_field = True  # type: ignore[assignment]
