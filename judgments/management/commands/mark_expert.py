"""Mark a judge as an expert, with whom the crowd's verdicts are compared, or as one of the crowd. Examples:

python manage.py mark_expert mytask ada
python manage.py mark_expert mytask ada --no-expert
"""

from judgments.judges import people
from judgments.management.base import CAMPAIGN, JUDGE, PlatformCommand, argument
from judgments.models import Membership


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        JUDGE,
        argument("--no-expert", action="store_true", help="this judge is one of the crowd"),
    )

    def run(self, judge: Membership, no_expert: bool) -> str:
        people.mark(judge, not no_expert)
        return f"{judge.pseudonym} is {'not an expert' if no_expert else 'an expert'}."
