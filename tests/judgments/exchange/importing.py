"""Importing judgments in tests, by a file's name and content, and what statistics then see of them."""

from itertools import pairwise
from operator import itemgetter
from typing import Any

from judgments.exchange.importers.importing import import_judgments
from judgments.exchange.importers.joining import ImportedJudgments
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.models import Campaign
from judgments.rules.files.text_files import UploadedFile
from ranking.reports.ballots import collect


def bring_in(campaign: Campaign, name: str, content: bytes, file_format: str, **options: Any) -> ImportedJudgments:
    return import_judgments(campaign, UploadedFile(name, content), ImportOptions(file_format, **options))


def ballots_of(campaign: Campaign) -> list[tuple]:
    """Each judgment that compares something: judge, sentence among those stored, systems by place (the best is 0).

    The sizes of merits mean nothing in rankings, only their order does.
    """
    collected = collect(campaign)
    ballots, names, candidates = collected.ballots, collected.names, collected.ballots.candidates
    found = []
    for number, (start, end) in enumerate(pairwise(ballots.starts.tolist())):
        if ballots.judge[number] >= len(names.judges) or start == end:
            continue
        merits = ballots.merit[start:end].tolist()
        places = {merit: place for place, merit in enumerate(sorted(set(merits), reverse=True))}
        groups = [
            (places[merit], tuple(names.systems[system] for system in candidates.members[slice(*behind)].tolist()))
            for merit, behind in zip(
                merits, [candidates.starts[one : one + 2] for one in ballots.candidate[start:end]], strict=True
            )
        ]
        found.append((names.judges[ballots.judge[number]], int(ballots.segment[number]), groups))
    return sorted(found, key=itemgetter(0, 1))
