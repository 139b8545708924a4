"""The Celery app; its settings are Django's CELERY_ ones."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")

app = Celery("appraise_gec")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
