"""The platform's configuration of gunicorn with one process, two threads and little patience."""

from appraise_gec.server import buffering
from appraise_gec.server.gunicorn import *  # noqa: F403

buffering.SECONDS_OF_PATIENCE = 2
workers = 1
threads = 2
