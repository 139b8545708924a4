"""Run the web server and its background workers together."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from appraise_gec.management.processes import BROWSER, GREETING, WARM_UP, open_browser
from judgments.judges.first_account import owner_link
from judgments.management.demo import loading
from judgments.management.naming import argument

PORT = argument("--port", type=int, default=8000)
NO_BROWSER = argument("--no-browser", action="store_true", help="print the address, and open no browser")


class Command(BaseCommand):
    """run_platform"""

    help = """Run the web server and its background workers on this machine until Ctrl-C; no service is needed.

For a server of your own see docs/deployment.md.
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        PORT(parser)
        NO_BROWSER(parser)
        parser.add_argument(WARM_UP, action="store_true", help="meanwhile compile what reports and metrics need, once")
        parser.add_argument("--tour", action="store_true", help="open the browser at the tour of the demonstration")

    def handle(self, **options: Any) -> None:
        password = loading.login()
        lines = [f"Sign in as {loading.ORGANISER}, password {password}"] if password else []
        shows_tour = options["tour"]
        if shows_tour:
            os.environ["DEMO_JUDGES"] = "yes"
        link = owner_link(reverse("tour") if shows_tour else "")
        become_platform(options["port"], options["warm_up"], lines, link, shows_tour and not options["no_browser"])


def become_platform(
    port: int, warms_up: bool, lines: Iterable[str], link: str | None, opens_browser: bool = False
) -> None:
    """Become the process that runs the others; it prints these lines and the owner's link once the platform answers.

    If it answers already, nothing has to be run. The process is one without Django, which would take 80 MB as long as
    the platform runs. Links are not arguments, because everybody on the machine can read those.
    """
    greeting = "\n".join([*lines, *([f"Your link, which lets you in for a day: {link}"] if link else [])])
    if link and is_running():
        print(f"The platform is running already.\n{greeting}")
        if opens_browser:
            open_browser(link)
        return
    os.environ[GREETING] = greeting
    if opens_browser and link:
        os.environ[BROWSER] = link
    # A checkout can be run from any folder.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(settings.BASE_DIR), os.environ.get("PYTHONPATH")]))
    sys.stdout.flush()
    words = [sys.executable, "-m", "appraise_gec.management.processes", str(port), *([WARM_UP] if warms_up else [])]
    os.execv(sys.executable, words)  # noqa: S606 (no shell is wanted) # nosec B606


def is_running() -> bool:
    """Whether the platform with the same data answers; another one does not know the owner's link."""
    if not settings.IS_LOCAL:
        return False
    try:
        urlopen(str(owner_link()), timeout=5).close()  # noqa: S310 (our own address) # nosec B310
    except (URLError, OSError):
        return False
    return True
