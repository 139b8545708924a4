"""Settings: nothing set works, a bad value stops the start and names the variable, production is strict."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands

from appraise_gec import environment
from appraise_gec.cli import LISTENING, PREPARING, purpose_of

ROOT = Path(__file__).parent.parent
PRODUCTION = {
    "SECRET_KEY": "q8Zr2vT6yB9nM4kL7jH3gF5dS1aP0oI2uY4tR6eW8qX1zC3vB5",
    "DATABASE_URL": "postgresql://user:p%40ss@db:5432/appraise",
    "CELERY_BROKER_URL": "redis://redis:6379/0",
    "SITE_URL": "https://judge.example.org",
    "EMAIL_HOST": "mail.example.org",
    "EMAIL_FROM": "judge@example.org",
}


# Reads settings once for each set of variables, and prints what is refused.
READ = """
import json, os, runpy, sys
from django.core.exceptions import ImproperlyConfigured
import appraise_gec
inherited = dict(os.environ)
for variables in json.loads(sys.argv[1]):
    os.environ.clear()
    os.environ.update(inherited | variables)
    try:
        runpy.run_path("appraise_gec/settings.py")
    except ImproperlyConfigured as reason:
        print(json.dumps(str(reason)))
    else:
        print("null")
"""


def run(*command: str, **variables: str) -> subprocess.CompletedProcess:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "DATA_DIR") if name in os.environ}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=inherited | variables, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip


def manage(*words: str, **variables: str) -> subprocess.CompletedProcess:
    return run("manage.py", *words, **variables)


def chosen(*names: str, **variables: str) -> list[str]:
    """Values of settings in a process of its own, which loads nothing else."""
    code = "from django.conf import settings" + "".join(f"; print(settings.{name})" for name in names)
    done = run("-c", code, DJANGO_SETTINGS_MODULE="appraise_gec.settings", **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.wide
def test_check_deploy_is_clean_under_production_settings():
    done = manage("check", "--deploy", "--fail-level", "DEBUG", **PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_production_takes_postgresql_and_redis():
    database, broker, hosts = chosen("DATABASES['default']", "CELERY_BROKER_URL", "ALLOWED_HOSTS", **PRODUCTION)
    assert "postgresql" in database
    assert "'PASSWORD': 'p@ss'" in database
    assert broker == "redis://redis:6379/0"
    assert "judge.example.org" in hosts


BAD = [
    ("DEBUG", "maybe", "DEBUG is 'maybe'"),
    ("DEBUG", "yes", "DEBUG shows settings and code to everybody"),
    ("SECRET_KEY", "short", "SECRET_KEY is too easy to guess"),
    ("SECRET_KEY", "", "SECRET_KEY is not set"),
    ("DATABASE_URL", "mysql://db/x", "DATABASE_URL must look like postgresql://"),
    ("DATABASE_URL", "postgresql://db", "DATABASE_URL must look like"),
    ("DATABASE_URL", "postgresql://db:port/x", "DATABASE_URL has a port that is not a number"),
    ("SITE_URL", "judge.example.org", "SITE_URL is 'judge.example.org'"),
    ("CELERY_BROKER_URL", "carrier-pigeon", "CELERY_BROKER_URL"),
    ("TIME_ZONE", "Moon/Crater", "TIME_ZONE is 'Moon/Crater', which this machine does not know; name a"),
    ("ALLOWED_HOSTS", "judge.example.org,https://b.org", "ALLOWED_HOSTS has 'https://b.org'; give names without"),
    ("ALLOWED_HOSTS", "judge.example.org:8000", "ALLOWED_HOSTS has 'judge.example.org:8000'"),
    ("TIME_ZONE", "../zone", "TIME_ZONE is '../zone'"),
    ("DATA_DIR", "/proc/nowhere", "DATA_DIR is '/proc/nowhere', where this user may not write"),
    ("LOG_LEVEL", "LOUD", "LOG_LEVEL"),
    ("REPORT_WORKERS", "0", "REPORT_WORKERS is '0'; give a whole number from 1"),
    ("REPORT_WORKERS", "many", "REPORT_WORKERS is 'many'"),
    ("EMAIL_FROM", "", "EMAIL_HOST needs EMAIL_FROM"),
    ("EMAIL_FROM", "Judging", "EMAIL_HOST needs EMAIL_FROM"),
    ("EMAIL_PORT", "smtp", "EMAIL_PORT is 'smtp'"),
    ("LOG_FORMAT", "xml", "LOG_FORMAT is 'xml'; choose one of plain, json"),
    ("WEB_STATEMENT_TIMEOUT", "soon", "WEB_STATEMENT_TIMEOUT is 'soon'"),
    ("METRICS_TOKEN", "guess", "METRICS_TOKEN is too easy to guess; make one with"),
    ("ZENODO_URL", "zenodo.org", "ZENODO_URL is 'zenodo.org'; give an address like"),
    ("HF_ENDPOINT", "https://hub.example.org/api", "HF_ENDPOINT is 'https://hub.example.org/api'"),
    ("API_RATE", "many", "API_RATE is 'many'; give a number per second"),
    ("API_RATE", "0/hour", "API_RATE is '0/hour'"),
    ("REMOTE_USER_HEADER", "X-Remote-User", "REMOTE_USER_HEADER needs REMOTE_USER_PROXIES"),
    (
        "REMOTE_USER_PROXIES",
        "10.0.0.1/8",
        "REMOTE_USER_PROXIES: 10.0.0.1/8 has host bits set; give addresses or networks",
    ),
    ("OIDC_ISSUER", "http://id.example.org", "OIDC_ISSUER is 'http://id.example.org'; give an https address"),
    ("OIDC_ISSUER", "https://id.example.org", "OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"),
    ("OIDC_CLIENT_ID", "appraise", "OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and these need it"),
    ("OIDC_CLIENT_SECRET", "hush", "OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and these need it"),
    ("ORGANISER_GROUPS", "linguistics", "ORGANISER_GROUPS needs REMOTE_GROUPS_HEADER"),
]


@pytest.fixture(scope="module")
def refusals() -> list[str | None]:
    done = run("-c", READ, json.dumps([PRODUCTION | {name: value} for name, value, _ in BAD]))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("number", range(len(BAD)), ids=[f"{name}-{value}" for name, value, _ in BAD])
def test_a_bad_value_is_refused_with_a_sentence_that_names_the_variable(refusals, number):
    refusal, (_, _, message) = refusals[number], BAD[number]
    assert refusal.startswith(message)
    assert "\n" not in refusal


@pytest.mark.parametrize(("name", "value", "message"), [BAD[0], BAD[3]])
def test_a_bad_value_stops_the_start(name, value, message):
    done = manage("load_demo", **PRODUCTION | {name: value})
    assert done.returncode == 1
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1  # the sentence alone


@pytest.mark.wide
@pytest.mark.parametrize("words", ["--help", "help show_progress", "show_progress --help"])
def test_help_works_with_nothing_set_where_nothing_can_be_written(words):
    done = manage(*words.split(), DATA_DIR="/proc/nowhere", DATABASE_URL=PRODUCTION["DATABASE_URL"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "import-outputs" in done.stdout or "usage: manage.py show_progress" in done.stdout


@pytest.mark.wide
def test_files_are_scored_with_nothing_set_where_nothing_can_be_written(tmp_path):
    for name in ("source", "output", "reference"):
        (tmp_path / name).write_text("A cat sat .\n")
    files = {"--source": "source", "--outputs": "output", "--references": "reference", "--out": "scores"}
    words = [word for option, name in files.items() for word in (option, str(tmp_path / name))]
    done = manage("score_files", "--metrics", "gleu", *words, DATA_DIR="/proc/nowhere", SITE_URL="nonsense")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "scores" / "metric_scores.csv").exists()


@pytest.mark.wide
@pytest.mark.parametrize("secret", ["weak", ""])
def test_a_command_that_does_not_listen_takes_any_secret(secret, tmp_path):
    sqlite = {"DATABASE_URL": f"sqlite:///{tmp_path}/db", "DATA_DIR": str(tmp_path), "SECRET_KEY": secret}
    assert manage("check", **sqlite).returncode == 0
    names = get_commands()
    assert {purpose_of([name, "--help"]) for name in names} == {"HELP"}
    assert {name for name in names if purpose_of([name]) == "LISTENING"} == LISTENING - {*PREPARING} | {"open"}


def test_secrets_are_made_kept_and_taken(tmp_path):
    """In one line, since two would break the file of settings."""
    with pytest.raises(ImproperlyConfigured) as refusal:
        environment.secret("NO_SUCH_VARIABLE", tmp_path / "key", may_be_made=False)
    command = str(refusal.value).partition("make one with: ")[2]
    made = subprocess.run(command.split(), capture_output=True, text=True, check=True).stdout
    assert made.count("\n") == 1
    assert chosen("SECRET_KEY", **PRODUCTION | {"SECRET_KEY": made.strip()}) == [made.strip()]
    secrets = {environment.secret("NO_SUCH_VARIABLE", tmp_path / "key", may_be_made=True) for _ in range(3)}
    assert len(secrets) == 1
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    (tmp_path / "key").write_text("")
    assert len(environment.secret("NO_SUCH_VARIABLE", tmp_path / "key", may_be_made=True)) > 50
    with pytest.raises(ImproperlyConfigured, match=r"NO_SUCH_VARIABLE is not set, and .* \(Is a directory\)"):
        environment.secret("NO_SUCH_VARIABLE", tmp_path, may_be_made=True)


GUNICORN = ["gunicorn", "-c", "python:appraise_gec.server.gunicorn", "appraise_gec.wsgi", "--bind", "127.0.0.1:0"]
CELERY = ["celery", "-A", "appraise_gec", "worker"]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("command", "name", "value", "message"),
    [
        (GUNICORN, "WEB_WORKERS", "0", "WEB_WORKERS is '0'; give a whole number from 1 to 64."),
        (GUNICORN, "DATABASE_URL", "bad", "DATABASE_URL must look like postgresql://"),
        (CELERY, "DATABASE_URL", "bad", "DATABASE_URL must look like postgresql://"),
        (GUNICORN, "SECRET_KEY", "weak", "SECRET_KEY is too easy to guess"),
        (CELERY, "SECRET_KEY", "", "SECRET_KEY is not set"),
    ],
)
def test_a_server_or_worker_started_by_hand_with_a_bad_setting_ends_with_one_sentence(command, name, value, message):
    variables = {"PATH": os.environ["PATH"], "DATA_DIR": os.environ["DATA_DIR"]} | PRODUCTION | {name: value}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env=variables, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert done.returncode != 0
    assert done.stderr.strip().removeprefix("Error: ").startswith(message)
    assert done.stderr.strip().count("\n") == 0


@pytest.mark.wide
def test_a_split_report_needs_redis(tmp_path):
    done = manage("check", DATA_DIR=str(tmp_path), REPORT_WORKERS="2")
    assert "REPORT_WORKERS above 1 needs Redis" in done.stderr
    backend = chosen("CELERY_RESULT_BACKEND", **PRODUCTION | {"REPORT_WORKERS": "2"})
    assert backend == [PRODUCTION["CELERY_BROKER_URL"]]


@pytest.mark.wide
def test_nothing_set_is_sqlite_that_many_can_write(tmp_path):
    database, broker, debug = chosen("DATABASES['default']", "CELERY_BROKER_URL", "DEBUG", DATA_DIR=str(tmp_path))
    assert "IMMEDIATE" in database
    assert "journal_mode=WAL" in database
    assert (broker, debug) == ("filesystem://", "False")


def test_commands_know_where_the_platform_ran_last(tmp_path):
    (tmp_path / "address").write_text("http://127.0.0.1:8701")
    assert chosen("SITE_URL", DATA_DIR=str(tmp_path)) == ["http://127.0.0.1:8701"]
    assert chosen("SITE_URL", DATA_DIR=str(tmp_path), SITE_URL="http://127.0.0.1:8702") == ["http://127.0.0.1:8702"]


def test_psycopg_3_does_not_come_in():
    """Django would take it instead of psycopg2 without a word."""
    assert not any(map(importlib.util.find_spec, ("psycopg", "psycopg_binary", "psycopg_c")))
    psycopg_any = pytest.importorskip("django.db.backends.postgresql.psycopg_any")
    assert not psycopg_any.is_psycopg3


def test_every_variable_is_in_the_example_and_every_example_is_a_variable():
    wiring = "".join(file.read_text() for file in (ROOT / "appraise_gec").rglob("*.py"))
    known = set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', wiring))
    named = set(re.findall(r"^#? ?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert known | {"POSTGRES_PASSWORD"} == named  # which the compose file alone reads
