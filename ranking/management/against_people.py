"""Metrics set against people's scores of the same outputs, from files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from judgments.rules.errors import Refused
from judgments.rules.files.names import system_name
from ranking.management.metrics import given
from ranking.metrics.scoring import Scored
from ranking.numbers.tables import Gap, Table, to_markdown
from ranking.scores.outside import Outside
from ranking.scores.people import read_human
from ranking.stats.choices import LARGEST_SEED
from ranking.stats.metaevaluation.evaluation import PRESETS, Choices, tables_against_people
from ranking.stats.metaevaluation.human_agreement import Sides
from ranking.stats.metaevaluation.tables import SYSTEM


def choices_of(options: Mapping[str, Any]) -> Choices:
    """Return the preset with the changed options; bounds named here must exist."""
    if options["preset"] not in PRESETS:
        raise Refused(f"There is no preset {options['preset']!r}; choose from {', '.join(PRESETS)}.")
    preset, names = PRESETS[options["preset"]], {system_name(path.name) for path in options["outputs"]}
    if unknown := sorted({*options["bounds"], *options["systems"]} - names):
        raise Refused(f"There is no output {unknown[0]!r}; the outputs are {', '.join(sorted(names))}.")
    if options["human"] is None and (options["hybrids"] or options["bounds"] or options["systems"] or preset.hybrids):
        raise Refused("A comparison with people needs their scores; give the file with --human.")
    seed = preset.seed if options["seed"] is None else options["seed"]
    if not 0 <= seed <= LARGEST_SEED:
        raise Refused(f"The seed must lie between 0 and {LARGEST_SEED}.")
    return replace(
        preset,
        metrics=tuple(options["metrics"].split(",")) if options["metrics"] else preset.metrics,
        hybrids=preset.hybrids or options["hybrids"],
        bounds=preset.bounds | set(options["bounds"]) | (names - set(options["systems"] or names)),
        seed=seed,
    )


def compare_with_people(
    path: Path, scored: Sequence[Scored], others: Iterable[Outside], choices: Choices, errors: TextIO
) -> list[Table]:
    """Return the tables that compare metrics with people; report what could not be computed."""
    sentences = len(scored[0].candidates.chosen[0])
    human = read_human(given(path), scored[0].names, sentences, choices.bounds)
    places = [scored[0].names.index(name) for name in human.names]
    outside = tuple(replace(one.scores, scores=one.scores.scores[..., places]) for one in others)
    sides = Sides(human, tuple(scored), choices.macro, outside)
    parts = list(tables_against_people(sides, choices))
    for gap in (part for part in parts if isinstance(part, Gap)):
        errors.write(f"{gap.name}: {gap.reason}\n")
    return [part for part in parts if isinstance(part, Table)]


def shown_correlations(tables: Iterable[Table]) -> str:
    """Return the correlations over systems, one per row."""
    table = next(table for table in tables if table.name == "metric_correlations")
    return to_markdown(replace(table, rows=tuple(row for row in table.rows if str(row[1]).startswith(SYSTEM))), 3)
