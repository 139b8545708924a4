"""All plots of a report, in the order in which a reader wants them."""

from collections.abc import Callable, Mapping

from ranking.plots.accuracy import accuracy
from ranking.plots.agreement import agreement
from ranking.plots.comparison_counts import comparison_counts
from ranking.plots.forest import forests
from ranking.plots.head_to_head import head_to_head
from ranking.plots.plot import Plot
from ranking.stats.tables import Table

PLOTS: tuple[Callable[[Mapping[str, Table]], list[Plot]], ...] = (
    forests, head_to_head, accuracy, agreement, comparison_counts,
)  # fmt: skip


def plots_of(tables: Mapping[str, Table]) -> dict[str, Plot]:
    """Plots by name, of whatever tables there are."""
    return {plot.name: plot for make in PLOTS for plot in make(tables)}
