"""Differences between two reports on one campaign, in parameters and conclusions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ranking.numbers.tables import Cell, Table
from ranking.stats.rankings.methods import METHODS

# The columns of standings that are compared.
MOVING = ("cluster", "rank", "rank_low", "rank_high", "score")
CHANGES = (
    "method_before", "method", "system", "cluster_before", "cluster", "rank_before", "rank", "rank_low_before",
    "rank_high_before", "rank_low", "rank_high", "score_before", "score", "moved",
)  # fmt: skip
CHANGED_PAIRS = (
    "method_before", "method", "system", "opponent", "verdict_before", "verdict", "difference_before", "difference",
    "p_value_before", "p_value",
)  # fmt: skip
COMPARED = ("standings", "pairs")
WON, LOST, UNDECIDED = "better", "worse", "not separated"

Line = dict[str, Cell]


@dataclass(frozen=True)
class Conclusion:
    """What a report concluded and from what; sentences call it by its name, such as "report 3"."""

    name: str
    tables: Mapping[str, Table]
    choices: Mapping[str, object]

    def lines(self, table: str, method: str = "") -> list[Line]:
        lines = self.tables[table].dicts() if table in self.tables else []
        return [line for line in lines if method in ("", line["method"])]

    @property
    def methods(self) -> list[str]:
        """The one to cite first."""
        return list(dict.fromkeys(str(line["method"]) for line in self.lines("standings")))


@dataclass(frozen=True)
class RankingChange:
    """The methods by which the earlier and the later report rank, with a line for each system that is in both rankings.

    Lines are in the later order.
    """

    before: str
    now: str
    lines: tuple[Line, ...]

    @property
    def label(self) -> str:
        return join_names([METHODS[method].label for method in dict.fromkeys((self.before, self.now))])

    @property
    def has_one_method(self) -> bool:
        return self.before == self.now

    @property
    def has_changed(self) -> bool:
        """Whether any number did; scores by two methods are not compared."""
        names = MOVING if self.has_one_method else MOVING[:-1]
        return any(line[f"{name}_before"] != line[name] for line in self.lines for name in names)

    @property
    def regroupings(self) -> list[str]:
        before, now = (
            {str(line["system"]): int(line[column] or 0) for line in self.lines}
            for column in ("cluster_before", "cluster")
        )
        return regroupings(before, now)


@dataclass(frozen=True)
class Changes:
    """All differences; choices are those before and now by name, empty where a report did not have them.

    The rankings to cite come first, and pairs are compared by them.
    """

    choices: Mapping[str, tuple[str, str]]
    only_in_one: tuple[str, ...]
    rankings: tuple[RankingChange, ...]
    all_pairs: Table

    @property
    def moves(self) -> Table:
        lines = (line for ranking in self.rankings for line in ranking.lines)
        return Table.of("changes", CHANGES, ([line[name] for name in CHANGES] for line in lines))

    @property
    def pairs(self) -> Table:
        """Those whose verdict changed."""
        lines = zip(self.all_pairs.rows, self.all_pairs.dicts(), strict=True)
        changed = tuple(row for row, pair in lines if pair["verdict_before"] != pair["verdict"])
        return replace(self.all_pairs, rows=changed)

    @property
    def separated_in_both(self) -> dict[str, list[str]]:
        """Each system that is better than others in both reports, with these."""
        found: dict[str, list[str]] = {}
        for pair in self.all_pairs.dicts():
            if pair["verdict_before"] == pair["verdict"] == WON:
                found.setdefault(str(pair["system"]), []).append(str(pair["opponent"]))
        return found

    @property
    def conclusions_differ(self) -> bool:
        return bool(self.only_in_one or self.pairs.rows or any(ranking.regroupings for ranking in self.rankings))

    @property
    def conclusions_stand(self) -> bool:
        """Whether there are rankings to compare, with the same clusters and verdicts, whatever the numbers."""
        return any(ranking.lines for ranking in self.rankings) and not self.conclusions_differ

    @property
    def is_empty(self) -> bool:
        return not (self.conclusions_differ or self.choices or any(ranking.has_changed for ranking in self.rankings))

    def sentences(self) -> list[str]:
        if self.is_empty:
            return ["Nothing changed."]
        said = [
            f"{name}: {before or 'not chosen'} before, {now or 'not chosen'} now."
            for name, (before, now) in self.choices.items()
        ]
        said += self.only_in_one
        said += [f"{ranking.label}: {one}" for ranking in self.rankings for one in ranking.regroupings]
        for pair in self.pairs.dicts():
            lost = ", which was better before" if pair["verdict_before"] == LOST else ""
            said.append(
                f"{pair['system']} is no longer separated from {pair['opponent']}."
                if pair["verdict"] == UNDECIDED
                else f"{pair['system']} is now better than {pair['opponent']}{lost}."
            )
        return [*said, *(["No cluster and no pair changed."] if self.conclusions_stand else [])]


def compare(earlier: Conclusion, later: Conclusion) -> Changes:
    only_in_one, rankings = [], []
    for one, other in ((earlier, later), (later, earlier)):
        only = [f"by {METHODS[name].label}" for name in one.methods if name not in other.methods]
        systems = [str(name) for name in dict.fromkeys(line["system"] for line in one.lines("standings"))]
        known = {line["system"] for line in other.lines("standings")}
        if known and (missing := [name for name in systems if name not in known]):
            only.insert(0, join_names(missing))
        if only:
            only_in_one.append(f"Only {one.name} ranks {join_names(only)}.")
    # The rankings to cite, whatever their methods, then those by every method of both.
    cited = zip(earlier.methods[:1], later.methods[:1], strict=False)
    common = ((method, method) for method in later.methods if method in earlier.methods)
    for before, now in dict.fromkeys([*cited, *common]):
        was, lines = {line["system"]: line for line in earlier.lines("standings", before)}, []
        for line in later.lines("standings", now):
            if old := was.get(line["system"]):
                moved = int(old["rank"] or 0) - int(line["rank"] or 0)
                lines.append(line | {f"{name}_before": old[name] for name in ("method", *MOVING)} | {"moved": moved})
        rankings.append(RankingChange(before, now, tuple(lines)))
    pairs = (row for ranking in rankings[:1] for row in _pairs(earlier, later, ranking.before, ranking.now))
    return Changes(
        choices={
            name.replace("_", " "): (_text(earlier.choices.get(name)), _text(later.choices.get(name)))
            for name in dict.fromkeys([*earlier.choices, *later.choices])
            if earlier.choices.get(name) != later.choices.get(name)
        },
        only_in_one=tuple(only_in_one),
        rankings=tuple(rankings),
        all_pairs=Table.of("changed_pairs", CHANGED_PAIRS, pairs),
    )


def _text(chosen: object) -> str:
    if isinstance(chosen, list | tuple):
        return ", ".join(map(str, chosen))
    return "" if chosen is None else str(chosen)


def regroupings(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """Say which clusters split or joined and which systems overtook others, given the cluster of each before and now.

    Systems in only one of them are ignored. Toy: with clusters {A, B}, {C} before and {A}, {B, C} now, cluster 1 split
    (A is now ahead of B), and B and C joined (B is no longer ahead of C).
    """
    common = [system for system in now if system in before]
    said = []
    for inside, by, opening, how, link in (
        (before, now, "Cluster {} split", "now", "and"),
        (now, before, "Joined in cluster {}", "no longer", "nor"),
    ):
        for cluster in sorted({inside[system] for system in common}):
            members = sorted((system for system in common if inside[system] == cluster), key=by.__getitem__)
            first, *others = [list(group) for _, group in groupby(members, by.__getitem__)]
            if others:
                are = "is" if len(first) == 1 else "are"
                further = "".join(
                    f", {link} {join_names(better)} of {join_names(worse)}" for better, worse in pairwise(others)
                )
                ahead = f"{join_names(first)} {are} {how} ahead of {join_names(others[0])}{further}"
                said.append(f"{opening.format(cluster)}: {ahead}.")
    for system in common:
        passed = [other for other in common if before[system] > before[other] and now[system] < now[other]]
        if passed:
            said.append(f"Overtaken: {system} is now ahead of {join_names(passed)}, and was behind.")
    return said


def join_names(names: Sequence[str]) -> str:
    """Join names as in a sentence: A, B and C."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _pairs(earlier: Conclusion, later: Conclusion, before: str, now: str) -> Iterator[tuple[Cell, ...]]:
    """Yield each pair for the system that is better now or, if neither is, was before."""
    was = {frozenset((line["system"], line["opponent"])): line for line in earlier.lines("pairs", before)}
    for line in later.lines("pairs", now):
        pair = frozenset((line["system"], line["opponent"]))
        if pair in was:
            both = was[pair], line
            better = [one["system"] if one["resolved"] else None for one in both]
            system = better[1] or better[0] or line["system"]
            (opponent,) = pair - {system}
            verdicts = (UNDECIDED if one is None else WON if one == system else LOST for one in better)
            # How much the system scores higher.
            ahead = (float(one["difference"] or 0) * (1 if one["system"] == system else -1) for one in both)
            yield before, now, system, opponent, *verdicts, *ahead, *(one["p_value"] for one in both)
