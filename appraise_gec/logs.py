"""Logs as plain lines or JSON, with the request or task that a line belongs to, and without secrets."""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, NamedTuple

# Links let people in without a password, and their tokens stand in addresses.
# Mask what follows however the address is escaped.
SECRETS = re.compile(r"(?is)((?:join|take-part)(?:/|\\|%(?:25){0,3}2f)).\S*")
# They would end a line, or paint the terminal of a reader.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
QUOTED_ROW = re.compile(r"(?m)(^DETAIL:).*$")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class Going(NamedTuple):
    """What a worker does in this thread."""

    task: str
    name: str
    job: str
    since: float


request_id: ContextVar[str] = ContextVar("request_id", default="")
going: ContextVar[Going | None] = ContextVar("going", default=None)


def request_id_of(given: str) -> str:
    """The request id from a proxy or program if it is safe to log, else a new one."""
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def masked(text: str) -> str:
    """A text without the tokens of links, and without the row that a database quotes in an error."""
    return QUOTED_ROW.sub(r"\1 ***", SECRETS.sub(r"\1***", text))


def about() -> dict[str, str]:
    """The request and the task that a line belongs to."""
    said = {"request": request_id.get()}
    if now := going.get():
        said |= {"task": now.task, "task_name": now.name, "job": now.job}
    return {name: value for name, value in said.items() if value}


class Plain(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the name of the standard library)
        """Keep the message on one line, whatever it contains."""
        record.message = CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), masked(record.message))
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        """Put the ids behind the message and indent the stack trace."""
        line, _, trace = super().format(record).partition("\n")
        ids = " ".join(f"{name}={value}" for name, value in about().items())
        further = [f"  {called}" for called in masked(trace).splitlines()]
        return "\n".join([f"{line} [{ids}]" if ids else line, *further])


class Json(logging.Formatter):
    """One JSON object a line, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        written: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage()),
            **about(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            written["exception"] = masked(self.formatException(record.exc_info))
        return json.dumps(written, ensure_ascii=False, default=str)


FORMATS: dict[str, type[logging.Formatter]] = {"plain": Plain, "json": Json}


def configuration(level: str, style: str) -> dict[str, Any]:
    """Write everything to standard error in one style; the supervisor decides where it goes from there."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"house": {"()": FORMATS[style]}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "house"}},
        # kombu warns at every connection that a queue in a folder has no host name.
        # A refused request is no news for a log; Django would add a stack trace to each.
        # Celery's lines on tasks that begin and end know nothing of requests; ours do.
        "loggers": {
            "kombu.connection": {"level": "ERROR"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            **{
                f"django.security.{fault}": {"level": "CRITICAL"}
                for fault in ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
            },
        },
        "root": {"handlers": ["console"], "level": level},
    }
