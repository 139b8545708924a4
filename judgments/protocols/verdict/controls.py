"""Controls among usages: those of which the right answer is known."""

from collections.abc import Iterator

from django.db.models import F, QuerySet
from django.utils.translation import gettext

from judgments.models import Judgment, Verdict
from judgments.protocols.verdict.form import tell
from judgments.rules.texts.marking import marked

# So many characters to each side are enough to know a sentence again.
NEAR = 30
SHOULD_BE = {True: Verdict.Finding.ERROR.value, False: Verdict.Finding.OK.value}


def passed(judgments: QuerySet[Judgment]) -> Iterator[bool]:
    """Whether each found what is known to be right; who cannot tell did not."""
    verdicts = Verdict.objects.filter(judgment__in=judgments).annotate(gold=F("judgment__screen__usage__gold"))
    return (finding == SHOULD_BE.get(gold) for finding, gold in verdicts.values_list("finding", "gold"))


def feedback(judgment: Judgment) -> str:
    """Whether that was right, and if not what would have been."""
    usage = judgment.screen.usage
    verdict = Verdict.objects.filter(judgment=judgment).first()
    if verdict is None or usage is None or usage.gold is None:
        return ""
    right = SHOULD_BE[usage.gold]
    before, marked_text, after = marked(usage.segment.text or "", usage.start, usage.end)
    told = {"usage": f"{before[-NEAR:]}[{marked_text}]{after[:NEAR]}".strip(), "right": tell(right)}
    if verdict.finding == right:
        return gettext("“%(usage)s” was a test, and you were right: %(right)s.") % told
    return gettext("“%(usage)s” was a test, and %(right)s would have been right.") % told
