"""Erase the personal data of a judge from a campaign: name, addresses, links, drafts, and mentions in the journal.

Answers and all numbers stay. --everywhere does so in all campaigns of the account, and deletes the account.
Backups keep the name until they are replaced. Type the name twice. Example:

  python manage.py forget_judge mytask ada --typed ada --everywhere
"""

from judgments.management.base import CAMPAIGN, JUDGE, PlatformCommand, argument
from judgments.models import Membership
from judgments.privacy.erasure import CONFIRM, forget_judge, forget_person
from judgments.privacy.person import Person
from judgments.rules.errors import Refused


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        JUDGE,
        argument("--typed", default="", metavar="JUDGE", help="the name again, to confirm"),
        argument("--everywhere", action="store_true", help="in all campaigns, and delete the account"),
    )

    def run(self, judge: Membership, typed: str, everywhere: bool) -> str:
        if not everywhere:
            return f"The judge is now called {forget_judge(judge, typed)}."
        if typed != judge.pseudonym:
            raise Refused(CONFIRM.format(name=judge.pseudonym))
        return f"The judge is now called {', '.join(forget_person(Person.behind(judge)))}."
