"""A judge that needs no model, to try programs offline: the less a candidate changes, the better it is.

Toy: of `He goes home .` and `He walks to home .`, corrections of `He go home .`, the first has rank 1, the other 2.
"""

import json
from typing import Any

from rapidfuzz.distance import Levenshtein

BEST = 100


def by_edit_distance(asked: str) -> str:
    """Answer a question, in the fields that it names."""
    told: dict[str, Any] = json.loads(asked)
    source, candidates = told["source"].split(), told.get("candidates", [{}])
    distances = [Levenshtein.distance(source, candidate.get("text", "").split()) for candidate in candidates]
    in_order = sorted(set(distances))
    answers = [
        {
            "rank": in_order.index(distance) + 1,
            "score": round(BEST / (1 + distance)),
            "changed": False,
            "finding": "ok",
            "verdicts": told.get("verdicts", [])[:1] * len(candidate.get("edits", [])),
        }
        for candidate, distance in zip(candidates, distances, strict=True)
    ]
    return json.dumps({"answers": [{name: answer[name] for name in told["fields"]} for answer in answers]})
