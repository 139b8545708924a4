"""Reports on whole texts: what is read, what is answered first, and what the page shows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from judgments.charts.numbers import number, quantity, span, text_list
from judgments.charts.rows import interval_rows
from judgments.charts.svg import Chart, draw_chart
from judgments.models import Campaign, EssayRating
from judgments.protocols.registry import rubric_of
from judgments.protocols.stream import IN_NO_TIME
from judgments.rules.authored.rubrics import MOST_SCALES
from ranking.charts.judged import judgments_over_time
from ranking.charts.lines import group_by, lines_of, rows_of
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.answers import Answer, computed_with, counts_of, facts_of, first_of
from ranking.reports.ballots import collect
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind, SystemScore
from ranking.reports.rows import CHANGED, ROWS_AT_ONCE, days_of, reread_judgments, systems_and_outputs
from ranking.stats.essays import SECTIONS
from ranking.stats.essays.judges import ALPHA
from ranking.stats.essays.study import PRESETS, EssayParameters, EssayStudy, ScaleName, SeverityName
from ranking.stats.essays.systems import MEAN, MIXED, WEIGHTED
from ranking.stats.rankings.moderation import fewest_sentences
from ranking.stats.resampling import Unit


def extract(campaign: Campaign, chosen: EssayParameters) -> Extracted:
    """Read the ballots of comparisons, and beside them every scale and marked error, sentence by sentence."""
    rubric, found = rubric_of(campaign), collect(campaign, chosen.judged_by, chosen.answers)
    names, ballots = found.names, found.of_judges
    counted, is_repeat = reread_judgments(campaign, chosen.judged_by, chosen.answers, found.newest, len(ballots))
    numbers = {pk: number for number, pk in enumerate(found.candidates)}
    rows = EssayRating.objects.filter(judgment__in=counted).order_by(*(f"judgment__{one}" for one in IN_NO_TIME), "pk")
    # What judges said of each version of a system that takes part.
    candidates, scores, spans = [], [], []
    for candidate, of_scales, marked in rows.values_list("candidate", "scores", "spans").iterator(ROWS_AT_ONCE):
        if candidate in numbers:
            candidates.append(numbers[candidate])
            scores.append(of_scales)
            spans.append(Counter(span["severity"] for span in marked))
    if candidates != ballots.candidate.tolist():
        raise StatisticsError(CHANGED)
    scales, severities = [one.name for one in rubric.scales], [one.name for one in rubric.severities]
    study = EssayStudy(
        ballots=ballots,
        scales=tuple(ScaleName(one.name, one.lowest, one.highest) for one in rubric.scales),
        numbers=_columns([[one.get(scale) for scale in scales] for one in scores], len(scales), float),
        unsaid=_columns([[one.get(scale, 0) is None for scale in scales] for one in scores], len(scales), bool),
        severities=tuple(SeverityName(one.name, one.weight) for one in rubric.severities),
        errors=_columns([[one[severity] for severity in severities] for one in spans], len(severities), float),
        is_repeat=is_repeat, systems=names.systems, judges=names.judges, parameters=chosen,
        days=days_of(campaign, names.judges),
    )  # fmt: skip
    return Extracted(study, found.newest, study.judgments)


def _columns(rows: list[list], width: int, kind: type) -> np.ndarray:
    return np.array(rows, dtype=kind).reshape(len(rows), width)


ABOUT = {
    Unit.SENTENCE: "other texts of the same kind, judged by these judges",
    Unit.SENTENCE_AND_JUDGE: "other texts and judges of the same kind",
}
# From this share on, who could not say may matter more than who said what.
OFTEN = 0.2


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    chosen, means = EssayParameters.of(parameters), means_by_scale(tables)
    scope = ABOUT[Unit(chosen.for_judges(counts_of(tables).get("judges", 0)).unit)]
    alphas = [line for line in lines_of(tables, "essay_agreement") if line["coefficient"] == ALPHA]
    said = ", ".join(f"{number(line['value'])} on {line['scale']}" for line in alphas)
    pairs = [line for line in lines_of(tables, "essay_pairs") if line["measure"] == MEAN]
    better = [line for line in pairs if line["resolved"]]
    # Pairs have the system with more errors first.
    by_errors = [line for line in lines_of(tables, "essay_error_pairs") if line["resolved"]]
    may_say = (
        *first_of("essay_pairs", [
            f"{one['system']} is better than {one['opponent']} on {one['scale']}." for one in better
        ]),
        *first_of("essay_error_pairs", [
            f"Judges mark fewer errors, weighted by severity, in versions of {one['opponent']} than of {one['system']}."
            for one in by_errors
        ]),
    )  # fmt: skip
    answered = Answer(
        _sentence(means, pairs, fewest_sentences(chosen.level)), facts_of(tables), scope,
        f"ordinal alpha {said}" if said else "", may_say=may_say,
        may_not_say=tuple(_may_not_say(tables, means, pairs, scope)),
    )  # fmt: skip
    if not means:
        return answered
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    by_judges = Unit.SENTENCE_AND_JUDGE in {line["unit"] for line in lines_of(tables, "essay_scales")}
    weights = {line["severity"]: line["weight"] for line in lines_of(tables, "essay_errors", "weight")}
    named = ", ".join(f"{severity} {weight:g}" for severity, weight in weights.items())
    by_alpha = "Agreement is measured by ordinal alpha [@krippendorff2011] and intraclass correlation [@shrout1979]. "
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} rated versions of {quantity(counts['texts'], 'text')} on "
        f"{quantity(len(means), 'scale')}, in {quantity(counts['judgments'], 'judgment')}. Systems have mean scores; "
        f"their {level} intervals come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that draw "
        f"texts, {'with what other judges would change [@cameron2011] and ' * by_judges}with moderated variances "
        f"[@smyth2004]; they hold for {scope}. Pairs of systems are tested on all scales together "
        f"[@romano2005]. {f'Marked errors [@kocmi2024] count by severity ({named}). ' * bool(weights)}"
        f"{by_alpha * ('essay_agreement' in tables)}{computed_with(parameters['seed'])}"
    )
    found = {(scale, line["system"]): mean_of(line) for scale, lines in means.items() for line in lines}
    systems = dict.fromkeys(system for _, system in found)
    rows = [(system, *(found.get((scale, system)) for scale in means)) for system in systems]
    return answered.with_paper(
        methods, f"Means by scale, with {level} intervals", Table.of("essays", ("System", *means), rows)
    )


def _sentence(means: Mapping[str, list[dict]], pairs: Sequence[dict], fewest: int) -> str:
    """Say who has the highest mean on each scale, and whether anybody is separated from it."""
    if not means:
        return "Too few texts were rated to say anything of other texts."
    most = max(line["texts"] for lines in means.values() for line in lines)
    if most < fewest:
        return (
            f"Too few texts were rated to compare systems: at least {fewest} are needed, and no system has more than "
            f"{most}."
        )
    said = []
    for scale, lines in means.items():
        enough = [line for line in lines if line["texts"] >= fewest]
        if not enough:
            said.append(f"On {scale}, no system has {quantity(fewest, 'text')}, so systems cannot be compared.")
            continue
        best, *others = enough
        rivals = [line["system"] for line in others if not _is_resolved(pairs, scale, best["system"], line["system"])]
        if not others:
            said.append(f"On {scale}, {best['system']} has the mean {mean_of(best)}.")
        elif not rivals:
            said.append(f"On {scale}, {best['system']} is the best, with the mean {mean_of(best)}.")
        else:
            none = len(rivals) == len(others)
            separated = "is separated from no system" if none else f"is not separated from {text_list(rivals)}"
            said.append(f"On {scale}, {best['system']} has the highest mean, {mean_of(best)}, but {separated}.")
    return " ".join(said)


def _is_resolved(pairs: Sequence[dict], scale: str, system: str, other: str) -> bool:
    wanted = scale, system, other
    return any(one["resolved"] for one in pairs if (one["scale"], one["system"], one["opponent"]) == wanted)


def _may_not_say(
    tables: Mapping[str, Table], means: Mapping[str, list[dict]], pairs: Sequence[dict], scope: str
) -> Iterator[str]:
    for scale, lines in means.items():
        if len(lines) > 1 and not _is_resolved(pairs, scale, lines[0]["system"], lines[1]["system"]):
            yield (
                f"“{lines[0]['system']} is better than {lines[1]['system']} on {scale}.” The data do not separate them."
            )
    # Where it matters who judged what, the mixed model has another system in front.
    mixed = [line for line in lines_of(tables, "essay_scales") if line["measure"] == MIXED]
    first = {line["scale"]: line["system"] for line in reversed(mixed)}
    for scale, lines in means.items():
        if first.get(scale, lines[0]["system"]) != lines[0]["system"]:
            yield (
                f"“{lines[0]['system']} is first on {scale}, whoever judged what.” With judges and texts taken off "
                f"(mixed model), {first[scale]} is."
            )
    if "essay_agreement" not in tables:
        yield "“Judges agree.” No agreement could be computed: it needs independent answers of two judges on a text."
    if unsaid := [line for line in lines_of(tables, "essay_answers", "unsaid_share") if line["unsaid_share"] >= OFTEN]:
        named = text_list([f"{number(100 * line['unsaid_share'], 0)}% on {line['scale']}" for line in unsaid])
        yield f"“All versions were rated.” Judges could not say in {named}; versions that were not rated may be worse."
    if len(means) > 1:
        yield "“The scales confirm each other.” The same judge rates a version on all of them, so they go together."
    if any(line["severity"] == WEIGHTED for line in lines_of(tables, "essay_errors")):
        yield "“All errors were found.” Judges mark what they see, and some mark more than others."
    yield f"“Others would find the same.” The numbers hold for {scope}."


def system_scores(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Iterator[SystemScore]:
    """The mean on each scale."""
    ends = {line["scale"]: (line["scale_low"], line["scale_high"]) for line in lines_of(tables, "essay_answers")}
    for scale, lines in means_by_scale(tables).items():
        for line in lines:
            yield SystemScore(
                line["system"], f"mean.{scale}", f"Mean on {scale}", ends[scale], line["value"], line["value_low"],
                line["value_high"], f"bootstrap ({line['unit']})",
            )  # fmt: skip


MOST_DRAWN = 40
CHARTS_OF_SCALES = tuple(f"essay_scale_{place}" for place in range(1, MOST_SCALES + 1))


def essay_scales(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw a chart for each scale; the first brings the table of all."""
    ends = {line["scale"]: (line["scale_high"], line["scale_low"]) for line in lines_of(tables, "essay_answers")}
    charts: list[Chart] = []
    for scale, lines in means_by_scale(tables).items():
        text = f"{lines[0]['system']} has the highest mean on {scale}, {mean_of(lines[0])}."
        draw = partial(interval_rows, ("Mean",), rows_of(lines, "value"), *ends.get(scale, ()))
        too_large = len(lines) > MOST_DRAWN and f"{len(lines)} systems are too many for a chart"
        name, shown = CHARTS_OF_SCALES[len(charts)], () if charts else ("essay_scales",)
        charts.append(draw_chart(name, f"Means on {scale}", text, draw, too_large, shown))
    return charts


def essay_errors(tables: Mapping[str, Table]) -> list[Chart]:
    lines = [line for line in lines_of(tables, "essay_errors") if line["severity"] == WEIGHTED]
    if not lines:
        return []
    fewest = lines[0]
    text = (
        f"{fewest['system']} has the fewest marked errors per version, weighted by severity: {number(fewest['errors'])}"
        f"{span(fewest['errors_low'], fewest['errors_high'])}."
    )
    too_large = len(lines) > MOST_DRAWN and f"{len(lines)} systems are too many for a chart"
    draw = partial(interval_rows, ("Weighted errors per version",), rows_of(lines, "errors"))
    return [draw_chart("essay_errors", "Marked errors", text, draw, too_large)]


def means_by_scale(tables: Mapping[str, Table]) -> dict[str, list[dict]]:
    """The lines of mean scores, the best first, by the name of the scale."""
    return group_by("scale", (line for line in lines_of(tables, "essay_scales") if line["measure"] == MEAN))


def mean_of(line: dict) -> str:
    return f"{number(line['value'])}{span(line['value_low'], line['value_high'])}"


ESSAYS = ReportKind(
    study=EssayStudy,
    presets=PRESETS,
    presets_say={"recommended": "Recommended: other texts, and other judges from 5 on"},
    sections=SECTIONS,
    does="measures the systems by scale and by the errors marked in whole texts",
    headline="essay_scales",
    answer=answer,
    extract=extract,
    charts=(essay_scales, essay_errors, judgments_over_time),
    chapters=(
        Chapter(
            "scales", "Systems by scale",
            "Means in the numbers of each scale; z-scores, which take off how each judge uses the scale; and mixed "
            "models, which take off judges and texts. Pairs are tested on all scales together.",
            CHARTS_OF_SCALES, ("essay_pairs", "essay_answers"), CHARTS_OF_SCALES,
        ),
        Chapter(
            "marked-errors", "Marked errors",
            "A version’s errors, each with the weight of its severity: the fewer the better.",
            ("essay_errors",), ("essay_error_pairs",), ("essay_errors",),
        ),
        Chapter(
            "correlations-of-scales", "Correlations of scales",
            "The same judge rates a version on all scales, which makes them go together.",
            (), ("essay_correlations",), ("essay_correlations",),
        ),
        Chapter(
            "judges-of-texts", "Agreement and judges of texts",
            "Alpha and ICC are the agreement beyond chance: 1 is perfect, and 0 is as good as chance.",
            (), ("essay_agreement", "essay_judges"), ("essay_agreement", "essay_judges"),
        ),
        Chapter("judged", "What was judged", "", ("judgments_over_time",)),
    ),
    titles={
        "essay_pairs": "Systems in pairs",
        "essay_answers": "How the scales were used",
        "essay_error_pairs": "Systems in pairs, by errors",
        "essay_correlations": "Scales in pairs",
        "essay_agreement": "Agreement on each scale",
        "essay_judges": "The judges",
    },
    other_inputs=systems_and_outputs,
    system_scores=system_scores,
)  # fmt: skip
