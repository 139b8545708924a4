"""One command for everything: its list, its names, what it completes, and the packages behind it."""

import re
import socket
import tomllib
from errno import ENOSPC
from unittest.mock import Mock

import pytest
from django.core.management import get_commands
from django.db import OperationalError
from packaging.requirements import Requirement

from appraise_gec import cli
from judgments.actions import MODULES, actions_in
from judgments.actions.base import name_of
from ranking.numbers.version import VERSION
from tests.test_settings import ROOT, manage

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def required(file: str) -> dict[str, Requirement]:
    lines = [line.partition("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    found = [Requirement(line) for line in lines if line and not line.startswith("-")]
    return {one.name: one for one in found}


def test_the_list_names_every_command_with_its_purpose_and_the_version_is_printed(capsys):
    assert cli.main([]) is None
    listed = dict(re.findall(r"^  ([a-z-]+) +(\S.*)$", capsys.readouterr().out, re.MULTILINE))
    assert {"demo", "serve", "score", "import-outputs", "build-report", "migrate"} <= set(listed)
    assert all(len(purpose) > len("Do it.") and purpose[0].isupper() for purpose in listed.values())
    cli.main(["--version"])
    assert capsys.readouterr().out.strip() == VERSION


def test_guides_name_commands_and_actions_that_there_are():
    guides = [ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(guide.read_text(encoding="utf-8") for guide in guides)
    commands = {name.replace("-", "_") for name in re.findall(r"(?:manage\.py|appraise-gec) ([a-z][\w-]+)", text)}
    own = {"demo", "serve", "score", "completion", "complete"}
    assert commands - own <= get_commands().keys()
    actions = {name.replace("-", "_") for name in re.findall(r"\bact [A-Za-z]+ ([a-z][a-z-]+)", text)}
    assert actions
    assert actions <= {name_of(action) for action in actions_in(*MODULES)}


def test_names_are_written_with_hyphens_or_underscores(capsys):
    for name in ("score-files", "score"):
        with pytest.raises(SystemExit):
            cli.main([name, "--help"])
    assert capsys.readouterr().out.count("appraise-gec score --source src.txt") == 2


def test_a_name_that_there_is_not_is_told_with_the_nearest():
    for name, meant in ("exprt", "Did you mean export? "), ("qqq", ""):
        with pytest.raises(SystemExit) as stopped:
            cli.main([name])
        assert str(stopped.value) == f"There is no command {name}. {meant}`appraise-gec` alone lists them."


@pytest.mark.wide
def test_shells_complete_commands_and_options():
    assert "import-outputs" in manage("complete", "1").stdout.split()
    assert "--with-excluded" in manage("complete", "2", "export").stdout.split()
    assert "exclude-judge" in manage("complete", "2", "act").stdout.split()
    assert "--port" in manage("complete", "2", "demo").stdout.split()
    assert manage("complete", "2", "sing").stdout.strip() == ""


@pytest.mark.wide
def test_a_port_in_use_is_refused_before_anything_is_prepared():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = manage("demo", "--port", port)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith(f"Another program uses port {port}; stop it, or choose another port (--port 8001")


def test_a_database_without_room_or_tables_ends_every_command_with_a_sentence(monkeypatch):
    for error, message in (
        (OperationalError("disk I/O error"), "The disk of the database is full"),
        (OSError(ENOSPC, "No space left on device", "var/static"), "var/static: there is no space left on the disk"),
    ):
        monkeypatch.setattr(cli, "_run_with_django", Mock(side_effect=error))
        assert cli.main(["migrate"]).startswith(message)


def test_a_command_that_is_interrupted_ends_with_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(cli, "main", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(SystemExit) as ended:
        cli.run()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "Stopped. The same command goes on, or begins again.\n"


def test_the_package_needs_what_is_pinned():
    pinned = required("requirements.txt")
    extras = PROJECT["optional-dependencies"]
    needed = {
        one.name: one for one in map(Requirement, [*PROJECT["dependencies"], *extras["postgres"], *extras["numba"]])
    }
    assert set(needed) == set(pinned)
    for name, pin in pinned.items():
        (version,) = (one.version for one in pin.specifier)
        assert needed[name].specifier.contains(version), name
    assert set(map(str, required("requirements-errant.txt").values())) == set(extras["errant"])
    (hub,), (tested,) = map(Requirement, extras["hub"]), required("requirements-dev.txt")["huggingface_hub"].specifier
    assert hub.specifier.contains(tested.version)
