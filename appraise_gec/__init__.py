"""Wiring of the platform; loads the Celery app with Django, so that `delay` finds its broker."""

from appraise_gec.celery import app

__all__ = ["app"]
