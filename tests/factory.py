"""Small campaigns for tests, made by the same verbs as real ones."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import count
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from judgments.actions.base import Action
from judgments.assignment import assigning, claiming
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns import states
from judgments.judges import onboarding, programs
from judgments.judges.statistics import Controls, count_anew
from judgments.judging.submission import submit
from judgments.material import storing, storing_usages, teams
from judgments.material.rules.essays import read_essays
from judgments.material.rules.reading import Roles, read_material
from judgments.material.rules.usages import read_usage_files
from judgments.models import (
    Alarm,
    Assignment,
    Campaign,
    Completion,
    Judgment,
    Membership,
    Submission,
    System,
    SystemOutput,
    Team,
)
from judgments.protocols.essays.form import RatedVersion
from judgments.protocols.marking.form import JudgedVersion
from judgments.protocols.rating import Score
from judgments.protocols.registry import protocol_of
from judgments.protocols.rows import shown_slots
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import fingerprint
from judgments.rules.texts.edits import JudgedEdit, decisions, in_order

numbers = count(1)

SOURCE = ["He go to school .", "She have a cat .", "I likes tea .", "We was here .", "It rain ."]
SYSTEMS = {
    "Heron": ["He goes to school .", "She has a cat .", "I like tea .", "We were here .", "It rains ."],
    "Wren": ["He go to school .", "She has a cat .", "I like tea .", "We was here .", "It rain ."],
    "Magpie": ["He going to school .", "She having cat .", "I like a tea .", "We is here .", "It is rain ."],
}
ESSAYS = {
    "source": {"e1": "My day was good.\n\nI goed home.\nThen I sleeped.", "e2": "The dog bark.\n\nHe are loud."},
    "Heron": {"e1": "My day was good.\n\nI went home.\nThen I slept.", "e2": "The dog barks.\n\nHe is loud."},
    "Wren": {"e1": "My day was good.\n\nI went home. Then I sleeped.", "e2": "The dog bark.\n\nHe is loud."},
}
# By a metric of sentences that is fond of Magpie.
SENTENCE_SCORES = "source,Heron,Wren,Magpie\n.1,.5,.1,.9\n.2,.6,.6,.9\n.2,.6,.6,.8\n.2,.7,.2,.9\n.3,.6,.3,1\n"
SETTINGS = {"seed": 7, "design": "complete", "redundancy": 2, "batch_size": 3, "repeat_share": 0.0}


USAGES = """id,document,sentence,start,end,gold
u1,one,He likes the music .,9,12,
u2,one,She plays the piano .,10,13,
u3,one,They went to the home .,13,16,
u4,two,I saw a moon tonight .,6,7,
u5,two,It was a good day .,7,8,
g1,,We bought the bread and a milk .,24,25,error
g2,,The sun is warm .,0,3,ok
"""
CLASSES = {"Heron.csv": "id,probability\nu1,.9\nu2,.2\nu3,1\nu4,.6\nu5,0\n", "Wren.txt": "u1 1\nu2 1\nu3 0\nu4 1\n"}
VERDICTS = {"protocol": "verdict", "control_share": 0.4, "batch_size": 5, "redundancy": 2}


TUTORIAL = """
> She have two dog .
1: She has two dogs .
2: She has two dog .
3: She have two dog .
! Two errors are mended in the first version, one in the second.
"""
QUESTIONS = """
? Two versions are equally good. What do you do?
+ I give them the same rank.
- I rank them as I like.
! The same number says that you see no difference.

? What does a higher number say?
- A better version.
+ A worse version.
"""


def upload(texts: dict[str, list[str]]) -> list[UploadedFile]:
    """Texts by name as uploaded files."""
    return [UploadedFile(name, ("\n".join(lines) + "\n").encode()) for name, lines in texts.items()]


def make_campaign(texts: dict[str, list[str]] | None = None, roles: Roles | None = None, **settings) -> Campaign:
    """A campaign with material, not assigned."""
    campaign = campaign_settings.configure(
        Campaign(slug=f"campaign-{next(numbers)}", name="A campaign"), **SETTINGS | settings
    )
    texts = {"source": SOURCE, **SYSTEMS} if texts is None else texts
    storing.store_material(campaign, read_material(upload(texts), roles or Roles(source_takes_part=True)))
    return campaign


def write_essays(essays: dict[str, str]) -> str:
    """Texts with their ids as a file in the format of MultiGEC."""
    return "".join(f"### essay_id = {name}\n\n{text}\n\n" for name, text in essays.items())


def essay_files(texts: dict[str, dict[str, str]] | None = None) -> list[UploadedFile]:
    """Whole texts by system and id as uploaded files."""
    return [UploadedFile(f"{name}.md", write_essays(essays).encode()) for name, essays in (texts or ESSAYS).items()]


def make_essays(texts: dict[str, dict[str, str]] | None = None, roles: Roles | None = None, **settings) -> Campaign:
    """A campaign of whole texts, not assigned."""
    chosen = SETTINGS | {"protocol": "essays"} | settings
    campaign = campaign_settings.configure(Campaign(slug=f"campaign-{next(numbers)}", name="A campaign"), **chosen)
    storing.store_material(campaign, read_essays(essay_files(texts), roles or Roles()).whole())
    return campaign


def open_essays(texts: dict[str, dict[str, str]] | None = None, **settings) -> Campaign:
    """A campaign of whole texts that judges can begin."""
    campaign = make_essays(texts, **settings)
    assigning.assign(campaign)
    states.open_campaign(campaign)
    campaign.refresh_from_db()
    return campaign


def usage_files(usages: str = USAGES, classes: dict[str, str] | None = None) -> list[UploadedFile]:
    """Usages and what systems say of them, as uploaded files."""
    texts = {"instances.csv": usages, **(CLASSES if classes is None else classes)}
    return [UploadedFile(name, text.encode()) for name, text in texts.items()]


def make_verdicts(files: list[UploadedFile] | None = None, **settings) -> Campaign:
    """A campaign of verdicts with usages, not assigned."""
    chosen = SETTINGS | VERDICTS | settings
    campaign = campaign_settings.configure(Campaign(slug=f"campaign-{next(numbers)}", name="A campaign"), **chosen)
    storing_usages.store_usages(campaign, read_usage_files(usage_files() if files is None else files, {}))
    return campaign


def open_verdicts(files: list[UploadedFile] | None = None, **settings) -> Campaign:
    """A campaign that is open for judging."""
    campaign = make_verdicts(files, **settings)
    assigning.assign(campaign)
    states.open_campaign(campaign)
    campaign.refresh_from_db()
    return campaign


def open_campaign(texts: dict[str, list[str]] | None = None, roles: Roles | None = None, **settings) -> Campaign:
    """A campaign that judges can begin."""
    campaign = make_campaign(texts, roles, **settings)
    assigning.assign(campaign, 10 if campaign.design == Campaign.Design.SAMPLED else None)
    states.open_campaign(campaign)
    campaign.refresh_from_db()
    return campaign


def open_correction(lines: list[str] | None = None, **settings) -> Campaign:
    """A campaign in which judges correct sentences, one screen each."""
    return open_campaign({"source": SOURCE if lines is None else lines}, protocol="correction", **settings)


def organiser(campaign: Campaign, name: str) -> User:
    """A user who runs the campaign."""
    user = User.objects.create_user(name)
    campaign_settings.make_organiser(campaign, name)
    return user


def judge(campaign: Campaign, name: str) -> Membership:
    """A member who judges in the campaign, perhaps also in others."""
    user = User.objects.filter(username=name).first() or User.objects.create_user(name)
    return Membership.objects.create(campaign=campaign, user=user, role=Membership.Role.JUDGE, pseudonym=name)


def act(action: type[Action], on: Campaign | Membership | Alarm, **given) -> str:
    """Do what a button does to a campaign, or to something of it."""
    campaign = on if isinstance(on, Campaign) else on.judge.campaign if isinstance(on, Alarm) else on.campaign
    form = action(campaign, None if on is campaign else on, data=given)
    assert form.is_valid(), form.errors
    return form.act()


def team(campaign: Campaign, name: str = "AMU") -> Team:
    """A team that has a week to hand in its outputs."""
    teams.invite(campaign, [name], timezone.now() + timedelta(days=7))
    return Team.objects.get(campaign=campaign, name=name)


def submission(campaign: Campaign, name: str = "AMU") -> Submission:
    """What a team handed in: the source as it is."""
    made = team(campaign, name)
    return teams.hand_in(made, "baseline", UploadedFile("mine.txt", teams.source_file(campaign).encode()))


def answers_for(assignment: Assignment) -> list:
    """Some valid answers for an assignment: the first candidate is best, and controls are answered rightly."""
    if assignment.campaign.protocol == "verdict":
        gold = assignment.screen.usage.gold
        return ["ok" if gold is False else "error"]
    if assignment.campaign.protocol == "marking":
        return marked(assignment)
    slots = shown_slots(assignment)
    if assignment.campaign.protocol == "essays":
        numbers = [max(1, 4 - place) for place, _ in enumerate(slots)]
        scales = ("Grammaticality", "Fluency", "Meaning")
        return [RatedVersion(dict.fromkeys(scales, number), 100 * (number - 1) / 3) for number in numbers]
    if assignment.campaign.protocol == "rating":
        return [Score(100 - 10 * place) for place, _ in enumerate(slots)]
    return [place for place, _ in enumerate(slots, 1)]


def marked(assignment: Assignment, verdicts: Iterable[str] = (), ranks: Iterable[int] = ()) -> list[JudgedVersion]:
    """Verdicts by decision, and ranks by version; by default edits are right but for those of controls."""
    wanted, given, ranked = protocol_of(assignment.campaign).specification(assignment), iter(verdicts), iter(ranks)
    controls = SystemOutput.objects.filter(system__kind=System.Kind.CONTROL).values_list("candidate", flat=True)
    planted = {place for place, slot in enumerate(shown_slots(assignment)) if slot.candidate_id in set(controls)}
    edits: list[list[JudgedEdit]] = [[] for _ in wanted.versions]
    for decision in decisions(wanted.source, wanted.proposed):
        is_planted = any(version in planted for version, _ in decision.places)
        verdict = next(given, "wrong" if is_planted else "right")
        for version, _ in decision.places:
            edits[version].append(JudgedEdit(*decision.edit[:3], verdict))
    return [
        JudgedVersion(tuple(in_order(of_version)), next(ranked, place) if wanted.asks_for_ranks else None)
        for place, of_version in enumerate(edits, 1)
    ]


def answer(assignment: Assignment) -> Judgment:
    """A judgment from an assignment."""
    return submit(assignment, key=uuid4(), answers=answers_for(assignment))


def agree(judge: Membership) -> None:
    """Agree to the consent text."""
    judge.campaign.refresh_from_db()
    onboarding.agree(judge, fingerprint(judge.campaign.consent))


def judge_all(judge: Membership) -> list[Judgment]:
    """Judge everything that is left for a judge."""
    judgments = []
    while assignment := claiming.claim_next_skipping_breaks(judge):
        judgments.append(answer(assignment))
    return judgments


def answer_all(judge: Membership, answers: Callable[[Assignment], list] = answers_for) -> list[Judgment]:
    """Store what `judge_all` would in a plain campaign, without a claim and a submission for each answer."""
    now, chosen, rounds = timezone.now(), [], {}
    waiting = Assignment.objects.planned().waiting().filter(campaign=judge.campaign, judge=None)
    for assignment in waiting.select_related("campaign", "screen").order_by("round", "batch", "position"):
        if rounds.setdefault(assignment.batch_id, assignment.round) == assignment.round:
            assignment.judge, assignment.leased_until = judge, now + judge.campaign.lease
            assignment.claimed_at = assignment.submitted_at = now + timedelta(microseconds=len(chosen))
            chosen.append(assignment)
    Assignment.objects.bulk_update(chosen, ["judge", "leased_until", "claimed_at", "submitted_at"])
    judgments = [
        Judgment(assignment=one, screen_id=one.screen_id, wall_seconds=0, submitted_at=one.submitted_at)
        for one in chosen
    ]
    protocol = protocol_of(judge.campaign)
    Judgment.objects.bulk_create(judgments)
    for judgment in judgments:
        slots = shown_slots(judgment.assignment) if protocol.has_candidates else []
        protocol.store(judgment, slots, answers(judgment.assignment))
    done = count_anew(judge)
    passed = Controls(done.controls, done.controls_passed).passes(judge.campaign.control_pass_share)
    sizes = Counter(assignment.batch_id for assignment in chosen)
    Completion.objects.bulk_create(
        Completion(judge=judge, batch_id=batch, screens=size, earns_code=True, passed=passed)
        for batch, size in sizes.items()
    )
    return judgments


def judge_batch(judge: Membership) -> list[Judgment]:
    """Judge one batch to its end."""
    judgments = []
    while assignment := claiming.claim_next(judge):
        judgments.append(answer(assignment))
    claiming.finish_batch(judge)
    return judgments


def program(campaign: Campaign, name: str) -> Membership:
    """A member that judges by itself."""
    programs.enrol(campaign, name)
    return Membership.objects.get(campaign=campaign, pseudonym=name)
