"""Plans of screens without answers."""

import numpy as np

from ranking.stats.ballots import BallotCandidates, Ballots, starts_of


def blank_screens(systems: int, screens: int, shown: int = 5, judges: int = 4, shared: float = 0.3) -> Ballots:
    """Each screen on a sentence of its own with candidates in random order; some systems share a text."""
    rng = np.random.default_rng(1)
    members, behind, candidates, sizes = [], [], [], []
    for _ in range(screens):
        order = rng.permutation(systems).tolist()
        groups = [
            [order.pop() for _ in range(min(len(order), 1 + (rng.random() < shared)))] for _ in range(shown) if order
        ]
        candidates += range(len(behind), len(behind) + len(groups))
        behind += map(len, groups)
        members += [system for group in groups for system in group]
        sizes.append(len(groups))
    return Ballots(
        systems=systems, judges=judges, documents=screens, judge=rng.integers(0, judges, screens).astype(np.int32),
        segment=np.arange(screens, dtype=np.int32), seconds=np.full(screens, 30.0), starts=starts_of(sizes),
        candidate=np.array(candidates, dtype=np.int32), merit=np.zeros(len(candidates)),
        candidates=BallotCandidates(starts_of(behind), np.array(members, dtype=np.int32)),
        document_of=np.arange(screens, dtype=np.int32),
    )  # fmt: skip
