"""The programs that docker-compose.yml starts, to start them by hand on this machine."""

import shlex
from pathlib import Path

import yaml

COMPOSE = Path(__file__).parent.parent.parent / "docker-compose.yml"
# What lasts, of that which is built here.
PROGRAMS = ("web", "worker", "reports", "beat")
WORKERS = ("worker", "reports")
PORT, PID = "0.0.0.0:8000", "/tmp/beat.pid"  # noqa: S108 (within containers)


def programs(port: int, folder: Path) -> dict[str, tuple[str, ...]]:
    """What Python runs, by service: the web server on a port, and what is written into a folder."""
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    ours = {PORT: f"127.0.0.1:{port}", PID: str(folder / "beat.pid")}
    return {
        name: ("-m", *(ours.get(word, word) for word in shlex.split(services[name]["command"]))) for name in PROGRAMS
    }
