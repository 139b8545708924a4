"""Reading the files on a command line as if they were uploaded."""

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError

from judgments.material.rules.documents import SIDECAR
from judgments.rules.files.archives import read_archive
from judgments.rules.files.names import system_name
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import UploadedFile

# Files of these kinds in a folder hold no sentences and are skipped; a file given by its own path is always read.
NOT_SENTENCES = {".csv", ".tsv", ".json", ".jsonl", ".xml", ".md", ".html", ".pdf"}


def checked_file(path: Path) -> Path:
    if not path.is_file():
        raise CommandError(f"{path}: there is no such file.")
    return path


def pack_files(path: Path) -> UploadedFile:
    """A file, or a folder as a ZIP of the files in it and below."""
    if not path.is_dir():
        return UploadedFile(path.name, checked_file(path).read_bytes())
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.name.startswith("."):
                made.write(file, file.relative_to(path))
    return UploadedFile(f"{path.name}.zip", archive.getvalue())


def skipped_files(paths: Iterable[str]) -> list[str]:
    """Return a note for each file that `read_paths` skips in a folder."""
    folders = [path for path in map(Path, paths) if path.is_dir()]
    return [f"{file}: skipped" for folder in folders for file in sorted(folder.iterdir()) if not _is_text(file)]


def check_paths(paths: Iterable[str]) -> None:
    if missing := [path for path in paths if not Path(path).exists()]:
        raise Problems(Problem(path, None, "there is no such file or folder") for path in missing)


def read_paths(paths: Iterable[str]) -> list[UploadedFile]:
    """Read every file once, including those in folders and ZIP archives."""
    paths = list(paths)
    check_paths(paths)
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        inside = sorted(file for file in path.iterdir() if _is_text(file)) if path.is_dir() else [path]
        found |= dict.fromkeys(inside)
    return [file for path in found for file in _read(path)]


def read_whole_texts(paths: Iterable[str]) -> list[UploadedFile]:
    """Read files and whole folders, with the names of the folders, which name systems; archives stay closed."""
    found: list[UploadedFile] = []
    for path in map(Path, paths):
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        files = [file for file in inside if file.is_file() and not file.name.startswith(".")]
        found += [UploadedFile(file.relative_to(path.parent).as_posix(), file.read_bytes()) for file in files]
    return found


def read_all(paths: Iterable[str]) -> list[UploadedFile]:
    """Read the files of every kind that are not hidden, including those in folders and ZIP archives."""
    found: list[str] = []
    for path in map(Path, paths):
        inside = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
        found += [str(file) for file in inside if not file.name.startswith(".")]
    return read_paths(found)


def names_and_paths(words: Iterable[str]) -> tuple[set[str], list[str]]:
    """Return the names of systems and the paths among the words; files also contribute the names of their systems."""
    names: set[str] = set()
    paths: list[str] = []
    for word in words:
        path = Path(word)
        if path.exists():
            paths.append(word)
            files = [file for file in path.iterdir() if _is_text(file)] if path.is_dir() else [path]
            names |= {system_name(file.name) for file in files if file.suffix != ".m2"}
        else:
            names.add(system_name(word))
    return names, paths


def _is_text(file: Path) -> bool:
    is_hidden = file.name.startswith(".")
    return file.is_file() and not is_hidden and (file.name == SIDECAR or file.suffix not in NOT_SENTENCES)


def _read(path: Path) -> list[UploadedFile]:
    if path.suffix == ".zip":
        with path.open("rb") as file:
            return read_archive(path.name, file)
    # A pipe can be read only once.
    return [UploadedFile(path.name, path if path.is_file() else path.read_bytes())]
