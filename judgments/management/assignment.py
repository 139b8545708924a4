"""Settings of a plan, as options of a command."""

from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Mapping
from typing import Any

from judgments.assignment.planning import PLAN_SETTINGS
from judgments.campaigns import settings
from judgments.campaigns.presets import PRESETS
from judgments.models import Campaign


def add_settings(parser: ArgumentParser) -> None:
    parser.add_argument("--preset", choices=list(PRESETS), help="begin with the settings of a published study")
    parser.add_argument("--screens", type=int, help="number of screens for a sampled design (default: as many as fit)")
    parser.add_argument("--design", choices=Campaign.Design.values, help="sample sentences, or show everything")
    parser.add_argument("--screen-size", type=int, metavar="M", help="the most candidates on one screen")
    parser.add_argument("--redundancy", type=int, metavar="K", help="how many judges see each screen")
    parser.add_argument("--batch-size", type=int, help="screens a judge does in one sitting")
    parser.add_argument("--repeat-share", type=float, help="share of a batch shown again to the same judge")
    parser.add_argument("--control-share", type=float, help="share of screens with a control and its source")
    parser.add_argument(
        "--automatic-ties", action=BooleanOptionalAction, help="count sampled sentences without a difference as ties"
    )
    parser.add_argument("--one-domain-a-day", action=BooleanOptionalAction, help="keep a judge to one domain a day")
    parser.add_argument("--seed", type=int, help="the seed (default: the campaign's own)")


def settings_of(campaign: Campaign, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings given as options or by the preset; all others stay as the campaign has them."""
    preset = settings.preset(options["preset"], campaign.protocol) if options["preset"] else {}
    return preset | {name: options[name] for name in PLAN_SETTINGS if options[name] is not None}
