"""Finding, or writing, the candidates behind texts."""

from collections.abc import Iterable

from judgments.models import Candidate
from judgments.rules.texts.collapsing import fingerprint


def candidates_for(texts: Iterable[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """The candidate of each (segment, normalised text), written where it is new."""
    wanted = {(segment, fingerprint(text)): (segment, text) for segment, text in texts}
    segments = {segment for segment, _ in wanted}
    there = Candidate.objects.filter(segment__in=segments).values_list("segment", "fingerprint", "pk")
    found = {(segment, mark): pk for segment, mark, pk in there}
    written = Candidate.objects.bulk_create(
        Candidate(segment_id=segment, text=text, fingerprint=mark)
        for (segment, mark), (_, text) in wanted.items()
        if (segment, mark) not in found
    )
    found |= {(candidate.segment_id, candidate.fingerprint): candidate.pk for candidate in written}
    return {pair: found[place] for place, pair in wanted.items()}
