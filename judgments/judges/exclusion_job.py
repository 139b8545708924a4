"""The rule of exclusion by a worker, where it takes longer than somebody waits for a page."""

from django.db import IntegrityError, transaction

from judgments.jobs.attempts import Attempt
from judgments.judges import exclusion
from judgments.judges.exclusion import Applied
from judgments.models import Campaign, Ruling
from judgments.models.counts import judges_in, judgments_by
from judgments.models.journal import acting
from judgments.models.members import Visitor
from judgments.rules.errors import Refused

# What takes a few seconds and may be done while somebody waits.
MOST_JUDGMENTS_AT_ONCE = 200_000
MISFIT = "The rule was not applied."
LOOKING = "looking at judges"
ON_ITS_WAY = "The rule is being applied already. Wait until that is over, or cancel it."


def carry_out(campaign: Campaign, user: Visitor) -> Applied | Ruling:
    """Apply the rule while somebody waits, or ask for a worker where there are very many judgments."""
    if judgments_by(judges_in(campaign)) > MOST_JUDGMENTS_AT_ONCE:
        return ask(campaign, user)
    return exclusion.apply_rule(campaign)


def ask(campaign: Campaign, user: Visitor) -> Ruling:
    """A ruling that waits for a worker; one at a time."""
    try:
        with transaction.atomic():
            return Ruling.objects.create(campaign=campaign, asked_by_id=user.pk)
    except IntegrityError as error:
        raise Refused(ON_ITS_WAY) from error


def run(ruling_id: int) -> None:
    """Carry out a queued ruling; a second call for the same one, or a call too late, does nothing.

    Every judge is decided in a transaction of its own, so what was decided before it is cancelled stays.
    """
    attempt = Attempt.begun(Ruling.objects.all(), ruling_id, MISFIT)
    if attempt is None:
        return
    with attempt.going_on():
        attempt.step(LOOKING, 0.0)
        ruling = Ruling.objects.select_related("campaign", "asked_by").get(pk=ruling_id)
        who = ruling.asked_by.get_username() if ruling.asked_by else ""
        with acting(lambda: who):
            applied = exclusion.apply_rule(ruling.campaign, attempt.progress(0.0, 1.0))
        attempt.finish(**applied._asdict())
