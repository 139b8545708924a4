"""The edits of outputs as ERRANT finds them, stored for judges to mark."""

from django.db import transaction

from judgments.models import Assignment, Campaign, System, SystemOutput
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.metrics.base import Progress, no_progress
from ranking.metrics.errant_edits import extractor
from ranking.metrics.errant_parser import ENGLISH, LACKING_MODEL, is_installed
from ranking.scores.languages import language_code
from ranking.scores.texts import metric_errors_refused


@metric_errors_refused()
@transaction.atomic
def propose_edits(campaign: Campaign, progress: Progress = no_progress) -> int:
    """Store ERRANT's edits with every output that came without edits; return how many outputs those are."""
    if "edit_verdicts" not in protocol_of(campaign).special:
        raise Refused("Only campaigns with verdicts on edits show edits to be judged one by one.")
    language = language_code(campaign)
    if language != ENGLISH and not is_installed(language):
        raise Refused(f"{LACKING_MODEL.format(language)} Or upload an M2 file of each system.")
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if Assignment.objects.filter(campaign=campaign, judge__isnull=False).exists():
        raise Refused("Judges have begun; all must see the same edits. Make a new campaign for other edits.")
    written = System.objects.filter(campaign=campaign).exclude(kind__in=[System.Kind.SOURCE, System.Kind.REFERENCE])
    outputs = SystemOutput.objects.filter(system__in=written, edits__isnull=True, segment__text__isnull=False)
    lacking = list(outputs.exclude(candidate__text=None).select_related("candidate", "segment").order_by("segment"))
    pairs = [(output.segment.text or "", output.candidate.text or "") for output in lacking]
    found = extractor(language).edits(pairs, progress)
    for output, pair in zip(lacking, pairs, strict=True):
        output.edits = [[edit.start, edit.end, [*edit.corrections], edit.kind] for edit in found[pair]]
    SystemOutput.objects.bulk_update(lacking, ["edits"], batch_size=500)
    return len(lacking)
