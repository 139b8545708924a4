"""Streamed downloads. Each occupies a thread until it ends, so at most half of the threads may send one."""

from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext_lazy

from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.models import Campaign
from judgments.rules.errors import Busy

MOST = max(1, settings.WEB_THREADS // 2)
ALL_TAKEN = gettext_lazy("Too many files are being downloaded. Try again in a minute.")

_slots = BoundedSemaphore(MOST)


class Stream:
    """The pieces of a file; the download's slot is released once they are sent or the client disconnects."""

    def __init__(self, pieces: Iterable[str] | Iterable[bytes]):
        self._slots, self._is_open = _slots, False
        if not self._slots.acquire(blocking=False):
            raise Busy(str(ALL_TAKEN))
        self._pieces, self._is_open = pieces, True

    def __iter__(self) -> Iterator[str | bytes]:
        try:
            yield from self._pieces
        finally:
            self.close()

    def close(self) -> None:
        """Release the slot; repeated calls do nothing."""
        if self._is_open:
            self._is_open = False
            self._slots.release()

    def __del__(self) -> None:
        self.close()


def stream_response(
    pieces: Iterable[str] | Iterable[bytes], content_type: str, file_name: str
) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return StreamingHttpResponse(Stream(pieces), content_type=content_type, headers=headers)


class ExportOptionsForm(forms.Form):
    """The options of an export."""

    with_names = forms.BooleanField(required=False)
    with_excluded = forms.BooleanField(required=False)
    with_programs = forms.BooleanField(required=False)

    def options(self) -> ExportOptions:
        self.full_clean()
        return ExportOptions(**self.cleaned_data)


def file_of(campaign: Campaign, name: str, options: ExportOptions) -> HttpResponseBase:
    if name not in EXPORTS:
        raise Http404(f"There is no such format; the formats are {', '.join(EXPORTS)}.")
    export = EXPORTS[name]
    return stream_response(export.blocks(campaign, options), export.content_type, f"{campaign.slug}-{name}")
