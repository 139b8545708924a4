"""The Django project. Importing it loads the Celery app, so that `delay` finds its broker."""

from appraise_gec.celery import app

__all__ = ["app"]
