"""What a report on whole texts answers first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from judgments.charts.numbers import number, quantity, text_list
from ranking.charts.essays import mean_of, means_by_scale
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer, counts_of, facts_of
from ranking.reports.kinds.essays.paper import paper
from ranking.stats.essays.estimates import MEAN, MIXED
from ranking.stats.essays.parameters import EssayParameters
from ranking.stats.essays.sections import ALPHA, WEIGHTED
from ranking.stats.rankings.uncertainty import fewest_sentences
from ranking.stats.resampling import Unit

MOST_SAID = 5
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
    scope = ABOUT[Unit(chosen.fitted(counts_of(tables).get("judges", 0)).unit)]
    alphas = [line for line in lines_of(tables, "essay_agreement") if line["coefficient"] == ALPHA]
    said = ", ".join(f"{number(line['value'])} on {line['scale']}" for line in alphas)
    pairs = [line for line in lines_of(tables, "essay_pairs") if line["measure"] == MEAN]
    answered = Answer(
        _sentence(means, pairs, fewest_sentences(chosen.level)), tuple(facts_of(tables)), scope,
        f"ordinal alpha {said}" if said else "",
        may_say=(*_better(pairs), *_fewer_errors(lines_of(tables, "essay_error_pairs"))),
        may_not_say=tuple(_may_not_say(tables, means, pairs, scope)),
    )  # fmt: skip
    return replace(answered, paper=paper(tables, parameters, answered)) if means else answered


def _sentence(means: Mapping[str, list[dict]], pairs: Sequence[dict], fewest: int) -> str:
    """Say who has the highest mean on each scale, and whether anybody is separated from it."""
    if not means:
        return "Too few texts were rated to say anything of other texts."
    if all(line["texts"] < fewest for lines in means.values() for line in lines):
        return (
            f"Too few texts were rated to compare systems: at least {fewest} are needed, and no system has more than "
            f"{max(line['texts'] for lines in means.values() for line in lines)}."
        )
    return " ".join(_on_scale(scale, lines, pairs, fewest) for scale, lines in means.items())


def _on_scale(scale: str, lines: Sequence[dict], pairs: Sequence[dict], fewest: int) -> str:
    enough = [line for line in lines if line["texts"] >= fewest]
    if not enough:
        return f"On {scale}, no system has {quantity(fewest, 'text')}, so systems cannot be compared."
    best, *others = enough
    if not others:
        return f"On {scale}, {best['system']} has the mean {mean_of(best)}."
    rivals = [
        line["system"] for line in others if not _is_resolved(pairs, scale, best["system"], line["system"])
    ]  # fmt: skip
    if not rivals:
        return f"On {scale}, {best['system']} is the best, with the mean {mean_of(best)}."
    if len(rivals) == len(others):
        return f"On {scale}, {best['system']} has the highest mean, {mean_of(best)}, but is separated from no system."
    return (
        f"On {scale}, {best['system']} has the highest mean, {mean_of(best)}, but is not separated from "
        f"{text_list(rivals)}."
    )


def _is_resolved(pairs: Sequence[dict], scale: str, system: str, other: str) -> bool:
    return any(
        line["resolved"] for line in pairs
        if (line["scale"], line["system"], line["opponent"]) == (scale, system, other)
    )  # fmt: skip


def _better(pairs: Sequence[dict]) -> list[str]:
    resolved = [line for line in pairs if line["resolved"]]
    return [f"{line['system']} is better than {line['opponent']} on {line['scale']}." for line in resolved[:MOST_SAID]]


def _fewer_errors(pairs: Sequence[dict]) -> list[str]:
    """Pairs have the system with more errors first."""
    resolved = [line for line in pairs if line["resolved"]]
    return [
        f"Judges mark fewer errors, weighted by severity, in versions of {line['opponent']} than of {line['system']}."
        for line in resolved[:MOST_SAID]
    ]


def _may_not_say(
    tables: Mapping[str, Table], means: Mapping[str, list[dict]], pairs: Sequence[dict], scope: str
) -> Iterator[str]:
    for scale, lines in means.items():
        if len(lines) > 1 and not _is_resolved(pairs, scale, lines[0]["system"], lines[1]["system"]):
            yield (
                f"“{lines[0]['system']} is better than {lines[1]['system']} on {scale}.” The data do not separate them."
            )
    yield from _by_mixed_model(tables, means)
    if "essay_agreement" not in tables:
        yield "“Judges agree.” No agreement could be computed; have some texts rated by two judges."
    if unsaid := [line for line in lines_of(tables, "essay_answers", "unsaid_share") if line["unsaid_share"] >= OFTEN]:
        named = text_list([f"{number(100 * line['unsaid_share'], 0)}% on {line['scale']}" for line in unsaid])
        yield f"“All versions were rated.” Judges could not say in {named}; versions that were not rated may be worse."
    if len(means) > 1:
        yield "“The scales confirm each other.” The same judge rates a version on all of them, so they go together."
    if any(line["severity"] == WEIGHTED for line in lines_of(tables, "essay_errors")):
        yield "“All errors were found.” Judges mark what they see, and some mark more than others."
    yield f"“Others would find the same.” The numbers hold for {scope}."


def _by_mixed_model(tables: Mapping[str, Table], means: Mapping[str, list[dict]]) -> Iterator[str]:
    """Where it matters who judged what: the mixed model has another system in front."""
    first: dict[str, str] = {}
    for line in lines_of(tables, "essay_scales"):
        if line["measure"] == MIXED:
            first.setdefault(line["scale"], line["system"])
    for scale, lines in means.items():
        if first.get(scale, lines[0]["system"]) != lines[0]["system"]:
            yield (
                f"“{lines[0]['system']} is first on {scale}, whoever judged what.” With judges and texts taken off "
                f"(mixed model), {first[scale]} is."
            )
