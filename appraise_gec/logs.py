"""Logs as plain lines or JSON. Each line names its request or task; secrets are masked."""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, NamedTuple

from judgments.rules.tracing import request_id, running_job

# The address of a link contains a token that admits without a password; mask it however the address is escaped.
SLASH = r"(?:/|\\|%(?:25){0,3}2f)"
SECRETS = re.compile(rf"(?is)((?:join(?:{SLASH}shared)?|prolific|teams|owner|first-account){SLASH}).\S*")
# Control characters would end a line or recolour the reader's terminal.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
QUOTED_ROW = re.compile(r"(?m)(^DETAIL:).*$")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RunningTask(NamedTuple):
    task: str
    name: str
    since: float


running_task: ContextVar[RunningTask | None] = ContextVar("running_task", default=None)


def request_id_of(given: str) -> str:
    """The request id sent by a proxy or client if it is safe to log, otherwise a new one."""
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def mask_secrets(text: str) -> str:
    """Mask the tokens of links, and the row that PostgreSQL quotes in an error."""
    return QUOTED_ROW.sub(r"\1 ***", SECRETS.sub(r"\1***", text))


def about() -> dict[str, str]:
    """The current request and task."""
    ids = {"request": request_id.get()}
    if task := running_task.get():
        ids |= {"task": task.task, "task_name": task.name, "job": running_job.get()}
    return {name: value for name, value in ids.items() if value}


class Plain(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (overrides the standard library)
        """Keep the message on one line, whatever it contains."""
        record.message = CONTROL.sub(
            lambda found: found[0].encode("unicode_escape").decode(), mask_secrets(record.message)
        )
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        """Append the ids to the message and indent the stack trace."""
        line, _, trace = super().format(record).partition("\n")
        ids = " ".join(f"{name}={value}" for name, value in about().items())
        indented = [f"  {frame}" for frame in mask_secrets(trace).splitlines()]
        return "\n".join([f"{line} [{ids}]" if ids else line, *indented])


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        written: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": mask_secrets(record.getMessage()),
            **about(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            written["exception"] = mask_secrets(self.formatException(record.exc_info))
        return json.dumps(written, ensure_ascii=False, default=str)


FORMATS: dict[str, type[logging.Formatter]] = {"plain": Plain, "json": JsonFormatter}


def configuration(level: str, style: str) -> dict[str, Any]:
    """Write everything to standard error in one style; the supervisor decides where it goes."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"house": {"()": FORMATS[style]}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "house"}},
        # kombu warns at every connection that a queue in a folder has no host name.
        # Django would log a stack trace for every refused request.
        # Celery logs the start and end of tasks without the id of the request; our own lines have it.
        # httpx, with which releases are sent to the Hub, logs every request.
        "loggers": {
            "kombu.connection": {"level": "ERROR"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            "httpx": {"level": "WARNING"},
            **{
                f"django.security.{fault}": {"level": "CRITICAL"}
                for fault in ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
            },
        },
        "root": {"handlers": ["console"], "level": level},
    }
