"""Which code computed: the version, and digits that change with every file of the statistics."""

from functools import cache
from hashlib import sha256
from pathlib import Path

VERSION = "1.0"
ROOM = Path(__file__).parent


@cache
def code_version(*others: str) -> str:
    """Such as 1.0-3fa2c1d9; other files than those of the statistics are named from the folder above."""
    digest = sha256()
    files = [(file.relative_to(ROOM), file) for file in ROOM.rglob("*.py")]
    files += [(Path(name), ROOM.parent / name) for name in others]
    for place, file in sorted(files, key=lambda one: one[0].parts):
        digest.update(f"{place.as_posix()}\n{file.read_text(encoding='utf-8')}\n".encode())
    return f"{VERSION}-{digest.hexdigest()[:8]}"
