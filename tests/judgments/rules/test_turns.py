"""Whose turn it is: toys by hand, and promises for any requests."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.turns import Served, Waiting, in_turn

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


def named(jobs) -> str:
    return "".join(str(job.job) for job in jobs)


def test_jobs_of_one_owner_pass_a_large_one_only_for_as_long_as_it_takes():
    large, soon, late = Waiting("L", 1, at(0), 600), Waiting("s", 1, at(5), 1), Waiting("t", 1, at(10), 1)
    assert named(in_turn([late, large, soon], {})) == "sLt"


def test_owners_take_turns_and_who_has_nothing_running_goes_first_then_who_was_served_longest_ago():
    many = [Waiting(letter, 1, at(place)) for place, letter in enumerate("abcd")]
    assert named(in_turn([*many, Waiting("X", 2, at(9)), Waiting("Y", 3, at(8))], {})) == "aYXbcd"
    waiting = [Waiting(letter, letter, at(place)) for place, letter in enumerate("abc")]
    served = {"a": Served(1, at(-9)), "b": Served(0, at(-1)), "c": Served(0, at(-2))}
    assert named(in_turn(waiting, served)) == "cba"
    waiting = [Waiting(letter, owner, at(0)) for letter, owner in zip("abXY", "ooxx", strict=True)]
    assert named(in_turn(waiting, {"o": Served(1, at(-1))})) == "XaYb"


REQUESTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 60), st.sampled_from([1.0, 30.0, 600.0])), min_size=1, max_size=25
)


@given(REQUESTS, st.integers(1, 3))
def test_nobody_starves(requests, workers):
    """Workers take jobs whenever they are free; every job is served after a bounded number of others."""
    coming = [Waiting(number, owner, at(minute), work) for number, (owner, minute, work) in enumerate(requests)]
    coming.sort(key=lambda job: job.since)
    waiting: list[Waiting] = []
    served: dict[int, Served] = {}
    running: list[tuple[datetime, Waiting]] = []
    # For each owner who waits, how often others were served since this one was, or since there was a job.
    passed: dict[int, dict[int, int]] = {}
    while coming or waiting or running:
        now = min([job.since for job in coming[:1]] + [end for end, _ in running])
        for _, job in [one for one in running if one[0] <= now]:
            served[job.owner] = served[job.owner]._replace(running=served[job.owner].running - 1)
        running = [one for one in running if one[0] > now]
        waiting += [job for job in coming if job.since <= now]
        coming = [job for job in coming if job.since > now]
        while waiting and len(running) < workers:
            job, *_ = order = list(in_turn(waiting, served))
            assert sorted(order) == sorted(waiting)
            waiting.remove(job)
            for other in {one.owner for one in waiting} - {job.owner}:
                counts = passed.setdefault(other, {})
                counts[job.owner] = counts.get(job.owner, 0) + 1
                if not served.get(other, Served(0, now)).running:
                    assert not served.get(job.owner, Served(0, now)).running, "one with none running goes first"
                    assert workers > 1 or counts[job.owner] == 1, "each other owner once at most"
            passed[job.owner] = {}
            for own in waiting:
                if own.owner == job.owner and own.since < job.since:
                    assert job.since <= own.due, "only for as long as it takes itself"
            moment = now + timedelta(microseconds=len(running))
            served[job.owner] = Served(served.get(job.owner, Served(0, now)).running + 1, moment)
            running.append((now + timedelta(seconds=job.work), job))
