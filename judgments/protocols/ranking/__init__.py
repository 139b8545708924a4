"""Ranking, Appraise style: a rank for each candidate, 1 is best, ties allowed."""

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from judgments.protocols.base import Protocol
from judgments.protocols.candidates import Scale
from judgments.protocols.ranking.answers import ANSWERS, columns, load, store
from judgments.protocols.ranking.form import TEACHING, RankingForm

PROTOCOL = Protocol(
    name="ranking",
    label=gettext_lazy("Ranking (Appraise style)"),
    explained="asks which version is better",
    asks=gettext_lazy("Rank the sentences from best to worst"),
    form=RankingForm,
    answers=ANSWERS,
    store=store,
    load=load,
    inputs={"rank": serializers.IntegerField(required=False, help_text="Ranking: 1 is best.")},
    teaching=TEACHING,
    scale=Scale("rank", more_is_better=False),
    columns=columns,
    words={
        "ranked": gettext_lazy("{done} of {all} ranked"),
        "no_rank_yet": gettext_lazy("Sentence {number} has no rank yet."),
        "drag": gettext_lazy("Drag to a rank"),
    },
    alone=False,
    report_kind="comparisons",
    has_others_kappa=True,
)
