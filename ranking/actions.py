"""What organisers do to the metrics of a campaign."""

from django import forms

from judgments.actions.base import Action
from judgments.rules.errors import Refused
from ranking.models import Metric
from ranking.scores.stored import cancel_scoring


class RemoveMetric(Action):
    """Remove the scores of a metric, at one level or at all; existing reports keep their numbers."""

    address = "metrics/remove/"
    page = "metrics"
    name = forms.CharField(max_length=100)
    level = forms.ChoiceField(required=False, choices=[("", "all"), *Metric.Level.choices])

    def do(self, name: str, level: str) -> str:
        scores = Metric.objects.of(self.campaign).filter(name=name)
        if not (scores.filter(level=level) if level else scores).delete()[0]:
            raise Refused(f"There are no scores by {name}, or they have already been removed.")
        return f"Removed the scores by {name}."


class CancelScorings(Action):
    """Cancel all unfinished scorings; stored scores stay."""

    address = "scorings/cancel/"
    page = "metrics"

    def do(self) -> str:
        cancel_scoring(self.campaign)
        return "The scorings were cancelled; stored scores stay."


ACTIONS = (RemoveMetric, CancelScorings)
