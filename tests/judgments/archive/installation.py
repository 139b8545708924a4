"""An installation in full use, for backups and all else that must lose nothing of it."""

from django.contrib.auth.models import User
from rest_framework.authtoken.models import Token

from judgments.archive.databases import all_models, columns_of
from judgments.assignment import claiming
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, Draft, Invitation, MailJob, StoredResponse
from ranking.reports import building
from tests import factory


def fill_installation() -> Campaign:
    """A campaign of comparisons, one of verdicts and one of corrections, with people, reports and loose ends."""
    campaign = factory.open_campaign(repeat_share=0.4)
    olga = factory.organiser(campaign, "olga")
    olga.email = "olga@example.org"
    olga.save()
    Token.objects.create(user=olga)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.judge_batch(ada)
    factory.answer_all(ben)
    assignment = claiming.claim_next(ada)
    if assignment:
        Draft.objects.create(
            assignment=assignment, judge=ada, answers={"rank_1": "2", "comment": 'Zażółć \\ \t "quoted"'}
        )
    run_now(building.request_report(campaign, olga))
    invitations.invite(campaign, ["dan@example.org", "eve"])
    invitations.accept(Invitation.objects.get(pseudonym="eve"))
    invitations.join(invitations.share(campaign, 3), {"PROLIFIC_PID": "p-1"})
    factory.submission(campaign)
    MailJob.objects.create(
        campaign=campaign, requested_by=olga, payload={"subject": "Join", "text": "{link}\r\n\t\\N \\. \\\\"},
        problems=[{"address": "dan@example.org", "why": "no such box"}],
    )  # fmt: skip
    StoredResponse.objects.create(
        user=olga, address="/api/x", key="k", fingerprint="f", content={"b": 1.5, "a": [None, "ä"]}
    )
    uploads.upload_files(
        factory.make_campaign(), olga, factory.upload({"source": ["One ."]}), Roles(source_takes_part=True)
    )
    verdicts = factory.open_verdicts()
    factory.answer_all(factory.judge(verdicts, "ida"))
    User.objects.filter(pk=ada.user_id).update(last_login=campaign.opened_at)
    return campaign


def everything_stored() -> dict[str, list[tuple]]:
    """Every row of every table, as Django reads it."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values_list(*columns_of(model)))
        for model in all_models()
    }
