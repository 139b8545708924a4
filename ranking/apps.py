"""Concluding: judgments in, reports out."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    """The app that turns judgments into reports."""

    name = "ranking"

    def ready(self) -> None:
        """Have reports follow when a judge is called otherwise."""
        from judgments.privacy.followers import FOLLOWERS
        from ranking.reports.renaming import FOLLOWER

        FOLLOWERS.append(FOLLOWER)
