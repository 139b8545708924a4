"""The one command of an installation: `appraise-gec COMMAND`; in a checkout, `python manage.py COMMAND`."""

import gc
import os
import sys
from collections.abc import Sequence
from errno import ENOSPC
from importlib import import_module

from ranking.numbers.version import VERSION

# Commands that need no installation, so that they start without Django, which takes longer than most scorings.
WITHOUT_DJANGO = {"score_files": "ranking.management.from_files", "warm_up": "ranking.management.warming"}
# Short names for what people type most.
SHORT = {"score": "score_files"}
# Commands that prepare the database and the files of pages before they run the platform; whether with the demo.
PREPARING = {"demo": True, "serve": False, "open": False}
# `load_demo` derives a password from SECRET_KEY.
LISTENING = {"run_platform", "runserver", "testserver", "load_demo", *PREPARING}
HELP = {"-h", "--help"}
PORT = "8000"
LACKING = """{name} is not installed, and the platform needs it. To install what it needs: pip install appraise-gec
Without it you can use: score, warm-up."""


def run() -> None:
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("Stopped. The same command goes on, or begins again.", file=sys.stderr)
        sys.exit(130)  # as shells say it


def main(words: Sequence[str]) -> int | str | None:
    """Run a command; return its exit status, or why it failed."""
    # What modules make stays: looking for garbage among it is a tenth of a start.
    gc.set_threshold(50_000)
    name, *rest = words or ["help"]
    if name in HELP or (name == "help" and not rest):
        from appraise_gec.overview import overview

        print(overview())
        return None
    if name == "help":
        name, rest = rest[0], ["--help"]
    if name in ("--version", "version"):
        print(VERSION)
        return None
    if name == "completion":
        from appraise_gec.overview import COMPLETION

        print(COMPLETION)
        return None
    name = command_named(name)
    if name in WITHOUT_DJANGO:
        # Their matrices are so small that threads cost more than they save.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        return import_module(WITHOUT_DJANGO[name]).main(rest)
    try:
        from django.core.exceptions import ImproperlyConfigured
    except ImportError as reason:
        return LACKING.format(name=str(reason.name).capitalize())
    from django.db import DatabaseError

    from judgments.rules.errors import expected_of_database, message_of_expected

    try:
        _run_with_django(name, rest)
    except ImproperlyConfigured as reason:
        return str(reason)
    except DatabaseError as error:  # of a command of Django, or while the platform is prepared
        if not (message := expected_of_database(error)):
            raise
        return message
    except OSError as error:
        if error.errno != ENOSPC:
            raise
        return message_of_expected(error, "")
    return None


def command_named(word: str) -> str:
    name = word.replace("-", "_")
    return SHORT.get(name, name)


def purpose_of(words: Sequence[str]) -> str:
    """The name of an `appraise_gec.environment.ProcessPurpose`."""
    if words[0] == "complete" or HELP & set(words):
        return "HELP"
    return "LISTENING" if words[0] in LISTENING else "COMMAND"


def _run_with_django(name: str, rest: list[str]) -> None:
    import django
    from django.core.management import execute_from_command_line, get_commands

    from appraise_gec import environment

    environment.purpose = environment.ProcessPurpose[purpose_of([name, *rest])]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")
    if name == "complete":
        from appraise_gec.overview import completions

        number, first, *_ = [*rest, ""]
        print("\n".join(completions(int(number), _behind(command_named(first)))))
        return
    if name in PREPARING and not HELP & set(rest):
        _prepare(rest, with_demo=PREPARING[name])
        rest = [*rest, "--warm-up", *(["--tour"] if PREPARING[name] else [])]
    django.setup()
    if _behind(name) not in get_commands():
        from difflib import get_close_matches

        from appraise_gec.overview import completions

        near = get_close_matches(name.replace("_", "-"), completions(1, ""), 1)
        meant = f"Did you mean {near[0]}? " if near else ""
        sys.exit(f"There is no command {name.replace('_', '-')}. {meant}`appraise-gec` alone lists them.")
    execute_from_command_line([sys.argv[0], _behind(name), *rest])


def _behind(name: str) -> str:
    return "run_platform" if name in ("demo", "serve") else name


def _prepare(rest: list[str], *, with_demo: bool) -> None:
    """Prepare the database, the files of pages and the demo."""
    port = _port(rest)
    os.environ.setdefault("SITE_URL", f"http://127.0.0.1:{port}")
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    _check_port(port)
    print(f"Preparing the platform at {settings.SITE_URL}")
    print(f"Data are kept in {settings.DATA_DIR}; set DATA_DIR for another folder.", flush=True)
    if settings.IS_LOCAL:
        settings.LAST_ADDRESS.write_text(settings.SITE_URL)
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if with_demo:
        call_command("load_demo")


def _check_port(port: str) -> None:
    """Refuse a port in use now, rather than after a minute; the command refuses what is no number.

    The platform with the same data may use it.
    """
    from appraise_gec.management.commands.run_platform import is_running
    from appraise_gec.management.processes import PlatformStopped, check_port

    try:
        if port.isdigit() and not is_running():
            check_port(int(port))
    except PlatformStopped as reason:
        sys.exit(str(reason))


def _port(rest: list[str]) -> str:
    words = [part for word in rest for part in word.split("=", 1)]
    return words[words.index("--port") + 1] if "--port" in words[:-1] else PORT
