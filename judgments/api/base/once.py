"""Idempotency: a request with a key is carried out once, and a repeated one gets the stored response."""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.problems import Conflict
from judgments.models import StoredResponse
from judgments.models.requests import KEPT_FOR, LONGEST_ADDRESS, LONGEST_KEY

HEADER = "Idempotency-Key"

Handler = Callable[..., Response]


def once(handler: Handler) -> Handler:
    """Carry out a request unless its key was used before; a refused request may be sent again."""

    @wraps(handler)
    def handle(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = key_of(request)
        if not key:
            return handler(view, request, *args, **kwargs)
        StoredResponse.objects.filter(kept_at__lt=timezone.now() - KEPT_FOR).delete()
        with transaction.atomic():
            kept, is_new = _place(request, key)
            if not is_new:
                if kept.fingerprint != _fingerprint(request):
                    raise Conflict(f"This {HEADER} was used for another request; use another key for this one.")
                headers = {"Location": kept.location} if kept.location else {}
                return Response(kept.content, kept.status, headers=headers | {"Idempotency-Replayed": "true"})
            response = handler(view, request, *args, **kwargs)
            kept.status, kept.location = response.status_code, response.headers.get("Location", "")
            kept.content = json.loads(JSONRenderer().render(response.data) or b"null")
            kept.save(update_fields=["status", "location", "content"])
        return response

    handle.is_done_once = True  # type: ignore[attr-defined]
    return handle


def key_of(request: Request) -> str:
    """The idempotency key of a request, or an empty text."""
    key = request.headers.get(HEADER, "")
    if not key.isprintable():
        raise ValidationError(f"The {HEADER} contains unprintable characters; use letters and digits.")
    if len(key) > LONGEST_KEY:
        raise ValidationError(f"The {HEADER} is longer than {LONGEST_KEY} characters; choose a shorter one.")
    return key


def _place(request: Request, key: str) -> tuple[StoredResponse, bool]:
    """Create the row of the response; a simultaneous request with the key waits here for the first one."""
    of_key = {"user_id": request.user.pk, "address": request.path[:LONGEST_ADDRESS], "key": key}
    try:
        with transaction.atomic():
            return StoredResponse.objects.create(**of_key, fingerprint=_fingerprint(request)), True
    except IntegrityError:
        return StoredResponse.objects.get(**of_key), False


def _fingerprint(request: Request) -> str:
    """A digest of the method and the content."""
    mark = hashlib.sha256(request.method.encode())
    fields = request.data
    named: Iterable[tuple[str, Any]] = fields.lists() if hasattr(fields, "lists") else [("", [fields])]
    for name, values in sorted(named, key=lambda field: field[0]):
        for value in values:
            mark.update(f"\n{name}:".encode())
            for part in _parts(value):
                mark.update(part)
    return mark.hexdigest()


def _parts(value: Any) -> Iterable[bytes]:
    if not isinstance(value, UploadedFile):
        yield json.dumps(value, sort_keys=True, default=str).encode("utf-8", "surrogatepass")
        return
    yield f"{value.name}\n".encode("utf-8", "surrogatepass")
    yield from value.chunks()
    value.seek(0)
