"""Settings from the environment. A bad value stops the start with a message that names the variable."""

import os
import re
import secrets
from enum import Enum
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured


class ProcessPurpose(Enum):
    """What a process is for, which decides what it needs of the environment."""

    HELP = "texts alone; needs no folder"
    COMMAND = "a command; signs nothing that lasts, so any SECRET_KEY will do"
    LISTENING = "a server, or a worker, which mails addresses of the site"


# The one place that knows whether something listens: only manage.py sets another purpose.
purpose = ProcessPurpose.LISTENING

WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"]


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool) -> bool:
    word = text(name)
    if not word:
        return default
    if word.lower() not in WORDS:
        raise ImproperlyConfigured(f"{name} is {word!r}; choose one of {', '.join(WORDS)}.")
    return WORDS[word.lower()]


def choice(name: str, choices: list[str], default: str) -> str:
    word = text(name, default)
    if word not in choices:
        raise ImproperlyConfigured(f"{name} is {word!r}; choose one of {', '.join(choices)}.")
    return word


def names(name: str, default: list[str]) -> list[str]:
    """Comma-separated values."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or default


def hosts(name: str, default: list[str]) -> list[str]:
    """Names of hosts; with a scheme, a path or a port none would ever be answered."""
    given = names(name, [])
    for host in given:
        if "/" in host or (":" in host and not host.endswith("]")):
            raise ImproperlyConfigured(f"{name} has {host!r}; give names without scheme and port: judge.example.org.")
    return given or default


def folder(name: str, default: Path) -> Path:
    """Return a folder for files, created if it is missing and needed."""
    path = Path(text(name, str(default))).resolve()
    if purpose is ProcessPurpose.HELP:
        return path
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        may_write = os.access(path, os.W_OK | os.X_OK)
    except OSError:
        may_write = False
    if not may_write:
        raise ImproperlyConfigured(
            f"{name} is {str(path)!r}, where this user may not write; run as its owner, or name another folder."
        )
    return path


def zone(name: str, default: str) -> str:
    word = text(name, default)
    try:
        ZoneInfo(word)
    except (KeyError, ValueError, OSError) as error:
        raise ImproperlyConfigured(
            f"{name} is {word!r}, which this machine does not know; name a time zone such as Europe/Warsaw or UTC."
        ) from error
    return word


def rate(name: str, default: str) -> str:
    """A number per second, minute, hour or day, such as 600/minute."""
    word = text(name, default)
    if not re.fullmatch(r"[1-9]\d{0,8}/(second|minute|hour|day)", word):
        raise ImproperlyConfigured(f"{name} is {word!r}; give a number per second, minute, hour or day: 600/minute.")
    return word


def address(name: str, default: str) -> str:
    """The address of a site, https://host or http://host:port, without a path."""
    word = text(name, default).rstrip("/")
    parts = urlsplit(word)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
        raise ImproperlyConfigured(f"{name} is {word!r}; give an address like https://judge.example.org.")
    return word


def issuer(name: str) -> str:
    """The address of a provider of OpenID Connect; only on this machine without TLS."""
    word = text(name).rstrip("/")
    parts = urlsplit(word)
    if word and not (parts.scheme == "https" and parts.hostname) and parts.hostname not in ("127.0.0.1", "localhost"):
        raise ImproperlyConfigured(f"{name} is {word!r}; give an https address like https://id.example.org/realms/uni.")
    if word and not find_spec("authlib"):
        raise ImproperlyConfigured(f'{name} asks for OpenID Connect; pip install "appraise-gec[oidc]" for it.')
    return word


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Addresses and networks, such as 127.0.0.1 and 10.0.0.0/8, separated by commas."""
    try:
        return [ip_network(word) for word in names(name, [])]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}; give addresses or networks: 127.0.0.1,10.0.0.0/8.") from error


def endpoints(name: str) -> dict[str, str]:
    """Addresses by name, such as ollama=http://127.0.0.1:11434/v1, separated by spaces."""
    pairs = dict(word.partition("=")[::2] for word in text(name).split())
    for key, url in pairs.items():
        parts = urlsplit(url)
        if (
            not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", key)
            or parts.scheme not in ("http", "https")
            or not parts.hostname
        ):
            raise ImproperlyConfigured(
                f"{name} has {key}={url}; give names and addresses: ollama=http://host:11434/v1."
            )
        if parts.username or parts.password:
            raise ImproperlyConfigured(
                f"{name} has a key in the address of {key}; put it into PROGRAM_KEY_{key.upper()}."
            )
    return pairs


def secret(name: str, keep_in: Path, *, may_be_made: bool) -> str:
    """A secret from the variable, or one generated once and kept in a file; what does not listen takes any."""
    word = text(name)
    if purpose is ProcessPurpose.HELP or (purpose is ProcessPurpose.COMMAND and (word or not may_be_made)):
        return word or secrets.token_urlsafe(60)
    if word:
        if len(word) < 50 or len(set(word)) < 5:
            raise ImproperlyConfigured(f"{name} is too easy to guess; make one with: openssl rand -hex 40")
        return word
    if not may_be_made:
        raise ImproperlyConfigured(f"{name} is not set; make one with: openssl rand -hex 40")
    try:
        # On a full disk an empty file is all that was written.
        if not keep_in.exists() or not keep_in.stat().st_size:
            keep_in.touch(mode=0o600)
            keep_in.write_text(secrets.token_urlsafe(60))
        return keep_in.read_text()
    except OSError as error:
        what = "cannot be kept there; check its owner and the space on its disk"
        raise ImproperlyConfigured(f"{name} is not set, and {str(keep_in)!r} {what} ({error.strerror}).") from error


def broker(name: str, default: str) -> str:
    """The address of Celery's queue: Redis, or a folder."""
    word = text(name, default)
    if urlsplit(word).scheme not in ("redis", "rediss", "redis+socket", "filesystem"):
        raise ImproperlyConfigured(f"{name} must look like redis://host:6379/0, not like {word[:20]!r}.")
    return word


def number(name: str, default: int, least: int, most: int) -> int:
    word = text(name, str(default))
    if not word.isascii() or not word.isdigit() or not least <= int(word) <= most:
        raise ImproperlyConfigured(f"{name} is {word!r}; give a whole number from {least} to {most}.")
    return int(word)


def database(name: str, embedded: Path) -> dict:
    """Django's settings for postgresql://user:password@host:port/name, or for an embedded SQLite file."""
    word = text(name)
    if not word:
        return _sqlite(embedded)
    parts = urlsplit(word)
    if parts.scheme == "sqlite" and parts.path.strip("/"):
        return _sqlite(Path(unquote(parts.path[1:])))
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise ImproperlyConfigured(
            f"{name} must look like postgresql://user:password@host:5432/name or sqlite:///path/to/file, "
            f"not like {parts.scheme or word[:10]}..."
        )
    if not find_spec("psycopg2"):
        raise ImproperlyConfigured(f'{name} asks for PostgreSQL; pip install "appraise-gec[postgres]" for its driver.')
    if find_spec("psycopg"):
        raise ImproperlyConfigured(
            "psycopg 3 is installed and Django would use it instead of psycopg2; pip uninstall psycopg"
        )
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} has a port that is not a number.") from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        # JIT compilation of a query with many parts takes half a second, while the query itself takes milliseconds.
        "OPTIONS": {"connect_timeout": 10, "options": "-c jit=off"},
    }


def _sqlite(file: Path) -> dict:
    """SQLite for many judges at once: readers never wait for the writer, and writers wait for each other.

    Commits are flushed to disk, so that answers we confirmed as saved survive a power failure. A command waits longer
    than a page: beside it, another may be importing.
    """
    wait = 60 if purpose is ProcessPurpose.COMMAND else 10  # seconds
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "TEST": {"NAME": file.with_name(f"test-{file.name}")},  # not in memory, where SQLite locks differently
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": wait,
            "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={wait * 1000};",
        },
    }
