"""A chart of sentences by their number of distinct outputs, which limits what judges can distinguish."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.columns import Bar, Mark, columns, slot_width
from judgments.web.charts.drawing import NO_CHART, Chart
from judgments.web.charts.numbers import counted, number

NAME, TITLE = "distinct_outputs", "Distinct outputs"
MOST = 200
ROOM = 26


def distinct_outputs(
    sentences: Mapping[int, int], tables: tuple[str, ...] = (), unit: str = "sentence"
) -> Chart | None:
    """Plot sentences by number of distinct outputs (Figure 1 of Grundkiewicz et al. 2015), if there are any."""
    sentences = {distinct: count for distinct, count in sentences.items() if distinct}
    if not sum(sentences.values()):
        return None
    description, most = sentence(sentences, unit), max(sentences)
    if most > MOST:
        description += f" Up to {most} distinct outputs are too many for a picture; the numbers have them all."
        return Chart(NAME, TITLE, description, NO_CHART, tables)
    bars = [
        Bar(distinct - 1, count, f"{counted(distinct, 'distinct output')}: {counted(count, unit)}")
        for distinct, count in sorted(sentences.items())
    ]
    heads = f"{unit.capitalize()}s", f"Distinct outputs of a {unit}"
    return Chart(NAME, TITLE, description, columns((NAME, TITLE, description), heads, bars, most, _marks(most)), tables)


def _marks(most: int) -> Sequence[Mark]:
    """Mark every number if there is room, otherwise every fifth, tenth and so on."""
    step = next(step for step in (1, 5, 10, 20, 50) if step * slot_width(most) >= ROOM)
    return [Mark(number - 1, str(number)) for number in range(1, most + 1) if step == 1 or number % step == 0]


def sentence(sentences: Mapping[int, int], unit: str) -> str:
    """Describe the mean, the mode, and how many sentences leave nothing to judge."""
    total = sum(sentences.values())
    mean = sum(distinct * count for distinct, count in sentences.items()) / total
    often = max(sentences, key=lambda distinct: sentences[distinct])
    agreed = sentences.get(1, 0)
    agreement = f"on {agreed:,} ({number(100 * agreed / total, 1)} %) all of them agree"
    return (
        f"On {counted(total, unit)} the systems have {number(mean, 1)} distinct outputs in the mean, most often "
        f"{often} ({counted(sentences[often], unit)}); {agreement if agreed else 'on none do all of them agree'}."
    )
