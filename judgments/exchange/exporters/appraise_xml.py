"""Judgments as Appraise's ranking results."""

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from judgments.exchange.exporters.base import XML, ExportOptions, compares_candidates, export
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.rows import Head, judges_of, systems_behind
from judgments.protocols.stream import stream_judgments

SOURCE, TARGET = "err", "cor"
# Characters that XML does not allow, even escaped.
IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_HOURS = 9999


@export("appraise.xml", XML, fits=compares_candidates)
def appraise_xml(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The judgments as results of Appraise, with skips and durations."""
    judges, protocol = judges_of(campaign), protocol_of(campaign)
    behind = {c: _quoted(" ".join(names)) for c, names in systems_behind(campaign, system__takes_part=True).items()}
    languages = f'source-language="{SOURCE}" target-language="{TARGET}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<appraise-results>\n'
    yield f"  <error-correction-ranking-result id={_quoted(campaign.slug)} {languages}>\n"
    for head, answers in stream_judgments(campaign, options.with_excluded, with_programs=options.with_programs):
        ranked = [
            f'      <translation rank="{rank}" system={behind[answer.candidate]}/>\n'
            for answer, rank in zip(answers, protocol.ranks(answers), strict=True)
            if answer.candidate in behind and rank is not None  # where judges do not rank
        ]
        start = _start(head, judges[head.judge].pseudonym if head.judge else "")
        if head.skipped:
            yield f'    <ranking-item {start} skipped="true"/>\n'
        elif ranked:
            yield f"    <ranking-item {start}>\n{''.join(ranked)}    </ranking-item>\n"
    yield "  </error-correction-ranking-result>\n</appraise-results>\n"


def _start(head: Head, judge: str) -> str:
    duration = "" if head.seconds is None else f'duration="{duration_of(head.seconds)}" '
    line = head.position
    return f'doc-id={_quoted(head.document)} {duration}id="{line}" src-id="{line}" user={_quoted(judge)}'


def duration_of(seconds: float) -> str:
    """Format a duration as HH:MM:SS.ffffff."""
    total = min(round(seconds * 1_000_000), (MOST_HOURS * 3600 + 3599) * 1_000_000)
    rest, microseconds = divmod(total, 1_000_000)
    return f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.{microseconds:06}"


def _quoted(text: str) -> str:
    return quoteattr(IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", text))
