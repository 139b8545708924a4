"""Finding the report that a command names by its number."""

from judgments.management.base import NAMES_SHOWN, CommandError
from ranking.models import Report


def find_report(pk: int) -> Report:
    """The report with this number; if there is none, say which are finished, and of which campaigns."""
    reports = Report.objects.filter(is_interim=False).select_related("campaign").order_by("-pk")
    if found := reports.filter(pk=pk).first():
        return found
    finished = reports.filter(state=Report.State.DONE)[:NAMES_SHOWN]
    known = ", ".join(f"{one.pk} of {one.campaign.slug}" for one in finished) or "none yet"
    raise CommandError(f"There is no report {pk}. Finished reports: {known}.")
