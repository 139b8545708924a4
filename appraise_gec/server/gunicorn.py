"""Configuration of gunicorn: `gunicorn -c python:appraise_gec.server.gunicorn appraise_gec.wsgi`."""

import logging
import logging.config
import os
import resource
import runpy
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger

from appraise_gec import environment, logs

# A bad setting ends the start with one sentence. The module is not kept, so that new processes read it anew.
runpy.run_path(str(Path(__file__).parents[1] / "settings.py"))

workers = environment.number("WEB_WORKERS", 2, 1, 64)
threads = environment.number("WEB_THREADS", 4, 1, 64)
worker_class = "appraise_gec.server.buffering.BufferingWorker"


def _most_connections() -> int:
    """As many as there may be open files; each connection can need one for its request and one for its response."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = min(most, 65536) if most != resource.RLIM_INFINITY else 65536
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return min(1000, files // 4)


worker_connections = _most_connections()
# Responses go through the event loop.
sendfile = False
# A worker without a heartbeat is replaced; a slow response does not stop the heartbeat, because threads serve requests.
timeout = 60
# Processes are replaced after so many requests, at different times, so that leaked memory does not add up.
max_requests = 50_000
max_requests_jitter = 10_000
# Seconds for started responses to finish after SIGTERM or SIGHUP. A supervisor must wait longer before it kills.
graceful_timeout = 30
# Longer than a proxy keeps connections (Caddy: two minutes), so that it never sends on one that is closing.
keepalive = 125
# The heartbeat is a file, and a write to a disk may block.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 (in memory on purpose) # nosec B108
# Unused, and several platforms of one user would share its path.
control_socket_disable = True
# The middleware logs each request without secrets; gunicorn would log the tokens of links.
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
    """Create an empty folder for the metrics of all processes; SIGHUP keeps it."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="appraise-metrics-")


def on_reload(server: Any) -> None:
    """Forget what this process has imported, so that new processes do not mix modules of two versions."""
    # The part of PyYAML in C works only with the modules that it was first imported with.
    kept = {"__main__", "gunicorn", "yaml", "_yaml", *sys.stdlib_module_names}
    for name in [name for name in sys.modules if name.partition(".")[0] not in kept]:
        del sys.modules[name]


def child_exit(server: Any, worker: Any) -> None:
    """Keep the counters of a process that ended, but not its gauges."""
    from prometheus_client import multiprocess  # reads the variable when it is imported

    multiprocess.mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
