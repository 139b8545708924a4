"""A campaign with judges and an organiser, made within a platform: `python -m tests.faults.installing TEXTS JUDGES`."""

import json
import sys
from io import StringIO

import django
from django.core.management import call_command

SLUG = "faults"
ROUNDS = 3
ORGANISER = "olga"


def install(texts: str, judges: int) -> dict[str, object]:
    """Everything by the platform's own verbs; the tokens by which judges and the organiser's program come in."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from django.contrib.auth.models import User

    from judgments.assignment import assigning
    from judgments.campaigns import settings as campaign_settings
    from judgments.campaigns import states
    from judgments.judges import invitations, programs
    from judgments.models import Campaign

    User.objects.create_user(ORGANISER, is_staff=True)
    call_command("import_outputs", SLUG, texts, organiser=ORGANISER, guidance="none", stdout=StringIO())
    complete = Campaign.Design.COMPLETE
    settings = {"design": complete, "redundancy": ROUNDS, "batch_size": 20, "repeat_share": 0.1, "seed": 5}
    campaign = campaign_settings.configure(Campaign.objects.get(slug=SLUG), **settings)
    assigning.assign(campaign)
    states.open_campaign(campaign)
    invited = invitations.invite(campaign, [f"judge-{number}" for number in range(judges)])
    return {"judges": [invitation.token for invitation in invited], "organiser": programs.token_of(ORGANISER)}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(install(sys.argv[1], int(sys.argv[2]))))
