"""The platform's configuration of gunicorn with one process, two threads and little patience."""

from appraise_gec.server import channels
from appraise_gec.server.gunicorn import *  # noqa: F403

channels.SECONDS_OF_PATIENCE = 2
workers = 1
threads = 2
