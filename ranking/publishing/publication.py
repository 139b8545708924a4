"""Publishing a report and withdrawing it."""

from django.db import transaction

from judgments.models import Job
from judgments.models.journal import note
from judgments.rules.errors import Refused
from ranking.models import Publication, Report
from ranking.publishing.release.choices import ReleaseChoices
from ranking.publishing.site import site_of


@transaction.atomic
def publish(report: Report, choices: ReleaseChoices) -> Publication:
    """Make the public files, at the address that the report has already, if it was published before."""
    if report.state != Job.State.DONE:
        raise Refused("Only a finished report can be published; wait until it is ready.")
    publication = Publication.objects.filter(report=report).first() or Publication(report=report)
    publication.with_texts, publication.content = choices.with_texts, site_of(report, choices, publication.url)
    publication.save()
    note(report.campaign, f"published report {report.pk} {'with' if choices.with_texts else 'without'} texts")
    return publication


@transaction.atomic
def withdraw(report: Report) -> None:
    """Delete the public files; their address leads nowhere from now on."""
    if Publication.objects.filter(report=report).delete()[0]:
        note(report.campaign, f"withdrew report {report.pk} from the public")
