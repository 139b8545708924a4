"""The app that collects judgments."""

from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    name = "judgments"

    def ready(self) -> None:
        """Import the modules that register kinds of jobs and periodic tasks."""
        from django.db import connection

        from judgments.archive import import_job  # noqa: F401
        from judgments.assignment import planning  # noqa: F401
        from judgments.exchange.importers import upload_handler  # noqa: F401
        from judgments.judges import exclusion, mailing, prolific, watching  # noqa: F401
        from judgments.material import uploads  # noqa: F401
        from judgments.privacy import retention  # noqa: F401

        # Django asks SQLite by writing, and takes a database that is locked for one without JSON, which none is.
        if connection.vendor == "sqlite":
            type(connection.features).supports_json_field = True  # type: ignore[assignment]
