"""Reports on edits: what is read, what is answered first, and what the page shows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from unicodedata import category as kind_of_sign

import numpy as np

from judgments.charts.numbers import number, quantity, span, text_list
from judgments.charts.rows import IntervalRow, interval_rows
from judgments.charts.svg import Chart, draw_chart
from judgments.models import Campaign, Segment, System
from judgments.protocols.stream import stream_judgments
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import Edit, apply_edits, decisions, edits_made, read_judged
from judgments.rules.texts.token_edits import by_tokens
from ranking.charts.judged import judgments_over_time
from ranking.charts.lines import lines_of, point_of, rows_of
from ranking.metrics.errant_edits import extractor
from ranking.metrics.errant_parser import is_installed
from ranking.metrics.material import Edits
from ranking.models import Metric
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.answers import Answer, computed_with, counts_of, facts_of, first_of, in_percent, with_interval
from ranking.reports.ballots import candidates_of, metrics_of
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind, SystemScore
from ranking.reports.kinds.metric_claims import TAU, R, claims_on_metrics
from ranking.reports.rows import days_of, judges_that_count, judgments_that_count, systems_and_outputs
from ranking.scores.texts import language_code, material_of
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.comparisons.metrics import PRECISION_OR_RECALL
from ranking.stats.edits import SECTIONS
from ranking.stats.edits.clusters import FEWEST_SENTENCES
from ranking.stats.edits.judges import ALPHA_ACCEPTED
from ranking.stats.edits.metrics import PRECISION
from ranking.stats.edits.study import ERRANT, PRESETS, EditNames, EditParameters, EditStudy, Marks, VerdictName
from ranking.stats.edits.systems import EVERYBODY
from ranking.stats.edits.worth import BOTH, OTHERS, OWN, SYSTEMS
from ranking.stats.edits.worth import EDITS as BY_EDITS
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.overview import NAME
from ranking.stats.metaevaluation.scores import SYSTEM
from ranking.stats.rankings.method import SHARE
from ranking.stats.resampling import Unit

# The edits of references as the campaign has them: those of M2 files, or the differences of words.
GIVEN, BY_ERRANT = "references", "references, edits by ERRANT"
Span = tuple[int, int, str]
# The number of a sentence from 0, and an edit of its normalised text.
Placed = tuple[int, Edit]


def extract(campaign: Campaign, chosen: EditParameters) -> Extracted:
    """Read the judgments that count, sentence by sentence."""
    judges = list(judges_that_count(campaign, chosen.judged_by, chosen.answers).values_list("pk", "pseudonym"))
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("pk", "name"))
    segments = list(
        Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", "document", "text")
    )
    texts = [normalise(text or "") for _, _, text in segments]
    keys, candidates = candidates_of([pk for pk, _ in systems])
    numbers = {pk: number for number, (pk, _) in enumerate(judges)}
    verdicts = tuple(VerdictName(*one) for one in read_edit_verdicts(campaign.edit_verdicts))
    wanted = set(judgments_that_count(campaign, list(numbers), chosen.answers).values_list("pk", flat=True))
    heads, rows, edits, marks = _marked_versions(campaign, wanted, numbers, keys.tolist(), verdicts, segments, texts)
    # ERRANT classifies if it is wanted and there is a parser for the language.
    code = language_code(campaign)
    language = code if chosen.categories == ERRANT and is_installed(code) else None
    categories, category = np.unique(categories_of(texts, edits, language), return_inverse=True)
    references, in_reference = in_references(campaign, texts, edits, language)
    names = EditNames(
        tuple(name for _, name in systems), tuple(name for _, name in judges), verdicts,
        tuple(map(str, categories)), references,
    )  # fmt: skip
    metrics, lacking = metrics_of(campaign, names.systems, len(segments))
    judge, segment, seconds, is_repeat, sizes = np.array(heads, dtype=float).reshape(-1, 5).T
    candidate, merit, missed = np.array(rows, dtype=float).reshape(-1, 3).T
    present, document_of = np.unique([document for _, document, _ in segments], return_inverse=True)
    study = EditStudy(
        ballots=Ballots(
            systems=len(systems), judges=len(judges), documents=len(present), judge=judge.astype(np.int64),
            segment=segment.astype(np.int64), seconds=seconds, starts=starts_of(sizes.astype(np.int64)),
            candidate=candidate.astype(np.int64), merit=merit, candidates=candidates,
            document_of=document_of.reshape(-1).astype(np.int64),
        ),
        marks=marks, missed=missed.astype(np.int64), is_repeat=is_repeat > 0,
        category=category.reshape(-1).astype(np.int64), in_reference=in_reference, names=names, parameters=chosen,
        metrics=metrics, lacking=tuple(sorted(lacking.items())), days=days_of(campaign, names.judges),
    )  # fmt: skip
    return Extracted(study, max(wanted, default=0), study.judgments)


def _marked_versions(
    campaign: Campaign, wanted: set[int], judges: Mapping[int, int], candidates: list[int],
    verdicts: Sequence[VerdictName], segments: Sequence[tuple], texts: Sequence[str],
) -> tuple[list[tuple], list[tuple], list[Placed], Marks]:  # fmt: skip
    """Read the judgments wanted, the rows of their versions, all edits once, and the verdicts on them.

    A judgment is judge, sentence, seconds, whether it is a repeat, and its rows; a row is candidate, merit and the
    errors that it missed. Edits that versions of a sentence share are one.
    """
    known = {pk: number for number, pk in enumerate(candidates)}
    places = {position: place for place, (position, *_) in enumerate(segments)}
    codes = {verdict.name: number for number, verdict in enumerate(verdicts)}
    heads, rows, marked = list[tuple](), list[tuple](), list[tuple]()
    versions: dict[int, dict[tuple[Edit, ...], int]] = {}
    for head, answers in stream_judgments(campaign, with_excluded=False, with_revisions=True, by_sentence=True):
        if head.pk not in wanted:
            continue
        place, shown = places[head.position], [answer for answer in answers if answer.candidate in known]
        for answer in shown:
            edits, rank = answer.values
            found = read_judged(edits)
            there = versions.setdefault(place, {})
            version = there.setdefault(tuple(edits_made(found)), len(there))
            said = [one.verdict for one in found if not one.is_missed]
            if unknown := set(said) - codes.keys():
                raise StatisticsError(
                    f"Judges gave the verdict {min(unknown)!r}, which is not among those of the campaign. Add it to "
                    "its verdicts on edits again."
                )
            marked += [(len(rows), place, version, edit, codes[verdict]) for edit, verdict in enumerate(said)]
            merit = np.nan if rank is None else -float(rank)
            rows.append((known[answer.candidate or 0], merit, len(found) - len(said)))
        seconds = np.nan if head.seconds is None else head.seconds
        heads.append((judges[head.judge or 0], place, seconds, head.repeats is not None, len(shown)))
    placed: list[Placed] = []
    numbers: dict[tuple[int, int, int], int] = {}
    for place, of_place in versions.items():
        for decision in decisions(texts[place], list(of_place)):
            numbers |= {(place, *where): len(placed) for where in decision.places}
            placed.append((place, decision.edit))
    marks = [(row, numbers[place, version, edit], verdict) for row, place, version, edit, verdict in marked]
    return heads, rows, placed, Marks(*np.array(marks, dtype=np.int64).reshape(-1, 3).T)


def categories_of(texts: Sequence[str], edits: Sequence[Placed], language: str | None) -> list[str]:
    """The category of each edit made alone: by ERRANT, several joined by +; or by what becomes of the words.

    Toy of the latter: `Ive` for `I've` is punctuation, `infront` for `in front` is case or spaces, `goes` for `go` a
    replacement.
    """
    if language is None:
        return [kind_of(texts[place][edit.start : edit.end], edit.replacement) for place, edit in edits]
    pairs = [(texts[place], apply_edits(texts[place], [edit])) for place, edit in edits]
    found = extractor(language).edits(pairs)
    return ["+".join(dict.fromkeys(one.kind for one in found[pair])) for pair in pairs]


def kind_of(old: str, new: str) -> str:
    before, after = ("".join(text.split()).casefold() for text in (old, new))
    if before == after:
        return "case or spaces"
    # Without punctuation and symbols.
    letters = ["".join(sign for sign in text if kind_of_sign(sign)[0] not in "PS") for text in (before, after)]
    if letters[0] == letters[1]:
        return "punctuation"
    return "replacement" if before and after else "insertion" if after else "deletion"


def in_references(
    campaign: Campaign, texts: Sequence[str], edits: Sequence[Placed], language: str | None
) -> tuple[tuple[str, ...], np.ndarray]:
    """Ways of looking up edits in references, and for each edit (row) whether a reference makes it; NaN if unknown."""
    if not System.objects.filter(campaign=campaign, kind=System.Kind.REFERENCE).exists():
        return (), np.empty((len(edits), 0))
    material = material_of(campaign)
    made: dict[str, list[set[Span] | None]] = {GIVEN: list(_given(zip(*material.edits, strict=True)))}
    if language is not None:
        pairs = [
            [(source, text) for text in row if text is not None]
            for source, row in zip(material.source, zip(*material.texts, strict=True), strict=True)
        ]
        found = extractor(language).edits(pair for row in pairs for pair in row)
        made[BY_ERRANT] = list(_given([found[pair] for pair in row] for row in pairs))
    tokens = [(place, by_tokens(texts[place], [edit])) for place, edit in edits]
    columns = [
        [
            np.nan if (known := sets[place]) is None else float(bool(parts) and all(one[:3] in known for one in parts))
            for place, parts in tokens
        ]
        for sets in made.values()
    ]
    return tuple(made), np.array(columns, dtype=float).reshape(len(made), len(edits)).T


def _given(sentences: Iterable[Iterable[Edits | None]]) -> Iterator[set[Span] | None]:
    """All edits of the references of each sentence; None for a sentence without any."""
    for row in sentences:
        known = [edits for edits in row if edits is not None]
        spans = {(edit.start, edit.end, text) for edits in known for edit in edits for text in edit.corrections}
        yield spans if known else None


def other_inputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: systems and their outputs, and scores of metrics."""
    return systems_and_outputs(campaign) | {
        "metrics": list(Metric.objects.of(campaign).order_by("pk").values_list("pk", flat=True))
    }


RATES = ("right_a_sentence", "wrong_a_sentence", "missed_a_sentence")


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    scope = Unit(EditParameters.of(parameters).for_judges(counts.get("judges", 0)).unit).generalises_to
    alphas = [line["value"] for line in lines_of(tables, "edit_agreement") if line["coefficient"] == ALPHA_ACCEPTED]
    agreement = f"alpha {number(alphas[0])} between judges on edits" if alphas else ""
    lines, pairs = lines_of(tables, "edit_systems", "precision"), lines_of(tables, "edit_pairs")
    worth, predicted = lines_of(tables, "edit_worth"), lines_of(tables, "edit_prediction")
    # Systems with edits of which enough were judged to be named the best.
    enough = [line for line in lines if min(line["sentences"], line["edits"]) >= FEWEST_SENTENCES]
    of_metrics, not_of_metrics, _ = claims_on_metrics(_correlations(tables), PRECISION, parameters["level"], PRECISION)
    answered = Answer(
        _sentence(enough, lines, pairs), facts_of(tables), scope, agreement,
        may_say=(
            *first_of("edit_pairs", [
                f"People accept a larger share of the edits of {line['system']} than of {line['opponent']}."
                for line in pairs if line["resolved"]
            ]),
            *map(_worth_sentence, _of_both(worth)),
            *([_prediction_sentence(predicted)] if predicted else []), *of_metrics,
        ),
        may_not_say=(*_may_not_say(enough, pairs, worth, scope), *not_of_metrics),
    )  # fmt: skip
    if not lines:
        return answered
    on_worth = (
        "What an edit is worth is estimated by a Bradley-Terry model [@bradley1952] of preferences with the numbers of "
        "edits by verdict as covariates; the same judges marked and ranked. "
    ) * ("edit_worth" in tables)
    on_metrics = (
        "Metrics are compared with precision by Pearson's r over systems, with intervals that draw systems. "
    ) * bool(of_metrics)
    by_alpha = "Agreement is measured by Krippendorff's alpha [@krippendorff2011]. " * bool(alphas)
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['verdicts'], 'verdict')} on "
        f"{quantity(counts['edits'], 'edit')} in {quantity(counts['sentences'], 'sentence')} [@kobayashi2024]. "
        f"Precision is the share of a system's edits that judges accept; its {level} intervals are Wilson intervals "
        f"[@wilson1927] for the effective number of edits [@korn1998], with the variance clustered [@cameron2011]; "
        f"they hold for {scope}. {on_worth}{on_metrics}{by_alpha}{computed_with(parameters['seed'])}"
    )
    rows = [
        (
            line["system"],
            line["edits"],
            in_percent(line, "precision"),
            *(with_interval(line, name) for name in RATES),
        )
        for line in lines
    ]
    columns = ("System", "Edits", "Right", "Right per sentence", "Wrong per sentence", "Missed per sentence")
    table = Table.of("edits", columns, rows)
    return answered.with_paper(methods, f"Edits that people accept, with {level} intervals", table)


def _sentence(enough: list[dict], lines: list[dict], pairs: list[dict]) -> str:
    if not lines:
        return "No edit of a system that takes part was judged yet."
    if not enough:
        return f"Too few edits were judged to compare systems: no system has {FEWEST_SENTENCES}, on as many sentences."
    best, *others = enough
    if not others:
        return f"People accept {in_percent(best, 'precision')} of the edits of {best['system']}."
    rivals = [line["system"] for line in others if not _is_resolved(pairs, best["system"], line["system"])]
    if rivals:
        return (
            f"{best['system']} has the highest share of edits that people accept, {in_percent(best, 'precision')}, but "
            f"is not separated from {text_list(rivals)}."
        )
    return f"{best['system']} has the most edits that people accept: {in_percent(best, 'precision')} of them right."


def _correlations(tables: Mapping[str, Table]) -> dict[str, Table]:
    """Pearson's r of each metric with precision, in the form of reports on comparisons."""
    rows = [
        (PRECISION, line["metric"], line["systems"], line["value"], line["low"], line["high"], None)
        # A metric's own scores come last, in place of its means.
        for line in sorted(lines_of(tables, "edit_metrics", "value"), key=lambda line: line["level"] == SYSTEM)
        if (line["people"], line["coefficient"]) == (PRECISION, Coefficient.PEARSON)
        and not PRECISION_OR_RECALL.fullmatch(line["metric"])
    ]
    columns = "people", "metric", "systems", R, f"{R}_low", f"{R}_high", TAU
    return {NAME: Table.of(NAME, columns, rows)}


def _is_resolved(pairs: list[dict], system: str, other: str) -> bool:
    return any(line["system"] == system and line["opponent"] == other and line["resolved"] for line in pairs)


def _may_not_say(enough: list[dict], pairs: list[dict], worth: list[dict], scope: str) -> list[str]:
    said = []
    if len(enough) > 1 and not _is_resolved(pairs, enough[0]["system"], enough[1]["system"]):
        said.append(
            f"“{enough[0]['system']} makes better edits than {enough[1]['system']}.” The data do not separate them."
        )
    said.append("“The system with the largest share of right edits is the best.” It may make few, or miss errors.")
    if worth:
        said.append(
            "“Edits cause preferences.” The same judges marked and ranked, so that a verdict may follow from the rank; "
            "look at what the marks of other judges predict."
        )
    return [*said, f"“Others would find the same.” The numbers hold for {scope}."]


def system_scores(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Iterator[SystemScore]:
    for line in lines_of(tables, "edit_systems"):
        yield SystemScore(
            line["system"], "right-edits", "Share of right edits", SHARE, line["precision"], line["precision_low"],
            line["precision_high"], "Wilson, clustered", {name: line[name] for name in ("edits", *RATES)},
        )  # fmt: skip


SHARE_OF_RIGHT, MOST_DRAWN = "Share of right edits", 40


def edit_systems(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw precision in one chart, and the edits of a sentence in another."""
    every, lines = lines_of(tables, "edit_systems"), lines_of(tables, "edit_systems", "precision")
    if not lines:
        return []
    best, most = lines[0], max(every, key=lambda line: line["right_a_sentence"])
    text = f"{best['system']} has the highest share of right edits, {in_percent(best, 'precision')}."
    also = (
        f"{most['system']} makes the most right edits per sentence, {number(most['right_a_sentence'])}"
        f"{span(most['right_a_sentence_low'], most['right_a_sentence_high'])}."
    )
    too_large = len(every) > MOST_DRAWN and f"{len(lines)} systems are too many for a chart"
    shares = partial(interval_rows, (SHARE_OF_RIGHT,), rows_of(lines, "precision"))
    rates = partial(interval_rows, ("Right", "Wrong", "Missed"), rows_of(every, *RATES))
    return [
        draw_chart("edit_systems", "Edits that people accept", text, shares, too_large),
        draw_chart("edit_rates", "Edits per sentence", also, rates, too_large, ()),
    ]


def edit_categories(tables: Mapping[str, Table]) -> list[Chart]:
    lines = [line for line in lines_of(tables, "edit_categories", "precision") if line["system"] == EVERYBODY]
    if not lines:
        return []
    frequent = text_list([f"{line['category']} ({number(line['precision'])})" for line in lines[:3]])
    text = f"The most frequent categories, with the share of right edits of all systems: {frequent}."
    draw = partial(interval_rows, (SHARE_OF_RIGHT,), rows_of(lines[:MOST_DRAWN], "precision", name="category"))
    return [draw_chart("edit_categories", "Edits by category", text, draw)]


def edit_worth(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, "edit_worth")
    if not lines:
        return []
    rows = [
        # Longer names would be shortened.
        IntervalRow(
            f"{line['verdict']}, {line['marked_by'].removeprefix('the ')}",
            str(line["model"]),
            (point_of(line, "log_odds"),),
        )
        for line in sorted(lines, key=lambda line: (line["marked_by"] != OWN, line["verdict"]))
    ]
    text, draw = " ".join(map(_worth_sentence, _of_both(lines))), partial(interval_rows, ("Log-odds of winning",), rows)
    return [draw_chart("edit_worth", "What an edit is worth", text, draw)]


def _of_both(lines: Sequence[dict]) -> list[dict]:
    """Beside the strengths of systems, by the judge who ranked."""
    return [line for line in lines if line["marked_by"] == OWN and line["model"] == BOTH]


def _worth_sentence(line: dict) -> str:
    return (
        f"One more edit that is {line['verdict']} multiplies the odds of being preferred by {number(line['odds'])}"
        f"{span(line['odds_low'], line['odds_high'])}."
    )


def edit_prediction(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, "edit_prediction")
    if not lines:
        return []
    rows = [
        IntervalRow(
            f"{line['marked_by'].removeprefix('the ')} marked", str(line["predicted_by"]), (point_of(line, "right"),)
        )
        for line in lines
    ]
    draw = partial(interval_rows, ("Share predicted rightly",), rows)
    return [draw_chart("edit_prediction", "Preferences predicted", _prediction_sentence(lines), draw)]


def _prediction_sentence(lines: Sequence[dict]) -> str:
    own = {line["predicted_by"]: line for line in lines if line["marked_by"] == OWN}
    by_edits, by_systems, by_both = (in_percent(own[by], "right") for by in (BY_EDITS, SYSTEMS, BOTH))
    others = [line for line in lines if line["marked_by"] == OTHERS and line["predicted_by"] == BY_EDITS]
    fairer = f" Edits marked by other judges predict {in_percent(others[0], 'right')}." if others else ""
    return (
        f"On sentences not seen before, edits alone predict {by_edits} of the preferences, systems alone {by_systems}, "
        f"and both {by_both}; a coin, 50%.{fairer}"
    )


EDITS = ReportKind(
    study=EditStudy,
    presets=PRESETS,
    presets_say={"recommended": "Recommended: other sentences, and other judges from 5 on"},
    sections=SECTIONS,
    does="measures the systems by the edits that people accept",
    headline="edit_systems",
    answer=answer,
    extract=extract,
    charts=(edit_systems, edit_worth, edit_prediction, edit_categories, judgments_over_time),
    chapters=(
        Chapter(
            "edits-of-systems", "Edits that people accept",
            "Every verdict of a judge counts, for every system that made the edit.",
            ("edit_systems", "edit_rates"), ("edit_pairs", "edit_verdicts"), ("edit_systems",),
        ),
        Chapter(
            "worth", "What an edit is worth",
            "How the odds of being preferred change with one more edit, and how many preferences edits predict. The "
            "same judges marked and ranked, so numbers for edits that other judges marked are the fairer ones.",
            ("edit_worth", "edit_prediction"), (), ("edit_worth",),
        ),
        Chapter("edit-categories", "Categories", "", ("edit_categories",), (), ("edit_categories",)),
        Chapter(
            "metrics-and-edits", "Metrics against edits",
            "Whether metrics prefer what people accept: of systems, of the versions of a sentence, and of single "
            "edits.",
            (), ("edit_metrics", "edit_references"), ("edit_metrics", "edit_references"),
        ),
        Chapter(
            "judges-of-edits", "Agreement and judges of edits",
            "Kappa and alpha are the agreement beyond chance: 1 is perfect, and 0 is as good as chance.",
            (), ("edit_agreement", "edit_judge_pairs", "edit_judges"), ("edit_agreement", "edit_judges"),
        ),
        Chapter("judged", "What was judged", "", ("judgments_over_time",)),
    ),
    titles={
        "edit_pairs": "Systems in pairs",
        "edit_verdicts": "Verdicts by system",
        "edit_metrics": "Metrics, systems and sentences",
        "edit_references": "Edits that references make",
        "edit_agreement": "Agreement on edits",
        "edit_judge_pairs": "Judges in pairs",
        "edit_judges": "The judges",
    },
    other_inputs=other_inputs,
    system_scores=system_scores,
)  # fmt: skip
