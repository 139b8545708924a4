"""What programs that judge were asked and said."""

from hashlib import sha256
from typing import Self

from django.db import models
from django.db.models import Q
from django.urls import reverse

from judgments.models.assignments import Assignment
from judgments.models.campaign import Campaign
from judgments.models.constraints import check, unique
from judgments.models.jobs import LONG, Job
from judgments.models.judgments import Judgment
from judgments.models.members import Membership

LONGEST_PROMPT, LONGEST_RAW = 20_000, 100_000
# Of one answer, in any currency; a sum of many is still a number.
MOST_COST = 1_000_000
SHOWN_DIGITS = 12


class Prompt(models.Model):
    """A version of what a campaign tells programs to do; it never changes once a program has been asked with it."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    version = models.PositiveIntegerField(help_text="From 1.")
    text = models.TextField(max_length=LONGEST_PROMPT)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign", "version"]
        constraints = [unique("one_prompt_per_campaign_and_version", "campaign", "version")]

    def __str__(self) -> str:
        return f"prompt {self.version} of {self.campaign}"

    @property
    def digest(self) -> str:
        return sha256(self.text.encode()).hexdigest()[:SHOWN_DIGITS]


class ProgramAnswerQuerySet(models.QuerySet["ProgramAnswer"]):
    def probes(self) -> Self:
        return self.exclude(purpose=ProgramAnswer.Purpose.JUDGMENT)


class ProgramAnswer(models.Model):
    """One answer of a program as it came, with all that it depends on. Only a judgment counts; probes ask again."""

    class Purpose(models.TextChoices):
        JUDGMENT = "judgment", "the judgment"
        REVERSED = "reversed", "the same candidates in the opposite order"
        IDENTICAL = "identical", "one candidate twice"
        SAMPLE = "sample", "another sample of the same question"

    assignment = models.ForeignKey(Assignment, models.CASCADE, db_index=False)
    judgment = models.OneToOneField(Judgment, models.CASCADE, null=True, blank=True, related_name="said")
    purpose = models.CharField(max_length=10, choices=Purpose)
    sample = models.PositiveSmallIntegerField(default=0, help_text="Which one of several with the same purpose.")
    prompt = models.ForeignKey(Prompt, models.PROTECT)
    model = models.CharField(max_length=200, help_text="The model that was asked for.")
    answered_by = models.CharField(max_length=200, blank=True, help_text="The model as the endpoint names it.")
    temperature = models.FloatField(null=True, blank=True)
    seed = models.PositiveIntegerField(null=True, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    cost = models.FloatField(null=True, blank=True, help_text="In the currency of the prices given to the run.")
    raw = models.TextField(max_length=LONGEST_RAW, help_text="What the model wrote, tries that failed included.")
    answers = models.JSONField(null=True, blank=True, help_text="In the order of the assignment; null if unreadable.")
    asked_at = models.DateTimeField(auto_now_add=True)

    objects = ProgramAnswerQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            unique("one_answer_per_question", "assignment", "purpose", "sample"),
            check("programanswer_cost_in_range", Q(cost=None) | Q(cost__gte=0, cost__lte=MOST_COST)),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.sample} of a program at {self.assignment}"


class ProgramRun(Job):
    """Letting a program answer assignments at an endpoint: what was asked for, and what it has done so far."""

    KIND = "program"
    SINGLE = True
    handler_path = "judgments.programs.runs.answer"
    queue = LONG

    program = models.ForeignKey(Membership, models.CASCADE)
    endpoint = models.CharField(max_length=80, help_text="The name that the operator gave the endpoint.")
    choices = models.JSONField(help_text="Model, probes, limits and prices.")
    answered = models.PositiveIntegerField(default=0)
    unreadable = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    cost = models.FloatField(default=0)
    after = models.PositiveBigIntegerField(default=0, help_text="All assignments up to this one were asked about.")
    stopped = models.CharField(max_length=300, blank=True, help_text="Why it ended before all assignments were done.")

    def get_absolute_url(self) -> str:
        return reverse("programs", args=[self.campaign.slug])
