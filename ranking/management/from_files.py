"""Score outputs by automatic metrics, from plain files with a sentence per line; no database is needed.

References are texts, or an M2 file, or both; then metrics on edits read the M2 file, and metrics on texts the texts.
metric_scores.csv, signatures.csv, score_intervals.csv and other tables are written to the folder --out. Examples:

  python manage.py score --source src.txt --outputs A.txt B.txt --references ref0.txt ref1.txt --out scores/
  python manage.py score --outputs A.txt B.txt --m2 gold.m2 --metrics m2,m2:beta=1,i-measure

With people's scores or rankings of the outputs, metrics are compared with people: correlations over systems, accuracy
and tau on sentences, Williams' tests, windows of systems, and soft pairwise accuracy. Examples:

  python manage.py score ... --human segment-scores.csv --bounds source+error --out scores/
  python manage.py score ... --human segment-scores.csv --preset napoles2019 --out scores/
  python manage.py score ... --judgments edit.xml sentence.xml --preset kobayashi2024 --out scores/
  python manage.py score --average scores-of-2014/ scores-of-2019/ --out averages/
"""

import os
import shlex
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from judgments.management.naming import argument, as_called, program
from judgments.rules.errors import Refused, message_of_expected
from judgments.rules.texts.m2 import UNCLEAR
from ranking.management.metrics import (
    ENSEMBLE,
    METRICS_ARGUMENT,
    chosen_metrics,
    given_file,
    given_references,
    score_all,
)
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import SEED, check_lines, merge_tables, tables_of
from ranking.numbers import kernels
from ranking.numbers.tables import Table, to_csv, to_markdown
from ranking.scores.files import (
    is_bound,
    read_lines,
    read_material,
    read_outputs,
    read_sentences,
    warning_of_forms,
    warning_of_spaces,
)

if TYPE_CHECKING:
    from ranking.scores.outside import Outside
    from ranking.scores.people import JudgedFile

ON_PROBLEMS = "Nothing was scored."
PEOPLE = (
    argument(
        "--human", type=Path, metavar="FILE", help="people's scores as CSV: a column per output, a row per sentence"
    ),
    argument(
        "--human-systems", type=Path, metavar="FILE",
        help="people's scores of whole outputs: a line for each system, a column for each way of scoring",
    ),
    argument(
        "--judgments", type=Path, nargs="+", default=[], metavar="FILE",
        help="people's rankings of outputs, in a layout that campaigns import; each gives Expected Wins and TrueSkill",
    ),
    argument(
        "--numbered-from", type=int, choices=(0, 1), metavar="N",
        help="the first number of a sentence in --judgments, 0 or 1 (default: that which fits the outputs)",
    ),
    argument("--window", type=int, metavar="N", help="systems in a window (default: half of them, at least 4)"),
    argument(
        "--bounds", nargs="+", default=[], metavar="NAME",
        help="outputs that are scored but left out of correlations; those named source or reference always are",
    ),
    argument(
        "--systems", nargs="+", default=[], metavar="NAME", help="the outputs to correlate (default: all but bounds)"
    ),
    argument("--hybrids", action="store_true", help="correlate over mixtures of systems too"),
    argument("--seed", type=int, metavar="N", help=f"seed of mixtures (default: {SEED})"),
    argument(
        "--preset", default="recommended", metavar="NAME",
        help="a paper: grundkiewicz2015, napoles2019, kobayashi2024 (SEEDA)",
    ),
)  # fmt: skip
ARGUMENTS = (
    argument("--source", type=Path, metavar="FILE", help="the source (default: that of the M2 file)"),
    argument("--outputs", type=Path, nargs="+", default=[], metavar="FILE"),
    argument("--references", type=Path, nargs="+", default=[], metavar="FILE", help="files or folders"),
    argument("--m2", type=Path, metavar="FILE", help="an M2 file with the edits of all references"),
    argument(
        "--apply-unclear", action="store_true",
        help="apply M2 edits of the types Um and UNK to reference texts (default: they change nothing)",
    ),
    argument(
        "--sentences", metavar="judged|FILE",
        help="the sentences that count: those that people scored or ranked, or those whose numbers a file holds",
    ),
    METRICS_ARGUMENT,
    ENSEMBLE,
    argument(
        "--scores", type=Path, nargs="+", default=[], metavar="FILE",
        help="scores of the outputs by other metrics, in any layout of docs/formats.md",
    ),
    argument(
        "--program", action="append", default=[], metavar="NAME=COMMAND",
        help="a metric that is a program: JSON lines in, JSON lines out, see docs/metrics.md",
    ),
    argument("--time-limit", type=float, default=3600, metavar="SECONDS", help="for each program (default: 3600)"),
    *PEOPLE,
    argument(
        "--average", type=Path, nargs="+", default=[], metavar="DIR",
        help="folders of scores or reports: average their meta_evaluation.csv, one line a metric; score nothing",
    ),
    argument("--out", type=Path, metavar="DIR", help="folder for the tables (default: only print)"),
)  # fmt: skip


def main(words: Sequence[str]) -> int:
    """Run the command without Django, whose set-up takes longer than most scorings; return the exit status."""
    parser = ArgumentParser(
        f"{program()} score", description=as_called(__doc__), formatter_class=RawDescriptionHelpFormatter
    )
    for add_to in ARGUMENTS:
        add_to(parser)
    options = vars(parser.parse_args(words))
    try:
        print(run(options, sys.stdout.write, sys.stderr), end="", flush=True)
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does; discard the rest of the buffer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        message = str(error) if isinstance(error, MetricError) else message_of_expected(error, ON_PROBLEMS)
        if message is None:
            raise
        print(message, file=sys.stderr)
        return 1
    return 0


def run(options: Mapping[str, Any], say: Callable[[str], Any], errors: TextIO) -> str:
    """Score, print what was found, and write the tables; return the closing message."""
    if options["out"] and options["out"].is_file():
        raise Refused(f"{options['out']} is a file; name a folder by --out.")
    if options["average"]:
        from ranking.management.against_people import average_of

        average, files = average_of(options["average"], say, errors)
        return write_tables([average], options["out"], files) if options["out"] else ""
    if not options["outputs"]:
        raise Refused(
            "There is nothing to score; give the outputs with --outputs, or folders of tables with --average."
        )
    choices = None
    of_people = ("human", "human_systems", "judgments", "bounds", "systems", "hybrids", "window")
    is_preset = options["preset"] == "recommended" and options["seed"] is None
    if any(options[name] for name in of_people) or not is_preset:
        from ranking.management import against_people

        choices = against_people.choices_of(options)
    kernels.without_scipy = True
    metrics = chosen_metrics(",".join(choices.metrics) if choices else options["metrics"], options["ensemble"])
    texts, annotated = given_references([*options["references"], *([options["m2"]] if options["m2"] else [])])
    source = read_lines(given_file(options["source"])) if options["source"] else None
    material = read_material(source, texts, annotated, frozenset() if options["apply_unclear"] else UNCLEAR)
    outputs = read_outputs([given_file(path) for path in options["outputs"]])
    errors.write(warning_of_forms(material, outputs) + warning_of_spaces(material, metrics))
    check_lines(material, tuple(outputs), tuple(outputs.values()))
    in_files, counted, people = material.sentences, None, None
    if choices and any(options[name] for name in against_people.FILES):
        people = against_people.read_people(options, choices, outputs, errors)
    if options["sentences"]:
        counted = _counted_sentences(options, in_files, people.judged if people else ())
        material = material.at(counted)
        outputs = {name: tuple(lines[number] for number in counted) for name, lines in outputs.items()}
    others: list[Outside] = []
    if options["scores"] or options["program"]:
        others = list(_outside_of(options, material, outputs, in_files, counted, choices.bounds if choices else ()))
    # What others wrote comes first, since it may be refused, and our metrics may take long.
    scored = score_all(metrics, material, outputs, errors)
    columns = {name: one.systems[name] for one in scored for name in one.main_scores}
    if twice := columns.keys() & {one.scores.metric for one in others}:
        raise Refused(f"Two metrics are called {min(twice)}; rename the file, its column or the program.")
    columns |= {one.scores.metric: one.means for one in others}
    of_systems = zip(scored[0].names, *columns.values(), strict=True)
    say(to_markdown(Table.of("scores", ("system", *columns), of_systems), 4))
    tables = merge_tables([*tables_of(scored), *(table for one in others for table in one.tables(scored[0].names))])
    pasted: dict[str, str] = {}
    if choices and people:
        compared = against_people.compare_with_people(choices, people, counted, scored, others, errors)
        say(against_people.summary_of(compared))
        say(against_people.claims_of(compared))
        tables, pasted = merge_tables([*tables, *compared]), against_people.to_paste(compared)
    return write_tables(tables, options["out"], pasted) if options["out"] else ""


def _counted_sentences(options: Mapping[str, Any], in_files: int, judged: Iterable["JudgedFile"]) -> list[int]:
    """The places of sentences, from 0: those in a file, or those that people scored or ranked."""
    from ranking.scores.people import columns_of, scores_of

    if options["sentences"] != "judged":
        return read_sentences(given_file(Path(options["sentences"])), in_files)
    if options["human"] is None and not options["judgments"]:
        what = "is known from the files of --human and --judgments; give one of these, or a file of numbers"
        raise Refused(f"Which sentences people judged {what}.")
    places = {place for one in judged for place in one.sentences}
    if options["human"]:
        file = given_file(options["human"])
        names = [name for name in columns_of(file) if not is_bound(name)]
        places.update(np.flatnonzero(np.isfinite(scores_of(file, names, in_files)).any(axis=1)).tolist())
    return sorted(places)


def _outside_of(
    options: Mapping[str, Any],
    material: Material,
    outputs: Mapping[str, Sequence[str]],
    in_files: int,
    counted: Sequence[int] | None,
    bounds: Collection[str],
) -> Iterator["Outside"]:
    """Files have scores of all sentences, of which some are counted; programs get these alone."""
    from ranking.scores.outside import by_program, from_file

    may_lack = {name for name in outputs if (is_bound(name) and name not in options["systems"]) or name in bounds}
    for path in options["scores"]:
        for one in from_file(given_file(path), list(outputs), in_files, may_lack):
            yield one.at(counted) if counted else one
    for written in options["program"]:
        name, _, command = written.partition("=")
        if not (name.strip() and command.strip()):
            raise Refused(f"{written!r} is not like NAME=COMMAND, such as --program 'IMPARA=python impara.py'.")
        yield by_program(name.strip(), shlex.split(command), options["time_limit"], material, outputs)


def write_tables(tables: Iterable[Table], out: Path, others: dict[str, str]) -> str:
    """Write tables and other files into a folder, and return the closing message."""
    out.mkdir(parents=True, exist_ok=True)
    files = {f"{table.name}.csv": to_csv(table) for table in tables} | others
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8", newline="")
    return f"{out}: {', '.join(files)}.\n"
