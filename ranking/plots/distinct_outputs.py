"""The outputs that a report counted, as the same picture that a campaign shows of its material."""

from collections.abc import Mapping

from judgments.web.charts import distinct_outputs as picture
from judgments.web.charts.chart import Plot
from ranking.stats.tables import Table

NAME = picture.NAME


def distinct_outputs(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if the outputs were counted."""
    if NAME not in tables:
        return []
    sentences = {
        int(line["distinct"]): int(line["sentences"])
        for line in tables[NAME].dicts()
        if line["distinct"] is not None and line["sentences"] is not None
    }
    plot = picture.distinct_outputs(sentences, tables=(NAME,))
    return [plot] if plot else []
