"""Drawing conclusions: judgments in, reports out."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    name = "ranking"

    def ready(self) -> None:
        """Register the kinds of jobs, whose functions are imported where they run, and what renames judges."""
        from judgments.jobs.kinds import LONG, register
        from judgments.privacy.person import PRIVACY_HOOKS
        from ranking import models
        from ranking.numbers.tables import StatisticsError

        register(models.Prediction, "ranking.power.prediction_job.simulate", LONG)
        register(models.Report, "ranking.reports.report_job.make", LONG, explained=(StatisticsError,))
        register(models.ScoringJob, "ranking.scores.scoring_job.score_outputs", LONG)
        PRIVACY_HOOKS.append("ranking.reports.renaming.PRIVACY_HOOK")
