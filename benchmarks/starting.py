"""Starting: whole commands in seconds of CPU, the memory of a platform that nobody uses, and its first report.

The reference is a bare Django project with the same applications of others, which does nothing.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.ballots import PUBLISHED
from benchmarks.commands import least, scorers
from benchmarks.harness import Row
from benchmarks.platforms import Installation, fresh_installation
from ranking.metrics.catalogue import USUAL
from ranking.metrics.errant_parser import installed_model
from tests.services.family import family, read
from tests.services.house import ROOT
from tests.services.texts import made_texts
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

RUNS = 5
SLUG = "published"
BARE = """
SECRET_KEY, ROOT_URLCONF, DATABASES = "-", "bare", {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db"}}
INSTALLED_APPS = ["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
    "django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles", "csp",
    "rest_framework.authtoken"]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {"context_processors": [
    "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages"]}}]
import celery, numpy
from rest_framework.settings import api_settings
urlpatterns = []
"""
# What ERRANT needs before it aligns anything.
SPACY = """
import sys, spacy
model = spacy.load("{}", disable=["ner"])
lines = dict.fromkeys(line for path in sys.argv[1:] for line in open(path, encoding="utf-8").read().splitlines())
list(model.pipe([spacy.tokens.Doc(model.vocab, words=line.split()) for line in lines]))
"""
# How long a platform settles before its memory is read.
SECONDS_TO_SETTLE = 20


def starting(small: bool) -> list[Row]:
    """Measure the least CPU time of some runs of each command."""
    runs = 1 if small else RUNS
    with TemporaryDirectory() as folder, fresh_installation() as platform, scorers() as found:
        (Path(folder) / "bare.py").write_text(BARE, encoding="utf-8")
        bare = os.environ | {"DJANGO_SETTINGS_MODULE": "bare", "PYTHONPATH": folder}
        source, references, outputs = made_texts(100, 1, 2).written(Path(folder))
        given = "--source", *source, "--outputs", *outputs, "--references", *references, "--metrics"
        ours = [sys.executable, str(ROOT / "manage.py")]
        reference = least([sys.executable, "-m", "django", "check"], bare, runs)
        measured = {"reference: a bare project, check": reference}
        for words in (
            ["--help"], ["score", "--help"], ["check"], ["migrate", "--check"], ["unlock_sign_in"],
            ["build_report", "--help"],
        ):  # fmt: skip
            measured[" ".join(words)] = least([*ours, *words], platform.variables, runs)
        for name, words, variables in found:
            for metric in USUAL[:2] if small else USUAL:
                run = least([*words, *given, metric], variables | {"DATA_DIR": folder}, runs)
                measured[f"score 1 x 100, {metric}, {name}"] = run
        if "errant" in USUAL:
            lines = [SPACY.format(installed_model()), *source, *outputs, *references]
            measured["spaCy loads its model and parses the same"] = least([sys.executable, "-c", *lines], bare, runs)
        rows = [
            Row(what, "", one.computed, one.megabytes, one.computed / reference.computed)
            for what, one in measured.items()
        ]
        return [*rows, *_idle(platform, small)]


def _idle(platform: Installation, small: bool) -> Iterator[Row]:
    """The memory of a platform that nobody uses: what each process has alone, and its part of what they share."""
    platform.manage("collectstatic", "--no-input", "--verbosity", "0")
    seconds = 2 if small else SECONDS_TO_SETTLE
    if not small:
        # Nothing is compiled yet.
        platform.variables["NUMBA_CACHE_DIR"] = str(platform.folder / "compiled")
    log = platform.folder / "platform.log"
    with platform.running("manage.py", "run_platform", "--port", str(platform.port), log=log) as process:
        wait_until(Visitor(platform.address).is_answered, "the platform")
        time.sleep(seconds)
        sizes = {pid: _own_megabytes(pid) for pid in family(process.pid)}
        yield Row("an idle platform, all processes", f"{len(sizes)} processes", seconds, sum(sizes.values()))
        for pid, size in sizes.items():
            yield Row(f"  {_name(pid)}", "", seconds, size)
        yield from _reports(platform)


def _reports(platform: Installation) -> Iterator[Row]:
    """Make two reports on the published campaign, if it is at hand: the first one waits until kernels are compiled."""
    if not PUBLISHED.exists():
        return
    platform.manage("createsuperuser", "--noinput", "--username", "olga", "--email", "olga@example.org")
    outputs = ["--empty-lines", "output", "--organiser", "olga"]
    platform.manage("import_outputs", SLUG, PUBLISHED.parent / "outputs", *outputs)
    platform.manage("import_judgments", SLUG, PUBLISHED, "--format", "appraise-xml")
    headers = {"Authorization": f"Token {platform.manage('make_token', 'olga').value.strip()}"}

    def ask(address: str, body: bytes | None = None) -> dict[str, Any]:
        request = Request(address, body, headers | {"Content-Type": "application/json"})  # noqa: S310 (our own server)
        with urlopen(request, timeout=30) as answer:  # noqa: S310
            return json.load(answer)

    for what in ("the first report after installing", "the second report"):
        begun = time.monotonic()
        report = ask(f"{platform.address}/api/campaigns/{SLUG}/reports/", b"{}")
        while ask(report["url"])["state"] in ("queued", "running"):
            time.sleep(0.1)
        yield Row(what, "published campaign", time.monotonic() - begun, 0)


def _own_megabytes(pid: int) -> float:
    lines = read(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("Pss:")), 0)


def _name(pid: int) -> str:
    words = read(Path(f"/proc/{pid}/cmdline")).split("\0")
    return " ".join(word.rpartition("/")[2] for word in words if word and not word.startswith("-"))[:60]
