"""A stand-in for a server of language models, which behaves as it is told to and otherwise answers by a rule."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from judgments.programs.endpoints import by_edit_distance

NO_QUOTA = {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota."}}


def completion(text: Any, tokens: int = 10) -> bytes:
    usage = {"prompt_tokens": tokens, "completion_tokens": 1}
    found = {"model": "model-2026-01", "choices": [{"message": {"content": text}}], "usage": usage}
    return json.dumps(found).encode()


def rightly(asked: dict[str, Any]) -> str:
    """An answer by the rule to the question, which a model that was told what is wrong with its answer still sees."""
    return by_edit_distance(asked["messages"][1]["content"])


Mood = Callable[["Answering", dict[str, Any]], None]


def says(change: Callable[[str], Any], seconds: float = 0) -> Mood:
    def mood(handler: "Answering", asked: dict[str, Any]) -> None:
        time.sleep(seconds)
        handler.send(200, completion(change(rightly(asked))))

    return mood


def fails(status: int, body: Any = "", **headers: str) -> Mood:
    return lambda handler, asked: handler.send(status, json.dumps(body).encode(), **headers)


def sends(body: bytes) -> Mood:
    return lambda handler, asked: handler.send(200, body)


def drops(handler: "Answering", asked: dict[str, Any]) -> None:
    handler.connection.close()


def trickles(handler: "Answering", asked: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        time.sleep(0.02)


RIGHT = says(str)
FENCED = says(lambda text: f"```json\n{text}\n```")
PROSE = says(lambda text: f"Sure! Here is my ranking: {text}")
TOO_FEW = says(lambda text: json.dumps({"answers": json.loads(text)["answers"][1:]}))
SILENT = says(lambda text: None)


class Model(ThreadingHTTPServer):
    """It is in one mood after another, and at last in its usual one; it keeps what it was asked."""

    daemon_threads = True

    def __init__(self, *moods: Mood, usual: Mood = RIGHT) -> None:
        self.moods, self.usual = list(moods), usual
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        super().__init__(("127.0.0.1", 0), Answering)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def questions(self) -> list[str]:
        return [asked["messages"][1]["content"] for asked in self.asked]

    def handle_error(self, *_: Any) -> None:
        """Connections break here on purpose."""


class Answering(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.keys.append(self.headers["Authorization"])
        mood = self.server.moods.pop(0) if self.server.moods else self.server.usual
        mood(self, asked)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(model: Model) -> Iterator[Model]:
    thread = threading.Thread(target=model.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.shutdown()
        model.server_close()
        thread.join()
