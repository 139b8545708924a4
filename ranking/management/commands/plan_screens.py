"""Preview the plan: screens, assignments, batches, hours of work, comparisons per pair of systems.

Nothing is stored. The options are those of assign_screens. With --power, judges are simulated to say what the screens
would resolve, under assumptions that you can change; by default they are those of the rankings of 2015. --compare sets
the ways of choosing sentences side by side. Examples:

  python manage.py plan_screens mytask --redundancy 3 --screens 600
  python manage.py plan_screens mytask --screens 600 --power --spread 0.05
"""

from typing import Any

from judgments.assignment import planning
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.management.plan_options import PLAN, settings_of
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.numbers.tables import Table, to_markdown
from ranking.power.predicting import CAMPAIGNS, JUDGES, AnyAssumptions, Wanted, assumptions_of, compare, predict
from ranking.stats.power.worlds import Assumptions

HEADER = "judgments  hours  pairs resolved (80 % of campaigns)  best is first  ranks a system  detects"


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        *PLAN,
        argument("--power", action="store_true", help="simulate judges, and say what the screens would resolve"),
        argument("--compare", action="store_true", help="with --power: compare the ways of choosing sentences, too"),
        argument("--spread", type=float, metavar="S",
                 help="standard deviation of the systems' Expected Wins (default .076), or precision and recall (.05)"),
        argument("--ties", type=float, metavar="P", help="share of compared pairs that tie (default .278)"),
        argument("--agreement", type=float, metavar="P",
                 help="how often two judges who both prefer one of two versions agree (default .82)"),
        argument("--errors", type=float, metavar="P", help="verdicts: share of usages that are errors (default .5)"),
        argument("--precision", type=float, metavar="P", help="verdicts: of systems, on average (default .6)"),
        argument("--recall", type=float, metavar="P", help="verdicts: of systems, on average (default .5)"),
        argument("--accuracy", type=float, metavar="P",
                 help="verdicts: how often one other than unknown is right (default .85)"),
        argument("--unknown", type=float, metavar="P", help="verdicts: share of unknown ones (default .05)"),
        argument("--judges", type=int, default=JUDGES, metavar="N", help=f"number of judges (default {JUDGES})"),
        argument("--campaigns", type=int, default=CAMPAIGNS, metavar="N",
                 help=f"number of simulated campaigns (default {CAMPAIGNS})"),
    )  # fmt: skip

    def run(self, campaign: Campaign, screens: int | None, power: bool, options: dict[str, Any]) -> str:
        chosen = settings_of(campaign, options)
        plan, pace = planning.plan(campaign, chosen, screens), planning.pace(campaign)
        apart = f"\nNever compared: {', '.join(' and '.join(pair) for pair in plan.apart)}." if plan.apart else ""
        automatic = f" and {plan.automatic} automatic ties" if plan.automatic else ""
        preview = (
            f"{plan.screens} screens{automatic} in {plan.batches} batches of at most {plan.longest}, "
            f"{plan.assignments} assignments, "
            f"{plan.hours:.1f} hours at {pace.seconds:.0f} seconds a screen.\n"
            f"Comparisons per pair: {plan.fewest} to {plan.most}, median {plan.median:g}.{apart}"
        )
        if not power:
            return preview
        if options["judges"] < 1 or options["campaigns"] < 1:
            raise Refused("Give at least one judge and one simulated campaign.")
        assumptions = assumptions_of(campaign, options)
        wanted = Wanted(chosen, screens, assumptions, options["judges"], options["campaigns"],
                        compare=options["compare"])  # fmt: skip
        table = predict(campaign, wanted, lambda _, done: self.bar(done, wanted.campaigns))
        compared = ""
        if wanted.compare:
            ways = compare(campaign, wanted, lambda done: self.bar(done, wanted.campaigns))
            compared = f"\n\n{to_markdown(ways)}\nScores and tau are compared with the truth of the whole collection."
        return f"{preview}\n\n{_described(table, assumptions)}{compared}"


def _described(table: Table, assumptions: AnyAssumptions) -> str:
    if not isinstance(assumptions, Assumptions):
        return to_markdown(table)
    lines = [
        f"If the systems' scores have a standard deviation of {assumptions.spread:g}, {assumptions.ties:.0%} of pairs "
        f"tie and judges agree on {assumptions.agreement:.0%} of the others:",
        HEADER,
    ]
    for point in table.dicts():
        least = "nothing" if point["detectable"] is None else f"{point['detectable']:.3f}"
        band = f"({point['resolved_low']:.0f} to {point['resolved_high']:.0f})"
        lines.append(
            f"{point['judgments']:>9,}  {point['hours']:>5.1f}  {point['resolved']:>14.1f} {band:<20}  "
            f"{point['best_found']:>12.0%}  {point['ranks']:>14.1f}  {least:>7}"
        )
    lines.append("It detects a difference of scores that is resolved in four of five campaigns.")
    return "\n".join(lines)
