"""Make a report in this process, and write its files."""

from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.jobs.attempts import run_now
from judgments.management.base import PlatformCommand
from judgments.models import Job
from ranking.reports import building, downloads, report_job
from ranking.reports.kinds.registry import KINDS, kind_for
from ranking.reports.page import missing_of
from ranking.stats.choices import JUDGED_BY, ParametersError
from ranking.stats.comparisons.parameters import CORRELATIONS, FOLDINGS, SCORES, TESTS
from ranking.stats.corrections.scoring import DrawnBy
from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from ranking.stats.verdicts.parameters import AUTHORITIES

PRESETS = list(dict.fromkeys(name for kind in KINDS.values() for name in kind.study.presets))
UNITS = list(dict.fromkeys(unit.value for units in (Unit, DrawnBy) for unit in units))
CHOICES = {choice.name for kind in KINDS.values() for choice in fields(kind.study.parameters)}


class Command(PlatformCommand):
    """build_report CAMPAIGN"""

    help = """Make a report here and now, without a worker, and write its files.

A preset stands for all choices; each can be made otherwise. Which there are depends on the protocol of the campaign;
docs/statistics.md says what they mean. Examples:

  python manage.py build_report mytask
  python manage.py build_report mytask --preset grundkiewicz2015 --seed 17 --out report/
  python manage.py build_report mytask --method expected-wins bradley-terry --unit judge --replicates 2000
  python manage.py build_report myverdicts --preset madnani2011 --cuts 0.5 0.8 1
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("--preset", choices=PRESETS, default="recommended", help="default: recommended")
        parser.add_argument("--method", dest="methods", nargs="+", choices=list(METHODS), help="ways to rank")
        parser.add_argument("--unit", choices=UNITS, help="what is drawn again and again")
        parser.add_argument("--replicates", type=int, metavar="N", help="how often (default 1000)")
        parser.add_argument("--level", type=float, metavar="P", help="of intervals and ranges (default 0.95)")
        parser.add_argument("--clusters", choices=list(RULES), help="the rule by which clusters are made")
        parser.add_argument("--test", choices=TESTS, help="of head-to-head comparisons")
        parser.add_argument("--folds", choices=FOLDINGS, help="how accuracy is cross-validated")
        parser.add_argument("--scores", choices=SCORES, help="from judgments, or the mean of replicates")
        parser.add_argument("--correlations", choices=CORRELATIONS, help="of metrics: plain, or as published")
        verdicts = parser.add_argument_group("for verdicts")
        verdicts.add_argument("--cuts", type=float, nargs="+", metavar="P", help="ends of bins of agreement, 0.5 to 1")
        verdicts.add_argument("--experts", choices=AUTHORITIES, help="held against: their majority, or each of them")
        verdicts.add_argument("--most-judges", type=int, metavar="N", help="of how many it is asked whether they do")
        verdicts.add_argument("--draws", type=int, metavar="N", help="how often so many judges are drawn (default 100)")
        parser.add_argument("--judged-by", choices=JUDGED_BY, help="whose judgments count (default: people)")
        parser.add_argument("--beta", type=float, metavar="N", help="corrections: the weight of recall (default 0.5)")
        parser.add_argument("--most-subsets", type=int, metavar="N", help="corrections: of judges (default 4096)")
        parser.add_argument("--documents", type=int, metavar="N", help="corrections: how the first N alone compare")
        parser.add_argument("--least-edits", type=int, metavar="N", help="corrections: that a category needs")
        parser.add_argument("--least-share", type=float, metavar="P", help="corrections: that a judge judged")
        parser.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same numbers (default 0)")
        parser.add_argument("--out", type=Path, metavar="DIR", help="a folder for the files")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        given = {name: options[name] for name in CHOICES if options.get(name) is not None}
        kind = kind_for(campaign.protocol)
        try:
            chosen = kind.study.preset(options["preset"]).changed(**given)
        except ParametersError as reason:
            raise CommandError(str(reason)) from reason
        report = building.create_report(campaign, None, options["preset"], chosen)
        run_now(report, report_job.make_alone)
        report.refresh_from_db()
        if report.state != Job.State.DONE:
            raise CommandError(report.error)
        for titles, why in missing_of(kind, report.gaps):
            self.stderr.write(f"{titles}: {why}")
        files = downloads.report_files(report)
        if folder := options["out"]:
            folder.mkdir(parents=True, exist_ok=True)
            for file in files:
                (folder / file.name).write_text(file.text, encoding="utf-8", newline="\n")
            return f"{folder}: {len(files)} files. {report.signature}"
        return downloads.report_file(report, f"{kind.headline}.md").text
