"""Collecting: material in, judgments out."""

from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    """The app that holds campaigns, material and judgments."""

    name = "judgments"

    def ready(self) -> None:
        """Register kinds of jobs and periodic tasks: a worker knows those whose modules are loaded."""
        from judgments.archive import import_job  # noqa: F401
        from judgments.assignment import planning  # noqa: F401
        from judgments.judges import exclusion, mailing  # noqa: F401
        from judgments.material import uploads  # noqa: F401
        from judgments.privacy import retention  # noqa: F401
