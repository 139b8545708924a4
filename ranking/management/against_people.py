"""Metrics set against people's scores of the same outputs, from files."""

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from judgments.rules.errors import Refused
from judgments.rules.files.names import system_name
from ranking.management.metrics import given_file
from ranking.metrics.scoring import Scored
from ranking.numbers.tables import Gap, Table, to_latex, to_markdown
from ranking.scores.files import read_lines
from ranking.scores.outside import Outside
from ranking.scores.people import JudgedFile, compared_names, read_human, read_human_systems, read_judgments
from ranking.stats.choices import LARGEST_SEED
from ranking.stats.metaevaluation import overview
from ranking.stats.metaevaluation.correlations import FEWEST_SYSTEMS, SYSTEM, CorrelationChoices
from ranking.stats.metaevaluation.evaluation import (
    AGAINST,
    PRESETS,
    EvaluationChoices,
    Sides,
    people_of,
    recipe_of_rankings,
    tables_against_people,
)
from ranking.stats.metaevaluation.scores import HumanScores, times_drawn

# The options that name files with people's judgments.
FILES = ("human", "human_systems", "judgments")
# Those that mean nothing without one of them.
OF_COMPARISONS = ("bounds", "systems", "window")


class HumanFiles(NamedTuple):
    """Files of people's scores of sentences and of systems, and rankings; some may be missing."""

    sentences: Path | None
    systems: Path | None
    judged: Sequence[JudgedFile]
    choices: EvaluationChoices
    # The number of sentences in files, and those that count if not all do.
    in_files: int
    counted: Sequence[int] | None


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
    return replace(
        preset,
        metrics=tuple(options["metrics"].split(",")) if options["metrics"] else preset.metrics,
        hybrids=preset.hybrids or options["hybrids"],
        systems=frozenset(options["systems"]),
        bounds=bounds,
        seed=seed,
        correlated=_correlated(options, preset.correlated, sorted(names), bounds),
    )


def _correlated(
    options: Mapping[str, Any], preset: CorrelationChoices, names: Sequence[str], bounds: Collection[str]
) -> CorrelationChoices:
    size = options["window"]
    most = len(compared_names(names, bounds, options["systems"])) if size is not None else 0
    if size is not None and not FEWEST_SYSTEMS <= size <= most:
        raise Refused(f"A window holds {FEWEST_SYSTEMS} to {most} of these systems, not {size}.")
    return replace(preset, window=size or preset.window)


def read_rankings(options: Mapping[str, Any], outputs: Mapping[str, Sequence[str]], errors: TextIO) -> list[JudgedFile]:
    """Read the files of rankings, and report what of them is left out."""
    found = [read_judgments(given_file(path), outputs, options["numbered_from"]) for path in options["judgments"]]
    if len({one.name for one in found}) < len(found):
        raise Refused("Two files of judgments have the same name; rename one, so that the table can tell them apart.")
    errors.writelines(f"{note}\n" for one in found for note in one.notes)
    return found


def compare_with_people(
    people: HumanFiles, scored: Sequence[Scored], others: Iterable[Outside], errors: TextIO
) -> list[Table]:
    """Return the tables that compare metrics with people; report what could not be computed."""
    parts = list(_compared(people, scored, list(others)))
    for gap in (part for part in parts if isinstance(part, Gap)):
        errors.write(f"{gap.name}: {gap.reason}\n")
    return [part for part in parts if isinstance(part, Table)]


def _compared(people: HumanFiles, scored: Sequence[Scored], others: Sequence[Outside]) -> Iterator[Table | Gap]:
    choices, outputs = people.choices, scored[0].names
    if people.sentences:
        names, human = read_human(
            given_file(people.sentences), outputs, people.in_files, choices.bounds, choices.systems
        )
        human = human if people.counted is None else human[list(people.counted)]
    else:
        names = compared_names(outputs, choices.bounds, choices.systems)
        human = np.empty((0, len(names)))
    places = [outputs.index(name) for name in names]
    outside = tuple(replace(one.scores, scores=one.scores.scores[..., places]) for one in others)
    sides, by_people = Sides(names, human, tuple(scored), outside, choices), list[HumanScores]()
    if people.sentences:
        yield from tables_against_people(sides)
        by_people.append(sides.people)
    if people.systems:
        found = read_human_systems(given_file(people.systems), names)
        by_people += [HumanScores(one.metric, one.scores) for one in found]
    sentences = scored[0].candidates.chosen.shape[1]
    drawn, counted = times_drawn(sentences), range(sentences) if people.counted is None else people.counted
    for one in people.judged:
        ballots, systems, _ = one.ballots(counted)
        signature = recipe_of_rankings(one.digest, ballots, choices)
        yield Table.of("signatures", ("metric", "signature"), [(f"{AGAINST}: {one.name}", signature)])
        for part in people_of(one.name, ballots, systems, names, drawn, choices.methods):
            if isinstance(part, Gap):
                yield part
            else:
                by_people.append(part)
    yield from overview.overview(by_people, sides.metrics, choices.seed, choices.correlated)


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


def to_paste(tables: Collection[Table]) -> dict[str, str]:
    """The overview for papers, as Markdown and LaTeX, and a chart for each way of scoring by people."""
    table = next((table for table in tables if table.name == overview.NAME), None)
    if table is None:
        return {}
    pasted = _without(table)
    files = {f"{overview.NAME}.md": to_markdown(pasted), f"{overview.NAME}.tex": to_latex(pasted)}
    return files | _charts(table) if find_spec("django") else files


def _without(table: Table, endings: tuple[str, ...] = ()) -> Table:
    """Leave out columns with such endings, and those without any value."""
    kept = [
        place
        for place, name in enumerate(table.columns)
        if not name.endswith(endings) and any(row[place] is not None for row in table.rows)
    ]
    columns = (table.columns[place] for place in kept)
    return Table.of(table.name, tuple(columns), [tuple(row[place] for place in kept) for row in table.rows])


def _charts(table: Table) -> dict[str, str]:
    from judgments.charts.svg import to_svg
    from ranking.charts.metrics import metric_correlations

    ways = list(dict.fromkeys(map(str, table.column("people"))))
    charts = {number: metric_correlations(overview.by_way(table, way)) for number, way in enumerate(ways, 1)}
    return {
        f"{overview.NAME}_{number}.svg": to_svg(one) for number, found in charts.items() for one in found if one.svg
    }
