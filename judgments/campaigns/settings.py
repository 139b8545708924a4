"""Creating and configuring campaigns."""

from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils.text import slugify

from judgments.campaigns.presets import PRESETS
from judgments.models import Assignment, Batch, Campaign, Consent, Membership, System, Usage
from judgments.models.campaign import DEFAULT_LANGUAGE, DEFAULT_PROTOCOL, SETTINGS
from judgments.models.journal import note
from judgments.models.settings import Fixed
from judgments.protocols import protocol_named, protocol_of
from judgments.protocols.guidance import NONE, language_for, read_guidance
from judgments.protocols.registry import categories_offered, examples_of, questions_of, verdicts_offered
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems, refuse

# Addresses have these words where others have the short name of a campaign.
RESERVED = {"new"}
# Leaves room for an ending.
LONGEST_STEM = 40


def preset(name: str, protocol: str | None = None) -> dict[str, Any]:
    """The settings of a preset for a campaign of this protocol, by default the preset's own."""
    if name not in PRESETS:
        raise Refused(f"There is no preset {name!r}; the presets are {', '.join(PRESETS)}.")
    intended = PRESETS[name].get("protocol")
    if intended and protocol and protocol != intended:
        raise Refused(
            f"The preset {name} is for {intended} campaigns, not for {protocol} ones; choose that protocol, or another"
            " preset."
        )
    chosen = protocol_named(protocol or str(intended or DEFAULT_PROTOCOL))
    own = chosen.recommended if name == "recommended" else {}
    settings = {name: value for name, value in PRESETS[name].items() if chosen.uses(name)}
    return {**settings, **own, "preset": name}


def with_guidance(settings: Mapping[str, Any], language: str = "") -> dict[str, Any]:
    """The settings of a new campaign, with its protocol's ready-made texts for judges where they have none, but for
    questions, which the organiser may add.

    The texts are in the language given, by default in that of the sentences if there are such texts.
    """
    folder = protocol_named(settings.get("protocol", DEFAULT_PROTOCOL)).guidance
    if folder is None or language == NONE:
        return dict(settings)
    sentences = settings.get("language", DEFAULT_LANGUAGE)
    preset_name = str(settings.get("preset", ""))
    ready = read_guidance(folder, language or language_for(sentences), sentences, preset_name)
    return {name: text for name, text in ready.items() if name != "questions"} | dict(settings)


def find_or_prepare(slug: str) -> Campaign:
    """The campaign with this slug, or a new one that is not stored yet."""
    return Campaign.objects.filter(slug=slug).first() or Campaign(slug=slug, name=slug)


def as_typed(value: Any) -> Any:
    """Browsers send other ends of lines than files have; a text that nobody changed must not seem changed."""
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else value


@transaction.atomic
def configure(campaign: Campaign, **settings: Any) -> Campaign:
    """Check and store settings of a new campaign or of an existing one."""
    slug = settings.get("slug", campaign.slug)
    if slug in RESERVED:
        raise Refused(f"A campaign cannot be called {slug}; choose another short name.")
    protocol = settings.get("protocol", campaign.protocol)
    label = protocol_named(protocol).label
    if campaign.pk and protocol != campaign.protocol:
        raise Refused(
            f"{campaign.slug} is a {campaign.protocol} campaign and stays one; create another for {protocol}."
        )
    settings = {name: as_typed(value) for name, value in settings.items()}
    changes = {name: value for name, value in settings.items() if as_typed(getattr(campaign, name)) != value}
    if campaign.pk:
        _check_changes(campaign, changes)
    for name, value in changes.items():
        setattr(campaign, name, value)
    if campaign.failed_code and campaign.failed_code == campaign.completion_code:
        raise Refused("The completion code and the code for failed controls must differ; change one of them.")
    problems: list[Problem] = []
    for read in (examples_of, questions_of, categories_offered, verdicts_offered):
        try:
            read(campaign)
        except Problems as found:
            problems += found.problems
    refuse(problems)
    check(campaign)
    # Save only the changes, because the campaign may be opened or closed at the same time.
    is_new = not campaign.pk
    campaign.save(update_fields=changes if campaign.pk else None)
    if is_new:
        note(campaign, f"created the campaign ({label})")
    elif changes:
        labels = [str(field.verbose_name) for field in Campaign._meta.concrete_fields if field.name in changes]
        note(campaign, f"changed {', '.join(sorted(labels))}")
    if "consent" in changes:  # judges are asked again, except those who once agreed to this very text
        given = Consent.objects.filter(judge=OuterRef("pk"), text__text=campaign.consent)
        Membership.objects.filter(campaign=campaign).update(consented_at=Subquery(given.values("agreed_at")[:1]))
    return campaign


def check(campaign: Campaign) -> None:
    if campaign.document_mode and not protocol_of(campaign).uses("document_mode"):
        raise Refused(f"A {campaign.protocol} campaign has no document mode; turn document mode off.")
    if campaign.document_mode and campaign.design != Campaign.Design.COMPLETE:
        raise Refused(
            "Document mode gives judges whole documents, but the sampled design draws single sentences. Choose the "
            "complete design, which shows every output of every sentence, or turn document mode off."
        )
    if campaign.screen_size == 1 and not protocol_of(campaign).allows_single:
        raise Refused(f"Judges of a {campaign.protocol} campaign compare versions; show at least two per screen.")
    try:
        # The constraints repeat what the validators of fields say in better words, at the price of a query each.
        campaign.full_clean(validate_constraints=False)
    except ValidationError as error:
        faults = [f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items()]
        raise Refused(" ".join(faults)) from error


def idle_settings(campaign: Campaign) -> dict[str, str]:
    """Why settings have no effect as the others are now, by name."""
    protocol = protocol_of(campaign)
    kinds = System.Kind
    programs = Membership.objects.filter(
        campaign=campaign, role=Membership.Role.PROGRAM, pseudonym=campaign.assistance, removed_at=None
    )
    if protocol.has_candidates:
        has_controls = System.objects.filter(campaign=campaign, kind=kinds.CONTROL).exists()
        no_controls = "there are no controls. Tick Make controls when you assign screens, or upload controls"
    else:
        has_controls = Usage.objects.filter(campaign=campaign).exclude(gold=None).exists()
        no_controls = "no right answer is known"
    without = {
        "there are no questions": (not campaign.questions, ("pass_share", "most_attempts", "screened_out_code")),
        "no share of controls to pass is set": (campaign.control_pass_share is None, ("least_controls", "failed_code")),
        no_controls: (not has_controls, ("control_share", "control_pass_share", "feedback")),
        "there is no completion code": (not campaign.completion_code, ("return_address",)),
        "the design shows everything": (campaign.design == Campaign.Design.COMPLETE, ("sampling", "automatic_ties")),
        "no program of this name judges here": (bool(campaign.assistance) and not programs.exists(), ("assistance",)),
        "the list of categories is not your own": (campaign.category_list != "own", ("categories",)),
    }
    return {
        name: f"Has no effect now, because {why}."
        for why, (is_idle, names) in without.items() if is_idle for name in names if getattr(campaign, name)
    }  # fmt: skip


def _check_changes(campaign: Campaign, changes: dict[str, Any]) -> None:
    """Refuse changes to settings on which existing screens or judgments depend."""
    # What is no setting, such as the preset, is fixed too; the datasheet describes what was done.
    fixed = {
        name: SETTINGS[name].fixed if name in SETTINGS else Fixed.ONCE_ASSIGNED
        for name in changes.keys() - {"datasheet"}
    }
    late = sorted(name for name in fixed if fixed[name] is Fixed.ONCE_ASSIGNED)
    if late and Batch.objects.filter(campaign=campaign).exists():
        raise Refused(f"Screens are already assigned, so {', '.join(late)} cannot be changed.")
    if "assistance" in changes and Assignment.objects.filter(campaign=campaign, assisted__isnull=False).exists():
        raise Refused(
            "Judges have taken part in the experiment, so the program shown to judges cannot be changed. To end it,"
            " end the access of the program."
        )
    late = sorted(name for name in fixed if fixed[name] is Fixed.ONCE_OPENED)
    if late and campaign.opened_at:
        raise Refused(
            f"The campaign has been opened, so {', '.join(late)} cannot be changed; nothing was stored."
            " Set it before you assign screens, or before you open the campaign if you assign them with --keep-closed."
        )


def restore_guidance(campaign: Campaign, language: str, names: Iterable[str]) -> Campaign:
    """Replace some of the texts for judges by the ready-made ones."""
    folder = protocol_of(campaign).guidance
    texts = read_guidance(folder, language, campaign.language, campaign.preset) if folder else {}
    return configure(campaign, **{name: texts[name] for name in names if name in texts})


def create(username: str, preset_name: str, guidance: str = "", **settings: Any) -> Campaign:
    """Create a campaign with the settings of a preset and ready-made texts for judges, organised by this user."""
    slug = settings.get("slug")
    settings["slug"] = choose_slug(slug, username) if slug else slug_from(settings.get("name", ""))
    try:
        with transaction.atomic():
            initial = preset(preset_name, settings.get("protocol"))
            campaign = configure(Campaign(), **with_guidance(initial | settings, guidance))
            make_organiser(campaign, username)
    except IntegrityError as error:  # another request has just taken this short name
        raise Refused("Nothing was created, because two requests came at once; try again.") from error
    return campaign


def choose_slug(slug: str, organiser: str | None) -> str:
    """The short name that an organiser chose, with a random ending if it is that of somebody else's campaign.

    A refusal would tell organisers which campaigns others have; their own, and all those that operators see, are no
    secret. A missing organiser is an operator.
    """
    if not Campaign.objects.filter(slug=slug).exists():
        return slug
    of_campaign = Membership.objects.filter(campaign__slug=slug, role=Membership.Role.ORGANISER, removed_at=None)
    knows_it = Q(is_superuser=True) | Q(pk__in=of_campaign.values("user"))
    if organiser is None or User.objects.filter(knows_it, username=organiser).exists():
        raise Refused(f"There is a campaign {slug} already; choose another short name.")
    return f"{slug[:LONGEST_STEM]}-{token_hex(3)}"


def slug_from(name: str) -> str:
    """A short name from the letters and digits of a name, with a random ending if it is taken."""
    stem = slugify(name)[:LONGEST_STEM].strip("-") or "campaign"
    is_taken = stem in RESERVED or Campaign.objects.filter(slug=stem).exists()
    return f"{stem}-{token_hex(3)}" if is_taken else stem


@transaction.atomic
def make_organiser(campaign: Campaign, username: str) -> Membership:
    user = User.objects.filter(username=username).first()
    if user is None:
        raise Refused(
            f"There is no user {username!r}. Operators create accounts on the admin site or with: "
            "python manage.py createsuperuser"
        )
    member, is_new = Membership.objects.get_or_create(
        campaign=campaign,
        user=user,
        role=Membership.Role.ORGANISER,
        defaults={"pseudonym": f"organiser {username}"[:80]},
    )
    came_back = Membership.objects.filter(pk=member.pk).exclude(removed_at=None).update(removed_at=None)
    if is_new or came_back:
        note(campaign, f"made {username} an organiser")
    return member
