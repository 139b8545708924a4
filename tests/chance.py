"""Small campaigns by chance, made by the same verbs as real ones: everything that can be in one is in some."""

import random
from io import BytesIO
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from judgments.archive.importing import import_campaign
from judgments.assignment import assigning, claiming
from judgments.campaigns import states
from judgments.exchange.exporters import EXPORTS
from judgments.judging.submission import submit
from judgments.material import storing
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.models import Assignment, Batch, Campaign, Judgment, Membership, Screen
from judgments.protocols.rating import Score
from judgments.protocols.rows import shown_slots
from tests import factory

WORDS = ["a cat", "the  cat", "the cat", "cats & <dogs>", "naïve «cat» ", "", "=cat()", '"cat", she said', "кот"]
JUDGES = ["ada", "=ben", "'=cy", 'dot "d", o', "евa"]


def texts_of(rng: random.Random) -> dict[str, list[str]]:
    """A source, systems, a reference and sometimes a control, in several documents; some outputs are missing."""
    lines = rng.randint(3, 7)
    ends = {line for line in range(1, lines - 1) if rng.random() < 0.3}
    names = [*["Heron", "Wren.1", "Magpie-x", "Rook"][: rng.randint(2, 4)], "gold"]
    names += ["worse"] if rng.random() < 0.5 else []
    texts = {"source": [f"{number} cats" for number in range(lines)]}
    texts |= {name: [rng.choice(WORDS) for _ in range(lines)] for name in names}
    if rng.random() < 0.6:  # a sentence on which all agree
        for column in texts.values():
            column[-1] = texts["source"][-1]
    texts["worse"] = [f"{number} cats cats" for number in range(lines)] if "worse" in texts else []
    texts["Heron"][0], texts["Wren.1"][0] = "one cat", "two cats"
    for column in texts.values():
        for line in ends & set(range(len(column))):
            column[line] = ""
    return {name: column for name, column in texts.items() if column}


def campaign_by_chance(seed: int, protocol: str = "ranking", **settings) -> Campaign:
    """A campaign with a bit of everything; the same for the same seed, but for its name and the time."""
    rng = random.Random(seed)
    texts = texts_of(rng)
    roles = Roles(
        source_takes_part=rng.random() < 0.6,
        references=frozenset({"gold"}),
        controls=frozenset({"worse"} & texts.keys()),
        empty_line=EmptyLine.MISSING,
    )
    campaign = factory.make_campaign(
        texts,
        roles,
        protocol=protocol,
        **{
            "seed": seed,
            "design": rng.choice(["complete", "sampled"]),
            "sampling": rng.choice(["published", "chance", "distinct", "diverse"]),
            "screen_size": rng.randint(2, 4),
            "redundancy": rng.randint(1, 3),
            "repeat_share": rng.choice([0.0, 0.4]),
            "control_share": 0.5 if "worse" in texts else 0.0,
            "automatic_ties": rng.random() < 0.5,
            "instructions": "Read *twice*.",
            "completion_code": "C1",
        }
        | settings,
    )
    campaign.document_set.filter(name="document-1").update(domain="letters")
    assigning.assign(campaign, 6 if campaign.design == Campaign.Design.SAMPLED else None)
    states.open_campaign(campaign)
    campaign.refresh_from_db()
    if rng.random() < 0.5:
        _replace(campaign, texts, rng)
    _judge(campaign, rng)
    return campaign


def copy_of_material(campaign: Campaign) -> Campaign:
    """The texts of a campaign in another one, for rankings; not assigned or judged."""
    bundle = b"".join(EXPORTS["campaign.zip"].blocks(campaign))
    copy = import_campaign("bundle.zip", BytesIO(bundle), f"copy-of-{campaign.slug}").campaign
    forget_judgments(copy)
    Screen.objects.filter(campaign=copy).delete()
    Batch.objects.filter(campaign=copy).delete()
    Membership.objects.filter(campaign=copy).delete()
    copy.protocol = "ranking"
    copy.save()
    return copy


def forget_judgments(campaign: Campaign) -> None:
    """Take all assignments away with what was judged there."""
    Judgment.objects.filter(assignment__campaign=campaign).delete()
    Assignment.objects.filter(campaign=campaign).exclude(repeats=None).delete()
    Assignment.objects.filter(campaign=campaign).delete()


def _replace(campaign: Campaign, texts: dict[str, list[str]], rng: random.Random) -> None:
    """Replace the outputs of one system, before anybody has seen them."""
    pairs = zip(texts["Heron"], texts["Wren.1"], strict=True)
    changed = [rng.choice([other, "another cat"]) if mine.strip() and other.strip() else mine for mine, other in pairs]
    known, source = storing.places_of(campaign), storing.source_of(campaign)
    files = factory.upload({"Heron": changed})
    storing.store_material(campaign, read_material(files, Roles(empty_line=EmptyLine.MISSING), known, source))


def _judge(campaign: Campaign, rng: random.Random) -> None:
    judges = [
        Membership.objects.create(
            campaign=campaign,
            user=User.objects.create_user(f"{name}-{uuid4()}"),
            role=Membership.Role.JUDGE,
            pseudonym=name,
            worker=f"W{place}",
        )
        for place, name in enumerate(rng.sample(JUDGES, rng.randint(1, 3)))
    ]
    waiting = list(judges)
    for _ in range(rng.randint(1, 40)):
        if not waiting:
            break
        assignment = claiming.claim_next_skipping_breaks(judge := rng.choice(waiting))
        if assignment is None:
            waiting.remove(judge)
            continue
        _answer(assignment, rng)
        if rng.random() < 0.2:
            _answer(assignment, rng)
    claiming.claim_next_skipping_breaks(rng.choice(judges))  # held and not answered
    if rng.random() < 0.4:
        Membership.objects.filter(pk=judges[-1].pk).update(
            excluded_at=timezone.now(), exclusion_reason="asleep", quota=2
        )
    Membership.objects.filter(pk=judge.pk).update(consented_at=timezone.now(), attempts=1)


def _answer(assignment: Assignment, rng: random.Random) -> None:
    details = {"comment": rng.choice(["", "=1+1", 'well, "so"\nso']), "flagged": rng.random() < 0.1}
    details["active_seconds"] = rng.choice([None, rng.random() / 1000])
    if rng.random() < 0.15:
        submit(assignment, key=uuid4(), skip_reason="cannot tell", **details)
        return
    submit(assignment, key=uuid4(), answers=_answers(assignment, rng), **details)


def _answers(assignment: Assignment, rng: random.Random) -> list:
    many = len(shown_slots(assignment))
    if assignment.campaign.protocol == "marking":
        verdicts = (rng.choice(["right", "wrong"]) for _ in range(1000))
        return factory.marked(assignment, verdicts, [rng.randint(1, many) for _ in range(many)])
    if assignment.campaign.protocol == "rating":
        return [Score(rng.randint(0, 100), rng.random() < 0.2) for _ in range(many)]
    return [rng.randint(1, many) for _ in range(many)]
