"""Assign screens to judges from the campaign's settings and seed, and open the campaign for judging.

Options are stored as settings of the campaign. The same material, settings and seed give the same screens. Examples:

  python manage.py assign_screens mytask
  python manage.py assign_screens mytask --preset grundkiewicz2015 --screens 600
  python manage.py assign_screens mytask --design complete --redundancy 3 --make-controls --control-share 0.1
"""

from typing import Any

from judgments.actions.campaigns import PlanScreens
from judgments.assignment import planning
from judgments.campaigns import settings, steps
from judgments.management.base import CAMPAIGN, PlatformCommand, argument, option
from judgments.models import Campaign, Screen
from judgments.models.campaign import PLAN_SETTINGS


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        *(option(name, field) for name, field in PlanScreens.base_fields.items()),
        argument("--make-controls", action="store_true", help="make controls from the source sentences"),
        argument("--keep-closed", action="store_true", help="do not open the campaign yet"),
    )

    def run(
        self, campaign: Campaign, screens: int | None, make_controls: bool, keep_closed: bool, options: dict[str, Any]
    ) -> str:
        preset = settings.preset(options["preset"], campaign.protocol) if options["preset"] else {}
        chosen = preset | {name: options[name] for name in PLAN_SETTINGS if options[name] is not None}
        assigned = planning.launch(campaign, chosen, screens, make_controls, not keep_closed, self.bar)
        campaign.refresh_from_db()
        ties = f" {assigned.automatic} sampled sentences count as ties, because their outputs do not differ."
        total = Screen.objects.filter(campaign=campaign).exclude(batch=None).count()
        more = f" more, {total} in total," if total > assigned.screens else ""
        later = f" {assigned.later} more will be drawn as judging goes on." if assigned.later else ""
        batches = f"{assigned.batches} batch{'es' * (assigned.batches != 1)}"
        warnings = f"{steps.idle_rule(campaign)} {steps.too_few_judges(campaign)}".strip()
        return (
            f"{campaign.slug}: {assigned.screens} screens{more} in {batches}, {assigned.assignments} assignments, "
            f"seed {campaign.seed}.{ties if assigned.automatic else ''}{later} {warnings}".rstrip()
        )
