"""Reports on edits: what is read, what is answered first, and what the page shows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from judgments.charts.numbers import number, quantity, text_list
from judgments.models import Campaign, Segment, System
from judgments.protocols.rows import AnswerRow as JudgedVersion
from judgments.protocols.rows import Head
from judgments.protocols.stream import stream_judgments
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import Edit, decisions, edits_made, read_judged
from ranking.charts.edits import (
    edit_categories,
    edit_prediction,
    edit_systems,
    edit_worth,
    of_both,
    percent,
    prediction_sentence,
    worth_sentence,
)
from ranking.charts.judged import judgments_over_time
from ranking.charts.lines import lines_of
from ranking.models import Metric
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.answers import Answer, counts_of, facts_of, with_interval
from ranking.reports.ballots import candidates_of, metrics_of
from ranking.reports.kinds.edit_categories import Placed, categories_of, in_references, parsed_language
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind, SystemScore
from ranking.reports.papers import Paper, computed_with
from ranking.reports.rows import days_of, judges_that_count, judgments_that_count, systems_and_outputs
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.edits import SECTIONS
from ranking.stats.edits.clusters import FEWEST_SENTENCES
from ranking.stats.edits.judges import ALPHA_ACCEPTED
from ranking.stats.edits.study import (
    ERRANT,
    PRESETS,
    EditNames,
    EditParameters,
    EditStudy,
    Marks,
    VerdictName,
)
from ranking.stats.rankings.method import SHARE
from ranking.stats.resampling import Unit

Version = tuple[Edit, ...]


@dataclass
class _Collected:
    """Judgments and the rows of their versions as they are read; `marks` are row, sentence, version, edit, verdict."""

    verdicts: dict[str, int]
    heads: list[tuple[int, int, float, bool, int]] = field(default_factory=list)
    rows: list[tuple[int, float, int]] = field(default_factory=list)
    marks: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    versions: dict[int, dict[Version, int]] = field(default_factory=dict)

    def add(
        self, head: Head, judge: int, place: int, answers: Sequence[JudgedVersion], known: Mapping[int, int]
    ) -> None:
        shown = [answer for answer in answers if answer.candidate in known]
        for answer in shown:
            edits, rank = answer.values
            found = read_judged(edits)
            there = self.versions.setdefault(place, {})
            version = there.setdefault(tuple(edits_made(found)), len(there))
            verdicts = [one.verdict for one in found if not one.is_missed]
            if unknown := set(verdicts) - self.verdicts.keys():
                raise StatisticsError(
                    f"Judges gave the verdict {min(unknown)!r}, which is not among those of the campaign. Add it to "
                    "its verdicts on edits again."
                )
            self.marks += [
                (len(self.rows), place, version, edit, self.verdicts[verdict]) for edit, verdict in enumerate(verdicts)
            ]
            merit = np.nan if rank is None else -float(rank)
            self.rows.append((known[answer.candidate or 0], merit, len(found) - len(verdicts)))
        seconds = np.nan if head.seconds is None else head.seconds
        self.heads.append((judge, place, seconds, head.repeats is not None, len(shown)))

    def edits_and_marks(self, texts: Sequence[str]) -> tuple[list[Placed], Marks]:
        """All edits once, those that versions share as one, and the marks with the numbers of their edits."""
        edits: list[Placed] = []
        numbers: dict[tuple[int, int, int], int] = {}
        for place, versions in self.versions.items():
            for decision in decisions(texts[place], list(versions)):
                numbers |= {(place, *where): len(edits) for where in decision.places}
                edits.append((place, decision.edit))
        rows = [(row, numbers[place, version, edit], verdict) for row, place, version, edit, verdict in self.marks]
        return edits, Marks(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def extract(campaign: Campaign, chosen: EditParameters) -> Extracted:
    """Read the judgments that count, sentence by sentence."""
    judges = list(judges_that_count(campaign, chosen.judged_by, chosen.answers).values_list("pk", "pseudonym"))
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("pk", "name"))
    segments = list(
        Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", "document", "text")
    )
    keys, candidates = candidates_of([pk for pk, _ in systems])
    known = {pk: number for number, pk in enumerate(keys.tolist())}
    numbers = {pk: number for number, (pk, _) in enumerate(judges)}
    places = {position: place for place, (position, *_) in enumerate(segments)}
    verdicts = tuple(VerdictName(*one) for one in read_edit_verdicts(campaign.edit_verdicts))
    collected = _Collected({verdict.name: number for number, verdict in enumerate(verdicts)})
    wanted = set(judgments_that_count(campaign, list(numbers), chosen.answers).values_list("pk", flat=True))
    for head, answers in stream_judgments(campaign, with_excluded=False, with_revisions=True, by_sentence=True):
        if head.pk in wanted:
            collected.add(head, numbers[head.judge or 0], places[head.position], answers, known)
    texts = [normalise(text or "") for _, _, text in segments]
    edits, marks = collected.edits_and_marks(texts)
    language = parsed_language(campaign, with_errant=chosen.categories == ERRANT)
    categories, category = np.unique(categories_of(texts, edits, language), return_inverse=True)
    references, in_reference = in_references(campaign, texts, edits, language)
    names = EditNames(
        tuple(name for _, name in systems), tuple(name for _, name in judges), verdicts,
        tuple(map(str, categories)), references,
    )  # fmt: skip
    metrics, lacking = metrics_of(campaign, names.systems, len(segments))
    judge, segment, seconds, is_repeat, sizes = np.array(collected.heads, dtype=float).reshape(-1, 5).T
    candidate, merit, missed = np.array(collected.rows, dtype=float).reshape(-1, 3).T
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


def other_inputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: systems and their outputs, and scores of metrics."""
    return systems_and_outputs(campaign) | {
        "metrics": list(Metric.objects.of(campaign).order_by("pk").values_list("pk", flat=True))
    }


MOST_SAID = 5


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    if "counts" not in tables:
        return None
    judges = counts_of(tables).get("judges", 0)
    scope = Unit(EditParameters.of(parameters).for_judges(judges).unit).generalises_to
    alphas = [line["value"] for line in lines_of(tables, "edit_agreement") if line["coefficient"] == ALPHA_ACCEPTED]
    agreement = f"alpha {number(alphas[0])} between judges on edits" if alphas else ""
    lines, pairs = lines_of(tables, "edit_systems", "precision"), lines_of(tables, "edit_pairs")
    worth, predicted = lines_of(tables, "edit_worth"), lines_of(tables, "edit_prediction")
    answered = Answer(
        _sentence(_enough(lines), lines, pairs), tuple(facts_of(tables)), scope, agreement,
        may_say=(*_may_say(pairs), *map(worth_sentence, of_both(worth)), *_predicted(predicted)),
        may_not_say=tuple(_may_not_say(_enough(lines), pairs, worth, scope)),
    )  # fmt: skip
    return replace(answered, paper=paper(tables, parameters, answered)) if lines else answered


def _enough(lines: list[dict]) -> list[dict]:
    """Systems with edits of which enough were judged to be named the best."""
    return [line for line in lines if line["sentences"] >= FEWEST_SENTENCES and line["edits"] >= FEWEST_SENTENCES]


def _sentence(enough: list[dict], lines: list[dict], pairs: list[dict]) -> str:
    if not lines:
        return "No edit of a system that takes part was judged yet."
    if not enough:
        return f"Too few edits were judged to compare systems: no system has {FEWEST_SENTENCES}, on as many sentences."
    best, *others = enough
    right = f"{_precision(best)} of them right"
    if not others:
        return f"People accept {_precision(best)} of the edits of {best['system']}."
    rivals = [line["system"] for line in others if not _is_resolved(pairs, best["system"], line["system"])]
    if rivals:
        return (
            f"{best['system']} has the highest share of edits that people accept, {_precision(best)}, but is not "
            f"separated from {text_list(rivals)}."
        )
    return f"{best['system']} has the most edits that people accept: {right}."


def _precision(line: dict) -> str:
    return percent(line["precision"], line["precision_low"], line["precision_high"])


def _is_resolved(pairs: list[dict], system: str, other: str) -> bool:
    return any(line["system"] == system and line["opponent"] == other and line["resolved"] for line in pairs)


def _may_say(pairs: list[dict]) -> list[str]:
    resolved = [line for line in pairs if line["resolved"]]
    return [
        f"People accept a larger share of the edits of {line['system']} than of {line['opponent']}."
        for line in resolved[:MOST_SAID]
    ]


def _predicted(lines: list[dict]) -> list[str]:
    return [prediction_sentence(lines)] if lines else []


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


RATES = ("right_a_sentence", "wrong_a_sentence", "missed_a_sentence")


def paper(tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer) -> Paper:
    counts, level = counts_of(tables), f"{100 * parameters['level']:g}%"
    methods = (
        f"In total, {quantity(counts['judges'], 'judge')} gave {quantity(counts['verdicts'], 'verdict')} on "
        f"{quantity(counts['edits'], 'edit')} in {quantity(counts['sentences'], 'sentence')} [@kobayashi2024]. "
        f"Precision is the share of a system's edits that judges accept; its {level} intervals are Wilson intervals "
        f"[@wilson1927] for the effective number of edits [@korn1998], with the variance clustered [@cameron2011]; "
        f"they hold for {answer.scope}. "
        f"{_on_worth(tables)}Agreement is measured by Krippendorff's alpha [@krippendorff2011]. "
        f"{computed_with(parameters['seed'])}"
    )
    rows = [
        (line["system"], line["edits"], percent(line["precision"], line["precision_low"], line["precision_high"]),
         *(with_interval(line, name) for name in RATES))
        for line in lines_of(tables, "edit_systems", "precision")
    ]  # fmt: skip
    columns = ("System", "Edits", "Right", "Right per sentence", "Wrong per sentence", "Missed per sentence")
    caption = f"Edits that people accept, with {level} intervals ({', '.join(answer.facts)})."
    results = " ".join([answer.sentence, *answer.may_say])
    return Paper(methods, results, caption, Table.of("edits", columns, rows))


def _on_worth(tables: Mapping[str, Table]) -> str:
    if "edit_worth" not in tables:
        return ""
    return (
        "What an edit is worth is estimated by a Bradley-Terry model [@bradley1952] of preferences with the numbers of "
        "edits by verdict as covariates; the same judges marked and ranked. "
    )


def system_scores(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Iterator[SystemScore]:
    for line in lines_of(tables, "edit_systems"):
        yield SystemScore(
            line["system"], "right-edits", "Share of right edits", SHARE, line["precision"], line["precision_low"],
            line["precision_high"], "Wilson, clustered", {name: line[name] for name in ("edits", *RATES)},
        )  # fmt: skip


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
