"""Files that are sent while they are made. Each keeps a thread to its end, so only half of the threads may send."""

from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext_lazy

from judgments.exchange.exporters import EXPORTS, Wishes
from judgments.models import Campaign
from judgments.rules.errors import Busy

MOST = max(1, settings.WEB_THREADS // 2)
ALL_TAKEN = gettext_lazy("Other files are being fetched at this moment. Try again in a minute.")

_room = BoundedSemaphore(MOST)


class Stream:
    """The pieces of a file; its place is free again when they are sent, or when the client is gone."""

    def __init__(self, pieces: Iterable[str] | Iterable[bytes]):
        self._room, self._is_open = _room, False
        if not self._room.acquire(blocking=False):
            raise Busy(str(ALL_TAKEN))
        self._pieces, self._is_open = pieces, True

    def __iter__(self) -> Iterator[str | bytes]:
        try:
            yield from self._pieces
        finally:
            self.close()

    def close(self) -> None:
        """Free the place; repeated calls do nothing."""
        if self._is_open:
            self._is_open = False
            self._room.release()

    def __del__(self) -> None:
        self.close()


def streamed(pieces: Iterable[str] | Iterable[bytes], content_type: str, file_name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return StreamingHttpResponse(Stream(pieces), content_type=content_type, headers=headers)


class WishesForm(forms.Form):
    """Additions to an export, on request."""

    with_names = forms.BooleanField(required=False)
    with_excluded = forms.BooleanField(required=False)
    with_programs = forms.BooleanField(required=False)

    def wishes(self) -> Wishes:
        self.full_clean()
        return Wishes(**self.cleaned_data)


def file_of(campaign: Campaign, name: str, wishes: Wishes) -> HttpResponseBase:
    if name not in EXPORTS:
        raise Http404(f"There is no such format; there are {', '.join(EXPORTS)}.")
    export = EXPORTS[name]
    return streamed(export.blocks(campaign, wishes), export.content_type, f"{campaign.slug}-{name}")
