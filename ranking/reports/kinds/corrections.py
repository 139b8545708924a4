"""Reports on corrections: what is read, what is answered first, and what the page shows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from judgments.charts.numbers import in_words, number, quantity, span, text_list
from judgments.charts.panels import SlotCurve, slot_panels
from judgments.charts.rows import IntervalPoint, IntervalRow, interval_rows
from judgments.charts.svg import Chart, Drawing, draw_chart
from judgments.models import Campaign, Segment
from judgments.protocols.stream import stream_judgments
from judgments.rules.texts.edits import Edit as EditByCharacters
from judgments.rules.texts.token_edits import by_tokens
from ranking.charts.judged import judgments_over_time
from ranking.charts.lines import group_by, lines_of
from ranking.metrics.material import Edit, Edits
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.answers import Answer, computed_with, counts_of, facts_of, in_percent, with_interval
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind, SystemScore
from ranking.reports.rows import days_of, judges_that_count, systems_and_outputs
from ranking.scores.texts import outputs_of
from ranking.stats.corrections import SECTIONS
from ranking.stats.corrections.judges import EVERYBODY
from ranking.stats.corrections.people import PEOPLE, SYSTEM
from ranking.stats.corrections.scoring import Corrections, DrawnBy
from ranking.stats.corrections.study import PRESETS, CorrectionParameters, CorrectionStudy, Label
from ranking.stats.rankings.method import SHARE


def extract(campaign: Campaign, chosen: CorrectionParameters) -> Extracted:
    """Read the current judgments that count, and of repeated ones only the first."""
    rows = Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", "document", "text")
    positions, document_of, texts = zip(*rows, strict=True) if rows else ((), (), ())
    if None in texts:
        raise StatisticsError("Some sentences have no text, so corrections of them cannot be read.")
    judges = list(judges_that_count(campaign, chosen.judged_by).values_list("pk", "pseudonym"))
    places = {position: place for place, position in enumerate(positions)}
    numbers = {pk: number for number, (pk, _) in enumerate(judges)}
    edits: list[list[Edits | None]] = [[None] * len(texts) for _ in judges]
    turns: dict[tuple[int, int], tuple[bool, int]] = {}
    labels: Counter[tuple[int, str]] = Counter()
    skips: set[tuple[int, int]] = set()
    read = newest = 0
    for head, answers in stream_judgments(campaign, with_excluded=False):
        if head.judge not in numbers:
            continue
        read, newest = read + 1, head.pk
        judge, place = numbers[head.judge], places[head.position]
        if head.skipped:
            labels[judge, head.skip_reason] += 1
            skips.add((judge, place))
        elif head.turn <= turns.setdefault((judge, place), head.turn):
            turns[judge, place] = head.turn
            made = by_tokens(texts[place], (EditByCharacters(*answer.values[1:]) for answer in answers))
            edits[judge][place] = tuple(Edit(start, end, (text,), kind) for start, end, text, kind in made)
    # A missing output counts as unchanged; an empty line would be a correction that deletes everything.
    systems, outputs = outputs_of(campaign, instead=list(texts))
    names, documents = tuple(name for _, name in judges), list(dict.fromkeys(document_of))
    corrections = Corrections(
        texts, tuple(map(documents.index, document_of)), names, tuple(map(tuple, edits)), systems, outputs,
        tuple(sorted((judge, place) for judge, place in skips if edits[judge][place] is None)),
    )  # fmt: skip
    labels_counted = tuple(Label(judge, label, many) for (judge, label), many in sorted(labels.items()))
    study = CorrectionStudy(corrections, chosen, read, labels_counted, days_of(campaign, names))
    return Extracted(study, newest, read)


SCOPES = {
    DrawnBy.SENTENCE: "other sentences of the same kind, corrected by these judges",
    DrawnBy.DOCUMENT: "other documents of the same kind, corrected by these judges",
}


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    scope = SCOPES[DrawnBy(parameters["unit"])]
    facts, same = facts_of(tables), [line["same"] for line in lines_of(tables, "correction_pairs", "same")]
    agreement = f"two judges write the same for {number(sum(same) / len(same))} of sentences" if same else ""
    lines = lines_of(tables, "combinations")
    if not lines:
        return Answer("The judges' corrections cannot be compared yet.", facts, scope, agreement)
    gold = max(line["gold"] for line in lines if line["kind"] == PEOPLE)
    (people,) = (line for line in lines if line["kind"] == PEOPLE and line["gold"] == gold)
    systems = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == gold]
    best = sorted((line for line in systems if line["f"] is not None), key=lambda line: -line["f"])
    against = f"against {in_words(gold)} other judge{'s' * (gold != 1)}"
    may_not_say = (
        f"“A perfect system reaches an F of 1.” Even people do not, {against}.",
        *["“One system is better than another.” No test compares them; look at their intervals."] * (len(systems) > 1),
        f"“Other judges would give the same.” The numbers hold for {scope}.",
    )
    score, level = f"F{parameters['beta']:g}", f"{100 * parameters['level']:g}%"
    answered = Answer(
        _sentence(people, best, against, score), facts, scope, agreement,
        may_say=(f"{against.capitalize()}, people reach {with_interval(people, 'f')}.",
                 *(f"{line['who']} reaches {with_interval(line, 'f')} against the same number." for line in best[:2])),
        may_not_say=may_not_say,
    )  # fmt: skip
    counts = counts_of(tables)
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} wrote {quantity(counts['judgments'], 'correction')} of "
        f"{quantity(counts['sentences'], 'sentence')}. Judges and systems are scored by the {score} of the M2 "
        "scorer [@dahlmeier2012] against the corrections of other judges, averaged over all subsets of these judges of "
        f"the same size [@bryant2015]. The {level} intervals come from {parameters['replicates']:,} bootstrap "
        f"replicates [@efron1993] that resample {parameters['unit']}s. {computed_with(parameters['seed'])}"
    )
    rows = [
        (line["who"], line["gold"], with_interval(line, "f"),
         None if line["ratio"] is None else with_interval(line, "ratio"))
        for line in lines
    ]  # fmt: skip
    table = Table.of("corrections", ("Corrected by", "Gold judges", score, "Ratio to people"), rows)
    return answered.with_paper(methods, f"People and systems scored against people, with {level} intervals", table)


def _sentence(people: dict, best: list[dict], against: str, score: str) -> str:
    reached = f"{number(people['f'])} {against}"
    if not best:
        return f"People reach an {score} of {reached}."
    reaches = f"{best[0]['who']} has the highest {score} of the systems, "
    if best[0]["ratio"] is None:
        return f"{reaches}{number(best[0]['f'])}; people reach {reached}."
    return f"{reaches}{in_percent(best[0], 'ratio')} of people’s ({reached})."


def system_scores(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Iterator[SystemScore]:
    """Against as many people as there are."""
    lines, score = lines_of(tables, "combinations"), f"F{parameters['beta']:g}"
    gold = max((line["gold"] for line in lines), default=0)
    for line in lines:
        if (line["kind"], line["gold"]) == (SYSTEM, gold):
            yield SystemScore(
                line["who"], f"m2-{score.lower()}", f"{score} against people", SHARE, line["f"], line["f_low"],
                line["f_high"], f"bootstrap ({parameters['unit']})",
                {"references": gold, "ratio_to_people": line["ratio"]},
            )  # fmt: skip


FOOT = "judges as the gold standard"
# F is that of Bryant and Ng 2015, Figures 1 and 3; people by category are their Figure 2.
MOST, MOST_ROWS, MOST_CURVES = 12, 60, 10


def combinations(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F and ratios, if judges could be compared."""
    lines = lines_of(tables, "combinations", "gold", "f")
    if not lines:
        return []
    people, title = [line for line in lines if line["kind"] == PEOPLE], "People and systems against people"
    text = "Scores of people against one another are not known."
    if people:
        first, last = people[0], people[-1]
        text = f"People reach F {number(first['f'])} against {quantity(first['gold'], 'other judge')}"
        if last is not first:
            text += f" and {number(last['f'])}{span(last['f_low'], last['f_high'])} against {last['gold']}"
        if best := _best_system(lines, last["gold"], "f"):
            text += f"; the highest F of a system there, that of {best['who']}, is {number(best['f'])}"
            text += span(best["f_low"], best["f_high"])
        text += "."
    charts = [
        draw_chart("combinations", title, text, partial(_draw_curves, {"F": "f"}, lines), _too_many_curves(lines))
    ]
    ratios = [line for line in lines if line["ratio"] is not None]
    if ratios:
        most, text = max(line["gold"] for line in ratios), "The ratios of systems to people are not known."
        if best := _best_system(ratios, most, "ratio"):
            text = (
                f"Against {quantity(most, 'judge')} {best['who']} comes nearest to people, with "
                f"{number(best['ratio'])}{span(best['ratio_low'], best['ratio_high'])} of their F. At 1 a system "
                "agrees with people as well as they do with one another."
            )
        draw = partial(_draw_curves, {"Ratio": "ratio"}, ratios)
        title = "Systems as a share of people"
        charts.append(draw_chart("ratios_to_people", title, text, draw, _too_many_curves(ratios), ()))
    return charts


def document_subsets(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw all documents next to the first ones, if the report has this section."""
    lines = lines_of(tables, "document_subsets", "gold", "f")
    if not lines:
        return []
    most, documents = max(line["gold"] for line in lines), lines[0]["documents"]
    systems = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == most and line["f_all"] is not None]
    from_all, from_first = (
        [str(line["who"]) for line in sorted(systems, key=lambda line: -line[column])] for column in ("f_all", "f")
    )
    text = f"Intervals are of other choices of {quantity(documents, 'document')}."
    if len(systems) >= 2:
        same = "are in the same order as" if from_all == from_first else "are in another order than"
        text = f"From the first documents alone the systems {same} from all of them. {text}"
    draw = partial(_draw_curves, {"All documents": "f_all", f"The first {documents}": "f"}, lines)
    return [draw_chart("document_subsets", "From fewer documents", text, draw, _too_many_curves(lines))]


def _best_system(lines: Sequence[dict], gold: int, column: str) -> dict | None:
    there = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == gold and line[column] is not None]
    return max(there, key=lambda line: line[column], default=None)


def _too_many_curves(lines: Sequence[dict]) -> str | bool:
    many = len({(line["kind"], line["who"]) for line in lines})
    return many > MOST and f"With {quantity(many, 'curve')} there is no chart"


def _draw_curves(columns: Mapping[str, str], lines: Sequence[dict]) -> Drawing:
    """Draw a panel for each column, with a curve for people and for each system."""
    whose: dict[tuple[str, str], list[dict]] = {}
    for line in lines:
        whose.setdefault((str(line["kind"]), str(line["who"])), []).append(line)
    golds = _golds(lines)
    panels = {
        title: [SlotCurve(name, _points(own, column, golds)) for (_, name), own in whose.items()]
        for title, column in columns.items()
    }
    return slot_panels(panels, list(map(str, golds)), FOOT)


def _golds(lines: Iterable[dict]) -> list[int]:
    return sorted({line["gold"] for line in lines})


def _points(lines: Iterable[dict], column: str, golds: Sequence[int]) -> dict[int, IntervalPoint]:
    return {
        golds.index(line["gold"]): IntervalPoint(line[column], line.get(f"{column}_low"), line.get(f"{column}_high"))
        for line in lines
        if line[column] is not None
    }


def edits_by_category(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, "edits_by_category", "share")
    overall = [line for line in lines if line["judge"] == EVERYBODY]
    if not overall:
        return []
    most_frequent = text_list([f"{line['category'] or 'none'} ({number(line['share'])})" for line in overall[:3]])
    text = f"Most frequent, by share: {most_frequent}. A line goes from the smallest share of a judge to the largest."
    too_large = len(overall) > MOST_ROWS and f"With {len(overall)} categories there is no chart"
    of_judges = group_by("category", (line for line in lines if line["judge"] != EVERYBODY))
    rows = []
    for line in overall:
        shares = [one["share"] for one in of_judges.get(str(line["category"]), [])]
        point = IntervalPoint(line["share"], min(shares, default=None), max(shares, default=None))
        rows.append(IntervalRow(str(line["category"]) or "none", "", (point,)))
    draw = partial(interval_rows, ("share of all edits",), rows, max(line["share"] for line in overall))
    return [draw_chart("edits_by_category", "Edits by category", text, draw, too_large)]


def category_agreement(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F of people by category, for the most frequent categories with enough edits."""
    lines = lines_of(tables, "category_agreement", "gold", "f")
    if not lines:
        return []
    by_category, most = group_by("category", lines), max(line["gold"] for line in lines)
    there = sorted((line for line in lines if line["gold"] == most), key=lambda line: -line["f"])
    best, worst = there[0], there[-1]
    text = f"Against {quantity(most, 'other judge')} people agree most in {best['category']} (F {number(best['f'])})"
    text += "." if worst is best else f" and least in {worst['category']} ({number(worst['f'])})."
    if len(by_category) > MOST_CURVES:
        text += f" The chart shows the {MOST_CURVES} most frequent of {len(by_category)} categories."
    golds = _golds(lines)
    curves = [SlotCurve(name, _points(own, "f", golds)) for name, own in list(by_category.items())[:MOST_CURVES]]
    draw = partial(slot_panels, {"F": curves}, list(map(str, golds)), FOOT)
    return [draw_chart("category_agreement", "People against people by category", text, draw)]


CORRECTIONS = ReportKind(
    study=CorrectionStudy,
    presets=PRESETS,
    presets_say={
        "recommended": "Recommended: resample sentences",
        "bryant2015": "As Bryant and Ng (2015): every judge saw every sentence; resample documents",
    },
    sections=SECTIONS,
    does="compares the corrections of judges and systems",
    headline="combinations",
    answer=answer,
    extract=extract,
    charts=(judgments_over_time, combinations, category_agreement, document_subsets, edits_by_category),
    chapters=(
        Chapter(
            "people-and-systems", "People and systems against people",
            "More than one correction can be right, so scores rise with every judge in the gold standard. The scores "
            "that people reach against one another are the yardstick for systems.",
            ("combinations", "ratios_to_people", "document_subsets"), ("one_by_one",), ("combinations",),
        ),
        Chapter(
            "categories", "Categories",
            "Every judge is compared with others by the edits of one category alone.",
            ("category_agreement", "edits_by_category"), (), ("category_agreement",),
        ),
        Chapter(
            "correcting-judges", "Agreement and judges who correct",
            "Two judges may both be right and differ, so what counts is whether somebody else wrote the same.",
            (), ("same_as_others", "different_corrections", "correction_pairs", "edits_by_judge", "labels"),
            ("same_as_others", "correction_pairs"),
        ),
        Chapter("judged", "What was judged", "", ("judgments_over_time",)),
    ),
    titles={
        "one_by_one": "Against each judge alone",
        "same_as_others": "The same as one of others",
        "different_corrections": "Different corrections of a sentence",
        "correction_pairs": "Judges in pairs",
        "edits_by_judge": "Edits by judge",
        "labels": "Sentences left as they are",
        "category_agreement": "People against people by category",
    },
    other_inputs=systems_and_outputs,
    system_scores=system_scores,
)  # fmt: skip
