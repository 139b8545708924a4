"""A chart of how much judges can distinguish: sentences by their number of distinct outputs."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.columns import Bar, Mark, columns, slot_width
from judgments.web.charts.numbers import counted, number

NAME, TITLE = "distinct_outputs", "Distinct outputs"
HEADS = ("Sentences", "Distinct outputs of a sentence")
MOST = 200
ROOM = 26


def distinct_outputs(sentences: Mapping[int, int], tables: tuple[str, ...] = ()) -> Plot | None:
    """Plot sentences by number of distinct outputs (Figure 1 of Grundkiewicz et al. 2015), if there are any."""
    sentences = {distinct: count for distinct, count in sentences.items() if distinct}
    if not sum(sentences.values()):
        return None
    description, most = sentence(sentences), max(sentences)
    if most > MOST:
        description += f" Up to {most} distinct outputs are too many for a picture; the numbers have them all."
        return Plot(NAME, TITLE, description, NO_PICTURE, tables)
    bars = [Bar(number - 1, count, _tip(number, count)) for number, count in sorted(sentences.items())]
    return Plot(NAME, TITLE, description, columns((NAME, TITLE, description), HEADS, bars, most, _marks(most)), tables)


def _marks(most: int) -> Sequence[Mark]:
    """Every number if there is room, else every fifth and so on."""
    step = next(step for step in (1, 5, 10, 20, 50) if step * slot_width(most) >= ROOM)
    return [Mark(number - 1, str(number)) for number in range(1, most + 1) if step == 1 or number % step == 0]


def _tip(distinct: int, sentences: int) -> str:
    return f"{counted(distinct, 'distinct output')}: {counted(sentences, 'sentence')}"


def sentence(sentences: Mapping[int, int]) -> str:
    """State the mean, the most frequent number, and how many sentences leave nothing to judge."""
    total = sum(sentences.values())
    mean = sum(distinct * count for distinct, count in sentences.items()) / total
    often = max(sentences, key=lambda distinct: sentences[distinct])
    agreed = sentences.get(1, 0)
    description = f"On {counted(total, 'sentence')} the systems have {number(mean, 1)} distinct outputs in the mean, "
    description += f"most often {often} ({counted(sentences[often], 'sentence')})"
    if not agreed:
        return f"{description}; on none do all of them agree."
    return f"{description}; on {agreed:,} ({number(100 * agreed / total, 1)} %) all of them agree."
