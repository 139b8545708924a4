"""Show how much of a campaign is judged, how fast judgments arrive, and what to do next. Example:

python manage.py show_progress mytask
"""

from judgments.campaigns import overview
from judgments.campaigns.steps import next_of, steps_of
from judgments.management.base import CAMPAIGN, PlatformCommand
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN,)

    def run(self, campaign: Campaign) -> str:
        progress = overview.progress(campaign)
        speed = overview.speed(campaign, progress)
        finish = f" At this rate, judging finishes on {speed.finish:%Y-%m-%d %H:%M %Z}." if speed.finish else ""
        step = next_of(campaign, steps_of(campaign, progress))
        return (
            f"{campaign.slug} is {campaign.get_state_display()}: {progress.done} of {progress.assignments} assignments "
            f"judged, {progress.segments} sentences, {progress.screens} screens; {progress.recorded} imported.\n"
            f"{speed.last_hour} judgments in the last hour, {speed.last_day} in the last day.{finish}\n"
            + (f"Next: {step.title}. {step.note or step.gives}" if step else "Nothing is left to do.")
        )
