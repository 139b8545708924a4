"""ZIPs in memory, whose files may have any names."""

import io
import zipfile
from collections.abc import Mapping


def packed(files: Mapping[str, str | bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text, packing)
    return content.getvalue()


def unpacked(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}
