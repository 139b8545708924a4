"""Correction: the edits that mend a sentence, or the word that there is nothing to mend."""

from django.utils.translation import gettext_lazy

from judgments.protocols.base import Protocol
from judgments.protocols.correction.answers import ANSWERS, columns, described, load, store
from judgments.protocols.correction.api import INPUTS
from judgments.protocols.correction.form import CorrectionForm, specification
from judgments.protocols.correction.tutorial import TEACHING
from judgments.protocols.correction.words import WORDS

# Nothing is compared, and no right answer is known.
LACKS = frozenset({
    "feedback", "screen_size", "automatic_ties", "one_domain_a_day", "control_share", "control_pass_share",
    "least_controls",
})  # fmt: skip

PROTOCOL = Protocol(
    name="correction",
    label=gettext_lazy("Correction (write the edits)"),
    explained="asks for the edits that mend each sentence",
    asks=gettext_lazy("Correct the sentence"),
    form=CorrectionForm,
    answers=ANSWERS,
    store=store,
    load=load,
    specification=specification,
    inputs=INPUTS,
    teaching=TEACHING,
    columns=columns,
    described=described,
    words=WORDS,
    has_candidates=False,
    in_order=True,
    wider=30,
    seconds=60.0,
    lacks=LACKS,
    recommended={"design": "complete", "repeat_share": 0.0, "control_share": 0.0},
    report_kind="corrections",
)
