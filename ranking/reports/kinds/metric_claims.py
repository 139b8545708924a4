"""Which metric agrees with people: what may be said of it and what may not, and how it was computed, for a paper.

Metrics are compared with the ranking to cite by Pearson's r over systems (meta_evaluation.csv). One is better than
another where the tests of all pairs say so (metric_comparisons.csv): for these systems on other sentences, or for other
systems.
"""

from collections import defaultdict
from collections.abc import Mapping

from judgments.charts.numbers import in_words, quantity, text_list
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import with_interval
from ranking.stats.metaevaluation.correlations import FEWEST_TO_DRAW
from ranking.stats.metaevaluation.metric_tests import BY_SENTENCES, OTHER_SENTENCES, OTHER_SYSTEMS
from ranking.stats.metaevaluation.overview import COMPARED, INLIER, NAME
from ranking.stats.rankings.pair_tests import ROUNDING

MOST_METRICS = 6
R, TAU = "system_pearson", "sentence_tau"


def claims_on_metrics(
    tables: Mapping[str, Table], people: str, level: float, by: str = "people"
) -> tuple[list[str], list[str], str]:
    """What may be said, what may not, and the methods; `people` names the ranking, and `by` says what it is."""
    known = lines_of(tables, NAME, R)
    lines = {str(line["metric"]): line for line in known if line["people"] == people}
    if not lines:
        return [], [], ""
    best, *others = sorted(lines, key=lambda metric: -lines[metric][R])
    line = lines[best]
    systems, r = quantity(line["systems"], "system"), with_interval(line, R)
    if line[R] <= 0:
        first = f"No metric correlates positively with {by} over {systems}; {best} has the highest Pearson's r, {r}"
    else:
        of, most = (f"Of {in_words(len(lines))} metrics, ", " most") if others else ("", "")
        first = f"{of}{best} correlates{most} with {by} over {systems}: Pearson's r is {r}"
    for inlier in known:
        if (inlier["people"], inlier["metric"]) == (people + INLIER, best):
            first += f", and {with_interval(inlier, R)} without outliers"
    said, unsaid = [f"{first}."], []
    are_few = line["systems"] < FEWEST_TO_DRAW
    if line[R] > 0 and (are_few or (line[f"{R}_low"] or 0) <= 0):
        why = f"{systems} are too few to show it." if are_few else "Its r may be 0."
        unsaid.append(f"“{best} agrees with people.” {why}")

    # By test and the better metric, p of each other one.
    compared = defaultdict[tuple[str, str], dict[str, float]](dict)
    for row in lines_of(tables, COMPARED, "p_value"):
        if row["people"] == people:
            compared[row["test"], row["metric"]][row["other"]] = row["p_value"]

    def beaten(test: str, metric: str) -> list[str]:
        return [other for other, p in compared[test, metric].items() if p <= 1 - level + ROUNDING]

    def rest(test: str, metric: str, others: list[str]) -> str:
        """Which of the others the test does not find worse; empty if there is none."""
        if not (rivals := [other for other in others if other not in beaten(test, metric)]):
            return ""
        why = "separated from it" if compared[test, metric].keys() >= set(rivals) else "shown to be worse"
        return f"{text_list(rivals, MOST_METRICS)} {'is' if len(rivals) == 1 else 'are'} not {why}."

    for test, which in (OTHER_SENTENCES, "these systems on other sentences"), (OTHER_SYSTEMS, "other systems"):
        if worse := beaten(test, best):
            said.append(f"{best} agrees better with people than {text_list(worse, MOST_METRICS)} for {which}.")
    if left := rest(OTHER_SENTENCES, best, others):
        unsaid.append(f"“{best} is the best metric.” {left}")
    if beaten(OTHER_SENTENCES, best) and not beaten(OTHER_SYSTEMS, best):
        unsaid.append(f"“{best} is better for other systems, too.” No test over {systems} shows it.")

    by_sentence = {metric: line for metric, line in lines.items() if line[TAU] is not None}
    if by_sentence:
        closest, *further = sorted(by_sentence, key=lambda metric: -by_sentence[metric][TAU])
        tau = with_interval(by_sentence[closest], TAU)
        said.append(f"Sentence by sentence, {closest} agrees most with people: tau is {tau}.")
        if left := rest(BY_SENTENCES, closest, further):
            unsaid.append(f"“{closest} is the best metric sentence by sentence.” {left}")
    methods = "Metrics are compared with this ranking by Pearson's r over systems, with intervals from its replicates"
    if compared[OTHER_SENTENCES, best]:
        methods += ", and with one another by a step-down procedure on the same replicates [@romano2005]"
    if compared[OTHER_SYSTEMS, best]:
        methods += " and, for other systems, by Williams' test [@williams1959; @graham2014], corrected [@holm1979]"
    return said, unsaid, f"{methods}." + " Tau is about the pairs of outputs that people decided." * bool(by_sentence)
