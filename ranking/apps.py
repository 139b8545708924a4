"""Concluding: judgments in, reports out."""

from django.apps import AppConfig


class RankingConfig(AppConfig):
    """The app that turns judgments into reports."""

    name = "ranking"
