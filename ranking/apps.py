"""Drawing conclusions: judgments in, reports out."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    name = "ranking"

    def ready(self) -> None:
        """Register what renames judges, and what organisers can do."""
        from judgments.actions import MODULES
        from judgments.privacy.person import PRIVACY_HOOKS

        PRIVACY_HOOKS.append("ranking.reports.renaming.PRIVACY_HOOK")
        MODULES.append("ranking.actions")
