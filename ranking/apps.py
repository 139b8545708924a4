"""Drawing conclusions: judgments in, reports out."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    name = "ranking"

    def ready(self) -> None:
        """Register the kinds of jobs, and have reports follow when a judge is renamed."""
        from judgments.privacy.person import FOLLOWERS
        from ranking.reports import report_job  # noqa: F401
        from ranking.reports.renaming import FOLLOWER
        from ranking.scores import scoring_job  # noqa: F401

        FOLLOWERS.append(FOLLOWER)
