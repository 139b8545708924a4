"""All plots of a report, in the order in which a reader wants them."""

from collections.abc import Callable, Mapping

from judgments.web.charts.chart import Plot
from ranking.plots.accuracy import accuracy
from ranking.plots.agreement import agreement
from ranking.plots.comparison_counts import comparison_counts
from ranking.plots.corrections.categories import category_agreement, edits_by_category
from ranking.plots.corrections.combinations import combinations, document_subsets
from ranking.plots.distinct_outputs import distinct_outputs
from ranking.plots.f_beta import f_beta
from ranking.plots.forest import forests
from ranking.plots.head_to_head import head_to_head
from ranking.plots.judgments_over_time import judgments_over_time
from ranking.plots.metric_correlations import metric_correlations
from ranking.plots.metric_scatter import metric_scatter
from ranking.plots.metric_windows import metric_windows
from ranking.plots.uncertainty import uncertainty
from ranking.plots.verdicts.bins import bins
from ranking.plots.verdicts.enough import enough
from ranking.plots.verdicts.histogram import agreement_histogram
from ranking.plots.verdicts.judges import verdict_judges
from ranking.plots.verdicts.measures import measures, stability
from ranking.plots.williams import williams
from ranking.stats.tables import Table

PLOTS: tuple[Callable[[Mapping[str, Table]], list[Plot]], ...] = (
    forests, uncertainty, head_to_head, metric_correlations, metric_scatter, williams, f_beta, metric_windows,
    agreement,
    distinct_outputs, judgments_over_time, comparison_counts, accuracy,
    measures, bins, stability, agreement_histogram, enough, verdict_judges,
    combinations, category_agreement, document_subsets, edits_by_category,
)  # fmt: skip


def plots_of(tables: Mapping[str, Table]) -> dict[str, Plot]:
    """Plots by name, of whatever tables there are."""
    return {plot.name: plot for make in PLOTS for plot in make(tables)}
