"""The guide to deployment says what the files do: services, variables, commands, sizes and figures."""

import re
import shlex

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.urls import resolve

from appraise_gec import figures, requests_counted, serving, stopping
from appraise_gec.celery import app
from judgments.models.signs import SECONDS_BETWEEN_SIGNS
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


def seconds(period: str) -> int:
    return int(re.fullmatch(r"(\d+)s", period)[1])


class TestGuide:
    """What it names exists, and what it counts is so."""

    def test_its_table_is_that_of_the_services(self):
        rows = re.findall(r"^\| (\w+) \| .* \| (\w+), ([\d.]+) \|$", GUIDE, re.MULTILINE)
        told = {name: (memory, float(cores)) for name, memory, cores in rows}
        assert told == {name: (service["mem_limit"], float(service["cpus"])) for name, service in SERVICES.items()}

    def test_its_variables_are_ones_that_settings_or_compose_read(self):
        read = set(re.findall(r"^#? ?([A-Z_]+)=", EXAMPLE, re.MULTILINE))
        read |= set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
        named = set(re.findall(r"`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`", GUIDE)) | set(
            re.findall(r"^([A-Z_]+)=", CODE, re.MULTILINE)
        )
        assert named
        assert named <= read

    def test_what_compose_wants_is_asked_for(self):
        wanted = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "docker-compose.yml").read_text()))
        assert wanted == {"SECRET_KEY", "SITE_URL", "POSTGRES_PASSWORD"}
        assert wanted <= set(re.findall(r"^([A-Z_]+)=", CODE, re.MULTILINE))

    def test_its_commands_are_ours(self):
        named = re.findall(r"manage\.py (\w+)", GUIDE)
        assert {"migrate", "createsuperuser", "collectstatic", "run_platform"} <= set(named)
        assert set(named) <= get_commands().keys()

    def test_its_services_are_those_of_compose(self):
        named = re.findall(r"docker compose (?:exec|run --rm|logs) (\w+)", GUIDE)
        assert {"web", "migrate"} <= set(named) <= SERVICES.keys()

    def test_processes_by_hand_are_those_of_compose(self):
        for name in ("web", *WORKERS):
            by_hand = SERVICES[name]["command"].replace("0.0.0.0", "127.0.0.1")  # noqa: S104
            assert by_hand in CODE.splitlines()
        assert "celery -A appraise_gec beat" in SERVICES["beat"]["command"]

    def test_its_files_exist(self):
        for name in re.findall(r"`((?:appraise_gec|tests)/[\w./]*)`", GUIDE):
            assert (ROOT / name).exists(), name
        for name in re.findall(r"\]\(([^)#:]+)\)", GUIDE):
            assert (ROOT / "docs" / name).exists(), name
        assert re.search(r"^COPY \. \.$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)

    def test_its_addresses_answer(self):
        for path in re.findall(r"`(/[a-z]+/?)`", GUIDE):
            assert resolve(path)
        assert SERVICES["web"]["ports"] == ["127.0.0.1:8000:8000"]
        assert CODE.count("127.0.0.1:8000") >= 4

    def test_every_figure_is_explained_and_every_explained_one_is_told(self, db):
        written = set(re.findall(r"^# TYPE (appraise_\w+)", figures.written().decode(), re.MULTILINE))
        written = {name for name in written if not name.endswith("_created")}
        table = [line for line in GUIDE.splitlines() if line.startswith("| `appraise_")]
        also = {"appraise_beat_silence_seconds", requests_counted.SECONDS._name}  # told once there is something to tell
        assert set(re.findall(r"`(appraise_\w+)`", "".join(table))) == written | also

    def test_its_numbers_are_those_that_are_set(self):
        assert f"WEB_WORKERS`, processes: one for each core that the web may use ({serving.workers})" in GUIDE
        assert f"same time ({serving.threads})" in GUIDE
        assert f"{serving.workers} processes x {serving.threads} threads = {serving.workers * serving.threads}" in GUIDE
        low, high = serving.max_requests, serving.max_requests + serving.max_requests_jitter
        assert f"after {low:,} to {high:,} requests" in GUIDE
        assert f"for {serving.timeout} seconds is killed" in GUIDE
        assert f"for {serving.graceful_timeout} seconds\nat most" in GUIDE
        assert f"finishes what is done within {stopping.SECONDS_TO_FINISH} seconds" in GUIDE
        assert f"`WEB_STATEMENT_TIMEOUT` seconds ({settings.WEB_STATEMENT_TIMEOUT})" in GUIDE
        assert f"a sign comes every {SECONDS_BETWEEN_SIGNS} seconds" in GUIDE
        assert settings.DATABASES["default"]["CONN_MAX_AGE"] == 60
        assert "keeps its connection for 60 seconds" in GUIDE


class TestCompose:
    """What it starts is bounded, watched, and stopped with patience."""

    @pytest.mark.parametrize("service", SERVICES)
    def test_every_service_has_its_limits(self, service):
        assert re.fullmatch(r"\d+[gm]", SERVICES[service]["mem_limit"])
        assert 0 < float(SERVICES[service]["cpus"]) <= 2
        assert SERVICES[service]["logging"]["options"]["max-size"]

    @pytest.mark.parametrize("service", LASTING)
    def test_what_lasts_is_watched_and_comes_up_again(self, service):
        assert SERVICES[service]["restart"] == "unless-stopped"
        assert SERVICES[service]["healthcheck"]["test"]

    def test_images_are_named_by_their_exact_versions(self):
        images = [service["image"] for name, service in SERVICES.items() if name not in OURS]
        base = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        for image in images + base:
            assert re.search(r":\d+\.\d+(\.\d+)?-\w+", image), image
        assert len(base) == 1
        assert base[0].count(".") == 2

    def test_workers_take_from_all_queues_and_each_from_its_own(self):
        queues = [shlex.split(SERVICES[name]["command"])[5] for name in WORKERS]
        assert sorted(queues) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)

    @pytest.mark.parametrize("service", WORKERS)
    def test_the_check_of_a_worker_asks_that_worker(self, service):
        name = shlex.split(SERVICES[service]["command"])[-1].removesuffix("@%h")
        assert f"--destination {name}@$$HOSTNAME" in SERVICES[service]["healthcheck"]["test"][1]

    def test_nobody_is_killed_who_only_ends_what_has_begun(self):
        assert seconds(SERVICES["web"]["stop_grace_period"]) > serving.graceful_timeout
        for name in WORKERS:
            assert seconds(SERVICES[name]["stop_grace_period"]) >= 3 * stopping.SECONDS_TO_FINISH

    def test_web_and_image_start_gunicorn_by_its_settings(self):
        config = "--config python:appraise_gec.serving appraise_gec.wsgi"
        assert config in SERVICES["web"]["command"]
        (command,) = re.findall(r"^CMD (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        assert config in " ".join(yaml.safe_load(command))

    def test_logs_are_for_programs_and_settings_come_from_the_file(self):
        environment = SERVICES["web"]["environment"]
        assert environment["LOG_FORMAT"] == "${LOG_FORMAT:-json}"
        given = set(re.findall(r"^#? ?([A-Z_]+)=", EXAMPLE, re.MULTILINE))
        assert given - environment.keys() == {"ALLOWED_HOSTS", "DEBUG"}


def test_reports_and_imports_wait_in_the_queue_of_what_lasts():
    app.loader.import_default_modules()
    routed = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if "." in name}
    lasting = {name for name, queue in routed.items() if queue == "long"}
    assert lasting == set(settings.LONG)
    assert routed["judgments.send_links"] == routed["judgments.deal_screens"] == "short"
    assert lasting <= app.tasks.keys()
