"""What a report on programs answers first: whether they are good enough, and what they add to people's judgments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from judgments.charts.numbers import number, span, text_list
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of, facts_of
from ranking.reports.kinds.programs.paper import classical_of, corrected_of, paper
from ranking.stats.programs.corrected import ERRORS, MEAN, RIGHT, WINS
from ranking.stats.programs.parameters import ProgramParameters
from ranking.stats.programs.sections import ALL_SYSTEMS, EARLIER_WINS, EARLIER_WINS_BOTH_ORDERS
from ranking.stats.programs.study import NO_PEOPLE, NO_PROGRAM
from ranking.stats.resampling import Unit

ORDER = (EARLIER_WINS, EARLIER_WINS_BOTH_ORDERS)
WORDS = {MEAN.name: "mean", WINS.name: "Expected Wins", ERRORS.name: "share of errors",
         RIGHT.name: "share of right edits"}  # fmt: skip
MOST_SAID = 5
# A program whose judgments are worth less than so many of people's, in percent, adds little.
LITTLE = 10


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "who_judged" not in tables:
        return None
    counts, chosen = counts_of(tables), ProgramParameters.of(parameters)
    scope = Unit(chosen.fitted(counts["judges"]).unit).generalises_to
    found = lines_of(tables, "program_estimates")
    main = [line for line in found if line["measure"] == found[0]["measure"]]
    answered = Answer(
        _sentence(counts, lines_of(tables, "alternative_annotator"), main), tuple(facts_of(tables)), scope,
        _agreement(tables), may_say=tuple(_may_say(main)), may_not_say=tuple(_may_not_say(tables, scope)),
    )  # fmt: skip
    return replace(answered, paper=paper(tables, parameters, answered, main)) if main else answered


def _sentence(counts: Mapping[str, int], tests: Sequence[dict], main: Sequence[dict]) -> str:
    if not counts["programs"]:
        return NO_PROGRAM
    if not counts["judges"]:
        return NO_PEOPLE
    said = _good_enough(tests)
    if not said:
        said = ["Whether a program is good enough cannot be said: no sentence was judged by it and by two people."]
    return " ".join([*said, *_gains(main)])


def _good_enough(tests: Sequence[dict]) -> list[str]:
    """A sentence for all programs of which the same holds."""
    found: dict[tuple[str, bool, int, int], list[str]] = {}
    for line in tests:
        found.setdefault((line["unmet"], line["passes"], line["won"], line["judges"]), []).append(line["program"])
    return [_is_good_enough(names, *what) for what, names in found.items()]


def _is_good_enough(names: Sequence[str], unmet: str, passes: bool, won: int, judges: int) -> str:
    who, are, they = (names[0], "is", "it is") if len(names) == 1 else (text_list(names), "are", "each is")
    if unmet:
        return f"Whether {who} {are} good enough to stand in for people cannot be said: {unmet}."
    stand_in = "good enough to stand in for people by the alternative annotator test"
    return f"{who} {are} {'' if passes else 'not '}{stand_in}: {they} as good as {won} of {judges} people."


def _gains(main: Sequence[dict]) -> Iterator[str]:
    shares: dict[int, list[str]] = {}
    for program, (judgments, gained) in _worth(main).items():
        shares.setdefault(round(100 * max(gained / judgments, 0)), []).append(program)
    for share, names in shares.items():
        if share:
            little = ", which is little" if share < LITTLE else ""
            yield f"The judgments of {text_list(names)} are worth {share}% more judgments of people{little}."
        else:
            yield f"The judgments of {text_list(names)} add nothing to those of people."


def _worth(main: Sequence[dict]) -> dict[str, tuple[float, float]]:
    """By program, how many judgments people gave, and how many more those of the program are worth."""
    found: dict[str, tuple[float, float]] = {}
    for line in main:
        if line["gained"] is not None and line["judgments"]:
            judgments, gained = found.get(line["program"], (0, 0))
            found[line["program"]] = judgments + line["judgments"], gained + line["gained"]
    return found


def _agreement(tables: Mapping[str, Table]) -> str:
    said = [
        f"{line['program']} gives the same answer as people in {number(line['with_people'])} of cases"
        + f", people as each other in {number(line['among_people'])}" * (line["among_people"] is not None)
        for line in lines_of(tables, "program_agreement", "with_people") if line["system"] == ALL_SYSTEMS
    ]  # fmt: skip
    return "; ".join(said)


def _may_say(main: Sequence[dict]) -> list[str]:
    """With the program that adds most; by people alone if none adds anything."""
    worth = _worth(main)
    most = max(worth, key=lambda program: worth[program][1], default=None)
    if most is not None and worth[most][1] <= 0:
        return [
            f"By people alone, {line['system']} has the {WORDS[line['measure']]} {classical_of(line)}."
            for line in [line for line in main if line["program"] == most][:MOST_SAID]
        ]
    return [
        f"With the judgments of {line['program']}, {line['system']} has the {WORDS[line['measure']]} "
        f"{corrected_of(line)}; by people alone, {classical_of(line)}."
        for line in [line for line in main if line["program"] == most][:MOST_SAID]
    ]


def _may_not_say(tables: Mapping[str, Table], scope: str) -> Iterator[str]:
    for line in lines_of(tables, "alternative_annotator"):
        if line["unmet"] or not line["passes"]:
            why = f"The test asks for more: {line['unmet']}" if line["unmet"] else "It does not pass the test"
            yield f"“{line['program']} can replace people.” {why}."
    for program, favoured in _favours(tables).items():
        yield f"“{program} is fair to all.” Compared with people, it {favoured}."
    for line in _of_order(tables):
        if not line["low"] <= 0.5 <= line["high"]:
            yield (
                f"“The order does not matter to {line['program']}.” What is shown earlier wins "
                f"{number(line['value'])}{span(line['low'], line['high'])} of its comparisons."
            )
    programs = list(dict.fromkeys(line["program"] for line in lines_of(tables, "program_estimates")))
    if programs:
        say = "says" if len(programs) == 1 else "say"
        yield (
            f"“{text_list(programs)} {say} what people think.” Only numbers that people’s judgments correct do, none "
            "of the program alone."
        )
        yield "“The corrected numbers hold for all sentences.” They do if chance decided which of them people judged."
    yield f"“Others would find the same.” Intervals hold for {scope}."


def _favours(tables: Mapping[str, Table]) -> dict[str, str]:
    """By program, which systems it favours and disfavours, and by how much."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in sorted(lines_of(tables, "program_agreement", "favour_low"), key=lambda line: -abs(line["favour"])):
        if line["favour_low"] > 0 or line["favour_high"] < 0:
            does = "favours" if line["favour"] > 0 else "disfavours"
            system = f"{line['system']} by {number(abs(line['favour']))}"
            found.setdefault(line["program"], {}).setdefault(does, []).append(system)
    return {
        program: ", and ".join(f"{does} {text_list(systems)}" for does, systems in sorted(by.items(), reverse=True))
        for program, by in found.items()
    }


def _of_order(tables: Mapping[str, Table]) -> Iterable[dict]:
    """For each program what is known best: probes show a screen in both orders."""
    lines = [line for line in lines_of(tables, "program_habits", "low") if line["habit"] in ORDER]
    return {line["program"]: line for line in sorted(lines, key=lambda line: ORDER.index(line["habit"]))}.values()
