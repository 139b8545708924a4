"""A data release: the judgments of a report without names, its numbers, and what is needed to use and cite them.

The same report and the same choices give the same bytes.
"""

from django.http import Http404

from judgments.models import Job
from judgments.models.snapshot import snapshot
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.numbers.tables import to_csv
from ranking.publishing.anonymous import anonymised, can_reproduce
from ranking.publishing.release.card import REPRODUCTION, card
from ranking.publishing.release.choices import ReleaseChoices
from ranking.publishing.release.citation import citation_cff
from ranking.publishing.release.croissant import JUDGMENTS, croissant_json
from ranking.publishing.release.facts import Facts
from ranking.publishing.release.judgments import judgments_of
from ranking.reports.downloads import bundle_files, zipped


def check_releasable(report: Report) -> None:
    if report.state != Job.State.DONE or report.is_interim:
        raise Http404("Only a finished report can be released. Wait until it is done, or make a new one.")


def release(report: Report, choices: ReleaseChoices) -> bytes:
    """Build the ZIP; without permission to give texts away, no file of it contains any."""
    check_releasable(report)
    if not choices.licence:
        raise Refused("Choose a licence: without one, nobody may use the data.")
    with snapshot():
        anonymous = anonymised(report)
        facts = Facts(anonymous, choices, choices.address, judgments_of(report, anonymous.names, choices.with_texts))
        is_whole = can_reproduce(report, choices.with_texts)
        judgments = facts.judgments.csv()
        files: dict[str, str | bytes] = {
            "README.md": card(facts, is_whole),
            "LICENSE": facts.licence_text,
            "CITATION.cff": citation_cff(facts),
            "croissant.json": croissant_json(facts, judgments),
            JUDGMENTS: judgments,
            "judgments.jsonl": facts.judgments.jsonl(),
        }
    files |= {f"tables/{name}.csv": to_csv(table) for name, table in sorted(anonymous.tables.items())}
    if is_whole:
        bundle = bundle_files(anonymous.report, anonymous.tables, anonymous.inputs)
        files |= {f"{REPRODUCTION}/{name}": content for name, content in bundle.items()}
    return zipped(files)
