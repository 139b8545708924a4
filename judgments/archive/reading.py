"""Reading an untrusted bundle."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO
from zipfile import ZipFile

from judgments.archive.consistency import EarlierRows, faults_of
from judgments.archive.kinds import FORMAT, KINDS, MANIFEST, SETTINGS, VERSION, Kind, kinds_of
from judgments.archive.serialiser import Row
from judgments.protocols.base import Protocol
from judgments.rules.files.archives import check_members, most_unpacked, open_archive, readable
from judgments.rules.files.problems import MOST_PER_FILE, Problem, Problems, refuse
from judgments.rules.files.values import read_json, refuse_constant, whole

MOST_FILES, MOST_BYTES = 100, 2 * 2**30
LONGEST_LINE = 4 * 2**20
REMEDY = "download the bundle again"


class Bundle:
    """An open bundle; files are read line by line, never whole."""

    def __init__(self, name: str, archive: ZipFile, most_bytes: int):
        self.name, self._archive, self._bytes_left = name, archive, most_bytes
        names = {kind.file for kind in KINDS.values()} | {MANIFEST, SETTINGS}
        check_members(name, archive.infolist(), MOST_FILES)
        present = archive.namelist()
        if MANIFEST not in present:
            raise Problems([Problem(name, None, f"contains no {MANIFEST}, so it is not the bundle of a campaign")])
        self.lines = self._manifest()
        problems = [Problem(name, None, f"lacks the file {missing}") for missing in sorted(names - {*present})]
        problems += [Problem(name, None, f"contains an unknown file {other!r}") for other in {*present} - names]
        if len({*present}) < len(present):
            problems.append(Problem(name, None, "contains a file twice"))
        refuse(problems)

    def settings(self) -> Row:
        rows = [row for _, row in self._rows(SETTINGS)]
        if len(rows) != 1:
            raise Problems([Problem(SETTINGS, None, f"has {len(rows)} lines instead of one")])
        return rows[0]

    def rows(self, kind: Kind) -> Iterator[Row]:
        """Return the rows of a bundle that has been checked."""
        return (row for _, row in self._rows(kind.file))

    def check(self, protocol: Protocol) -> None:
        """Refuse an incomplete or inconsistent bundle, file by file, because later files build on earlier ones."""
        earlier = EarlierRows(self.lines, protocol)
        for kind in kinds_of(protocol).values():
            problems: list[Problem] = []
            number = 0
            for number, row in self._rows(kind.file):
                problems += [Problem(kind.file, number, fault) for fault in faults_of(kind, number, row, earlier)]
                if len(problems) > MOST_PER_FILE:
                    break
            if not problems and number != self.lines[kind.name]:
                what = f"has {number} lines instead of {self.lines[kind.name]}, the number in {MANIFEST}; {REMEDY}"
                problems.append(Problem(kind.file, None, what))
            refuse(problems)

    def _manifest(self) -> dict[str, int]:
        rows = [row for _, row in self._rows(MANIFEST)]
        manifest = rows[0] if len(rows) == 1 else {}
        if manifest.get("format") != FORMAT:
            raise Problems([Problem(MANIFEST, None, "does not describe the bundle of a campaign")])
        if manifest.get("version") != VERSION:
            what = f"has version {json.dumps(manifest.get('version'))}; this platform reads version {VERSION}"
            raise Problems([Problem(MANIFEST, None, what)])
        lines = manifest.get("lines")
        if not isinstance(lines, dict) or lines.keys() != KINDS.keys() or any(map(whole(), lines.values())):
            raise Problems([Problem(MANIFEST, None, "lacks the number of lines of each file")])
        return lines

    def _rows(self, file: str) -> Iterator[tuple[int, Row]]:
        with readable(self.name, REMEDY), self._archive.open(file) as stream:
            number = 0
            while content := stream.readline(LONGEST_LINE):
                number += 1
                self._bytes_left -= len(content)  # the sizes that an archive declares are not trusted
                if self._bytes_left < 0:
                    raise Problems([Problem(self.name, None, "exceeds the limit for unpacked bundles")])
                yield number, _parsed(file, number, content)


@contextmanager
def open_bundle(name: str, file: BinaryIO, most_bytes: int = MOST_BYTES) -> Iterator[Bundle]:
    with open_archive(name, file, REMEDY) as archive:
        yield Bundle(name, archive, 2 * most_unpacked(file, most_bytes))  # each file may be read twice


def _parsed(file: str, number: int, content: bytes) -> Row:
    if not content.endswith(b"\n"):
        what = "ends too early or is too long" if len(content) == LONGEST_LINE else "ends too early"
        raise Problems([Problem(file, number, f"{what}; {REMEDY}")])
    try:
        row = read_json(content, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Problems([Problem(file, number, f"is not valid JSON ({str(error)[:80]}); {REMEDY}")]) from error
    if not isinstance(row, dict):
        raise Problems([Problem(file, number, "is not a JSON object")])
    return row
