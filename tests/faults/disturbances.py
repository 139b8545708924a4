"""What is done to a part while judges work, and in which order; and a small disk that can be full."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from tests.faults.stage import Part

CHUNK = 64 * 1024
LONGEST_PAUSE = 4.0
LONGEST_ABSENCE = 2.0
# Long enough for a database to give up, and for judges to be shown an error.
STARVED = 6.0


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


@dataclass(frozen=True)
class Disturbance:
    name: str
    act: Callable[[], None]


def kill(part: Part, chance: Random) -> None:
    part.kill()
    time.sleep(chance.uniform(0, LONGEST_ABSENCE))
    part.start()


def restart(part: Part, chance: Random) -> None:
    part.stop()
    part.start()


def pause(part: Part, chance: Random) -> None:
    part.pause()
    time.sleep(chance.uniform(0.5, LONGEST_PAUSE))
    part.resume()


def starve(volume: Volume) -> None:
    """Not a byte is left on the disk for a while."""
    end = time.monotonic() + STARVED
    while time.monotonic() < end:
        volume.fill()
        time.sleep(0.1)
    volume.free()


DISTURBANCES: Mapping[str, Callable[[Part, Random], None]] = {
    "kill": kill, "kill one process of": Part.kill_one, "restart": restart, "pause": pause,
}  # fmt: skip
# Who has no processes below it.
LONELY = {"beat", "redis"}


def everything(parts: Mapping[str, Part], rounds: int, chance: Random) -> Iterator[Disturbance]:
    for _ in range(rounds):
        one_round = [
            disturbance(name, part, chance)
            for part in parts.values()
            for name in DISTURBANCES
            if not (name == "kill one process of" and part.name in LONELY)
        ]
        chance.shuffle(one_round)
        yield from one_round


def disturbance(name: str, part: Part, chance: Random) -> Disturbance:
    return Disturbance(f"{name} {part.name}", partial(DISTURBANCES[name], part, chance))


def starvation(volume: Volume) -> Disturbance:
    return Disturbance("fill the disk", partial(starve, volume))
