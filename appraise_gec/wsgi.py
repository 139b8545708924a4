"""The WSGI application, for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

from appraise_gec.server.limits import bound_statements

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")

application = get_wsgi_application()
bound_statements()
