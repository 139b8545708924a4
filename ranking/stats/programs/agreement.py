"""Agreement of a program with people beside that of people with each other, and whether it favours a system.

Answers to one key (a usage, or the order of two versions) are compared: each of the program with each of a person, and
those of every two people. By system, only keys with the system count. What the program says in favour of a system is
its answer less those of people to the same keys, where 1 says that the system is better than another one, 1/2 that they
tie and 0 that it is worse; or 1 that what the system calls an error is one.

    favour = mean of (program - person), from -1 to 1

Toy: on a pair of versions two people prefer A, one B, and the program B. It agrees with 1 of 3 people, of the three
pairs of people 1 agrees, and the favour of A is ((0 - 1) + (0 - 1) + (0 - 0)) / 3 = -.67.
"""

from dataclasses import dataclass

import numpy as np

from ranking.numbers.intervals import Interval
from ranking.stats.ballots import Candidates
from ranking.stats.programs.given import Given
from ranking.stats.programs.shares import Share, share

ALL = -1


@dataclass(frozen=True)
class Agreed:
    """Of one system, or of all (`ALL`): shares of equal answers, and the favour."""

    system: int
    with_people: Share
    of_people: Share
    favour: Share


def agreement(people: Given, program: Given, candidates: Candidates, systems: int, sentences: int) -> list[Agreed]:
    """For all systems together, then for each; answers to keys that the program did not answer are left out."""
    keys, first = np.unique(program.key, return_index=True)
    # A program's first answer to a key counts.
    program = program.choose(first)
    place = np.minimum(np.searchsorted(keys, people.key), len(keys) - 1) if len(keys) else np.zeros(0, dtype=np.int64)
    shared = keys[place] == people.key if len(keys) else np.zeros(len(people.key), dtype=bool)
    people, place = people.choose(shared), place[shared]
    said, number = program.value, np.bincount(place, minlength=len(keys)).astype(float)
    same = np.bincount(place, people.value == said[place], len(keys))
    apart = said * number - np.bincount(place, people.value, len(keys))
    # Orders run from -1 to 1, verdicts from 0 to 1.
    apart /= np.where(program.better == program.worse, 1, 2)
    _, answer = np.unique(np.stack([place, people.value]), axis=1, return_inverse=True)
    alike = np.bincount(answer.ravel()).astype(float)
    key_of = np.zeros(len(alike), dtype=np.int64)
    key_of[answer.ravel()] = place
    alike = np.bincount(key_of, alike * (alike - 1) / 2, len(keys))
    counted = np.stack([same, number, alike, number * (number - 1) / 2])
    found, every = [], np.arange(len(keys))
    for system, key, sign in [(ALL, every, np.zeros(len(keys))), *_of_systems(program, candidates, systems)]:
        sums = [np.bincount(program.segment[key], one[key], sentences) for one in counted]
        favour = np.bincount(program.segment[key], sign * apart[key], sentences)
        found.append(Agreed(
            system, share(sums[0], sums[1]), share(sums[2], sums[3]), share(favour, sums[1], Interval(-1, 1))
        ))  # fmt: skip
    return found


def _of_systems(program: Given, candidates: Candidates, systems: int) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """The answers about each system, and whether a value above 0 is in its favour."""
    owner = np.repeat(np.arange(len(candidates.sizes)), candidates.sizes)
    found = []
    for system in range(systems):
        has = np.zeros(len(candidates.sizes), dtype=bool)
        has[owner[candidates.members == system]] = True
        better, worse = has[program.better], has[program.worse] & (program.better != program.worse)
        key = np.flatnonzero(better | worse)
        found.append((system, key, np.where(better[key], 1.0, -1.0)))
    return found
