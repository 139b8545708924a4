"""What people, or their enemies, write into fields, and how to tell whether an answer to it was a good one."""

import hashlib
import re
from collections.abc import Mapping
from html import unescape
from itertools import chain
from typing import Any

from django.apps import apps
from django.contrib.messages import get_messages
from django.contrib.sessions.models import Session
from django.forms import BaseForm
from django.http import HttpResponse
from django.test import Client

from judgments.models import RequestCount

SCRIPT = "<script>alert(1)</script>"
WORDS: dict[str, str] = {
    "nothing": "",
    "white space": " \t\n ",
    "an unknown word": "no-such-thing",
    "a negative number": "-1",
    "zero": "0",
    "a number beyond every column": str(10**30),
    "a number beyond a small column": "32768",
    "a number beyond a large column": str(2**31),
    "a number of 5000 digits": "9" * 5000,
    "a fraction": "1.5",
    "no number": "NaN",
    "infinity": "Infinity",
    "a number beyond floats": "1e999",
    "digits of another script": "\u0663\u0661",
    "a full-width digit": "\uff11",
    "a script": SCRIPT,
    "a template": "{{ 7*7 }}{% debug %}",
    "a format": "{0.__class__} %s %(x)s {link} {code}",
    "a quotation mark": "\" onfocus=alert(1) x='",
    "a command of SQL": "'; DROP TABLE judgments_campaign; --",
    "a formula": "=HYPERLINK(1)",
    "a path": "../../etc/passwd",
    "NUL": "a\0b",
    "NUL alone": "\0",
    "control characters": "a\x01\x08\x1b[31mb",
    "an override of direction": "a\u202egnp.b",
    "no character": "\ufffe\ufdd0",
    "combining marks": "a" + "\u0301" * 300,
    "line ends": "a\r\nBcc: all@example.org\r\n\r\nb",
    "another line end": "a\u2028b",
    "a megabyte": "x" * 2**20,
    "a megabyte of lines": "x\n" * 2**19,
    "many words": "a," * 5000,
}

SENTENCE = re.compile(r"(?:\w+\W+){3}\w+")
FEW_FIELDS = 8
OF_ANY_REQUEST = (Session, RequestCount)


def seen(answer: HttpResponse) -> str:
    """What a reader sees of a page, below its bar."""
    page = answer.content.decode()
    main = re.search(r"<main.*?</main>", page, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", main[0] if main else page))


def is_no(answer: HttpResponse) -> bool:
    """Whether an answer refuses: by its status, by a form shown again, or by a message on the next page."""
    if answer.status_code == 200:
        return "application/json" not in answer.headers["Content-Type"]
    return answer.status_code >= 400 or bool(errors_of(answer))


def errors_of(answer: HttpResponse) -> list[str]:
    """The refusals that the next page shows."""
    request = getattr(answer, "wsgi_request", None)
    if not hasattr(request, "_messages"):
        return []
    return [str(message) for message in get_messages(request) if "error" in message.tags]


def gives_reason(answer: HttpResponse) -> bool:
    """Whether a sentence gives the reason of a refusal."""
    if answer.status_code in (301, 302):
        return all(map(SENTENCE.search, errors_of(answer)))
    if "application/json" in answer.headers.get("Content-Type", ""):
        return bool(SENTENCE.search(answer.json().get("message", "")))
    return bool(SENTENCE.search(seen(answer)))


def everything() -> dict[str, str]:
    """A short name of the rows of every table but what counts requests, to see whether anything changed."""
    return {
        model._meta.label: hashlib.sha256(repr(sorted(map(repr, _rows(model)))).encode()).hexdigest()
        for model in apps.get_models()
        if model not in OF_ANY_REQUEST
    }


def _rows(model: Any) -> list[list]:
    rows = model._base_manager.values_list()
    return [[bytes(value) if isinstance(value, memoryview) else value for value in row] for row in rows]


class Writes:
    """Whether more was written than with any request; what was taken back counts too."""

    def __init__(self) -> None:
        self.seen = False

    def __call__(self, execute: Any, sql: str, *args: Any) -> Any:
        writes = sql.startswith(("INSERT", "UPDATE", "DELETE"))
        self.seen |= writes and not any(model._meta.db_table in sql for model in OF_ANY_REQUEST)
        return execute(sql, *args)


def ask(client: Client, verb: str, address: str, *args: Any, **kwargs: Any) -> HttpResponse | str:
    """An answer, or how the program broke; messages of earlier answers are forgotten."""
    client.cookies.pop("messages", None)
    try:
        return getattr(client, verb)(address, *args, **kwargs)
    except Exception as fault:
        return f"{type(fault).__name__}: {str(fault)[:200]}"


def with_each_wrong(body: Mapping[str, Any], word: str, number: int) -> list[tuple[str, dict[str, Any]]]:
    """A body with one of its fields wrong, for each of them; of a long form each field gets its share of the words."""
    every = 1 + len(body) // FEW_FIELDS
    return [(field, {**body, field: word}) for place, field in enumerate(body) if (place + number) % every == 0]


def misshapen(body: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Bodies that lack a field or repeat it."""
    bodies = []
    for field, good in body.items():
        bodies.append((f"{field}: absent", {name: value for name, value in body.items() if name != field}))
        bodies.append((f"{field}: twice", {**body, field: [good, "no-such-thing"]}))
        bodies.append((f"{field}: a thousand times", {**body, field: [good] * 900}))
    return bodies


def refused_fields(answer: HttpResponse | str) -> set[str]:
    """The fields of a form shown again that were each refused for what it holds itself."""
    found = getattr(answer, "context", None) or []
    contexts = found if isinstance(found, list) else [found]  # of a page of one template, there is but one
    layers = chain.from_iterable(context.dicts for context in contexts)
    forms = [value for layer in layers for value in layer.values() if isinstance(value, BaseForm)]
    return {form.add_prefix(field) for form in forms for field in form.errors if field in form.fields}
