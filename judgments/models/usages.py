"""Usages that judges give verdicts on, and what systems say of them."""

from django.db import models
from django.db.models import F, Q

from judgments.models.campaign import Campaign
from judgments.models.material import Segment, System
from judgments.rules.files.names import LONGEST_ID


class Usage(models.Model):
    """A usage: characters start to end of a segment, and whether it is an error, where that is known."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    name = models.CharField(max_length=LONGEST_ID, help_text="What the organiser's files call it.")
    segment = models.ForeignKey(Segment, models.CASCADE)
    start = models.PositiveIntegerField(help_text="The first character of the usage.")
    end = models.PositiveIntegerField(help_text="The character after it.")
    gold = models.BooleanField(null=True, help_text="Whether it is an error; null where nobody knows.")

    class Meta:
        ordering = ["campaign", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="one_usage_per_name"),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="usage_span_in_order"),
        ]

    def __str__(self) -> str:
        return self.name


class Classification(models.Model):
    """What a system says of a usage: how likely it is an error; 1 or 0 where the system knows classes alone."""

    system = models.ForeignKey(System, models.CASCADE, db_index=False)
    usage = models.ForeignKey(Usage, models.CASCADE)
    probability = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "usage"], name="one_classification_per_system_and_usage"),
            models.CheckConstraint(condition=Q(probability__gte=0, probability__lte=1), name="classification_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.system}: {self.probability:g}"
