"""Evaluations that others have published: fetched from where they put them, checked, and kept; none comes with us."""

import csv
import hashlib
import io
import shutil
import tarfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import urllib3
import yaml

from judgments.rules.errors import Refused
from ranking.numbers.tables import Table

REGISTRY = Path(__file__).with_name("published.yaml")
BLOCK, SECONDS, OK, THE_REST = 1 << 20, 30, 200, 206


class Download(NamedTuple):
    url: str
    sha256: str = ""
    inside: str = ""
    lines: str = ""


class Evaluation(NamedTuple):
    title: str
    page: str
    licence: str
    files: Mapping[str, Download]
    commands: list[str]
    paper: dict[str, Any] | None = None


def evaluations() -> dict[str, Evaluation]:
    blocks = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))
    return {
        name: Evaluation(**block | {"files": {file: Download(**source) for file, source in block["files"].items()}})
        for name, block in blocks.items()
    }


def fetch(evaluation: Evaluation, folder: Path, given: Path | None, tell: Callable[[str], object]) -> None:
    """Bring all files into a folder, from a folder that is given or from their addresses; what is there is kept."""
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    for name, source in evaluation.files.items():
        target = folder / name
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        archive = source.url.rpartition("/")[2]
        is_ready = given is not None and (given / name).exists()
        if given and is_ready:
            found = given / name
        elif given and (given / archive).exists():
            found = given / archive
        elif given:
            raise Refused(f"{given} has neither {name} nor {archive}, which comes from {source.url}.")
        else:
            tell(f"{source.url} ...")
            found = _download(source.url, downloads / archive)
        # What is interrupted leaves nothing under the name.
        with TemporaryDirectory(dir=downloads) as work:
            ready = _unpack(found, source.inside, Path(work)) if source.inside and not is_ready else found
            if source.lines and not is_ready:
                texts = ready.read_text(encoding="utf-8").split("\n")
                ready = Path(work) / "lines"
                ready.write_text(
                    "".join(f"{text[len(source.lines) :]}\n" for text in texts if text.startswith(source.lines))
                )
            if source.sha256 and _digest(ready) != source.sha256:
                if not given:
                    found.unlink()
                raise Refused(
                    f"{name} is not the file that this version knows (sha256 {source.sha256[:12]}...). It may have"
                    f" changed at {source.url}; compare it with {evaluation.page}."
                )
            copied = Path(work) / "ready"
            shutil.copytree(ready, copied) if ready.is_dir() else shutil.copyfile(ready, copied)
            copied.rename(target)
        if not source.sha256 and target.is_file():
            tell(f"{name}: sha256 {_digest(target)}; none is known to compare it with.")
    shutil.rmtree(downloads)


def beside_paper(paper: dict[str, Any], table: str) -> Table:
    """What the paper prints and what a table of the report, as CSV, has in its place."""
    rows = csv.DictReader(io.StringIO(table))
    here = {row["system"]: float(row[paper["column"]]) for row in rows if row["method"] == paper["method"]}
    beside = [(system, value, here[system]) for system, value in paper["values"].items()]
    return Table.of("paper", ("system", "paper", "here"), beside)


def _download(url: str, target: Path) -> Path:
    """Download a file, the rest of it if a part is there."""
    if target.exists():
        return target
    part = target.with_name(target.name + ".part")
    begun = part.stat().st_size if part.exists() else 0
    try:
        with urllib3.PoolManager(timeout=SECONDS).request(
            "GET", url, preload_content=False, headers={"Range": f"bytes={begun}-"} if begun else {}
        ) as answer:
            if answer.status not in (OK, THE_REST):
                raise Refused(f"{url} answers {answer.status}. Fetch the files by hand, and add --from FOLDER.")
            with part.open("ab" if answer.status == THE_REST else "wb") as file:
                for block in answer.stream(BLOCK):
                    file.write(block)
    except urllib3.exceptions.HTTPError as reason:
        raise Refused(
            f"{url} cannot be fetched: {reason}. Try again, which goes on where it broke off; or fetch the files on"
            " another machine, and add --from FOLDER."
        ) from reason
    return part.rename(target)


def _unpack(archive: Path, inside: str, folder: Path) -> Path:
    """Take a folder or a file out of an archive."""

    def is_wanted(name: str) -> bool:
        return PurePosixPath(name).is_relative_to(inside)

    try:
        if archive.suffix == ".zip":
            with ZipFile(archive) as packed:
                wanted = [name for name in packed.namelist() if is_wanted(name)]
                packed.extractall(folder, wanted)  # noqa: S202 (a ZIP's stay inside) # nosec B202
        else:
            with tarfile.open(archive) as tar:
                tar.extractall(folder, [one for one in tar if is_wanted(one.name)], filter="data")
    except (tarfile.TarError, BadZipFile, EOFError, zlib.error) as reason:
        raise Refused(f"{archive} cannot be unpacked: {reason}. Delete it and try again.") from reason
    if not (folder / inside).exists():
        raise Refused(f"{archive.name} has no {inside}.")
    return folder / inside


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
