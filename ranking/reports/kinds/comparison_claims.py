"""What a ranking supports: who is best, what may be said, and what may not, from the tables of a report alone.

Each sentence answers one of four questions, which are tested by themselves (`ranking.stats.rankings.questions`): who
may be the best and who is last, who beats the source, where the order breaks (all in questions.csv), and which pairs
are separated (`resolved` in pairs.csv). Rank ranges hold for one system at a time.

From this come what a report on comparisons answers first, and the paragraphs for a paper.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from judgments.charts.numbers import chance, in_words, number, quantity, ranks, text_list
from ranking.charts.lines import kappas_of, lines_of
from ranking.charts.rankings import standings_of
from ranking.numbers.tables import Table
from ranking.reports.answers import COUNT_FIRST, Answer, Paper, computed_with, counts_of, facts_of
from ranking.reports.kinds.metric_claims import claims_on_metrics
from ranking.stats.agreement.kappa import ENOUGH
from ranking.stats.choices import INDEPENDENT
from ranking.stats.comparisons.judges import OVERALL
from ranking.stats.comparisons.standings import BEATS_SOURCE, BREAK, NOT_BEST, NOT_LAST
from ranking.stats.comparisons.study import ANY_TIME, BREAKS, MODERATED, PERCENTILE
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

MOST_NAMED, MOST_CONTENDERS = 3, 6
# A chance to be best that readers may take for proof.
LIKELY = 0.5
# The rules for clusters of rank ranges that are those of Grundkiewicz et al. (2015); the others are ours.
PUBLISHED_RULES = "all-later", "next-only"
Pair = tuple[str, str]


@dataclass(frozen=True)
class MethodFindings:
    """The standings by one method, best first, its pairs, the better one first, and its answers to other questions."""

    lines: tuple[dict, ...]
    pairs: tuple[dict, ...]
    questions: tuple[dict, ...] = ()

    @classmethod
    def of(cls, tables: Mapping[str, Table], method: str) -> "MethodFindings":
        standings, pairs, questions = (
            tuple(line for line in lines_of(tables, name) if line["method"] == method)
            for name in ("standings", "pairs", "questions")
        )
        return cls(standings, pairs, questions)

    @cached_property
    def systems(self) -> list[str]:
        return [str(line["system"]) for line in self.lines]

    @cached_property
    def separated(self) -> set[Pair]:
        return {(line["system"], line["opponent"]) for line in self.pairs if line["resolved"]}

    def statements_of(self, question: str) -> list[dict]:
        return [line for line in self.questions if line["question"] == question and line["holds"]]

    @cached_property
    def contenders(self) -> list[str]:
        """The systems that may be the best."""
        excluded = {line["system"] for line in self.statements_of(NOT_BEST)}
        return [system for system in self.systems if system not in excluded]

    @cached_property
    def last(self) -> str:
        """The one system that may be the last, if there is one."""
        excluded = {line["system"] for line in self.statements_of(NOT_LAST)}
        possible = [system for system in self.systems if system not in excluded]
        return possible[0] if len(possible) == 1 else ""

    @cached_property
    def source(self) -> str:
        return next((str(line["opponent"]) for line in self.questions if line["question"] == BEATS_SOURCE), "")

    @cached_property
    def above_source(self) -> list[str]:
        found = {line["system"] for line in self.statements_of(BEATS_SOURCE)}
        return [system for system in self.systems if system in found]

    @cached_property
    def placed(self) -> list[str]:
        """The systems that were judged often enough to be placed; no question is about others."""
        return [str(line["system"]) for line in self.lines if line["cluster"] is not None]

    @cached_property
    def asks_for_breaks(self) -> bool:
        """Whether clusters are what lies between breaks, and not those of a published rule."""
        return any(line["question"] == BREAK for line in self.questions)

    @cached_property
    def after_breaks(self) -> list[str]:
        """The systems with which a group begins after the first."""
        return [self.placed[self.placed.index(line["after"]) + 1] for line in self.statements_of(BREAK)]

    def decision_on(self, better: str, worse: str) -> str:
        """How a question other than that of all pairs decides that one system is better; empty if none does."""
        if not {better, worse} <= {*self.placed}:
            return ""
        for line in self.statements_of(BEATS_SOURCE):
            if (line["system"], self.source) == (better, worse):
                return f"tested with all systems against the source (p = {line['p_value']:.2g})"
        first, second = self.placed.index(better), self.placed.index(worse)
        for line in self.statements_of(BREAK):
            if first <= self.placed.index(line["after"]) < second:
                return f"because the order breaks between them (p = {line['p_value']:.2g})"
        for line in self.statements_of(NOT_BEST):
            if self.contenders == [better] and line["system"] == worse:
                return f"because no other system may be the best (p = {line['p_value']:.2g})"
        return ""

    def tells_apart(self, better: str, worse: str) -> bool:
        """Whether any question decides that one system is better."""
        return (better, worse) in self.separated or bool(self.decision_on(better, worse))

    @property
    def unit(self) -> Unit:
        return Unit(str(self.lines[0]["unit"]))


def headline(found: MethodFindings) -> str:
    """The sentence to quote; `answer` adds what makes it look too sure."""
    first, *others = found.systems
    last = f"; {found.last} is last" if found.last and len(others) > 1 else ""
    if len(found.contenders) == len(found.systems):
        if not (found.separated or last or found.above_source or found.after_breaks):
            many = f"any of the {in_words(len(found.systems))} systems"
            return f"The judgments do not separate {' and '.join(found.systems) if len(others) == 1 else many}."
        return f"{first} scores highest; each of the {in_words(len(found.systems))} systems may be the best{last}."
    if 1 < len(found.contenders) <= MOST_CONTENDERS:
        return f"The best is one of {text_list(found.contenders, MOST_CONTENDERS)}{last}."
    if len(found.contenders) > 1:
        some = f"{in_words(len(found.contenders))} of the {in_words(len(found.systems))} systems"
        return f"{first} scores highest; {some} may be the best{last}."
    if len(others) == 1:
        return f"{first} is better than {others[0]}."
    # The second system, and those after it as long as no two of them are separated.
    group = others[:1]
    for system in others[1:]:
        if any(found.tells_apart(better, system) for better in group):
            break
        group.append(system)
    if len(group) > 1:
        which = "other" if len(group) == len(others) else "next"
        return f"{first} is best; the judgments do not separate the {which} {in_words(len(group))}."
    second = others[0]
    if beside := [
        other for other in others[1:] if not (found.tells_apart(second, other) or found.tells_apart(other, second))
    ]:
        also = text_list(beside) if len(beside) <= MOST_NAMED else f"{in_words(len(beside))} others"
        if len(beside) == len(others) - 1 > 1:
            also = f"any of the other {in_words(len(beside))}"
        return f"{first} is best; the judgments do not separate {second} from {also}."
    return f"{first} is best; {second} is second."


def may_say(found: MethodFindings, level: float, unit: Unit) -> list[str]:
    """A sentence for each question, and one that says why two of them seem to contradict each other."""
    first, *others = found.systems
    said = []
    if others and len(found.contenders) == 1:
        all_others = f"all {in_words(len(others))} other systems" if others[2:] else f"{' and '.join(others)}"
        said.append(f"{first} is better than {all_others}.")
    elif len(found.contenders) < len(found.systems):
        the = "The" if unit.caution else f"With {100 * level:.3g}% confidence, the"
        among = f"these {in_words(len(found.contenders))}"
        if len(found.contenders) > MOST_CONTENDERS:
            among = f"{in_words(len(found.contenders))} of the systems (p above {1 - level:.3g} in questions.csv)"
        said.append(f"{the} best system is among {among}; another may be as good as it.")
    if found.source:
        above, source = found.above_source, found.source
        who = "No system is shown to be"
        if len(above) > MOST_CONTENDERS:
            who = f"{in_words(len(above)).capitalize()} systems (in questions.csv) are"
        elif above:
            who = f"{text_list(above, MOST_CONTENDERS)} {'is' if len(above) == 1 else 'are'}"
        said.append(f"{who} better than {'the source' if source.casefold() == 'source' else f'{source}, the source'}.")
    if found.after_breaks:
        places = text_list([f"before {system}" for system in found.after_breaks], 8)
        said.append(f"The order breaks {places}: all systems above are better than all below.")
    elif found.separated and found.asks_for_breaks:
        said.append("No break in the order is shown. Systems that share a letter are not separated.")
    total, some = len(found.pairs), len(found.separated)
    differ = f"{some:,} of {total:,} pairs of systems differ{'s' * (some == 1)}"
    if total == 1:
        differ = ""  # the other sentences say it
    elif not some:
        differ = f"None of the {total:,} pairs of systems differs significantly, all tested together."
    elif unit.caution:
        differ += ", all tested together."
    else:
        differ += (
            "; all are tested together, so that the probability of any false difference among them is at most "
            f"{100 * (1 - level):.3g}%."
        )
    said += [differ] if differ else []
    if equivalent := [f"{line['system']} and {line['opponent']}" for line in found.pairs if line["equivalent"]]:
        said.append(f"Equally good within the margin of the report (delta): {text_list(equivalent, 4)}.")
    if conflict := _conflict(found):
        said.append(
            "Each question is tested by itself, and one with fewer comparisons needs weaker evidence. For example, "
            f"{conflict}."
        )
    return said


def _conflict(found: MethodFindings) -> str:
    """What one question decides and the tests of all pairs leave open; that a system is not the best says of no other
    one that it is better, unless only that may be the best.
    """
    decided = [
        *((system, found.source) for system in found.above_source),
        *((line["system"], line["opponent"]) for line in found.statements_of(BREAK)),
    ]
    excluded = [(line["opponent"], line["system"]) for line in found.statements_of(NOT_BEST)]
    if len(found.contenders) == 1:
        decided += [(found.contenders[0], system) for _, system in excluded]
    for better, worse in decided:
        if (better, worse) not in found.separated:
            return f"{better} is better than {worse}, although the tests of all pairs do not separate them"
    for ahead, system in excluded:
        if (ahead, system) not in found.separated:
            return f"{system} is not the best, although the tests of all pairs do not separate it from {ahead}"
    if (
        found.asks_for_breaks
        and len(found.contenders) == 1 < len(found.placed)
        and found.placed[1] not in found.after_breaks
    ):
        return f"{found.contenders[0]} is better than all others, although no break is shown after it"
    return ""


BEYOND = {
    Unit.PAIR: "Other sentences or other judges",
    Unit.RANKING: "Other sentences or other judges",
    Unit.SENTENCE: "Other judges",
    Unit.JUDGE: "Other sentences",
    Unit.SENTENCE_AND_JUDGE: "Another kind of text or of judges",
}


def may_not_say(found: MethodFindings, unit: Unit) -> list[str]:
    said = []
    first, *rivals = found.contenders
    if 0 < len(rivals) < len(found.systems) - 1:
        likely = found.lines[0]["p_best"] or 0
        proof = (
            f", though the probability that {first} is best is {chance(likely).replace('>', 'above ')}"
            if likely > LIKELY
            else ""
        )
        said.append(f"“{first} is the best system.” {text_list(rivals, 8)} may be the best, too{proof}.")
    if pairs := [line for line in found.pairs if not line["resolved"]]:
        if not said:
            said.append(f"“{pairs[0]['system']} is better than {pairs[0]['opponent']}.” They are not separated.")
        # Systems with equal scores may have the same outputs.
        if unequal := [line for line in pairs if line["difference"] and not line["equivalent"]]:
            closest = min(unequal, key=lambda line: line["difference"])
            pair = f"{closest['system']} and {closest['opponent']}"
            said.append(f"“{pair} are equally good.” Not separated is not equal.")
    said.append(f"“{BEYOND[unit]} would give the same.”")
    return said


DRAWN = {
    Unit.PAIR: "single comparisons",
    Unit.RANKING: "judgments",
    Unit.SENTENCE: "sentences",
    Unit.JUDGE: "judges",
    Unit.SENTENCE_AND_JUDGE: "sentences, with the variance between judges added [@cameron2011]",
}


def paper(
    tables: Mapping[str, Table], parameters: Mapping[str, Any], answer: Answer, found: MethodFindings,
    of_metrics: Sequence[str], on_metrics: str,
) -> Paper:  # fmt: skip
    standings, counts = tables["standings"].dicts(), counts_of(tables)
    method, unit = METHODS[answer.cited], Unit(str(standings[0]["unit"]))
    level, alpha = f"{100 * parameters['level']:g}%", f"{100 * (1 - parameters['level']):.3g}%"
    intervals = f"The {level} intervals and rank ranges"
    if method.is_posterior:
        intervals += " are computed from draws from the posterior distribution."
    elif parameters["looks"] == ANY_TIME:
        intervals += " are confidence sequences, valid at any time [@waudbysmith2024]."
    else:
        is_moderated = parameters["intervals"] == MODERATED
        moderated = "; they are moderated for systems with few sentences [@smyth2004]" if is_moderated else ""
        intervals += (
            f" come from {parameters['replicates']:,} bootstrap replicates [@efron1993] that resample "
            f"{DRAWN[unit]}{moderated}."
        )
    if not method.is_posterior:
        intervals += f" They hold for {unit.generalises_to}."
    at_level = f"{'at a nominal' if unit.caution else 'with a'} familywise error rate of {alpha}"
    is_once = parameters["looks"] != ANY_TIME
    source_test, pair_test = (
        f", by a {one}[@romano2005]" if is_once else ""
        for one in ("one-sided step-down procedure ", "two-sided step-down procedure for all pairs ")
    )
    tested = [
        "which systems may be the best and which the last, by comparisons with the best [@hsu1984; @mogstad2024], in "
        f"sets at {'a nominal level' if unit.caution else 'a confidence level'} of {level}"
    ]
    if found.source:
        tested.append(f"which are better than the source{source_test}")
    if found.asks_for_breaks:
        boundaries = "intersection-union tests of all boundaries [@berger1982] with Holm's correction [@holm1979]"
        tested.append(f"where the order breaks, by {boundaries}")
    tested.append(f"which pairs differ{pair_test}")
    rule = parameters["clusters"]
    kind, work = ("published rule", " [@grundkiewicz2015]") if rule in PUBLISHED_RULES else ("rule", "")
    by_rule = "" if rule == BREAKS else f" Clusters follow the {kind} “{rule}” of rank ranges{work}."
    methods = [
        f"In total, {quantity(counts['judges'], 'judge')} made "
        f"{quantity(counts['judgments'], 'rating' if method.for_ratings else 'judgment')} of the outputs "
        f"of {quantity(counts['systems'] - bool(found.source), 'system')}{' and of the source' * bool(found.source)} "
        f"for {quantity(counts['sentences'], 'sentence')}.",
        *(["The other systems that were judged are not analysed."] if parameters.get("systems") else []),
        f"Systems are ranked by {method.label} [@{method.sources}].",
        intervals,
        f"Each question is tested by itself {at_level}: {'; '.join(tested[:-1])}; and {tested[-1]}."
        + ("" if is_once else " Holm's procedure corrects the tests of confidence sequences [@holm1979].")
        + by_rule,
        *([unit.caution] if unit.caution else []),
    ]
    if parameters["delta"]:
        methods.append(
            f"Equivalence within a margin of {parameters['delta']:g} is assessed with two one-sided tests "
            "[@schuirmann1987]."
        )
    kappas = kappas_of(tables)
    if any(line["kind"] in OVERALL and line["kappa"] is not None for line in kappas):
        few = any(not line["enough"] for line in kappas)
        methods.append(
            "Agreement is measured by kappa on pairs of outputs, with the agreement expected by chance estimated from "
            "all judges together [@grundkiewicz2015]."
            + f" Pairs of judges with fewer than {ENOUGH} comparisons in common are left out."
            * few
        )
    methods += [*([on_metrics] if on_metrics else []), computed_with(parameters["seed"])]

    results = [COUNT_FIRST.sub("Altogether, ", sentence) for sentence in (answer.sentence, *answer.may_say)]
    _, *others = dict.fromkeys(str(line["method"]) for line in standings)
    results += [
        f"{other['label']} [@{METHODS[name].sources}] leads to the same conclusion for {other['same']} of "
        f"{quantity(other['pairs'], 'pair')}."
        for name, other in zip(others, answer.others, strict=True)
    ]
    if answer.agreement:
        results.append(f"Agreement of judges: {answer.agreement}.")
    results += of_metrics

    cited, has_letters = standings_of(tables, answer.cited)
    table = Table.of(
        "ranking", ("System", "Score", f"{level} interval", "Ranks", "Letters" if has_letters else "Cluster"),
        [
            (line["system"], line["score"], f"{number(line['score_low'], 3)} to {number(line['score_high'], 3)}",
             ranks(line["rank_low"], line["rank_high"]), line["letters" if has_letters else "cluster"])
            for line in cited
        ],
    )  # fmt: skip
    basis = ", ".join(answer.facts)
    groups = (
        "rank ranges that hold for all systems together, and letters (systems that share one are not separated)"
        if has_letters
        else "rank ranges and clusters"
    )
    caption = f"Systems ranked by {method.label}, with {level} intervals, {groups}; {basis}."
    return Paper(" ".join(methods), " ".join(results), caption, table)


def _precision(lines: Sequence[dict]) -> str:
    """What judges make up of the uncertainty, and what more of them or of sentences would buy, by the first method."""
    if not lines:
        return ""
    line = lines[0]
    judges, sentences = (f"{100 * (1 - line[f'width_with_{of}']):.0f}%" for of in ("judges", "sentences"))
    more = f"{in_words(line['more_judges'])} more judges"
    return (
        f"Judges make up an estimated {100 * line['judges_share']:.0f}% of the uncertainty: {more} would make "
        f"intervals {judges} narrower, {line['more_sentences']} more sentences {sentences}."
    )


def _fragility(first: str, lines: Sequence[dict]) -> str:
    """How few sentences or judges decide the first place: those most in its favour against whoever overtakes it."""
    found = {line["unit"]: line for line in lines if line["removed"] is not None}
    units = [found[unit] for unit in (Unit.SENTENCE, Unit.JUDGE) if unit in found]
    if not units:
        return ""
    few = " or ".join(f"{line['removed']:,} of {quantity(line['of'], line['unit'])}" for line in units)
    favour = "favours" if units[-1]["removed"] == 1 else "favour"
    over = " or ".join(dict.fromkeys(line["winner"] for line in units))
    return f"Without the {few} that {favour} it most over {over}, {first} would lose the first place."


def answer(tables: Mapping[str, Table], parameters: Mapping[str, Any]) -> Answer | None:
    """The answer by the first method that could rank; None before there is a ranking."""
    if not {"counts", "standings", "pairs"} <= tables.keys():
        return None
    cited, *others = dict.fromkeys(map(str, tables["standings"].column("method")))
    unit = Unit(str(tables["standings"].rows[0][1]))
    refused = [] if cited == parameters["methods"][0] else lines_of(tables, "standings_refused")
    found, level = MethodFindings.of(tables, cited), parameters["level"]
    # Kappa between judges, and of judges with themselves, as far as they are known.
    kappas = {line["kind"]: line["kappa"] for line in kappas_of(tables) if line["kappa"] is not None}
    known = [
        f"{number(kappas[kind])}{' (worse than chance)' * (kappas[kind] < 0)} {between}"
        for kind, between in OVERALL.items()
        if kind in kappas
    ]
    agreement = f"kappa {', '.join(known)}" if known else ""
    if counts_of(tables).get("judges", 0) > 1 and "overall inter" not in kappas:
        agreement = f"{agreement}," if known else "kappa"
        between = [line for line in kappas_of(tables) if line["kind"] == "inter"]
        most = max((line["compared"] for line in between), default=0)
        why = f"no two share more than {quantity(most, 'comparison')}, and {ENOUGH} are needed"
        if parameters["answers"] != INDEPENDENT:
            agreement += " unknown between judges (it needs independent answers)"
        elif any(line["enough"] for line in between):
            agreement += " undefined between judges (all their judgments are alike)"
        else:
            agreement += f" unknown between judges ({why if most else 'no output was judged by two'})"
    differing, pairs = [line["other_method"] for line in lines_of(tables, "methods_compared")], len(found.pairs)
    sentence, caution = headline(found), ""
    if unit.caution:
        is_published = parameters["intervals"] == PERCENTILE
        narrow = "intervals as published, which are" if is_published else "by intervals that are"
        sentence = f"{sentence[:-1]} ({narrow} too narrow)."
        false = f"each of these statements is false in more than {100 * (1 - level):.3g}% of campaigns"
        caution = f"{unit.caution} So {false}; use them only beside published numbers."
    # If clusters are what lies between breaks, and every system is in one.
    legend = (
        "A line between clusters: everything above it is better than everything below; within a cluster some pairs may "
        "still differ."
    )
    answered = Answer(
        sentence=sentence,
        facts=facts_of(tables),
        scope=unit.generalises_to,
        caution=caution,
        legend=legend if found.after_breaks and found.placed == found.systems else "",
        refused=next((str(line["reason"]) for line in refused), ""),
        agreement=agreement,
        precision=_precision(lines_of(tables, "precision")),
        fragility=_fragility(found.systems[0], lines_of(tables, "fragility")),
        cited=cited,
        may_say=tuple(may_say(found, level, unit)),
        may_not_say=tuple(may_not_say(found, unit)),
        others=tuple(
            {"label": METHODS[name].label, "same": pairs - differing.count(name), "pairs": pairs} for name in others
        ),
    )
    of_metrics, not_of_metrics, on_metrics = claims_on_metrics(tables, METHODS[cited].label, level)
    return replace(
        answered,
        may_say=(*answered.may_say, *of_metrics),
        may_not_say=(*answered.may_not_say, *not_of_metrics),
        paper=paper(tables, parameters, answered, found, of_metrics, on_metrics),
    )
