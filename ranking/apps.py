"""Drawing conclusions: judgments in, reports out."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    name = "ranking"

    def ready(self) -> None:
        """Register the kinds of jobs, and the hook that renames judges in reports."""
        from judgments.privacy.person import PRIVACY_HOOKS
        from ranking.power import prediction_job  # noqa: F401
        from ranking.reports import report_job  # noqa: F401
        from ranking.reports.renaming import PRIVACY_HOOK
        from ranking.scores import scoring_job  # noqa: F401
        from ranking.sequential import continuing  # noqa: F401

        PRIVACY_HOOKS.append(PRIVACY_HOOK)
