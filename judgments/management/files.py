"""Files named on a command line, read as uploads."""

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError

from judgments.material.rules.documents import SIDECAR
from judgments.rules.files.archives import read_archive
from judgments.rules.files.names import system_name
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import UploadedFile

# Files with these suffixes are skipped in folders; a file given by name is always read.
NOT_SENTENCES = {".csv", ".tsv", ".json", ".jsonl", ".xml", ".md", ".html", ".pdf"}


def checked_file(path: Path) -> Path:
    if not path.is_file():
        raise CommandError(f"{path}: there is no such file.")
    return path


def passed_over(paths: Iterable[str]) -> list[str]:
    """A note for each skipped file in the folders among the paths."""
    folders = [path for path in map(Path, paths) if path.is_dir()]
    return [f"{file}: passed over" for folder in folders for file in sorted(folder.iterdir()) if not _is_text(file)]


def read_paths(paths: Iterable[str]) -> list[UploadedFile]:
    """Read the files behind paths, from folders and ZIP files, each once."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if path.is_dir():
            found |= dict.fromkeys(sorted(file for file in path.iterdir() if _is_text(file)))
        elif path.exists():
            found[path] = None
        else:
            raise Problems([Problem(str(path), None, "there is no such file or folder")])
    return [file for path in found for file in _read(path)]


def read_all(paths: Iterable[str]) -> list[UploadedFile]:
    """Read all files behind paths, whatever they contain: from folders, except hidden files, and from ZIP files."""
    found: list[str] = []
    for path in map(Path, paths):
        inside = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
        found += [str(file) for file in inside if not file.name.startswith(".")]
    return read_paths(found)


def names_and_paths(words: Iterable[str]) -> tuple[set[str], list[str]]:
    """Split words into names of systems and paths; a path's files name their systems."""
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
    return [UploadedFile(path.name, path.read_bytes())]
