"""ZIP files with the same bytes for the same texts."""

import io
import zipfile
from collections.abc import Mapping

# All files have one date.
NO_DATE = (1980, 1, 1, 0, 0, 0)
# Twice as fast as the usual level, and a tenth larger.
LEVEL = 3


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """All files in one."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, NO_DATE), text, zipfile.ZIP_DEFLATED, LEVEL)
    return content.getvalue()


def unzipped(content: bytes) -> dict[str, bytes]:
    """The files of one that we made."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
