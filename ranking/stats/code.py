"""Which code computed: the version, and digits that change with every file of the statistics."""

from functools import cache
from hashlib import sha256
from pathlib import Path

VERSION = "1.0"
ROOM = Path(__file__).parent


@cache
def code_version() -> str:
    """Such as 1.0-3fa2c1d9."""
    digest = sha256()
    for file in sorted(ROOM.rglob("*.py"), key=lambda file: file.relative_to(ROOM).parts):
        digest.update(f"{file.relative_to(ROOM).as_posix()}\n{file.read_text(encoding='utf-8')}\n".encode())
    return f"{VERSION}-{digest.hexdigest()[:8]}"
