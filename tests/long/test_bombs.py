"""Files of at most a megabyte that try to fill the memory or to keep a worker busy, in every format that is read.

Each is read in a process that may use 300 MB more than this one, and 20 seconds of processor time; 40 to compare
corrections.
"""

import io
import re
import resource
import zipfile
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest
from django.test import override_settings

from appraise_gec import workers
from judgments.exchange.importers.rules.corrections import Sentences, read_parallel
from judgments.material.rules.pearmut import expand_pearmut
from judgments.material.rules.reading import Roles, read_files
from judgments.material.rules.usages import read_usage_files
from judgments.rules.files.archives import unpack_archives
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from ranking.scores.metric_files import read_metric_scores
from tests.fuzz.targets import TARGETS

MEGABYTE = 10**6
EDIT = b"A 0 0|||R|||b|||REQUIRED|||-NONE-|||0\n"
CAMPAIGN = b'{"info": {"assignment": ""}, "data": [[%s]]}'


def filled(unit: bytes, size: int = MEGABYTE) -> bytes:
    return unit * (size // len(unit))


def zipped(name: str, unit: bytes, megabytes: int = 100) -> Callable[[], bytes]:
    """A ZIP of one file that repeats a few bytes; noise makes it large enough to unpack to thirty times its size."""

    def make() -> bytes:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("__MACOSX/noise", Random(1).randbytes(700_000))
            with archive.open(name, "w", force_zip64=True) as file:
                for _ in range(megabytes):
                    file.write(filled(unit))
        return content.getvalue()

    return make


def upload(content: bytes, name: str = "all.zip") -> object:
    return read_files(expand_pearmut(unpack_archives([UploadedFile(name, content)])), Roles()).whole()


def campaign(content: bytes) -> object:
    return upload(content, "campaign.json")


def usages(content: bytes) -> object:
    return read_usage_files(unpack_archives([UploadedFile("all.zip", content)]), {})


def scores(content: bytes) -> object:
    return read_metric_scores("scores", content, ["Heron", "Wren"])


def target(name: str) -> Callable[[bytes], object]:
    return TARGETS[name].read


def differing(content: bytes) -> object:
    """Corrections of sentences of 300 words that share none with them."""
    lines = content.count(b"\n")
    sentences = Sentences(tuple(range(lines)), ("x y " * 150,) * lines)
    return read_parallel("ada.txt", content, sentences, [])


SENTENCE = b'{"src": "a", "tgt": {%s}}'
SYSTEMS = b", ".join(b'"%d": ""' % number for number in range(400))
RATING = b'"%d": {"score": 1}'
BOMBS: dict[str, tuple[Callable[[bytes], object], bytes | Callable[[], bytes]]] = {
    "a ZIP of newlines": (upload, zipped("source", b"\n", 200)),
    "a ZIP of short lines": (upload, zipped("source", b"a\n")),
    "a ZIP of fewer short lines": (upload, zipped("source", b"ab\n", 20)),
    "a ZIP of wide lines": (upload, zipped("source", b"a" * 9000 + "\U0001f600\n".encode(), 20)),
    "a ZIP of one wide line": (upload, zipped("source", "\U0001f600".encode() + b"a" * 996, 20)),
    "a ZIP of control characters": (upload, zipped("source", b"\1\n", 20)),
    "a ZIP of edits": (upload, zipped("gold.m2", b"S a\n" + EDIT * 9, 7)),
    "a ZIP of sentences": (upload, zipped("gold.m2", b"S\n", 20)),
    "a ZIP of lists": (upload, zipped("campaign.json", b"[],", 20)),
    "a ZIP of a table": (usages, zipped("u.csv", b"," * 99 + b"\n", 20)),
    "a ZIP of objects": (usages, zipped("u.jsonl", b"{}\n", 20)),
    "a ZIP of cells": (usages, zipped("Heron.txt", b"1 ", 20)),
    "short sentences": (lambda content: upload(content, "gold.m2"), filled(b"S\n")),
    "edits of one sentence": (lambda content: upload(content, "gold.m2"), b"S a\n" + filled(EDIT)),
    "a campaign of many systems": (campaign, CAMPAIGN % (SENTENCE % SYSTEMS + filled(b"," + SENTENCE % b'"1": "b"'))),
    "a campaign of lists": (campaign, CAMPAIGN % filled(b"[],")),
    "nested lists": (campaign, filled(b"[")),
    "a huge number": (campaign, filled(b"9")),
    "empty elements": (target("appraise-xml"), b"<r>" + filled(b"<a/>") + b"</r>"),
    "nested elements": (target("appraise-xml"), filled(b"<a>")),
    "a huge attribute": (target("appraise-xml"), b'<r a="' + filled(b"x") + b'"/>'),
    "many attributes": (target("appraise-xml"), b"<r %s/>" % b" ".join(b'a%d=""' % n for n in range(80_000))),
    "faulty elements": (target("appraise-xml"), b"<ranking-item>" + filled(b"<translation/>")),
    "a row of commas": (target("pairs-csv"), TARGETS["pairs-csv"].seeds[0] + filled(b",")),
    "rows of two cells": (target("pairs-csv"), TARGETS["pairs-csv"].seeds[0] + filled(b",\n")),
    "empty rows": (target("verdicts-csv"), TARGETS["verdicts-csv"].seeds[0] + filled(b"\n")),
    "one quoted cell": (target("wmt-csv"), TARGETS["wmt-csv"].seeds[0] + b'"' + filled(b"x\n")),
    "one screen of very many outputs": (
        target("ratings-csv"), b"judge,segment,system,score\n" + b"".join(b"a,1,%d,1\n" % n for n in range(76_000)),
    ),
    "a wide matrix": (
        target("gmeg-csv"), b",".join(b"%d" % n for n in range(1000)) + b"\n" + filled(b"1," * 999 + b"1\n", 400_000),
    ),
    "a narrow matrix": (target("gmeg-csv"), b"CAMB,AMU\n" + filled(b"1,2\n")),
    "scores without cells": (target("wmt-da-csv"), filled(b",\n")),
    "numbers as JSON lines": (target("pearmut"), filled(b"1\n")),
    "lists as a JSON line": (target("corrections-jsonl"), b"[" + filled(b"[],") + b"1]"),
    "a document of very many outputs": (
        target("pearmut"),
        b'{"user_id": "a", "item_i": 1, "item": [{"src": "a b", "tgt": {}}], "annotation": [{%s}]}'
        % b", ".join(RATING % n for n in range(40_000)),
    ),
    "corrections of which nothing is left": (differing, filled(b"b c " * 150 + b"\n")),
    "corrections without spaces": (differing, filled("\u4e00\u4e01".encode() * 150 + b"\n")),
    "lines of corrections": (target("parallel"), filled(b"\n")),
    "columns of scores": (scores, b"Heron,Wren\n" + filled(b",\n", 10 * MEGABYTE)),
    "a row of scores": (scores, b"Heron" + filled(b",", 10 * MEGABYTE)),
    "lists in a bundle": (target("bundle"), zipped("bundle.json", b"[],")),
}  # fmt: skip


# Forks of a process without threads: a child of this one might wait for ever for what another thread held.
CLEAN = get_context("forkserver")
CLEAN.set_forkserver_preload(["tests.long.test_bombs"])


def in_little(work: Callable[..., object], *given: object, seconds: int = 20) -> int | None:
    """Do it in a process with little memory and time, and return its exit status."""
    child = CLEAN.Process(target=limited, args=(work, given, seconds))
    child.start()
    child.join(20 * seconds)
    status = child.exitcode
    child.kill()
    return status


def limited(work: Callable[..., object], given: tuple[object, ...], seconds: int) -> None:
    (used,) = re.findall(r"VmData:\s+(\d+) kB", Path("/proc/self/status").read_text())
    resource.setrlimit(resource.RLIMIT_DATA, (int(used) * 2**10 + 300 * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    work(*given)


def made(what: str) -> bytes:
    content = BOMBS[what][1]
    return content() if callable(content) else content


def read(what: str) -> None:
    content = made(what)
    with suppress(Problems):
        BOMBS[what][0](content)


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_is_read_or_refused_in_little_memory_and_time(what):
    reader, _ = BOMBS[what]
    assert len(made(what)) <= (1 if reader is not scores else 10) * 1.1 * MEGABYTE
    assert in_little(read, what, seconds=40 if reader is differing else 20) == 0


def test_a_process_that_needs_more_memory_is_noticed():
    assert in_little(bytes, 500 * 2**20) == 1


def worker() -> None:
    with override_settings(WORKER_MEMORY=resource.getrlimit(resource.RLIMIT_DATA)[0] // 2**20 - 100):
        workers.limit_memory()
    with pytest.raises(MemoryError):
        bytes(250 * 2**20)
    bytes(50 * 2**20)


def test_a_worker_is_limited_and_a_job_beyond_that_raises():
    assert in_little(worker) == 0
