"""A campaign: material, protocol, judges, settings and seed."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext, pgettext_lazy

from judgments.models.constraints import check, in_range
from judgments.models.settings import CAMPAIGN, COMPLETION, JUDGING, ONBOARDING, PLAN, RULE, Fixed, Setting, setting
from judgments.rules.authored.pay import read_pay
from judgments.rules.authored.prose import prose_fault
from judgments.rules.authored.rubrics import fault_of_rubric
from judgments.rules.crowd_platforms import fault_of_return_address
from judgments.rules.datasheet.sheet import fault_of_answers
from judgments.rules.errors import Refused


@deconstructible
@dataclass(unsafe_hash=True)
class RangeValidator:
    """Checks both bounds with one message and rejects NaN, unlike Django's two validators."""

    least: float
    most: float

    def __call__(self, value: float) -> None:
        if not self.least <= value <= self.most:
            percent = f"; write {value / 100:g} for {value:g}%" if self.most <= 1 < value <= 100 else ""
            raise ValidationError(f"must lie between {self.least} and {self.most}, and is {value}{percent}.")


def check_return_address(template: str) -> None:
    if fault := fault_of_return_address(template):
        raise ValidationError(fault)


def check_prose(markdown: str) -> None:
    if fault := prose_fault(markdown):
        raise ValidationError(fault)


def check_pay(rule: str) -> None:
    if not read_pay(rule):
        raise ValidationError(
            f"{rule!r} cannot be read; write it like 0.05 EUR a screen, 2 EUR a batch or 12 EUR an hour."
        )


def check_rubric(text: str) -> None:
    if fault := fault_of_rubric(text):
        raise ValidationError(fault)


def check_answers(stored: Any) -> None:
    if fault := fault_of_answers(stored):
        raise ValidationError(fault)


DEFAULT_PROTOCOL = "ranking"
DEFAULT_LANGUAGE = "en"
LARGEST_SCREEN = 20
LARGEST_SEED = 2**31 - 1
MOST_JUDGES = 1000
LARGEST_BATCH = 1000
MOST_BATCHES = 1000
MOST_ATTEMPTS = 10
LONGEST_LEASE = 10_080
MOST_CONTROLS = 1000
LONGEST_SECONDS = 3600
# For texts that are parsed line by line.
AT_MOST = [MaxLengthValidator(100_000)]
LANGUAGE_CODE = RegexValidator(r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*\Z", "Write a code such as en, pl or zh-Hant.")
SHORT_NAME = {"invalid": "A short name has only letters, digits, hyphens and underscores."}


def new_seed() -> int:
    return secrets.randbelow(LARGEST_SEED)


def between(least: float, most: float) -> list[RangeValidator]:
    return [RangeValidator(least, most)]


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def of(self, user) -> "CampaignQuerySet":
        """Campaigns in which the user has a role; all campaigns for a site operator."""
        if user.is_superuser:
            return self
        return self.filter(membership__user=user, membership__removed_at=None).distinct()

    def with_later_screens(self) -> "CampaignQuerySet":
        """Open campaigns whose next screens depend on the judgments so far."""
        return self.filter(state=Campaign.State.OPEN, later_screens__gt=0)


class Campaign(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("state of a campaign", "being prepared")
        OPEN = "open", pgettext_lazy("state of a campaign", "open")
        CLOSED = "closed", pgettext_lazy("state of a campaign", "closed")
        ARCHIVED = "archived", pgettext_lazy("state of a campaign", "archived")

    class CategoryList(models.TextChoices):
        """The categories from which judges choose for an edit."""

        NONE = "none", "none"
        CONLL2014 = "conll2014", "the 28 of CoNLL-2014"
        ERRANT = "errant", "those of ERRANT"
        OWN = "own", "your own, as written below"

    class CompactView(models.TextChoices):
        """Whether judges can see versions by their differences instead of as whole sentences."""

        OFFERED = "offered", "judges can switch to it"
        FIRST = "first", "judges begin with it, and can switch to whole sentences"
        NEVER = "never", "judges always see whole sentences"

    class Design(models.TextChoices):
        SAMPLED = "sampled", "sampled (some of the outputs)"
        COMPLETE = "complete", "complete (every output)"

    class Sampling(models.TextChoices):
        """How the sampled design chooses sentences."""

        PUBLISHED = "published", "as published in 2015"
        CHANCE = "chance", "with equal probability"
        DISTINCT = "distinct", "in proportion to distinct outputs"
        DIVERSE = "diverse", "those whose outputs differ most"
        UNDECIDED = "undecided", "pairs not yet separated first"
        FIRST_RANKS = "first-ranks", "first ranks not yet separated first"

    class Pilot(models.TextChoices):
        """Whether the first screens that are assigned are a pilot, and whether its judgments count."""

        NONE = "", "no"
        COUNTS = "counts", "yes, and its judgments count in reports"
        APART = "apart", "yes, and its judgments do not count in reports"

    slug = models.SlugField(unique=True, error_messages=SHORT_NAME)
    protocol = models.CharField(max_length=20, default=DEFAULT_PROTOCOL)
    state = models.CharField(max_length=20, choices=State, default=State.DRAFT)
    preset = models.CharField(max_length=40, blank=True)

    # fmt: off
    name = setting(CAMPAIGN)(models.CharField(max_length=200))
    language = setting(CAMPAIGN)(models.CharField(
        max_length=35, default=DEFAULT_LANGUAGE, validators=[LANGUAGE_CODE],
        help_text="The language of the sentences, such as en or pl.",
    ))
    category_list = setting(CAMPAIGN, "Categories of edits", is_special=True)(models.CharField(
        max_length=20, choices=CategoryList, default=CategoryList.NONE,
        help_text="The categories from which judges choose one for each edit.",
    ))
    categories = setting(CAMPAIGN, "Your own categories", is_special=True)(models.TextField(
        blank=True, validators=AT_MOST,
        help_text="Your own categories, one per line, each followed by a colon and a line of help.",
    ))
    edit_verdicts = setting(CAMPAIGN, "Verdicts on edits", fixed=Fixed.ONCE_ASSIGNED, is_special=True)(models.TextField(
        blank=True, validators=AT_MOST,
        help_text="The verdicts on edits that judges choose from, one per line: + right, - wrong, - unnecessary, and "
        "so on, with + for those that accept an edit. Leave blank for right and wrong.",
    ))
    asks_for_ranks = setting(CAMPAIGN, "Ask for ranks", fixed=Fixed.ONCE_ASSIGNED, is_special=True)(models.BooleanField(
        default=True, help_text="Judges also rank the versions after they have judged the edits."
    ))
    rubric = setting(CAMPAIGN, fixed=Fixed.ONCE_ASSIGNED, is_special=True)(models.TextField(
        blank=True, validators=[*AT_MOST, check_rubric],
        help_text="The scales by which judges rate, with the words of their points, and the severities of errors that "
        "they mark. Leave it blank for grammaticality, fluency and meaning, each from 1 to 4.",
    ))

    design = setting(PLAN, is_folded=True)(models.CharField(max_length=20, choices=Design, default=Design.SAMPLED))
    sampling = setting(PLAN, "Choice of sentences", is_folded=True)(models.CharField(
        max_length=20, choices=Sampling, default=Sampling.PUBLISHED,
        help_text="How the sampled design chooses sentences. As published in 2015, diverse outputs are more likely to "
        "be drawn. The last two choices draw screens while judging goes on, so that pairs of systems that are not yet "
        "separated get more judgments: all such pairs, or those of the first ranks. Reports with weights describe the "
        "whole collection.",
    ))
    screen_size = setting(PLAN, "Versions per screen", is_folded=True)(models.PositiveSmallIntegerField(
        default=5, validators=between(1, LARGEST_SCREEN), help_text="The most versions of a sentence on one screen."
    ))
    redundancy = setting(PLAN, "Judges per screen")(models.PositiveSmallIntegerField(
        default=1, validators=between(1, MOST_JUDGES), help_text="Judges who see each screen; two show how they agree."
    ))
    batch_size = setting(PLAN, "Screens per batch", is_folded=True)(models.PositiveSmallIntegerField(
        default=20, validators=between(1, LARGEST_BATCH), help_text="Screens that a judge does in one sitting."
    ))
    repeat_share = setting(PLAN, "Share of repeats", is_folded=True)(models.FloatField(
        default=0.1, validators=between(0, 0.5), help_text="Share of a batch shown to a judge again, such as 0.1 (10%)."
    ))
    control_share = setting(PLAN, "Share of controls", is_folded=True)(models.FloatField(
        default=0.0, validators=between(0, 1),
        help_text="Share of screens that are controls, such as 0.1 (10%): the source with added errors beside the "
        "source, or a usage whose right answer is known.",
    ))
    automatic_ties = setting(PLAN, is_folded=True)(models.BooleanField(
        default=False, help_text="Count sampled sentences whose outputs are all equal as ties; nobody judges them."
    ))
    one_domain_a_day = setting(PLAN, is_folded=True)(models.BooleanField(
        default=False, help_text="On one day, a judge gets texts of one domain only."
    ))
    document_mode = setting(PLAN, is_folded=True)(models.BooleanField(
        default=False,
        help_text="Give judges whole documents, sentence after sentence. A document longer than the batch size gets a "
        "longer batch, and repeats come last. Needs the complete design.",
    ))
    pilot = setting(PLAN, is_folded=True)(models.CharField(
        max_length=10, choices=Pilot, blank=True, default=Pilot.NONE,
        help_text="Whether the first screens try out instructions, time and agreement; fixed once they are assigned.",
    ))
    seed = setting(PLAN, is_folded=True)(models.PositiveIntegerField(
        default=new_seed, validators=between(0, LARGEST_SEED), help_text="The same seed draws the same screens."
    ))

    instructions = setting(ONBOARDING)(models.TextField(
        blank=True, validators=[check_prose], help_text="What judges should know, in Markdown."
    ))
    consent = setting(ONBOARDING)(models.TextField(
        blank=True, validators=[check_prose],
        help_text="What judges agree to before they begin, in Markdown; they are asked again when it changes.",
    ))
    tutorial = setting(ONBOARDING)(models.TextField(
        blank=True, validators=AT_MOST, help_text="Examples to try, with the expected answers."
    ))
    questions = setting(ONBOARDING)(models.TextField(
        blank=True, validators=AT_MOST, help_text="Questions that judges must answer before they begin."
    ))
    pass_share = setting(ONBOARDING, "Share to pass", is_folded=True)(models.FloatField(
        default=0.8, validators=between(0, 1), help_text="Share of questions to answer correctly, such as 0.8 (80%)."
    ))
    most_attempts = setting(ONBOARDING, "Attempts", is_folded=True)(models.PositiveSmallIntegerField(
        default=2, validators=between(1, MOST_ATTEMPTS), help_text="How often a judge may answer the questions."
    ))

    compact_view = setting(JUDGING, is_folded=True)(models.CharField(
        max_length=10, choices=CompactView, default=CompactView.OFFERED,
        help_text="A view that shows common words once, and each version by its differences. Exports say which view "
        "was used.",
    ))
    rest_minutes = setting(JUDGING, "Minutes until a break", is_folded=True)(models.PositiveSmallIntegerField(
        null=True, blank=True, default=50, validators=between(1, LONGEST_LEASE),
        help_text="After so many minutes without a break, a line suggests one; leave blank for none.",
    ))
    lease_minutes = setting(JUDGING, "Minutes a screen is reserved", is_folded=True)(models.PositiveSmallIntegerField(
        default=30, validators=between(1, LONGEST_LEASE),
        help_text="After so many minutes without activity, the screen can go to other judges.",
    ))
    batches_per_judge = setting(JUDGING, is_folded=True)(models.PositiveSmallIntegerField(
        null=True, blank=True, validators=between(1, MOST_BATCHES),
        help_text="The most batches for one judge; leave blank for no limit.",
    ))
    pay = setting(JUDGING, is_folded=True)(models.CharField(
        max_length=60, blank=True, validators=[check_pay],
        help_text="What judges earn, such as 0.05 EUR a screen, 2 EUR a batch or 12 EUR an hour. They see the sum "
        "while they judge; leave blank if nothing is paid.",
    ))
    feedback = setting(JUDGING, "Feedback on controls", fixed=Fixed.ONCE_ASSIGNED, is_special=True)(models.BooleanField(
        default=False, help_text="Show judges the right answer of a control as soon as they have answered it."
    ))
    majority_feedback = setting(
        JUDGING, "Show where most others differ", fixed=Fixed.ONCE_OPENED, is_folded=True
    )(models.BooleanField(
        default=False,
        help_text="After a batch, judges can see where most others answered the opposite, never which system it was, "
        "and change their answers. Changed answers are no longer independent: they are stored beside the first ones, "
        "which count unless a report asks for the changed ones. Fixed when the campaign opens.",
    ))
    assistance = setting(JUDGING, "Program shown to judges", is_folded=True, is_special=True)(models.CharField(
        max_length=80, blank=True,
        help_text="An experiment: name a program, and half of the screens, drawn by chance, show judges its answers. "
        "Such judgments count only in reports on programs. Fixed once a judge has taken part.",
    ))

    control_pass_share = setting(RULE, "Share of controls to pass")(models.FloatField(
        null=True, blank=True, validators=between(0, 1),
        help_text="Judges who pass a smaller share of their controls are excluded; for example 0.7 (70%). Leave blank "
        "to turn this off.",
    ))
    least_controls = setting(RULE, "Fewest controls for the rule", is_folded=True)(models.PositiveSmallIntegerField(
        default=3, validators=between(1, MOST_CONTROLS),
        help_text="Judges who saw fewer controls are not excluded for failing them.",
    ))
    least_seconds = setting(RULE, "Minimum median seconds per screen", is_folded=True)(models.FloatField(
        null=True, blank=True, validators=between(0, LONGEST_SECONDS),
        help_text="Judges who are faster are excluded; leave blank to turn this off.",
    ))
    judge_again = setting(RULE, "Have screens of excluded judges judged again", is_folded=True)(models.BooleanField(
        default=False, help_text="Judges whom the rule excludes get no more screens, and others judge theirs again."
    ))

    completion_code = setting(COMPLETION)(models.CharField(
        max_length=80, blank=True, help_text="Shown after every batch."
    ))
    failed_code = setting(COMPLETION, "Code for failed controls", is_folded=True)(models.CharField(
        max_length=80, blank=True, help_text="Shown instead to judges who passed too few controls."
    ))
    screened_out_code = setting(COMPLETION, "Code for failed questions", is_folded=True)(models.CharField(
        max_length=80, blank=True, help_text="Shown to judges who did not pass the questions."
    ))
    return_address = setting(COMPLETION, "Address to return to", is_folded=True)(models.CharField(
        max_length=500, blank=True, validators=[check_return_address],
        help_text="Where judges go with their code, for example "
        "https://app.prolific.com/submissions/complete?cc={code}.",
    ))

    # fmt: on
    # What is stored beside the settings.
    later_screens = models.PositiveIntegerField(
        default=0, help_text="How many screens are still to be assigned while judging goes on."
    )
    sentences_offered = models.PositiveIntegerField(
        default=0, help_text="How many sentences have been considered for screens, in rounds through the collection."
    )
    pilot_batches = models.PositiveIntegerField(default=0, help_text="How many of the first batches are the pilot.")
    datasheet = models.JSONField(
        default=dict,
        blank=True,
        validators=[check_answers],
        help_text="The organisers' answers in the datasheet, by the number of the question.",
    )

    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    # Set for the user who sees the campaign: whether they only observe it.
    is_observed = False

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "pk"]
        constraints = [
            check("campaign_has_protocol", ~Q(protocol="")),
            check("campaign_state_known", Q(state__in=["draft", "open", "closed", "archived"])),
            check("campaign_compact_view_known", Q(compact_view__in=["offered", "first", "never"])),
            check("campaign_category_list_known", Q(category_list__in=["none", "conll2014", "errant", "own"])),
            check("campaign_document_mode_complete", Q(document_mode=False) | Q(design="complete")),
            in_range("campaign", "screen_size", 1, LARGEST_SCREEN),
            in_range("campaign", "redundancy", 1, MOST_JUDGES),
            in_range("campaign", "batch_size", 1, LARGEST_BATCH),
            in_range("campaign", "repeat_share", 0, 0.5),
            in_range("campaign", "control_share", 0, 1),
            in_range("campaign", "pass_share", 0, 1),
            check(
                "campaign_control_pass_share_in_range",
                Q(control_pass_share=None) | Q(control_pass_share__gte=0, control_pass_share__lte=1),
            ),
            check("campaign_least_seconds_in_range", Q(least_seconds=None) | Q(least_seconds__gte=0)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def lease(self) -> timedelta:
        """How long an assignment is reserved for a judge who shows no sign of activity."""
        return timedelta(minutes=self.lease_minutes)

    @property
    def is_adaptive(self) -> bool:
        """Whether screens are drawn by what the judgments so far leave undecided."""
        adaptive = (self.Sampling.UNDECIDED, self.Sampling.FIRST_RANKS)
        return self.design == self.Design.SAMPLED and self.sampling in adaptive

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    def check_takes_answers(self) -> None:
        if not self.is_open:
            message = gettext("This campaign is %(state)s, so it accepts no more answers.")
            raise Refused(message % {"state": self.get_state_display()})

    def check_takes_unplanned(self) -> None:
        """Refuse programs and adjudicators before a campaign opens; they may still judge after it has closed."""
        if self.state not in (self.State.OPEN, self.State.CLOSED):
            raise Refused(f"This campaign is {self.get_state_display()}, so nobody can judge in it now.")


# By name, in the order of the page.
SETTINGS: dict[str, Setting] = {
    one.name: one.setting for one in Campaign._meta.concrete_fields if hasattr(one, "setting")
}
PLAN_SETTINGS = tuple(name for name, one in SETTINGS.items() if one.group == PLAN)
# What answering and claiming ask of a campaign, and what they leave unread.
OF_CAMPAIGN = {
    "id", "slug", "protocol", "state", "seed", "lease_minutes", "document_mode", "one_domain_a_day", "assistance",
    "batches_per_judge", "consent", "tutorial", "questions", "feedback", "majority_feedback", "category_list",
    "categories", "edit_verdicts", "asks_for_ranks", "rubric", "control_pass_share", "least_controls", "least_seconds",
    "judge_again", "failed_code",
}  # fmt: skip
IDLE_OF_CAMPAIGN = [field.name for field in Campaign._meta.concrete_fields if field.name not in OF_CAMPAIGN]
