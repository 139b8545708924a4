"""What leaves the installation of every table, and why: in bundles of campaigns, and in exports for one person.

A table is about persons (`member` or `user`), names persons without a reference (`NAMED_IN`), or neither; docs/data.md
gives the purpose of each and the effect of erasure. Tests name tables and columns without a decision here.

Bundles contain no database keys. Rows refer to a system, a document and a judge by name, to a segment by its line in
the uploaded files, to a batch by its number, and to other rows by their place in their file, from 1.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.apps import apps
from django.db.models import Model, Q, QuerySet

from judgments.models import Campaign, Membership
from judgments.models.campaign import SETTINGS
from judgments.protocols.base import Protocol

FORMAT, VERSION = "campaign of appraise-gec", 7
MANIFEST, CAMPAIGN_FILE = "bundle.json", "campaign.json"
PLACE = "number"
# Positions count from 0 in the database, lines from 1 in files.
POSITION, LINE = "position", "line"
# These stay in the installation, and are in exports for one person.
KEYS = {"id", "campaign_id"}


@dataclass(frozen=True, eq=False)
class TablePolicy:
    """What leaves the installation of one table; `about` says what it is, and is in the export for one person.

    `member` or `user` is the lookup of the person whom rows are about. Columns stand where they may go: those of
    `bundle` into bundles and exports for one person; those of `here`, keys, and `erased` ones, which are emptied when a
    judge is forgotten, into the latter alone; those `nowhere` give access. `blind` ones would reveal what
    judges must not know, so only exports by operators contain them. Where a row `tells_more`, about the campaign and
    not the person, its other columns are in no export.

    `campaign` is the lookup of a row's campaign, with which it is deleted. A table with a `name` is a file of bundles,
    without the rows `omitted`. Rows of other tables refer to a row by its `key`, a column or its place. A table
    `inside` another is written inside the row to which that column refers, and inherits from it the fields it lacks.
    """

    label: str
    about: str
    bundle: str = ""
    here: str = ""
    erased: str = ""
    nowhere: str = ""
    blind: str = ""
    member: str = ""
    user: str = ""
    tells_more: bool = False
    name: str = ""
    campaign: str = ""
    key: str = ""
    inside: str = ""
    omitted: Q | None = None

    @cached_property
    def model(self) -> type[Model]:
        return apps.get_model(self.label)

    def columns_for_person(self, is_own: bool) -> list[str]:
        """The columns of an export for one person, in the order of the model."""
        left_out = {*self.nowhere.split(), *(self.blind.split() if is_own else ())}
        exported = {*KEYS, *self.bundle.split(), *self.here.split(), *self.erased.split()} - left_out
        if self.tells_more:
            exported &= {*self.here.split()}
        return [field.attname for field in self.model._meta.concrete_fields if field.attname in exported]

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"

    @property
    def is_numbered(self) -> bool:
        """Whether rows contain their place."""
        return self.key == PLACE and PLACE not in self.fields

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields that bundles contain, by name."""
        fields = [field for field in self.model._meta.concrete_fields if field.attname in self.bundle.split()]
        return {LINE if self.key == LINE and field.name == POSITION else field.name: field for field in fields}

    @cached_property
    def references(self) -> "dict[str, TablePolicy]":
        """The fields that refer to other rows, each with their table."""
        return {name: policy_of(field.related_model) for name, field in self.fields.items() if field.is_relation}

    def parts(self, protocol: Protocol) -> "TablePolicy | None":
        """The table inside this one."""
        if self.name == "judgments":
            return policy_of(protocol.answer_model)
        return TABLES["judgments.Slot"] if self.name == "screens" else None

    def rows(self, campaign: Campaign) -> QuerySet:
        """The rows of a campaign in the order of creation."""
        rows = self.model._default_manager.filter(**{self.campaign: campaign}).order_by("pk")
        return rows if self.omitted is None else rows.exclude(self.omitted)


def policy_of(model: type[Model]) -> TablePolicy:
    return TABLES[model._meta.label]


def _answers(label: str, about: str, bundle: str, blind: str = "id screen_id candidate_id") -> TablePolicy:
    """The answers of one protocol; the keys of candidates would reveal systems, because they were given in order."""
    return TablePolicy(
        f"judgments.{label}", about, bundle, here="judgment_id screen_id" if blind else "judgment_id", blind=blind,
        member="judgment__assignment__judge", name="answers", campaign="judgment__assignment__campaign",
        inside="judgment",
    )  # fmt: skip


AT_ITS_PLACE = "by the number of their judgment and the place at which the sentence was shown"
OWN = "campaign"  # the lookup where a row refers to its campaign itself
# Each table of a campaign stands after those to which it refers.
TABLES = {table.label: table for table in (
    TablePolicy(
        "auth.User", "the account, without its password", user="pk", nowhere="password",
        here="last_login is_superuser username first_name last_name email is_staff is_active date_joined",
    ),
    TablePolicy(
        "authtoken.Token", "when the account received an API token, without the token", here="created user_id",
        nowhere="key", user="user",
    ),
    TablePolicy(
        "admin.LogEntry", "changes by this account on the admin site", user="user",
        here="action_time user_id content_type_id object_id object_repr action_flag change_message",
    ),
    TablePolicy(
        "auth.User_groups", "the account's groups on the admin site", here="user_id group_id", user="user"
    ),
    TablePolicy(
        "auth.User_user_permissions", "the account's permissions on the admin site", here="user_id permission_id",
        user="user",
    ),
    # Settings tell nothing about a person.
    TablePolicy(
        "judgments.Campaign", "settings",
        " ".join(SETTINGS) + " slug protocol state preset later_screens sentences_offered pilot_batches datasheet "
        "created_at opened_at closed_at",
    ),
    TablePolicy(
        "judgments.System", "material", "name kind takes_part taken_from", name="systems", campaign=OWN, key="name"
    ),
    TablePolicy("judgments.Document", "material", "name domain", name="documents", campaign=OWN, key="name"),
    TablePolicy("judgments.Segment", "material", "document_id position text", name="segments", campaign=OWN, key=LINE),
    TablePolicy(
        "judgments.Candidate", "material", "segment_id text fingerprint", name="candidates",
        campaign="segment__campaign", key=PLACE,
    ),
    TablePolicy(
        "judgments.SystemOutput", "material", "system_id segment_id candidate_id verbatim edits", name="outputs",
        campaign="system__campaign",
    ),
    TablePolicy(
        "judgments.RecordedOutput", "material", "candidate_id system_id", name="recorded_outputs",
        campaign="system__campaign",
    ),
    TablePolicy(
        "judgments.Usage", "material", "name segment_id start end gold", name="usages", campaign=OWN, key=PLACE
    ),
    TablePolicy(
        "judgments.Classification", "material", "system_id usage_id probability", name="classifications",
        campaign="system__campaign",
    ),
    # Organisers are in no bundle, because they need an account.
    TablePolicy(
        "judgments.Membership", "memberships in campaigns: name, times of joining and consent, progress",
        "role pseudonym joined_at removed_at consented_at taught_at examples_tried attempts passed_at excluded_at "
        "exclusion_reason excluded_by_rule judged_again kept_at lot is_expert quota",
        here="came_by_id paused_at", erased="user_id worker platform later_sessions submission_status message",
        member="pk", name="judges", campaign=OWN, key="pseudonym", omitted=Q(role=Membership.Role.ORGANISER),
    ),
    TablePolicy(
        "judgments.Invitation", "personal links, without their secret part: name, address, expiry",
        here="created_at expires_at revoked_at role pseudonym address mailed_at membership_id",
        nowhere="token", member="membership", campaign=OWN,
    ),
    TablePolicy(
        "judgments.Consent", "when the person agreed to which version of a consent text",
        here="judge_id text_id agreed_at", member="judge", campaign="judge__campaign",
    ),
    TablePolicy("judgments.Batch", "the plan", "number domain", name="batches", campaign=OWN, key=PLACE),
    TablePolicy(
        "judgments.Screen", "the plan", "segment_id batch_id automatic has_control usage_id weight", name="screens",
        campaign=OWN, key=PLACE,
    ),
    TablePolicy(
        "judgments.Slot", "the plan", "candidate_id position", here="screen_id", name="slots",
        campaign="screen__campaign", inside="screen",
    ),
    # The key of a screen would reveal repeats. Unanswered assignments of programs are in no bundle: programs claim new
    # ones.
    TablePolicy(
        "judgments.Assignment", "screens assigned to the person, with times",
        "screen_id batch_id round position order repeats_id assisted judge_id claimed_at submitted_at",
        here="leased_until", blind="screen_id order repeats_id", member="judge", name="assignments", campaign=OWN,
        key=PLACE, omitted=Q(batch=None, submitted_at=None),
    ),
    TablePolicy(
        "judgments.StandIn", "the plan", "assignment_id original_id", name="stand_ins", campaign="assignment__campaign"
    ),
    TablePolicy(
        "judgments.Judgment", "judgments, with times and comments",
        "assignment_id screen_id key revision current after_feedback skipped skip_reason comment flagged view "
        "wall_seconds active_seconds submitted_at",
        blind="screen_id", member="assignment__judge", name="judgments", campaign="assignment__campaign", key=PLACE,
    ),
    _answers("Placement", f"ranks, {AT_ITS_PLACE}", "candidate_id rank"),
    _answers("Rating", f"scores, {AT_ITS_PLACE}", "candidate_id score meaning_changed"),
    _answers(
        "EssayRating",
        "ratings of whole texts, by the number of their judgment and the place at which each was shown",
        "candidate_id scores reasons spans score",
    ),
    _answers("Verdict", "verdicts, by the number of their judgment", "finding", blind=""),
    _answers(
        "Edit", "corrections, by the number of their judgment", "position start end replacement category", blind=""
    ),
    _answers(
        "EditVerdicts",
        "verdicts on edits, and ranks, by the number of their judgment and the place of the sentence",
        "candidate_id edits rank",
    ),
    TablePolicy(
        "judgments.Draft", "unfinished answers", here="assignment_id judge_id answers active_seconds saved_at",
        member="judge", campaign="assignment__campaign",
    ),
    TablePolicy(
        "judgments.Prompt", "what programs are told", "version text created_at", name="prompts", campaign=OWN,
        key="version",
    ),
    TablePolicy(
        "judgments.ProgramAnswer", "answers of programs",
        "assignment_id judgment_id purpose sample prompt_id model answered_by temperature seed tokens_in tokens_out "
        "cost raw answers asked_at",
        name="program_answers", campaign="assignment__campaign", omitted=Q(assignment__submitted_at=None),
    ),
    TablePolicy(
        "judgments.Completion", "completed batches",
        "judge_id batch_id screens earns_code passed finished_at feedback_at",
        blind="passed", member="judge", name="completions", campaign="judge__campaign",
    ),
    TablePolicy(
        "judgments.JudgeStatistics", "the person's statistics at the end of the last batch, such as pace and ties",
        here="judge_id screens timed total_seconds median_seconds pairs ties scores extremes controls controls_passed "
        "counted_up_to others_kappa self_kappa position_p_value compared_at",
        blind="controls controls_passed others_kappa self_kappa position_p_value compared_at", member="judge",
        campaign="judge__campaign",
    ),
    TablePolicy(
        "judgments.Alarm", "when an organiser was asked to look at the person's answers; operators also see why",
        here="judge_id kind figures first last raised_at dismissed_at", blind="kind figures first last",
        member="judge", campaign="judge__campaign",
    ),
    TablePolicy(
        "judgments.StoredResponse", "API responses to this account, stored for retries", user="user",
        here="user_id address key fingerprint status content location kept_at",
    ),
    TablePolicy(
        "judgments.Job", "what this account requested from a worker, such as imports, mailings, scores and reports",
        here="id kind about state created_at finished_at campaign_id", user="requested_by", tells_more=True,
    ),
    TablePolicy(
        "judgments.Upload", "the files of this account's uploads", here="job_ptr_id file_names", user="requested_by",
        tells_more=True,
    ),
    TablePolicy(
        "judgments.ProgramRun", "the endpoints of programs that this account let run", here="job_ptr_id endpoint",
        user="requested_by", tells_more=True,
    ),
    TablePolicy(
        "ranking.AnalysisPlan", "plans of analysis fixed by this account", here="id preset fixed_at", user="fixed_by",
        tells_more=True,
    ),
    TablePolicy(
        "ranking.Report", "the presets of this account's reports", here="job_ptr_id preset", user="requested_by",
        tells_more=True,
    ),
    TablePolicy(
        "ranking.Metric", "metric scores added by this account", here="id name added_at", user="added_by",
        tells_more=True,
    ),
)}  # fmt: skip
FILES = {table.name: table for table in TABLES.values() if table.name and not table.inside}
PERSONAL = {label: table for label, table in TABLES.items() if table.member or table.user}
CAMPAIGN = TABLES["judgments.Campaign"]

# Rows that name a person without a reference; a module for each searches them.
NAMED_IN = {
    "judgments.JournalEntry": "erasure replaces names in the journal",
    "sessions.Session": "erasure ends the user's sessions",
    "ranking.ReportTable": "erasure replaces names in tables about judges, and changes no number",
    "ranking.ReportInputs": "erasure replaces the name in a report's list of judges",
}
# Other rows that no export contains, because they tell nothing about a judge.
IMPERSONAL = {
    "auth.Group": "permissions", "auth.Group_permissions": "permissions", "auth.Permission": "permissions",
    "contenttypes.ContentType": "names of tables", "judgments.ConsentText": "settings",
    "judgments.SharedLink": "a link for many persons", "judgments.Team": "a link for a team",
    "judgments.Submission": "material",
    "judgments.SignInAttempts": "keyed digests, which do not reveal names or addresses",
    "judgments.RequestCount": "counts by user, team or digest of an address; deleted hourly",
    "judgments.Heartbeat": "times of workers",
    "judgments.FilePiece": "files as uploaded, or a bundle, without accounts; deleted when stored or discarded",
    "ranking.ScoringJob": "scores of systems", "ranking.Publication": "a report without names of judges",
    "ranking.Look": "numbers of a campaign", "ranking.ReportPart": "numbers, deleted when the report is complete",
}  # fmt: skip
