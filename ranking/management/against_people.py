"""Metrics set against people's scores of the same outputs, from files."""

import csv
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from judgments.rules.errors import Refused
from judgments.rules.files.names import system_name
from ranking.management.metrics import given_file
from ranking.metrics.scoring import Scored
from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import Gap, Table, to_latex, to_markdown
from ranking.scores.files import read_lines
from ranking.scores.outside import Outside
from ranking.scores.people import JudgedFile, compared_names, read_human, read_human_systems, read_judgments
from ranking.stats.choices import LARGEST_SEED
from ranking.stats.metaevaluation import overview
from ranking.stats.metaevaluation.correlations import FEWEST_SYSTEMS
from ranking.stats.metaevaluation.evaluation import (
    AGAINST,
    PRESETS,
    EvaluationChoices,
    Sides,
    people_of,
    recipe_of_rankings,
    tables_against_people,
)
from ranking.stats.metaevaluation.scores import SYSTEM, HumanScores, MetricScores, times_drawn

# The options that name files with people's judgments.
FILES = ("human", "human_systems", "judgments")
# Those that mean nothing without one of them.
OF_COMPARISONS = ("bounds", "systems", "window")


def choices_of(options: Mapping[str, Any]) -> EvaluationChoices:
    """Return the preset with the changed options; bounds and systems named here must exist."""
    if options["preset"] not in PRESETS:
        raise Refused(f"There is no preset {options['preset']!r}; choose from {', '.join(PRESETS)}.")
    preset, names = PRESETS[options["preset"]], {system_name(path.name) for path in options["outputs"]}
    if unknown := sorted({*options["bounds"], *options["systems"]} - names):
        raise Refused(f"There is no output {unknown[0]!r}; the outputs are {', '.join(sorted(names))}.")
    if options["human"] is None and (options["hybrids"] or preset.hybrids):
        raise Refused("Mixtures of systems need people's scores of sentences; give the file with --human.")
    if not any(options[name] for name in FILES) and any(options[name] for name in OF_COMPARISONS):
        raise Refused("A comparison with people needs their judgments; give --human, --human-systems or --judgments.")
    seed = preset.seed if options["seed"] is None else options["seed"]
    if not 0 <= seed <= LARGEST_SEED:
        raise Refused(f"The seed must lie between 0 and {LARGEST_SEED}.")
    bounds = preset.bounds | set(options["bounds"]) | (names - set(options["systems"] or names))
    correlated = preset.correlated
    if (size := options["window"]) is not None:
        most = len(compared_names(sorted(names), bounds, options["systems"]))
        if not FEWEST_SYSTEMS <= size <= most:
            raise Refused(f"A window holds {FEWEST_SYSTEMS} to {most} of these systems, not {size}.")
        correlated = replace(correlated, window=size)
    return replace(
        preset,
        metrics=tuple(options["metrics"].split(",")) if options["metrics"] else preset.metrics,
        hybrids=preset.hybrids or options["hybrids"],
        systems=frozenset(options["systems"]),
        bounds=bounds,
        seed=seed,
        correlated=correlated,
    )


class PeopleFiles(NamedTuple):
    """What the files say of the outputs in `names`: scores of all sentences, scores of systems, and rankings."""

    names: tuple[str, ...]
    human: np.ndarray | None
    of_systems: Sequence[MetricScores]
    judged: Sequence[JudgedFile]


def read_people(
    options: Mapping[str, Any], choices: EvaluationChoices, outputs: Mapping[str, Sequence[str]], errors: TextIO
) -> PeopleFiles:
    """Read all files of people's judgments, before anything is scored; report what of rankings is left out."""
    judged = [read_judgments(given_file(path), outputs, options["numbered_from"]) for path in options["judgments"]]
    if len({one.name for one in judged}) < len(judged):
        raise Refused("Two files of judgments have the same name; rename one, so that the table can tell them apart.")
    errors.writelines(f"{note}\n" for one in judged for note in one.notes)
    given, human = tuple(outputs), None
    if options["human"]:
        sentences = len(outputs[given[0]])
        names, human = read_human(given_file(options["human"]), given, sentences, choices.bounds, choices.systems)
    else:
        names = compared_names(given, choices.bounds, choices.systems)
    file = options["human_systems"]
    return PeopleFiles(names, human, read_human_systems(given_file(file), names) if file else [], judged)


def compare_with_people(
    choices: EvaluationChoices, people: PeopleFiles, counted: Sequence[int] | None, scored: Sequence[Scored],
    others: Sequence[Outside], errors: TextIO,
) -> list[Table]:  # fmt: skip
    """Return the tables that compare metrics with people; report what could not be computed.

    `counted` are the sentences that count if not all do.
    """
    names = people.names
    places = [scored[0].names.index(name) for name in names]
    outside = tuple(replace(one.scores, scores=one.scores.scores[..., places]) for one in others)
    rows = slice(None) if counted is None else list(counted)
    human = np.empty((0, len(names))) if people.human is None else people.human[rows]
    sides = Sides(names, human, tuple(scored), outside, choices)
    parts, by_people = list[Table | Gap](), list[HumanScores]()
    if people.human is not None:
        parts += tables_against_people(sides)
        by_people.append(sides.people)
    by_people += [HumanScores(one.metric, one.scores) for one in people.of_systems]
    sentences = scored[0].candidates.chosen.shape[1]
    drawn, places_counted = times_drawn(sentences), range(sentences) if counted is None else counted
    for one in people.judged:
        ballots, systems, _ = one.ballots(places_counted)
        signature = recipe_of_rankings(one.digest, ballots, choices)
        parts.append(Table.of("signatures", ("metric", "signature"), [(f"{AGAINST}: {one.name}", signature)]))
        for part in people_of(one.name, ballots, systems, names, drawn, choices.methods):
            if isinstance(part, Gap):
                parts.append(part)
            else:
                by_people.append(part)
    parts += overview.overview(by_people, sides.metrics, choices.seed, choices.correlated)
    parts += overview.windows_of(by_people, sides.metrics, choices.correlated)
    errors.writelines(f"{part.name}: {part.reason}\n" for part in parts if isinstance(part, Gap))
    return [part for part in parts if isinstance(part, Table)]


def average_of(folders: Sequence[Path], say: Callable[[str], Any], errors: TextIO) -> tuple[Table, dict[str, str]]:
    """Average the overviews in such folders, and print the table; return it, and the files for papers."""
    files = (given_file(folder / f"{overview.NAME}.csv") for folder in folders)
    table, left_out = overview.averages([list(csv.DictReader(read_lines(file))) for file in files])
    if not table.rows:
        raise Refused("No metric and ranking by people is in all of these tables, so there is nothing to average.")
    if left_out:
        errors.write(f"Left out, because not all of these tables have it: {', '.join(left_out)}.\n")
    shown = _without(table, ("_min", "_max"))
    say(to_markdown(shown, 3))
    return table, {f"{table.name}.md": to_markdown(shown), f"{table.name}.tex": to_latex(shown)}


def summary_of(tables: Iterable[Table]) -> str:
    """Return the correlations over systems, one per row, and the overview."""
    by_name = {table.name: table for table in tables}
    text = ""
    if table := by_name.get("metric_correlations"):
        text += to_markdown(replace(table, rows=tuple(row for row in table.rows if str(row[1]).startswith(SYSTEM))), 3)
    if table := by_name.get(overview.NAME):
        text += to_markdown(_without(table, ("_low", "_high")), 3)
    return text


def claims_of(tables: Iterable[Table]) -> str:
    """Which metric agrees with people, by each way of scoring by people: what may be said and what not."""
    by_name = {table.name: table for table in tables}
    if overview.NAME not in by_name or not find_spec("django"):
        return ""
    from ranking.reports.answers import in_lists
    from ranking.reports.kinds.metric_claims import claims_on_metrics

    ways = dict.fromkeys(map(str, by_name[overview.NAME].column("people")))
    found = ((way, claims_on_metrics(by_name, way, LEVEL)) for way in ways if not way.endswith(overview.INLIER))
    return "".join(f"\n{way}\n\n{in_lists(*claims)}\n\n" for way, (*claims, _) in found if any(claims))


def to_paste(tables: Collection[Table]) -> dict[str, str]:
    """The overview for papers, as Markdown and LaTeX, and a chart for each way of scoring by people."""
    table = next((table for table in tables if table.name == overview.NAME), None)
    if table is None:
        return {}
    pasted = _without(table)
    files = {f"{overview.NAME}.md": to_markdown(pasted), f"{overview.NAME}.tex": to_latex(pasted)}
    if not find_spec("django"):
        return files
    from judgments.charts.svg import to_svg
    from ranking.charts.metrics import metric_correlations

    for number, way in enumerate(dict.fromkeys(map(str, table.column("people"))), 1):
        charts = metric_correlations(overview.by_way(table, way))
        files |= {f"{overview.NAME}_{number}.svg": to_svg(one) for one in charts if one.svg}
    return files


def _without(table: Table, endings: tuple[str, ...] = ()) -> Table:
    """Leave out columns with such endings, and those without any value."""
    kept = [
        place
        for place, name in enumerate(table.columns)
        if not name.endswith(endings) and any(row[place] is not None for row in table.rows)
    ]
    columns = (table.columns[place] for place in kept)
    return Table.of(table.name, tuple(columns), [tuple(row[place] for place in kept) for row in table.rows])
