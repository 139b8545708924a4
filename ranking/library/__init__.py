"""Metrics and rankings for programs and notebooks: plain sequences or files in, a small result out; without Django.

    from ranking.library import rank, score

    score("source.txt", ["A.txt", "B.txt"], ["reference.txt"]).systems["GLEU"]
    rank("judgments.csv", "trueskill").order

Nothing is printed, and nothing is shared between calls but compiled code, so threads can call at the same time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ranking.library.rankings import Ranking, rank
    from ranking.library.results import Result
    from ranking.library.scoring import Scores, score

__all__ = ["Ranking", "Result", "Scores", "rank", "score"]
PLACES = {"Ranking": "rankings", "rank": "rankings", "Result": "results", "Scores": "scoring", "score": "scoring"}


def __getattr__(name: str) -> Any:
    """Load what is asked for: statistics take longer to load than most scorings."""
    if name not in PLACES:
        raise AttributeError(name)
    return getattr(import_module(f"ranking.library.{PLACES[name]}"), name)
