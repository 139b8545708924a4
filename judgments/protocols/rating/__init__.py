"""Rating, PRWS style: a score from 0 to 100 for each candidate, and whether it changed the meaning."""

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from judgments.models.answers import BEST_SCORE
from judgments.protocols.base import Protocol
from judgments.protocols.candidates import Scale
from judgments.protocols.rating.answers import ANSWERS, columns, load, store
from judgments.protocols.rating.form import TEACHING, RatingForm

PROTOCOL = Protocol(
    name="rating",
    label=gettext_lazy("Rating (PRWS sliders)"),
    explained="asks how good each one is, from 0 to 100",
    asks=gettext_lazy("How good is each sentence?"),
    form=RatingForm,
    answers=ANSWERS,
    store=store,
    load=load,
    inputs={
        "score": serializers.IntegerField(required=False, help_text="Rating: from 0 to 100."),
        "changed": serializers.BooleanField(required=False, help_text="Rating: whether the meaning changed."),
    },
    teaching=TEACHING,
    scale=Scale("score", ends=(0.0, float(BEST_SCORE))),
    columns=columns,
    words={
        "rated": gettext_lazy("{done} of {all} rated"),
        "no_score_yet": gettext_lazy("Sentence {number} has no score from 0 to 100 yet."),
        "slider": gettext_lazy("{label}, slider"),
        "not_rated": gettext_lazy("not rated yet"),
        "same": gettext_lazy("Same as above"),
        "same_for": gettext_lazy("Same as above for sentence {number}"),
    },
    report_kind="comparisons",
    has_others_kappa=True,
)
