"""What a tag publishes: one version everywhere, notes for it, and workflows whose steps can be tried on any machine."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from ranking.numbers.version import VERSION
from tests.test_settings import ROOT

WORKFLOWS = {file.stem: yaml.safe_load(file.read_text()) for file in (ROOT / ".github" / "workflows").glob("*.yml")}
VERSIONED = ("ranking/numbers/version.py", "CITATION.cff", "CHANGELOG.md", ".ci/release-notes")


@pytest.fixture
def tree(tmp_path) -> Path:
    """The files that name the version, with a section for it in the changelog."""
    for name in VERSIONED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    log = tmp_path / "CHANGELOG.md"
    log.write_text(f"# Changelog\n\n## Unreleased\nlater\n\n## [{VERSION}] - 2027-01-15\nmuch\n\n## [0.0.1]\nearlier\n")
    return tmp_path


def notes(tree: Path, tag: str, **variables: str) -> subprocess.CompletedProcess:
    command, variables = ["bash", tree / ".ci/release-notes", tag], {"PATH": os.environ["PATH"]} | variables
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_notes_are_the_section_of_the_version(tree):
    assert notes(tree, f"v{VERSION}").stdout == "much\n"


def test_notes_flow_and_their_links_lead_to_the_files_of_the_tag(tree):
    text = "### Added\n- **One**: see [the guide](docs/first.md#one)\n  and [there](https://a.org).\n- Two\n  - more\n"
    log = tree / "CHANGELOG.md"
    log.write_text(log.read_text().replace("much\n", text))
    line = "- **One**: see [the guide](docs/first.md#one) and [there](https://a.org)."
    assert notes(tree, f"v{VERSION}").stdout.splitlines() == ["### Added", line, "- Two", "  - more"]
    at = {"GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "house/platform"}
    address = f"https://github.example/house/platform/blob/v{VERSION}/docs/first.md#one"
    assert notes(tree, f"v{VERSION}", **at).stdout.splitlines()[1] == line.replace("docs/first.md#one", address)


@pytest.mark.parametrize("name", VERSIONED[:3])
def test_no_release_without_the_version_in_each_place(tree, name):
    file = tree / name
    file.write_text(file.read_text().replace(VERSION, "9.9"))
    done = notes(tree, f"v{VERSION}")
    assert (done.returncode, done.stdout) == (1, "")
    assert name in done.stderr


def test_the_version_is_one_that_sorts():
    assert str(Version(VERSION)) == VERSION


def test_workflows_run_scripts_of_the_checkout():
    """Other steps are single commands, and no step repeats what a script says."""
    steps = [step for flow in WORKFLOWS.values() for job in flow["jobs"].values() for step in job.get("steps", ())]
    commands = [shlex.split(step["run"])[:2] for step in steps if "run" in step]
    scripts = {second for first, second in commands if first == "bash"}
    assert (
        scripts
        == {".ci/run", ".ci/release-notes", ".ci/package"}
        == {f".ci/{one.name}" for one in (ROOT / ".ci").iterdir() if one.name != "passed"}
    )
    assert [first for first, _ in commands if first not in ("bash", "git", "gh", "make")] == []
    assert all(step["run"].count("\n") == 0 for step in steps if "run" in step)


def test_every_python_that_is_allowed_is_tested_and_gets_a_wheel():
    tested = WORKFLOWS["test"]["jobs"]["test"]["strategy"]["matrix"]["python"]
    wheels = WORKFLOWS["release"]["jobs"]["wheels"]["strategy"]["matrix"]["python"]
    assert wheels == [f"cp{one.replace('.', '')}-cp{one.replace('.', '')}" for one in tested]
    (allowed,) = re.findall(r'^requires-python = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert [one for one in tested if one not in SpecifierSet(allowed)] == []
    assert "3.10" not in SpecifierSet(allowed)
    named = re.findall(r'"Programming Language :: Python :: (3\..*)"', (ROOT / "pyproject.toml").read_text())
    assert named == tested[: len(named)]


def test_nothing_is_published_that_was_not_tested():
    jobs = WORKFLOWS["release"]["jobs"]

    def before(name: str) -> set[str]:
        needs = jobs[name].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct | {earlier for one in direct for earlier in before(one)}

    assert {"test", "notes", "wheels", "source"} <= before("publish")
    assert {"test", "notes"} <= before("image")
    assert {"publish", "image"} <= before("release")
    writing = {name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()}
    assert writing == {"publish", "image", "pages", "release"}
    assert "publish" in before("pages")


def test_jobs_fetch_by_name_what_jobs_before_them_left():
    """Without names they would also fetch what actions leave behind, such as records of builds, which fails."""
    steps = [step for job in WORKFLOWS["release"]["jobs"].values() for step in job.get("steps", ()) if "uses" in step]
    with_artifact = [step for step in steps if step["uses"].startswith("actions/download-artifact@")]
    assert len(with_artifact) == 2
    left = {step["with"]["name"] for step in steps if step["uses"].startswith("actions/upload-artifact@")}
    left = {"wheel-*" if name.startswith("wheel-") else name for name in left}
    wanted = [set(step["with"]["pattern"].strip("{}").split(",")) for step in with_artifact]
    assert wanted == [left - {"notes"}, left]


def test_this_version_has_its_notes():
    assert notes(ROOT, f"v{VERSION}").stdout
