"""The WSGI application, for gunicorn."""

import os
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db.backends.signals import connection_created

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")


def bound_statements(connection: Any, **_: Any) -> None:
    """Cancel statements after WEB_STATEMENT_TIMEOUT; each fetch of a stream counts separately."""
    if connection.vendor == "postgresql" and settings.WEB_STATEMENT_TIMEOUT:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = %s", [f"{settings.WEB_STATEMENT_TIMEOUT}s"])


connection_created.connect(bound_statements)
application = get_wsgi_application()
