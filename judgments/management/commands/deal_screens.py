"""Deal screens to seats and open the campaign."""

from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from judgments import campaigns, launching
from judgments.management.base import PlatformCommand
from judgments.models import Campaign, Screen
from judgments.rules.presets import PRESETS

SETTINGS = (
    "design", "screen_size", "redundancy", "batch_size", "repeat_share", "control_share", "automatic_ties",
    "one_domain_a_day", "seed",
)  # fmt: skip


class Command(PlatformCommand):
    """deal_screens CAMPAIGN"""

    help = """Deal screens to seats by the campaign's settings and seed, and open it for judging.

What is given here is stored with the campaign. The same material, settings and seed deal the same screens. Examples:

  python manage.py deal_screens mytask
  python manage.py deal_screens mytask --preset grundkiewicz2015 --screens 600
  python manage.py deal_screens mytask --design complete --redundancy 3 --make-controls --control-share 0.1
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("--preset", choices=list(PRESETS), help="begin with the settings of a published study")
        parser.add_argument("--screens", type=int, help="how many, where sentences are drawn (default: as many as fit)")
        parser.add_argument("--design", choices=Campaign.Design.values, help="draw sentences, or show everything")
        parser.add_argument("--screen-size", type=int, metavar="M", help="the most candidates on one screen")
        parser.add_argument("--redundancy", type=int, metavar="K", help="how many judges see each screen")
        parser.add_argument("--batch-size", type=int, help="screens a judge does in one sitting")
        parser.add_argument("--repeat-share", type=float, help="share of a batch shown again to the same judge")
        parser.add_argument("--control-share", type=float, help="share of screens with a control and its source")
        parser.add_argument("--make-controls", action="store_true", help="make controls from the source sentences")
        parser.add_argument(
            "--automatic-ties", action=BooleanOptionalAction, help="count drawn sentences without a difference as ties"
        )
        parser.add_argument("--one-domain-a-day", action=BooleanOptionalAction, help="keep a judge to one domain a day")
        parser.add_argument("--seed", type=int, help="the seed of the deal (default: the campaign's own)")
        parser.add_argument("--keep-closed", action="store_true", help="do not open the campaign yet")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        preset = campaigns.preset(options["preset"]) if options["preset"] else {}
        given = {name: options[name] for name in SETTINGS if options[name] is not None}
        dealt = launching.launch(
            campaign, preset | given, options["screens"], options["make_controls"], not options["keep_closed"], self.bar
        )
        automatic = f" {dealt.automatic} drawn sentences without a difference count as ties." if dealt.automatic else ""
        there = Screen.objects.filter(campaign=campaign).exclude(batch=None).count()
        more = f" more, {there} in all," if there > dealt.screens else ""
        batches = f"{dealt.batches} batch{'es' * (dealt.batches != 1)}"
        return (
            f"{campaign.slug}: {dealt.screens} screens{more} in {batches}, {dealt.seats} seats, "
            f"seed {campaign.seed}.{automatic}"
        )
