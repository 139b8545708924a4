"""Make a report in this process, without a worker, and write its files.

A preset sets all parameters, and options change single ones. Which parameters there are depends on the protocol of the
campaign; docs/statistics.md explains them, and docs/citing.md which preset follows which paper. Examples:

  python manage.py build_report mytask
  python manage.py build_report mytask --preset grundkiewicz2015 --seed 17 --out report/
  python manage.py build_report mytask --method expected-wins bradley-terry --unit sentence --replicates 2000
  python manage.py build_report mytask --systems AMU CAMB CUUI --sentences all
  python manage.py build_report myverdicts --preset madnani2011 --cuts 0.5 0.8 1
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.jobs.attempts import run_now
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign, Job
from ranking.reports import building, downloads, report_job
from ranking.reports.kinds.registry import KINDS, kind_for, kind_named
from ranking.reports.page import missing_of
from ranking.stats.choices import ANSWERS, JUDGED_BY, ParametersError
from ranking.stats.comparisons.study import (
    BROADEST,
    CORRELATIONS,
    FOLDINGS,
    INTERVALS,
    LOOKS,
    SENTENCES,
    TESTS,
    WEIGHTS,
)
from ranking.stats.corrections.scoring import DrawnBy
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.uncertainty import RULES
from ranking.stats.resampling import Unit
from ranking.stats.verdicts.study import AUTHORITIES

PRESETS = list(dict.fromkeys(name for kind in map(kind_named, KINDS) for name in kind.presets))
UNITS = f"{', '.join((BROADEST, *Unit))}; corrections: {', '.join(DrawnBy)}"
CHOICES = {choice.name for kind in map(kind_named, KINDS) for choice in fields(kind.parameters)}


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        argument("--study", choices=list(KINDS), default="", help="what it is about (default: the protocol decides)"),
        argument("--preset", choices=PRESETS, default="recommended", help="default: recommended"),
        argument("--method", dest="methods", nargs="+", choices=list(METHODS), help="ranking methods"),
        argument("--unit", metavar="UNIT", help=f"the unit of resampling: {UNITS}"),
        argument("--replicates", type=int, metavar="N", help="number of replicates (default 1000)"),
        argument("--level", type=float, metavar="P", help="level of intervals and rank ranges (default 0.95)"),
        argument("--clusters", choices=list(RULES), help="the rule for clusters"),
        argument("--test", choices=TESTS, help="the test of head-to-head comparisons"),
        argument("--weights", choices=WEIGHTS, help="weigh sentences by the probability with which they were drawn"),
        argument("--looks", choices=LOOKS, help="tests for one look at the end, or for any time before"),
        argument("--folds", choices=FOLDINGS, help="how accuracy is cross-validated"),
        argument("--intervals", choices=INTERVALS, help="moderated for few sentences, or percentiles as they are"),
        argument("--delta", type=float, metavar="D", help="scores that differ by at most this are equivalent"),
        argument("--correlations", choices=CORRELATIONS, help="correlations of metrics, plain or as published"),
        argument("--sentences", choices=SENTENCES, help="the sentences that scores of systems by metrics count"),
        argument("--systems", nargs="+", metavar="NAME", help="analyse these systems alone (default: all)"),
        argument("--judged-by", choices=JUDGED_BY, help="whose judgments count (default: people)"),
        argument("--answers", choices=ANSWERS, help="independent (default), revised after feedback, or adjudicated"),
        argument("--cuts", type=float, nargs="+", metavar="P", help="verdicts: ends of bins of agreement, 0.5 to 1"),
        argument("--experts", choices=AUTHORITIES, help="verdicts: compare with experts' majority, or each"),
        argument("--most-judges", type=int, metavar="N", help="verdicts: the largest crowd to compare with experts"),
        argument("--draws", type=int, metavar="N", help="verdicts: number of crowds drawn (default 100)"),
        argument("--beta", type=float, metavar="N", help="corrections: the weight of recall (default 0.5)"),
        argument("--most-subsets", type=int, metavar="N", help="corrections: most subsets of judges (default 4096)"),
        argument("--documents", type=int, metavar="N", help="corrections: compare the first N documents alone"),
        argument("--least-edits", type=int, metavar="N", help="corrections: least edits of a category"),
        argument(
            "--least-share", type=float, metavar="P", help="corrections: least share of sentences seen by a judge"
        ),
        argument("--seed", type=int, metavar="N", help="the same seed gives the same numbers (default 0)"),
        argument("--out", type=Path, metavar="DIR", help="a folder for the files"),
    )

    def run(self, campaign: Campaign, preset: str, out: Path | None, options: dict[str, Any]) -> str:
        given = {name: options[name] for name in CHOICES if options.get(name) is not None}
        kind = kind_for(campaign.protocol, options["study"])
        try:
            chosen = kind.preset_for(campaign, preset).changed(**given)
        except ParametersError as reason:
            raise CommandError(str(reason)) from reason
        report = building.create_report(campaign, None, preset, chosen, study=kind.name)
        run_now(report, report_job.make_alone)
        report.refresh_from_db()
        if report.state != Job.State.DONE:
            raise CommandError(report.error)
        for titles, why in missing_of(kind, report.gaps):
            self.stderr.write(f"{titles}: {why}")
        files = downloads.report_files(report)
        if out:
            out.mkdir(parents=True, exist_ok=True)
            for file in files:
                (out / file.name).write_text(file.text, encoding="utf-8", newline="\n")
            return f"{out}: {len(files)} files. {report.signature}"
        return downloads.report_file(report, f"{kind.headline}.md").text
