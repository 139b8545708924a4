"""Scores by other metrics, as options name them: files, and programs."""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from judgments.rules.errors import Refused
from ranking.management.metrics import given_file
from ranking.metrics.material import Material
from ranking.scores.files import is_bound
from ranking.scores.outside import Outside, by_program, from_file


def outside_of(
    options: Mapping[str, Any],
    material: Material,
    outputs: Mapping[str, Sequence[str]],
    in_files: int,
    counted: Sequence[int] | None,
    bounds: Collection[str],
) -> Iterator[Outside]:
    """Files have scores of all sentences, of which some are counted; programs get these alone."""
    may_lack = {name for name in outputs if (is_bound(name) and name not in options["systems"]) or name in bounds}
    for path in options["scores"]:
        for one in from_file(given_file(path), list(outputs), in_files, may_lack):
            yield one.at(counted) if counted else one
    for written in options["program"]:
        name, _, command = written.partition("=")
        if not (name.strip() and command.strip()):
            raise Refused(f"{written!r} is not like NAME=COMMAND, such as --program 'IMPARA=python impara.py'.")
        yield by_program(name.strip(), shlex.split(command), options["time_limit"], material, outputs)
