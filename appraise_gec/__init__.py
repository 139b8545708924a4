"""Wiring of the platform. Imports the Celery app together with Django, so that `delay` finds its broker."""

from appraise_gec.celery import app

__all__ = ["app"]
