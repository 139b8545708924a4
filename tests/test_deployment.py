"""The guide to deployment says what the files do: services, variables, commands, sizes and figures."""

import os
import re
import shlex
import subprocess
import sys
import textwrap

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.urls import resolve

from appraise_gec import workers
from appraise_gec.celery import app, import_tasks
from appraise_gec.health import prometheus
from appraise_gec.management import processes
from appraise_gec.server import gunicorn, middleware
from judgments.jobs.tasks import wake_worker
from judgments.models.heartbeats import SECONDS_BETWEEN_HEARTBEATS
from tests.test_settings import ROOT

GUIDE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
# Blocks of code, also those that stand within a step.
CODE = "\n".join(line.strip() for line in GUIDE.splitlines() if line.startswith("    "))
OURS = ("migrate", "web", "worker", "reports", "beat")
LASTING = [name for name in SERVICES if name != "migrate"]
WORKERS = ("worker", "reports")


def megabytes(memory: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([gm])", memory).groups()
    return int(number) * {"g": 1024, "m": 1}[unit]


def seconds(period: str) -> int:
    return int(re.fullmatch(r"(\d+)s", period)[1])


class TestGuide:
    def test_its_table_is_that_of_the_services(self):
        rows = re.findall(r"^\| (\w+) \| .* \| (\w+), ([\d.]+), (\d+) \|$", GUIDE, re.MULTILINE)
        documented = {name: (memory, float(cores), int(weight)) for name, memory, cores, weight in rows}
        assert documented == {
            name: (service["mem_limit"], float(service["cpus"]), service["cpu_shares"])
            for name, service in SERVICES.items()
        }
        together = sum(megabytes(SERVICES[name]["mem_limit"]) for name in LASTING)
        assert f"that last are {together / 1024:.1f} GB together" in " ".join(GUIDE.split())

    def test_its_variables_are_ones_that_settings_or_compose_read_and_those_that_compose_requires(self):
        compose = (ROOT / "docker-compose.yml").read_text()
        read = set(re.findall(r"^#? ?([A-Z_]+)=", EXAMPLE, re.MULTILINE)) | set(re.findall(r"\$\{([A-Z_]+)", compose))
        set_there = set(re.findall(r"^([A-Z_]+)=", CODE, re.MULTILINE))
        named = set(re.findall(r"`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`", GUIDE))
        assert named
        assert named | set_there <= read
        wanted = set(re.findall(r"\$\{([A-Z_]+):\?", compose))
        assert wanted == {"SECRET_KEY", "SITE_URL", "POSTGRES_PASSWORD"}
        assert wanted <= set_there

    def test_its_commands_are_ours_and_load_the_settings(self):
        named = re.findall(r"(?:manage\.py|-u appraise appraise|/usr/local/bin/appraise) (?!COMMAND)([a-z]\w+)", CODE)
        assert {"migrate", "createsuperuser", "collectstatic", "run_platform"} <= set(named)
        assert {"back_up", "restore"} <= set(named)
        assert set(named) <= get_commands().keys()
        loading = ("docker compose run", "docker compose exec", "ExecStart=", "exec .venv/bin/python manage.py")
        bare = [line for line in CODE.splitlines() if "manage.py" in line and not any(way in line for way in loading)]
        assert bare == []
        assert not re.search(r"(?<!/srv/appraise/.venv/bin/)(?<!\w)(?:gunicorn|celery) -", CODE)

    @pytest.mark.wide
    def test_its_command_loads_the_settings_as_the_example_writes_them(self, tmp_path):
        (written,) = re.findall(r"^    (#!/bin/sh\n(?:    .*\n)+)", GUIDE, re.MULTILINE)
        command = tmp_path / "appraise"
        command.write_text(textwrap.dedent(f"    {written}").replace("/srv/appraise", str(tmp_path)))
        python = tmp_path / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        for program in (command, python):
            program.chmod(0o755)
        (tmp_path / "manage.py").symlink_to(ROOT / "manage.py")
        (quoted,) = re.findall(r"^# .*(EMAIL_FROM='.*')$", EXAMPLE, re.MULTILINE)
        more = [quoted, "EMAIL_HOST=mail.example.org", "EMAIL_PASSWORD='a$b c'", f"DATA_DIR={tmp_path}"]
        (tmp_path / ".env").write_text("\n".join([EXAMPLE, *more]))
        script = "from django.conf import settings as s; print(s.SITE_URL, s.EMAIL_HOST_PASSWORD, s.DEFAULT_FROM_EMAIL)"
        done = subprocess.run(
            [command, "shell", "--no-imports", "-c", script],
            cwd="/", env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.stdout == "https://judge.example.org a$b c Judging <judge@example.org>\n", done.stderr

    def test_an_upgrade_removes_the_code_of_the_version_before(self):
        """Of what it removes nothing is the operator's."""
        (removed,) = (set(names.split()) for names in re.findall(r"^sudo rm -r (.*)$", CODE, re.MULTILINE))
        used = {path.relative_to(ROOT).parts[0] for path in (*settings.TEMPLATES[0]["DIRS"], *settings.LOCALE_PATHS)}
        used |= {app for app in settings.INSTALLED_APPS if (ROOT / app / "__init__.py").is_file()} | {"static", "docs"}
        assert removed == used

    def test_its_services_are_those_of_compose(self):
        """After its options, a command of docker compose names a service; to stop, several."""
        named = set()
        for verb, words in re.findall(r"docker compose (exec|run|logs|stop) (.*)", CODE):
            rest = shlex.split(re.sub(r"(-v|--user) \S+|-\S+", "", words.partition("&&")[0]))
            named |= set(rest if verb == "stop" else rest[:1])
        assert {"web", "worker", "reports", "beat", "migrate"} <= named <= SERVICES.keys()

    def test_a_restore_stops_all_that_writes_and_backups_belong_to_the_user_of_the_image(self):
        (stopped,) = re.findall(r"docker compose stop (.*)", CODE)
        assert set(stopped.split()) == set(OURS) - {"migrate"}
        (number,) = re.findall(r"useradd --uid (\d+)", (ROOT / "Dockerfile").read_text())
        assert f"install -d -o {number} -g {number} -m 700 /var/backups/appraise" in CODE
        assert f"chown {number}:{number}" in GUIDE

    def test_processes_by_hand_are_those_of_compose_and_wait_longer_than_what_they_stop(self):
        for name in ("web", *WORKERS):
            by_hand = SERVICES[name]["command"].replace("0.0.0.0", "127.0.0.1").replace("%h", "%%h")  # noqa: S104
            assert f"ExecStart=/srv/appraise/.venv/bin/{by_hand}" in CODE.splitlines()
        assert "celery -A appraise_gec beat" in SERVICES["beat"]["command"]
        assert "ExecStart=/srv/appraise/.venv/bin/celery -A appraise_gec beat --pidfile=" in CODE.splitlines()
        one, *rest = [int(seconds) for seconds in re.findall(r"^TimeoutStopSec=(\d+)$", CODE, re.MULTILINE)]
        assert one > 3 * processes.SECONDS_TO_STOP
        assert rest == [40, 60, 60, 60]

    def test_its_files_exist_and_its_addresses_answer(self):
        for name in re.findall(r"`((?:appraise_gec|tests)/[\w./]*)`", GUIDE):
            assert (ROOT / name).exists(), name
        for name in re.findall(r"\]\(([^)#:]+)\)", GUIDE):
            assert (ROOT / "docs" / name).exists(), name
        assert re.search(r"^COPY \. \.$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        for path in re.findall(r"`(/[a-z]+/?)`", GUIDE):
            assert resolve(path)
        assert SERVICES["web"]["ports"] == ["127.0.0.1:8000:8000"]
        assert CODE.count("127.0.0.1:8000") >= 4

    def test_every_figure_is_explained_and_every_explained_one_is_reported(self, db):
        written = set(re.findall(r"^# TYPE (appraise_\w+)", prometheus.exposition().decode(), re.MULTILINE))
        written = {name for name in written if not name.endswith("_created")}
        table = [line for line in GUIDE.splitlines() if line.startswith("| `appraise_")]
        also = {"appraise_beat_silence_seconds", middleware.SECONDS._name}  # reported once there is a value
        assert set(re.findall(r"`(appraise_\w+)`", "".join(table))) == written | also

    def test_its_numbers_are_those_that_are_set(self):
        guide = " ".join(GUIDE.split())
        assert f"`WEB_WORKERS`: processes, one for each core that the web may use ({gunicorn.workers})" in guide
        assert f"`WEB_THREADS`: requests that each process answers at the same time ({gunicorn.threads})" in guide
        assert (
            f"{gunicorn.workers} processes x {gunicorn.threads} threads = {gunicorn.workers * gunicorn.threads}"
            in guide
        )
        low, high = gunicorn.max_requests, gunicorn.max_requests + gunicorn.max_requests_jitter
        assert f"after {low:,} to {high:,} requests" in guide
        assert f"for {gunicorn.timeout} seconds is killed" in guide
        assert f"for at most {gunicorn.graceful_timeout} seconds" in guide
        assert f"finishes jobs that are done within {workers.SECONDS_TO_FINISH} seconds" in guide
        assert f"`WEB_STATEMENT_TIMEOUT` seconds ({settings.WEB_STATEMENT_TIMEOUT})" in guide
        assert f"a heartbeat comes every {SECONDS_BETWEEN_HEARTBEATS} seconds" in guide
        assert settings.DATABASES["default"]["CONN_MAX_AGE"] == 60
        assert "keeps its connection for 60 seconds" in guide


class TestCompose:
    @pytest.mark.parametrize("service", LASTING)
    def test_lasting_services_are_watched_restarted_and_not_root(self, service):
        assert SERVICES[service]["restart"] == "unless-stopped"
        assert SERVICES[service]["healthcheck"]["test"]
        if "build" in SERVICES[service]:
            assert re.search(r"^USER (?!root)\w+", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        else:
            assert SERVICES[service]["user"] not in ("", "root", "0")

    @pytest.mark.parametrize("service", OURS)
    def test_its_variables_are_ones_that_settings_know(self, service):
        known = set(re.findall(r"^#? ?([A-Z_]+)=", EXAMPLE, re.MULTILINE)) - {"POSTGRES_PASSWORD"}
        assert set(SERVICES[service]["environment"]) <= known

    def test_workers_take_each_from_its_own_queue_and_nobody_is_killed_who_ends_what_has_begun(self):
        queues = [shlex.split(SERVICES[name]["command"])[5] for name in WORKERS]
        assert sorted(queues) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
        for worker in WORKERS:
            name = shlex.split(SERVICES[worker]["command"])[-1].removesuffix("@%h")
            assert f"--destination {name}@$$HOSTNAME" in SERVICES[worker]["healthcheck"]["test"][1]
        assert seconds(SERVICES["web"]["stop_grace_period"]) > gunicorn.graceful_timeout
        for name in WORKERS:
            assert seconds(SERVICES[name]["stop_grace_period"]) >= 3 * workers.SECONDS_TO_FINISH

    def test_guide_and_image_start_gunicorn_and_ask_for_what_the_example_asks_for(self):
        config = "--config python:appraise_gec.server.gunicorn appraise_gec.wsgi"
        assert config in SERVICES["web"]["command"]
        (command,) = re.findall(r"^CMD (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        assert config in " ".join(yaml.safe_load(command))
        required = EXAMPLE.split("# ---")[1]
        step = GUIDE.split("4. **Settings.**")[1].split("5. **Start.**")[0]
        assert re.findall(r"^([A-Z_]+)=", required, re.MULTILINE) == re.findall(r"^ +([A-Z_]+)=", step, re.MULTILINE)
        assert ".env" in (ROOT / ".dockerignore").read_text().split()
        assert "/.env" in (ROOT / ".gitignore").read_text().split()

    def test_logs_are_for_programs_and_settings_come_from_the_file(self):
        environment = SERVICES["web"]["environment"]
        assert environment["LOG_FORMAT"] == "${LOG_FORMAT:-json}"
        parts = re.findall(r"^# --- (.*?) -+$\n(.*?)(?=^# ---|\Z)", EXAMPLE, re.MULTILINE | re.DOTALL)
        named = {title: set(re.findall(r"^#? ?([A-Z_]+)=", part, re.MULTILINE)) for title, part in parts}
        required, by_hand, both = named.values()
        read = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
        assert list(named)[1].startswith("by hand only")
        assert required | both == read
        assert not by_hand & read


def test_parts_of_reports_wait_in_the_long_queue():
    import_tasks()
    routed = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if "." in name}
    lasting = {name for name, queue in routed.items() if queue == "long"}
    assert lasting == {"ranking.draw_part", "ranking.conclude_report"}
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= routed.keys()


def test_a_job_is_announced_in_the_queue_of_its_kind_after_parts_of_reports(monkeypatch):
    sent = []
    monkeypatch.setattr("judgments.jobs.tasks.send", sent.append)
    wake_worker("long")
    (message,) = sent
    assert (message.task, message.args, message.options["queue"]) == ("judgments.run_next", ("long",), "long")
    assert message.options["priority"] > app.amqp.router.route({}, "ranking.draw_part").get("priority", 0)
