from importlib import import_module

from django.apps import AppConfig


class PlatformConfig(AppConfig):
    name = "appraise_gec"

    def ready(self) -> None:
        """Load the Celery app, so that `delay` finds its broker."""
        import_module("appraise_gec.celery")
