"""Which judges need a look while judging goes on, and why; `python -m studies alarms` measures how well this works.

The rules may be asked after every screen. What is expected of a careful judge comes from the other judges, with a
margin for those who are quick, severe or lenient, or from nobody, so that the first judge is noticed too. Five tests
are bets (see `evidence_against`), each with an alpha of its own: as far as those expectations are right, they raise an
alarm about 0.9 % of careful judges at most. Haste has a bound that chance hardly reaches.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from math import exp, log, log1p, prod
from statistics import correlation, fmean, median, median_low


class AlarmKind(StrEnum):
    HASTE = "haste"
    STRAIGHT_LINE = "straight line"
    POSITION = "position"
    TIES = "ties"
    COPYING = "copying"
    CONTROLS = "controls"
    AGREEMENT = "agreement"
    IDLE = "idle"


SENTENCES = {
    AlarmKind.HASTE: "{judge} reads {speed:.0f} words per second in the median of {screens} screens in a row; "
    "{usual:.2g} words per second are usual.",
    AlarmKind.STRAIGHT_LINE: "{judge} gives the same order from top to bottom on {same} of {screens} screens.",
    AlarmKind.POSITION: "{judge} answers by place: on {screens} screens, the mean correlation with earlier answers at "
    "the same places is {correlation:.2f}; 0 is expected.",
    AlarmKind.TIES: "{judge} finds all versions equally good on {same} of {screens} screens.",
    AlarmKind.COPYING: "{judge} gives the same answer on {same} of {screens} screens; the other judges give it on "
    "{others_same} of {others_screens}.",
    AlarmKind.CONTROLS: "{judge} failed {failed} of {controls} controls; the other judges failed {others_failed} of "
    "{others_controls}.",
    AlarmKind.AGREEMENT: "{judge} hardly agrees with the other judges beyond chance: kappa is {kappa:.2f} on "
    "{comparisons} comparisons; half of the other judges reach more than {usual:.2f}.",
    AlarmKind.IDLE: "{judge} has not touched an open batch for {hours:.0f} hours; screens that wait in it: {waiting}.",
}
# Slow random answers show in agreement alone, and slowly: it gets most of the 0.9 %.
ALPHA = {
    AlarmKind.POSITION: 0.001,
    AlarmKind.TIES: 0.001,
    AlarmKind.COPYING: 0.001,
    AlarmKind.CONTROLS: 0.001,
    AlarmKind.AGREEMENT: 0.005,
}
# Haste: the median of so many screens in a row, the fewest such screens, and how many times as fast as the others.
IN_A_ROW, FEWEST_TIMED, FAR_FASTER = 20, 10, 8
# Brysbaert 2019 found 238 words a minute in silent reading; this stands in for the median of fewer other judges.
USUAL_SPEED, FEWEST_OTHERS = 238 / 60, 3
# Robust standard deviations above the others' median; 1.4826 times the MAD estimates one (Rousseeuw and Croux 1993).
DEVIATIONS, OF_MAD = 4, 1.4826
# The mean correlation by place that a careful judge may have; the share of equal orders that makes a straight line.
TOLERATED, SAME_ORDER = 0.1, 0.8
# The share of screens on which a careful judge may find all versions equal: two versions are often the same to a judge,
# and more were so on 6 % of the screens at most in the published rankings of 2015, and never on three in a row.
TIED, TWO_TIED = 0.5, 2 / 3
# A careful judge may have so many times the odds of the other judges to give an answer, or to fail a control.
ODDS_OF_ANSWER, ODDS_OF_FAILURE = 8, 2
# The kappa that a careful judge reaches, as a share of the others' median; and the least median that says anything.
SHARE_OF_KAPPA, LEAST_KAPPA = 0.6, 0.1
IDLE_FOR = timedelta(hours=24)
# Shares of the capital that are bet: small ones win on small deviations, large ones win fast on large deviations.
STAKES = (0.2, 0.5, 0.95)
# Half of the capital bets from the first screen on. Of the rest, a share enters at each later screen, so that a judge
# who stops being careful is noticed too.
AT_ONCE, LATER = 0.5, 1 / 300
Outcomes = dict[Hashable, float]
# For each screen of a judge, how many comparisons with other judges agree, of how many.
Agreeing = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Answered:
    """A screen that a judge has answered: candidates (or the usage) and merits in the order shown, top to bottom.

    `words` counts what was to be read: the source and the distinct candidates.
    """

    candidates: tuple[int, ...]
    merits: tuple[float, ...]
    words: int
    seconds: float | None = None
    passed_control: bool | None = None


@dataclass(frozen=True)
class Judge:
    """Screens in the order judged; when an open batch was last touched, if there is one, and its unanswered screens."""

    name: str
    screens: tuple[Answered, ...]
    touched: datetime | None = None
    waiting: int = 0

    @cached_property
    def speeds(self) -> list[tuple[int, float]]:
        """Each timed screen, counted from 0, and the logarithm of its words a second."""
        timed = ((at, one.words, one.seconds) for at, one in enumerate(self.screens))
        return [(at, log(words / seconds)) for at, words, seconds in timed if words and seconds]

    @cached_property
    def speed(self) -> float | None:
        """The median of the logarithms; None if too few screens were timed."""
        return median(speed for _, speed in self.speeds) if len(self.speeds) >= FEWEST_TIMED else None

    @cached_property
    def answers(self) -> Counter[tuple[float, ...]]:
        return Counter(one.merits for one in self.screens)

    @cached_property
    def parts(self) -> Counter[float]:
        return Counter(merit for one in self.screens for merit in one.merits)

    @cached_property
    def sizes(self) -> Counter[int]:
        return Counter(len(one.merits) for one in self.screens)

    @cached_property
    def controls(self) -> Counter[bool | None]:
        return Counter(one.passed_control for one in self.screens)


@dataclass(frozen=True)
class RaisedAlarm:
    """Why to look at a judge, the figures behind it, and the screens it is about, counted from 1 (0 if about none)."""

    judge: str
    kind: AlarmKind
    sentence: str
    evidence: Mapping[str, float]
    first: int
    last: int


def alarms(judges: Sequence[Judge], now: datetime, since: Mapping[str, int] | None = None) -> list[RaisedAlarm]:
    """All alarms of a campaign, in the order of its judges; or those about some judges, from a screen (from 0) on."""
    agreed = consensus({one.name: outcomes([(on.candidates, on.merits) for on in one.screens]) for one in judges})
    kappas = {name: kappa(*one) for name, one in agreed.items()}
    everyone = Judge("everyone", tuple(screen for one in judges for screen in one.screens))
    found: list[RaisedAlarm | None] = []
    for whole in judges if since is None else [one for one in judges if one.name in since]:
        first = since[whole.name] if since else 0
        judge = replace(whole, screens=whole.screens[first:])
        found += [
            _haste(judge, judges),
            _position(judge),
            _ties(judge)
            or _copying(
                judge, everyone.answers - whole.answers, everyone.parts - whole.parts, everyone.sizes - whole.sizes
            ),
            _controls(judge, everyone.controls - whole.controls),
            _agreement(judge, first, agreed, kappas),
            _idle(judge, now),
        ]
    return [alarm for alarm in found if alarm]


def _alarm(judge: Judge, kind: AlarmKind, screens: range, /, **evidence: float) -> RaisedAlarm:
    sentence = SENTENCES[kind].format(judge=judge.name, **evidence)
    return RaisedAlarm(judge.name, kind, sentence, evidence, screens.start + bool(screens), screens.stop)


def _haste(judge: Judge, judges: Iterable[Judge]) -> RaisedAlarm | None:
    """Compare medians of screens in a row with the others' medians, by logarithms.

    Toy: three others read 4 words a second each. A judge is too fast from 4 * 8 = 32 words a second on.
    """
    medians = [one.speed for one in judges if one.name != judge.name and one.speed is not None]
    usual, spread = log(USUAL_SPEED), 0.0
    if len(medians) >= FEWEST_OTHERS:
        usual = median(medians)
        spread = OF_MAD * median(abs(one - usual) for one in medians)
    bound = usual + max(log(FAR_FASTER), DEVIATIONS * spread)
    for end in range(FEWEST_TIMED, len(judge.speeds) + 1):
        row = judge.speeds[max(end - IN_A_ROW, 0) : end]
        # The lower median is above the bound only if more than half of the screens are.
        if (speed := median_low(speed for _, speed in row)) >= bound:
            screens = range(row[0][0], row[-1][0] + 1)
            figures = {"speed": exp(speed), "usual": exp(usual), "bound": exp(bound)}
            return _alarm(judge, AlarmKind.HASTE, screens, screens=len(row), **figures)
    return None


def _position(judge: Judge) -> RaisedAlarm | None:
    """Bet that the merits of a screen correlate with the mean merits at each place on the screens before.

    The order of candidates is random. If places do not matter, each order of the merits given is equally likely, and
    the expected correlation is 0.

    Toy: merits 3, 2, 1 on all screens; the correlation is 1 from the second screen on.
    """
    sums: defaultdict[int, float] = defaultdict(float)
    numbers: Counter[int] = Counter()
    found: list[float | None] = []
    for one in judge.screens:
        mean = fmean(one.merits)
        before = [sums[place] / max(numbers[place], 1) for place in range(len(one.merits))]
        varies = len(set(one.merits)) > 1
        found.append(correlation(one.merits, before) if varies and len(set(before)) > 1 else None)
        length = sum((merit - mean) ** 2 for merit in one.merits) ** 0.5
        for place, merit in enumerate(one.merits if varies else ()):
            sums[place] += (merit - mean) / length
            numbers[place] += 1
    gains = [0.0 if one is None else (one - TOLERATED) / (1 + TOLERATED) for one in found]
    if not (screens := evidence_against(gains, ALPHA[AlarmKind.POSITION])):
        return None
    orders = [_order(one.merits) for one in judge.screens[screens.start : screens.stop] if len(set(one.merits)) > 1]
    same = sum(Counter(order for order in orders if len(order) == size).most_common(1)[0][1]
               for size in {*map(len, orders)})  # fmt: skip
    kind = AlarmKind.STRAIGHT_LINE if same >= SAME_ORDER * len(orders) else AlarmKind.POSITION
    alike = fmean(one for one in found[screens.start : screens.stop] if one is not None)
    return _alarm(judge, kind, screens, screens=len(orders), same=same, correlation=alike)


def _order(merits: tuple[float, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(merits)).index(merit) for merit in merits)


def _ties(judge: Judge) -> RaisedAlarm | None:
    """Bet that a judge finds all versions equally good on more screens than a careful judge may.

    Toy: all of five versions are equal on each screen, so a bet of 1 earns (1 - 1/2) / (1/2) = 1 on each.
    """
    gains = []
    for one in judge.screens:
        allowed = TWO_TIED if len(one.merits) == 2 else TIED
        gains.append(((len(set(one.merits)) == 1) - allowed) / allowed if len(one.merits) > 1 else 0.0)
    if not (screens := evidence_against(gains, ALPHA[AlarmKind.TIES])):
        return None
    shown = [one.merits for one in judge.screens[screens.start : screens.stop] if len(one.merits) > 1]
    return _alarm(judge, AlarmKind.TIES, screens, screens=len(shown), same=sum(len({*merits}) == 1 for merits in shown))


def _copying(
    judge: Judge, answers: Counter[tuple[float, ...]], merits: Counter[float], sizes: Counter[int]
) -> RaisedAlarm | None:
    """Bet that a judge repeats the answer to the last screen of the same size more often than others give it, by their
    whole answers, their merits, and their numbers of candidates.

    A careful judge may have more than the others' odds to give an answer, or to give each of its parts to a candidate,
    whichever share is larger: a lenient judge often gives full marks to all.

    Toy: others rated 20 candidates, 10 screens of 2, and never with 70. One counts as (0 + 1) / (20 + 2), odds of 1 to
    21; a careful judge may have odds of 8 to 21, and 70, 70 on (8/29)**2 = 0.08 of the screens. As an answer 70, 70
    counts as (0 + 1) / (10 + 2), odds of 1 to 11, and the careful judge may give it on 8/19 = 0.42.
    """
    all_merits = merits.total()
    last: dict[int, tuple[float, ...]] = {}
    gains = []
    for one in judge.screens:
        if before := last.get(len(one.merits)):
            in_parts = prod(_share_by_odds(merits[merit], all_merits, ODDS_OF_ANSWER) for merit in before)
            share = max(in_parts, _share_by_odds(answers[before], sizes[len(before)], ODDS_OF_ANSWER))
            gains.append(((one.merits == before) - share) / share)
        else:
            gains.append(0.0)
        last[len(one.merits)] = one.merits
    if not (screens := evidence_against(gains, ALPHA[AlarmKind.COPYING])):
        return None
    answer, same = Counter(judge.screens[at].merits for at in screens).most_common(1)[0]
    theirs = {"others_same": answers[answer], "others_screens": sizes[len(answer)]}
    return _alarm(judge, AlarmKind.COPYING, screens, same=same, screens=len(screens), **theirs)


def _controls(judge: Judge, others: Counter[bool | None]) -> RaisedAlarm | None:
    """Bet that a judge fails controls more often than the others, given how often they passed (True) or not.

    Toy: others failed 1 of 20 controls, which counts as (1 + 1) / (20 + 2), odds of 1 to 10. A careful judge may have
    odds of 2 to 10.
    """
    failed, passed = others[False], others[True]
    share = _share_by_odds(failed, failed + passed, ODDS_OF_FAILURE)
    seen = [one.passed_control for one in judge.screens]
    gains = (0.0 if control is None else ((not control) - share) / share for control in seen)
    if not (screens := evidence_against(gains, ALPHA[AlarmKind.CONTROLS])):
        return None
    own = Counter(seen[screens.start : screens.stop])
    theirs = {"others_failed": failed, "others_controls": failed + passed}
    return _alarm(judge, AlarmKind.CONTROLS, screens, failed=own[False], controls=own[False] + own[True], **theirs)


def _agreement(
    judge: Judge, first: int, agreed: Mapping[str, tuple[Agreeing, float]], kappas: Mapping[str, float]
) -> RaisedAlarm | None:
    """Bet that a judge agrees with the others, from this screen on, far less beyond chance than they with each other.

    Toy: 0.4 agree by chance, the others' kappa is 0.5; a careful judge agrees on 0.4 + 0.6 * 0.5 * 0.6 = 0.58 or more.
    """
    others = [reached for name, reached in kappas.items() if name != judge.name]
    if judge.name not in agreed or len(others) < 2 or (usual := median(others)) < LEAST_KAPPA:
        return None
    compared, chance = agreed[judge.name][0][first:], agreed[judge.name][1]
    least = chance + SHARE_OF_KAPPA * usual * (1 - chance)
    gains = ((least - agreeing / of) / (1 - least) if of else 0.0 for agreeing, of in compared)
    if not (screens := evidence_against(gains, ALPHA[AlarmKind.AGREEMENT])):
        return None
    part = compared[screens.start : screens.stop]
    figures = {"kappa": kappa(part, chance), "comparisons": sum(of for _, of in part)}
    return _alarm(judge, AlarmKind.AGREEMENT, screens, **figures, chance=chance, usual=usual)


def _idle(judge: Judge, now: datetime) -> RaisedAlarm | None:
    if judge.touched is None or not judge.waiting or now - judge.touched < IDLE_FOR:
        return None
    hours = (now - judge.touched) / timedelta(hours=1)
    return _alarm(judge, AlarmKind.IDLE, range(0), hours=hours, waiting=judge.waiting)


def _share_by_odds(times: int, of: int, odds: float) -> float:
    """A share that is higher by these odds. Toy: 0 of 1 counts as (0 + 1) / (1 + 2); with twice the odds it is 1/2."""
    share = (times + 1) / (of + 2)
    return odds * share / (1 + (odds - 1) * share)


def evidence_against(gains: Iterable[float], alpha: float) -> range | None:
    """The screens, counted from 0, whose evidence first reached 1 / alpha; None if it never did.

    This is a test that may be looked at after every screen: bets against the claim that a judge is careful. A gain is
    what a bet of 1 earns on a screen: at least -1, and for a careful judge at most 0 in expectation, whatever came
    before. The capital after n screens, the mean over stakes s and times of entry of (1 + s g_1) ... (1 + s g_n), is
    then a supermartingale that starts at 1, and reaches 1 / alpha at some time with probability at most alpha (Ville
    1939; Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by betting, section 4).
    The range begins where the bet of the smallest stake grew from, as in a CUSUM chart (Page 1954).

    Toy: with gains of 1 the capital is 1/2 * (1.2 + 1.5 + 1.95) / 3 + 1/2 = 1.275 after one screen, and after two
    1/2 * (1.2**2 + 1.5**2 + 1.95**2) / 3 + 1/2 = 1.75, and a little more for what entered at the second.
    """
    capital, outside = [0.0] * len(STAKES), 1.0
    growth, first = 0.0, 0
    for screen, gain in enumerate(gains):
        entering = outside * (LATER if screen else AT_ONCE)
        outside -= entering
        capital = [(held + entering) * (1 + stake * gain) for held, stake in zip(capital, STAKES, strict=True)]
        growth += log1p(STAKES[0] * gain)
        if growth <= 0:
            growth, first = 0.0, screen + 1
        if sum(capital) / len(STAKES) + outside >= 1 / alpha:
            return range(first, screen + 1)
    return None


def consensus(answers: Mapping[str, Sequence[Outcomes]]) -> dict[str, tuple[Agreeing, float]]:
    """Compare the outcomes of each judge's screens with those of all other judges: how many agree, and the share of
    agreement that chance alone would bring.

    The share by chance is that of two raters with these marginal shares who answer independently (Cohen 1960). Judges
    without comparisons, or who all give one answer, are left out.

    Toy: Ada prefers a to b and finds c and d equal; Ben prefers a to b and c to d. They agree on 1 of 2 pairs. Half of
    her outcomes and all of his are "better", so half is expected by chance, and kappa is 0.
    """
    given: dict[Hashable, dict[str, float]] = defaultdict(dict)
    for judge, screens in answers.items():
        for outcomes in screens:
            for pair, outcome in outcomes.items():
                given[pair][judge] = outcome
    found = {}
    for judge, screens in answers.items():
        compared = []
        own: Counter[float] = Counter()
        others: Counter[float] = Counter()
        for one in screens:
            pairs = [(mine, his) for pair, mine in one.items() for other, his in given[pair].items() if other != judge]
            own.update(mine for mine, _ in pairs)
            others.update(his for _, his in pairs)
            compared.append((sum(mine == his for mine, his in pairs), len(pairs)))
        chance = sum(own[outcome] * others[outcome] for outcome in own) / max(own.total(), 1) ** 2
        if chance < 1 and any(of for _, of in compared):
            found[judge] = tuple(compared), chance
    return found


def kappa(screens: Agreeing, chance: float) -> float:
    """Cohen's kappa with all other judges together, on these screens."""
    agreeing, comparable = map(sum, zip(*screens, strict=True))
    return (agreeing / comparable - chance) / (1 - chance)


def outcomes(screens: Sequence[tuple[Sequence[int], Sequence[float]]]) -> list[Outcomes]:
    """For each screen (candidates and merits), whether each candidate is better than, equal to or worse than another.

    Where screens have one candidate, the judge's mean stands for the other, so that severe judges can agree too.
    """
    mean = fmean([merits[0] for _, merits in screens if len(merits) == 1] or [0.0])
    return [
        dict(_of_pairs(candidates, merits)) if len(candidates) > 1 else {candidates[0]: merits[0] >= mean}
        for candidates, merits in screens
    ]


def _of_pairs(candidates: Sequence[int], merits: Sequence[float]) -> Iterator[tuple[Hashable, float]]:
    for (one, merit), (other, than) in combinations(sorted(zip(candidates, merits, strict=True)), 2):
        yield (one, other), (merit > than) - (merit < than)
