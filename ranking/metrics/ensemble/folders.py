"""A folder of texts with people's scores, as an ensemble learns from it.

It holds the source (`source` or `INPUT`), references (`ref...`, or one M2 file, or both), an output a system, and one
CSV with a column a system and a row a sentence, where an empty cell is a sentence that nobody scored. The columns say
which outputs are learned from; those of the source, of references and of controls are bounds, and left out.
"""

import re
from collections.abc import Sequence

from judgments.rules.files.names import is_source_name
from judgments.rules.files.problems import Problem, Problems
from ranking.metrics.ensemble.domains import Scored
from ranking.metrics.files import GivenFile, read_lines, read_material
from ranking.metrics.human import columns_of, scores_of

BOUND = re.compile(r"(ref(erence)?[-_.]?\w*|source.+)", re.IGNORECASE)


def read_folder(name: str, files: Sequence[GivenFile]) -> Scored:
    """All that there is to learn from in a folder."""
    scores = [file for file in files if file.name.endswith("segment-scores.csv")] or [
        file for file in files if file.name.endswith(".csv")
    ]
    if len(scores) != 1:
        what = f"has {len(scores)} tables of people's scores; it needs one, as segment-scores.csv"
        raise Problems([Problem(name, None, what)])
    texts = {file.system: file for file in files if not file.name.endswith((".csv", ".m2"))}
    source = next((file for system, file in texts.items() if is_source_name(system)), None)
    references = [file for system, file in texts.items() if re.match(r"ref", system, re.IGNORECASE)]
    annotated = next((file for file in files if file.name.endswith(".m2")), None)
    material = read_material(read_lines(source) if source else None, references, annotated)
    systems = [system for system in columns_of(scores[0]) if not _is_bound(system)]
    if missing := [system for system in systems if system not in texts]:
        what = f"has a column {missing[0]!r}, and there is no output of that name beside it; add it, or leave it out"
        raise Problems([Problem(scores[0].name, 1, what)])
    if len(systems) < 2:
        what = "has columns of fewer than two systems whose outputs lie beside it; name them as their files"
        raise Problems([Problem(scores[0].name, 1, what)])
    human = scores_of(scores[0], systems, material.sentences)
    return Scored(name, material, [read_lines(texts[system]) for system in systems], human, tuple(systems))


def _is_bound(system: str) -> bool:
    return is_source_name(system) or bool(BOUND.fullmatch(system))
