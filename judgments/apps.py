"""Collecting: material in, judgments out."""

from django.apps import AppConfig


class JudgmentsConfig(AppConfig):
    """The app that holds campaigns, material and judgments."""

    name = "judgments"
