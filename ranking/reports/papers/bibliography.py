"""The works that a report may cite, as BibTeX."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ranking.numbers.version import VERSION

PLATFORM = "appraisegec"
OWN = (
    f"@misc{{{PLATFORM}, author = {{{{The Appraise GEC authors}}}}, title = {{{{Appraise GEC}}}}, "
    f"note = {{Software, version {VERSION}}}, year = {{2026}}}}"
)


def computed_with(seed: int) -> str:
    """The sentence that cites the platform."""
    return f"All results were computed with Appraise GEC [@{PLATFORM}], with random seed {seed}."


@cache
def works() -> dict[str, str]:
    """Every work by its key, in alphabetical order."""
    written = Path(__file__).with_name("references.bib").read_text("utf-8").splitlines()
    return {re.match(r"@\w+\{(\w+),", work)[1]: work for work in [OWN, *written]}  # type: ignore[index]


def bibliography(keys: Iterable[str]) -> str:
    """The entries of the works, one a line."""
    return "".join(f"{works()[key]}\n" for key in sorted(set(keys)))
