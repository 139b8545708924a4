"""The app that collects judgments."""

from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    name = "judgments"

    def ready(self) -> None:
        from django.db import connection

        # Django asks SQLite by writing, and takes a database that is locked for one without JSON, which none is.
        if connection.vendor == "sqlite":
            type(connection.features).supports_json_field = True  # type: ignore[assignment]
