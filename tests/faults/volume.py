"""A small disk of its own, which can be filled to the last byte."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHUNK = 64 * 1024


class NoVolume(RuntimeError):
    """A small disk cannot be mounted here."""


class Volume:
    def __init__(self, folder: Path):
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no byte; what others free meanwhile is taken too when this is called again."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (CHUNK, 512, 1):
                try:
                    while ballast.write(bytes(size)):
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    @property
    def is_full(self) -> bool:
        return shutil.disk_usage(self.folder).free == 0


@contextmanager
def small_volume(megabytes: int) -> Iterator[Volume]:
    """A tmpfs, in which temporary folders are made for the time of the block; only root may mount one."""
    folder = Path(tempfile.mkdtemp(prefix="volume-", dir="/tmp"))
    try:
        _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder))
        before = tempfile.tempdir
        tempfile.tempdir = str(folder)
        try:
            yield Volume(folder)
        finally:
            tempfile.tempdir = before
            _run("umount", "--lazy", str(folder))
    finally:
        folder.rmdir()


def _run(*command: str) -> None:
    """Mounting is refused to all but root, and within most containers."""
    if os.geteuid() != 0:
        raise NoVolume("Only root can mount a small disk; run this as root to see what a full one does.")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoVolume(f"No small disk could be mounted here: {done.stderr.strip()}")
