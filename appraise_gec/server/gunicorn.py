"""How gunicorn serves the platform: `gunicorn -c python:appraise_gec.server.gunicorn appraise_gec.wsgi`."""

import logging
import logging.config
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger

from appraise_gec import environment, logs

workers = environment.number("WEB_WORKERS", 2, 1, 64)
threads = environment.number("WEB_THREADS", 4, 1, 64)
worker_class = "appraise_gec.server.buffering.BufferingWorker"
# A worker that shows no sign of life is replaced; a long answer is no such sign, as threads give answers.
timeout = 60
# A process is replaced after so many requests, so that memory it never gives back does not add up; not all at once.
max_requests = 50_000
max_requests_jitter = 10_000
# How long answers that were begun may take after SIGTERM or SIGHUP. A supervisor must wait longer before it kills.
graceful_timeout = 30
# Longer than a proxy keeps connections (Caddy: two minutes), which must never send on one that closes at this moment.
keepalive = 125
# The sign of life is a file, and one on a disk may wait for the disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 (memory, which is what is wanted) # nosec B108
# Nobody asks for it, and several platforms of one user would share its place.
control_socket_disable = True
# The middleware notes each request, without secrets; a line of gunicorn's would hold the tokens of links.
accesslog = None


class PlatformLogger(Logger):
    """Formats gunicorn's own messages like all other logs."""

    def setup(self, cfg: Any) -> None:
        """Pass messages on to the root logger."""
        self.cfg = cfg
        self._access_log_enabled = False
        level = environment.choice("LOG_LEVEL", environment.LOG_LEVELS, "INFO")
        style = environment.choice("LOG_FORMAT", list(logs.FORMATS), "plain")
        logging.config.dictConfig(logs.configuration(level, style))
        self.loglevel = logging.getLevelName(level)
        self.error_log.setLevel(self.loglevel)
        self.error_log.propagate = True


logger_class = PlatformLogger


def on_starting(server: Any) -> None:
    """Create an empty folder in which processes add up their metrics; SIGHUP keeps it."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="appraise-metrics-")


def child_exit(server: Any, worker: Any) -> None:
    """Keep the counters of a process that ended, but not its gauges."""
    from prometheus_client import multiprocess  # reads the folder when it is imported

    multiprocess.mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
