"""The WSGI application, for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application
from django.db.backends.signals import connection_created

from appraise_gec.server.limits import bound_statements

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")

application = get_wsgi_application()
connection_created.connect(bound_statements)
