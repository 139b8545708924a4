"""The server is unplugged again and again while somebody judges, and then everything is counted."""

import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Page, Request, Response, Route

from tests.services.composed import programs
from tests.services.house import House
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

pytestmark = [pytest.mark.services, pytest.mark.browser]

SCREENS = 40  # more than are judged, so that nothing here depends on what comes after a batch

# Every judgment that the database holds, as the judge saw it: the source, and each candidate's text with its rank.
KEPT = """
import json
from judgments.models import Judgment
print(json.dumps([
    {"source": judgment.screen.segment.text, "current": judgment.current, "skipped": judgment.skipped,
     "ranks": {placement.candidate.text: placement.rank
               for placement in judgment.placement_set.select_related("candidate")}}
    for judgment in Judgment.objects.select_related("screen__segment").order_by("pk")
]))
"""

READ = """() => [...document.querySelectorAll(".candidate .sentence")].map((sentence) => {
    const copy = sentence.cloneNode(true);
    copy.querySelectorAll("del, .unseen").forEach((gone) => gone.remove());
    return copy.textContent.trim().replace(/\\s+/g, " ");
})"""


class Server:
    """gunicorn, which can be killed and started as often as one likes."""

    def __init__(self, house: House, stack: ExitStack):
        self.house = house
        self.stack = stack
        self.kills = 0
        self.start()

    def start(self) -> None:
        command = programs(self.house.port, Path(self.house.variables["DATA_DIR"]))["web"]
        self.process = self.stack.enter_context(self.house.running(*command))
        wait_until(Visitor(self.house.address).is_answered, "gunicorn")

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.kills += 1


class Judge:
    """Ranks by keyboard and remembers what was pressed, by the texts on the screen."""

    def __init__(self, page: Page):
        self.page = page
        self.pressed: dict[str, dict[str, int]] = {}
        self.ranked = ""
        self.random = random.Random(11)
        self.fetched = ""
        page.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        """Remember the screen that a script fetched last."""
        if request.resource_type == "fetch" and request.method == "GET" and "/assignments/" in request.url:
            self.fetched = request.url

    def wait_for_next(self) -> None:
        def is_there() -> bool:
            self.page.wait_for_timeout(50)  # the events of the page come meanwhile
            return self.fetched not in ("", self.page.url)

        wait_until(is_there, "the next screen to be fetched ahead")

    def rank(self) -> None:
        self.ranked = self.page.url
        texts = self.page.evaluate(READ)
        ranks = [self.random.randint(1, len(texts)) for _ in texts]
        for rank in ranks:
            self.page.keyboard.press(str(rank))
        source = self.page.locator(".near .source").inner_text()
        assert source not in self.pressed, f"{source} is shown again"
        self.pressed[source] = dict(zip(texts, ranks, strict=True))

    def press_enter(self) -> None:
        if self.page.url == self.ranked:
            self.page.keyboard.press("Enter")
        self.page.wait_for_timeout(400)

    def enter(self) -> None:
        def moved_on() -> bool:
            self.press_enter()
            return self.page.url != self.ranked

        wait_until(moved_on, "the next screen", lambda: self.page.locator(".submit").inner_text())

    def answer(self) -> None:
        self.rank()
        self.enter()

    def is_heard(self) -> bool:
        self.page.wait_for_timeout(100)
        return self.page.evaluate("JSON.parse(localStorage.getItem('outbox') ?? '[]').length") == 0


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder of an installation without any service, with a campaign that is open."""
    folder = tmp_path_factory.mktemp("installed")
    house = House(folder / "data")
    house.manage("migrate", "--verbosity", "0")
    house.manage("collectstatic", "--no-input", "--verbosity", "0")
    texts, options = write_texts(folder / "texts"), ("--guidance", "none", "--preset", "grundkiewicz2015")
    house.manage("import_outputs", "mine", str(texts), *options)
    house.manage("assign_screens", "mine", "--design", "complete", "--redundancy", "1", "--batch-size", str(SCREENS),
                 "--repeat-share", "0", "--seed", "5")  # fmt: skip
    return folder / "data"


@pytest.fixture
def house(tmp_path, installed) -> House:
    """That installation in a folder of its own; nobody has judged."""
    return House(copytree(installed, tmp_path / "data"))


def write_texts(folder: Path) -> Path:
    """A source and three systems, each line unlike any other."""
    folder.mkdir()
    for name, verb in (("source", "go"), ("one", "goes"), ("two", "went"), ("three", "has gone")):
        lines = [f"He {verb} to place {number} every days ." for number in range(SCREENS)]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def server(house) -> Iterator[Server]:
    """That installation, running."""
    with ExitStack() as stack:
        yield Server(house, stack)


@pytest.fixture
def judge(chromium, house, server) -> Iterator[Judge]:
    """Somebody at the first screen; no page of an error is ever shown."""
    context = chromium.new_context(base_url=house.address)
    context.set_default_timeout(60_000)
    page = context.new_page()
    judge = Judge(page)
    page.goto(house.manage("invite_judges", "mine", "ada").split()[-1])
    page.get_by_role("main").get_by_role("button").click()
    page.get_by_role("button", name="Begin judging").click()
    page.get_by_text("ranked").wait_for()  # which a script says
    wrong: list[str] = []
    page.on("response", lambda answer: wrong.append(answer.url) if is_error_page(answer) else None)
    page.on("framenavigated", lambda frame: None if "/assignments/" in frame.url else wrong.append(frame.url))
    yield judge
    context.close()
    assert wrong == []


def is_error_page(answer: Response) -> bool:
    return answer.request.is_navigation_request() and not answer.ok


def unplug(page: Page, server: Server, address: str, arrives: bool) -> None:
    """Kill the server at the next POST to an address: before the server has it, or after, when it cannot answer."""
    kills = server.kills

    def cut(route: Route) -> None:
        if route.request.method != "POST" or server.kills > kills:
            route.fallback()
            return
        if arrives:
            route.fetch(max_redirects=0)
        server.kill()
        route.abort("connectionrefused")

    page.route(address, cut)


def go_on_and_restart(judge: Judge, server: Server, wait: Callable[[], object]) -> None:
    """Answer a screen, which kills the server, and start it again."""
    judge.rank()
    wait_until(lambda: wait() or server.process.poll() is not None, "the server to be killed")
    server.start()
    judge.enter()


def check(house: House, judge: Judge) -> None:
    """Every screen that was answered is one judgment with the ranks that were pressed, and there is no other."""
    stored = json.loads(house.shell(KEPT))
    assert all(judgment["current"] and not judgment["skipped"] for judgment in stored)
    assert len(stored) == len(judge.pressed)
    assert {judgment["source"]: judgment["ranks"] for judgment in stored} == judge.pressed


def test_no_answer_is_lost_or_doubled_however_often_the_server_is_killed(house, server, judge):
    page = judge.page
    judge.answer()

    judge.rank()  # killed between the ranks and Enter
    judge.wait_for_next()
    server.kill()
    judge.enter()
    judge.rank()  # and the next screen is answered while nobody is there
    page.keyboard.press("Enter")
    page.get_by_role("alert").filter(has_text="kept").wait_for()
    server.start()
    judge.enter()

    for arrives in (False, True):
        unplug(page, server, page.url, arrives)  # between Enter and the answer of the server
        go_on_and_restart(judge, server, judge.press_enter)
        unplug(page, server, "**/next/", arrives)  # while the next screen is fetched
        go_on_and_restart(judge, server, judge.press_enter)
        unplug(page, server, "**/draft/", arrives)  # while a draft is kept
        go_on_and_restart(judge, server, lambda: page.wait_for_timeout(100))
        judge.answer()

    judge.rank()  # the page is loaded again with an answer that nobody has yet
    judge.wait_for_next()
    server.kill()
    judge.enter()
    server.start()
    page.reload()
    judge.answer()

    wait_until(judge.is_heard, "everything to arrive")
    assert server.kills >= 8
    check(house, judge)


def test_no_answer_is_lost_or_doubled_when_the_server_is_killed_at_any_moment(house, server, judge):
    moments = random.Random(3)
    for number in range(12):
        judge.rank()
        if number % 3 == 0:
            judge.page.wait_for_timeout(moments.randint(0, 1500))
            server.kill()
            judge.page.keyboard.press("Enter")
            judge.page.wait_for_timeout(moments.randint(0, 1500))
            server.start()
        judge.enter()
    wait_until(judge.is_heard, "everything to arrive")
    check(house, judge)
