"""Verdict: whether a marked usage is an error, is fine, or cannot be decided."""

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from judgments.protocols.base import USAGES, Protocol
from judgments.protocols.verdict.answers import ANSWERS, columns, described, feedback, load, passed, store
from judgments.protocols.verdict.form import TEACHING, VerdictForm

PROTOCOL = Protocol(
    name="verdict",
    label=gettext_lazy("Verdict (error, OK, unknown)"),
    explained="asks whether a marked usage is an error",
    asks=gettext_lazy("Is the marked usage an error?"),
    form=VerdictForm,
    answers=ANSWERS,
    store=store,
    load=load,
    inputs={"finding": serializers.CharField(required=False, help_text="Verdict: error, ok or unknown.")},
    teaching=TEACHING,
    columns=columns,
    described=described,
    words={
        "no_verdict_yet": gettext_lazy("Say whether the marked usage is an error: 1, 2 or 3."),
        "verdict": gettext_lazy("{finding}. Enter or {key} goes on."),
    },
    material=USAGES,
    has_candidates=False,
    seconds=8.0,
    passed=passed,
    feedback=feedback,
    dismisses=True,
    lacks=frozenset({"screen_size", "automatic_ties", "one_domain_a_day", "category_list", "categories"}),
    recommended={"design": "complete", "redundancy": 5, "repeat_share": 0.0, "control_share": 0.1},
    report_kind="verdicts",
    has_others_kappa=True,
    has_experts=True,
)
