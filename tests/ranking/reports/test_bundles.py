"""A bundle makes every number again, byte for byte, in a folder of its own and without the platform."""

import io
import os
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.material.rules.reading import Roles
from ranking.models import Report
from ranking.reports import building, downloads
from ranking.scores.stored import add_metrics
from ranking.stats.comparisons.study import PRESETS
from tests import factory

CHOSEN = PRESETS["recommended"].with_changes(
    methods=("expected-wins", "bradley-terry", "trueskill"), replicates=200, seed=5, folds="none"
)


@pytest.fixture(scope="module")
def made(lasting) -> Report:
    """Two judges, one with a name like a formula; a metric of each level; judgments made since the report."""
    with lasting():
        campaign = factory.open_campaign(roles=Roles(), automatic_ties=True)
        factory.answer_all(factory.judge(campaign, "=ada"))
        add_metrics(campaign, "bleu.txt", b"Heron 0.3\nMagpie 0.5\nWren 0.4\n")
        add_metrics(campaign, "gleu.csv", b"Heron,Magpie,Wren\n" + b"0.1,,0.5\n" * 5)
        report = building.request_report(campaign, parameters=CHOSEN)
        run_now(report)
        factory.answer_all(factory.judge(campaign, "ben"))
        return report


@pytest.fixture
def report(made, db) -> Report:
    return Report.objects.get(pk=made.pk)


def unpacked(report: Report, folder: Path) -> Path:
    zipfile.ZipFile(io.BytesIO(downloads.bundle(report))).extractall(folder)
    return folder


@cache
def _place() -> TemporaryDirectory:
    """Numba finds what it compiled by the path and time of a source, so the next bundle here need not be compiled."""
    return TemporaryDirectory(prefix="appraise-bundle-")


def run(folder: Path) -> str:
    """The script as somebody runs it who has the libraries and nothing of ours."""
    place = Path(_place().name)
    shutil.rmtree(place / "bundle", ignore_errors=True)
    shutil.copytree(folder, place / "bundle")
    for source in (place / "bundle").rglob("*.py"):
        os.utime(source, (0, 0))
    bare = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "DJANGO"))}
    done = subprocess.run(
        [sys.executable, "make_again.py"], cwd=place / "bundle", capture_output=True, text=True, check=False,
        env=bare | {"NUMBA_CACHE_DIR": str(place / "cache")},
    )  # fmt: skip
    shutil.copytree(place / "bundle", folder, dirs_exist_ok=True)
    return done.stdout + done.stderr


@pytest.mark.long
def test_every_number_is_made_again_byte_for_byte_and_a_changed_one_is_found(report, tmp_path):
    """Although judgments have come since."""
    folder = unpacked(report, tmp_path)
    files = sorted(file.name for file in (folder / "report").iterdir())
    assert run(folder) == f"All {len(files)} files are the same, byte for byte.\n"
    assert sorted(file.name for file in (folder / "again").iterdir()) == files
    assert {"standings.csv", "metric_correlations.csv", "report.json", "signature.txt"} <= set(files)

    ranks = folder / "inputs" / "ballots.candidate.csv"
    ranks.write_text(ranks.read_text().replace(",-1.0\n", ",-9.0\n"))
    assert run(folder).startswith("Different: ")


def test_a_bundle_has_the_files_to_download_and_no_code_that_needs_the_platform(report, browser_of):
    archive = zipfile.ZipFile(io.BytesIO(downloads.bundle(report)))
    for name, text in downloads.report_files(report).items():
        place = {"svg": "plots", "tex": "paper", "typ": "paper", "md": "paper", "bib": "paper"}.get(
            name.rpartition(".")[2], "report"
        )
        assert archive.read(f"{place}/{name}").decode() == text
    assert downloads.bundle(report) == downloads.bundle(report)
    archive = zipfile.ZipFile(io.BytesIO(downloads.bundle(report)))
    code = [name for name in archive.namelist() if name.endswith(".py")]
    assert not [name for name in code if b"django" in archive.read(name)]
    assert "numba==" in archive.read("requirements.txt").decode()
    olga = factory.organiser(report.campaign, "olga")
    client = browser_of(olga)
    page = reverse("report", args=[report.pk])
    assert 'href="bundle.zip"' in client.get(page).content.decode()
    assert client.get(f"{page}bundle.zip").content == downloads.bundle(report)
