"""Corrections as parallel text: the source, and a file a judge with as many lines.

Tools need a line a sentence, so where a judge left a sentence out its source stands there, and a table says so: an
empty line would be a correction that deletes everything.
"""

from collections.abc import Iterable, Iterator

from judgments.exchange.exporters.base import ZIP, Export, Wishes
from judgments.exchange.exporters.corrected import Sentence, are_corrected, correctors, sentences, texts
from judgments.exchange.importers.rules.parallel import JUDGES, LEFT_OUT, SOURCE, file_of
from judgments.models import Campaign
from judgments.rules.files.archives import zipped
from judgments.rules.files.csv_tables import cells
from judgments.rules.texts.edits import corrected


def corrections_zip(campaign: Campaign, wishes: Wishes) -> Iterator[bytes]:
    """The pieces of the ZIP, while it is made."""
    yield from zipped(_files(campaign, wishes))


def _files(campaign: Campaign, wishes: Wishes) -> Iterator[tuple[str, Iterable[str]]]:
    judges = correctors(campaign, wishes)
    yield JUDGES.name, _table(JUDGES.columns, ((file_of(number), name) for number, name in enumerate(judges.values())))
    yield SOURCE, (f"{text}\n" for _, _, text in texts(campaign))
    left_out: list[tuple[str, int, str]] = []
    for number, judge in enumerate(judges):
        yield file_of(number), _lines(file_of(number), judge, sentences(campaign, wishes, judge), left_out)
    yield LEFT_OUT.name, _table(LEFT_OUT.columns, left_out)


def _lines(name: str, judge: int, found: Iterable[Sentence], left_out: list[tuple[str, int, str]]) -> Iterator[str]:
    for line, sentence in enumerate(found, 1):
        edits = sentence.edits(judge)
        if edits is None:
            reasons = [head.skip_reason for head, _ in sentence.judgments.get(judge, ())]
            left_out.append((name, line, reasons[0] if reasons else ""))
        yield corrected(sentence.text, edits or ()) + "\n"


def _table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    yield cells(columns) + "\n"
    yield from (cells(row) + "\n" for row in rows)


EXPORT = Export(
    name="corrections.zip",
    about="The corrected sentences as parallel text, a file a judge, with the source.",
    content_type=ZIP,
    write=corrections_zip,
    fits=are_corrected,
)
