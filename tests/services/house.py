"""One installation of the platform in a folder of its own: variables, commands, processes, and a walk through it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from tests.services.visitor import Visitor
from tests.services.waiting import free_port, wait_until

ROOT = Path(__file__).parent.parent.parent
# Of platforms that live for minutes.
SECRET = "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz"


def state_of(report: str) -> str:
    """The address at which the page of a report asks how far it is."""
    return f"/jobs/report/{report.rstrip('/').rpartition('/')[2]}/state/"


class House:
    def __init__(self, folder: Path, **variables: str):
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        self.variables = inherited | {"DATA_DIR": str(folder), "SITE_URL": self.address} | variables

    def manage(self, *words: str) -> str:
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=ROOT, env=self.variables, capture_output=True, text=True, check=False, timeout=900
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def shell(self, script: str) -> str:
        return self.manage("shell", "--no-imports", "-c", script).strip()

    @contextmanager
    def running(self, *command: str, log: Path | None = None) -> Iterator[subprocess.Popen]:
        """A process that is stopped at the end, and killed if it does not stop; what it logs may go to a file."""
        # Started in the background, a shell has its processes pass Ctrl-C over, and theirs too.
        written = log.open("ab") if log else None
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.variables, start_new_session=True,
            stdout=written and subprocess.DEVNULL, stderr=written,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        if written:
            written.close()
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def prepare(self) -> str:
        """An installed platform with the demo; what load_demo printed. Without services it is made once, and copied."""
        if "DATABASE_URL" in self.variables:
            return self._prepare()
        first, folder, printed = _first_embedded()
        copytree(folder.name, self.variables["DATA_DIR"], dirs_exist_ok=True)
        return printed.replace(first, self.address)

    def _prepare(self) -> str:
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--no-input", "--verbosity", "0")
        return self.manage("load_demo")

    def judge(self, printed: str) -> Visitor:
        """Somebody invited, at the screen that was left, or at the first one."""
        judge = Visitor(self.address)
        judge.open(re.search(r"/join/\S+(?=/\s+\(Demo: ranking)", printed)[0] + "/")
        judge.send()
        if "/assignments/" not in judge.url:
            judge.send("begin/")
        return judge

    def walk(self, printed: str) -> None:
        """One judgment by invitation, one report by its organiser."""
        judge = self.judge(printed)
        before = judge.url
        judge.rank_everything_first()
        assert judge.url != before
        assert "/assignments/" in judge.url

        olga = Visitor(self.address)
        olga.sign_in("olga", re.search(r"password (\S+)", printed)[1])
        olga.open("/campaigns/demo/reports/")
        olga.send("new/")
        report = olga.url
        wait_until(lambda: '"over": true' in olga.open(state_of(report)), "the report", lambda: olga.page)
        page = olga.open(report)
        assert "Ranking by Expected Wins" in page, page
        assert olga.open(f"{report}standings.csv").count("\n") == 1 + 2 * 7  # two methods
        assert re.search(r'<th scope="row">guest</th>\s*<td class="number"[^>]*>1</td>', page)


@cache
def _first_embedded() -> tuple[str, TemporaryDirectory, str]:
    """The address of an embedded platform, its folder until the process ends, and what its demo printed."""
    folder = TemporaryDirectory(prefix="appraise-house-")
    house = House(Path(folder.name))
    return house.address, folder, house._prepare()
