"""Make a report in this process, without a worker, and write its files.

A preset sets all parameters, and options change single ones. Which parameters there are depends on the protocol of the
campaign; docs/statistics.md explains them, and docs/citing.md which preset follows which paper. Examples:

  python manage.py build_report mytask
  python manage.py build_report mytask --preset grundkiewicz2015 --seed 17 --out report/
  python manage.py build_report mytask --methods expected-wins bradley-terry --unit sentence --replicates 2000
  python manage.py build_report mytask --systems AMU CAMB CUUI --sentences all
  python manage.py build_report myverdicts --preset madnani2011 --cuts 0.5 0.8 1
"""

from collections.abc import Iterator
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.jobs.attempts import run_now
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign, Job
from ranking.reports import building, downloads, report_job
from ranking.reports.kinds.kind import KINDS, answer_of, kind_for, kind_named
from ranking.reports.page import missing_of
from ranking.stats.choices import WORDS, ParametersError

KINDS_BY_NAME = {name: kind_named(name) for name in KINDS}
PRESETS = list(dict.fromkeys(name for kind in KINDS_BY_NAME.values() for name in kind.presets))


def options() -> Iterator[Any]:
    """An option for each parameter of any kind of report; what several kinds share says what the first one says."""
    known: dict[str, dict[str, Field]] = {}
    for name, kind in KINDS_BY_NAME.items():
        for choice in fields(kind.parameters):
            known.setdefault(choice.name, {})[name] = choice
    for name, by_kind in known.items():
        first, choice = next(iter(by_kind.items()))
        words = {one.metadata.get("among") or WORDS.get(name, ()) for one in by_kind.values()}
        says = choice.metadata.get("says") or f"{name.replace('_', ' ')} (default {choice.default})"
        many = {"nargs": "+"} if isinstance(choice.default, tuple) else {}
        default: Any = choice.default
        one = default[0] if default and many else default
        among = {"choices": words.pop()} if len(words) == 1 and any(words) else {"metavar": name.upper()}
        about = "" if len(by_kind) > 1 or first == "comparisons" else f"{first}: "
        yield argument(
            f"--{name.replace('_', '-')}", dest=name, type=str if one == () else type(one),
            help=about + says.replace("%", "%%"), **many, **among,
        )  # fmt: skip


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        argument("--study", choices=list(KINDS), default="", help="what it is about (default: the protocol decides)"),
        argument("--preset", choices=PRESETS, default="recommended", help="default: recommended"),
        *options(),
        argument("--out", type=Path, metavar="DIR", help="a folder for the files"),
    )

    def run(self, campaign: Campaign, preset: str, out: Path | None, options: dict[str, Any]) -> str:
        named = {choice.name for kind in KINDS_BY_NAME.values() for choice in fields(kind.parameters)}
        given = {name: options[name] for name in named if options.get(name) is not None}
        kind = kind_for(campaign.protocol, options["study"])
        try:
            chosen = kind.preset_for(campaign, preset).with_changes(**given)
        except ParametersError as reason:
            raise CommandError(str(reason)) from reason
        building.check_judged(campaign)
        report = building.create_report(campaign, None, preset, chosen, study=kind.name)
        run_now(report, report_job.make_alone)
        report.refresh_from_db()
        if report.state != Job.State.DONE:
            raise CommandError(report.error)
        for titles, why in missing_of(kind, report.gaps):
            self.stderr.write(f"{titles}: {why}")
        tables = downloads.tables_of(report)
        files, answer = downloads.report_files(report, tables), answer_of(report, tables)
        said = answer.text() if answer else "It answers nothing yet."
        if out:
            out.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (out / name).write_text(text, encoding="utf-8", newline="\n")
            return f"{said}\n\nReport {report.pk}: {len(files)} files in {out}. {report.signature}"
        self.stderr.write(f"Report {report.pk}: {said}")
        return downloads.report_file(report, f"{kind.headline}.md")
