"""Unknown fields: none of them is accepted, and a program learns which they were."""

import json

import pytest
from django.apps import apps
from django.db import transaction
from django.forms import ModelForm
from django.test import Client
from rest_framework.serializers import ModelSerializer

from tests.hostile import everything
from tests.program import Program
from tests.test_description import DESCRIPTION, FROM_ASSIGNMENTS, OPERATIONS, _one_connection, furnished, house  # noqa: F401 (fixtures)

WRITING = [(path, verb) for path, verb in OPERATIONS if verb in ("post", "patch", "delete")]
# Every column of every table, and what frameworks are known to take by mistake.
COLUMNS = {
    name
    for model in apps.get_models()
    for field in model._meta.get_fields()
    for name in (field.name, getattr(field, "attname", field.name))
} | {"pk", "__class__", "__proto__", "_state", "campaign__slug", "user__is_superuser", "role"}


def known(path: str, verb: str) -> set[str]:
    """The fields that an address describes."""
    content = DESCRIPTION["paths"][path][verb].get("requestBody", {}).get("content", {})
    found: set[str] = set()
    for kind in content.values():
        schema = kind["schema"]
        for part in [schema, *schema.get("oneOf", []), *schema.get("anyOf", [])]:
            named = DESCRIPTION["components"]["schemas"].get(part.get("$ref", "").rpartition("/")[2], part)
            found |= {*named.get("properties", {})}
    return found


def way_to(path: str, verb: str, house: dict) -> tuple[Client, str]:  # noqa: F811
    """A client that may use the path, and its address with existing names and ids."""
    is_assignment = (path, verb) in FROM_ASSIGNMENTS or "judgment/" in path
    client = Program(house["program"] if is_assignment else house["organiser"]).client
    client.defaults["SERVER_NAME"] = "localhost"
    part = next((part for part in house["ids"] if f"/{part}/{{" in path), None)
    address = path.format(
        slug=house["slug"], id=house["ids"].get(part), other=house["other"], name="x", file="x", kind="assignment"
    )
    return client, address


@pytest.mark.wide
def test_no_undocumented_column_can_be_set(house):  # noqa: F811
    for path, verb in WRITING:
        check_that_no_column_can_be_set(path, verb, house)


def check_that_no_column_can_be_set(path: str, verb: str, house: dict) -> None:  # noqa: F811
    client, address = way_to(path, verb, house)
    strange = sorted(COLUMNS - known(path, verb))
    assert len(strange) > 100
    before = everything()
    with transaction.atomic():
        answer = getattr(client, verb)(address, json.dumps(dict.fromkeys(strange, 1)), content_type="application/json")
        after = everything()
        transaction.set_rollback(True)
    assert after == before or answer.status_code < 300, "refused, and yet something was stored"
    if answer.status_code < 300:
        with transaction.atomic():
            plain = getattr(client, verb)(address, content_type="application/json")
            changed = everything()
            transaction.set_rollback(True)
        assert plain.status_code == answer.status_code
        assert {name for name in after if after[name] != before[name]} == {
            name for name in changed if changed[name] != before[name]
        }
    elif answer.status_code == 400 and "errors" in answer.json():
        pointers = {fault["pointer"].removeprefix("#/") for fault in answer.json()["errors"]}
        assert pointers - {"#"} <= {*strange} or "#" in pointers
        assert pointers


def all_below(kind: type) -> set[type]:
    """The classes that come from one, and those from them."""
    return {below for child in kind.__subclasses__() for below in (child, *all_below(child))}


def test_every_form_names_its_fields():
    """No address accepts arbitrary columns of its table."""
    ours = [form for form in all_below(ModelSerializer) if form.__module__.startswith(("judgments", "ranking"))]
    metas = [form.Meta for form in ours if hasattr(form, "Meta")]
    assert metas
    assert not [meta for meta in metas if meta.fields == "__all__" or hasattr(meta, "exclude")]
    assert not [form for form in all_below(ModelForm) if form.__module__.startswith(("judgments", "ranking"))]
