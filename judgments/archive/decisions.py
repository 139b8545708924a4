"""Privacy decisions for every table and column, which bundles and personal exports follow.

A table is about a person (`HELD`), names persons without a reference (`NAMED_IN`), or neither (`ABOUT_NOBODY`).
`COLUMNS` decides which columns leave the installation in a bundle or a personal export.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Held(NamedTuple):
    """Rows about a person: the lookup of the membership or user, the purpose, and what erasure does.

    If `only` is given, personal exports contain these columns, and bundles none.
    """

    by_member: str = ""
    by_user: str = ""
    why: str = ""
    forgotten: str = ""
    only: tuple[str, ...] = ()


class Columns(NamedTuple):
    """The columns of a table by where they may go.

    `bundle` and `here` columns are in personal exports, `here` ones in no bundle. `credentials` give access and are
    never exported. `blind` columns would reveal what judges must not know; only exports by operators contain them.
    """

    bundle: str = ""
    here: str = ""
    credentials: str = ""
    blind: str = ""


GONE = "deleted"
STAYS = "stays, under another name"
JOB = ("id", "state", "created_at", "finished_at", "campaign_id")

HELD: Mapping[str, Held] = {
    "auth.User": Held("", "pk", "to sign in", GONE),
    "authtoken.Token": Held("", "user", "to sign a program in", GONE),
    "admin.LogEntry": Held("", "user", "what operators changed", GONE),
    "auth.User_groups": Held("", "user", "rights of operators", GONE),
    "auth.User_user_permissions": Held("", "user", "rights of operators", GONE),
    "judgments.Membership": Held("pk", "", "who judges, and how far", "named otherwise, without account and worker"),
    "judgments.Invitation": Held("membership", "", "to come in by a link", GONE),
    "judgments.Assignment": Held("judge", "", "what was given to judge", STAYS),
    "judgments.Judgment": Held("assignment__judge", "", "the answers", "stays; the name is taken out of comments"),
    "judgments.Placement": Held("judgment__assignment__judge", "", "the answers", STAYS),
    "judgments.Rating": Held("judgment__assignment__judge", "", "the answers", STAYS),
    "judgments.Verdict": Held("judgment__assignment__judge", "", "the answers", STAYS),
    "judgments.Edit": Held("judgment__assignment__judge", "", "the answers", STAYS),
    "judgments.Draft": Held("judge", "", "answers that were begun", GONE),
    "judgments.Completion": Held("judge", "", "finished batches and their codes", STAYS),
    "judgments.JudgeStatistics": Held("judge", "", "how carefully somebody works", STAYS),
    "judgments.StoredResponse": Held("", "user", "so that programs ask twice without harm", GONE),
    "judgments.AssignmentJob": Held("", "requested_by", "who asked for it", "nobody is named", only=JOB),
    "judgments.ImportJob": Held("", "requested_by", "who asked for it", GONE, only=(*JOB, "file_name")),
    "judgments.MailJob": Held("", "requested_by", "who asked for it", "nobody is named", only=JOB),
    "judgments.ExclusionJob": Held("", "requested_by", "who asked for it", "nobody is named", only=JOB),
    "judgments.Upload": Held("", "requested_by", "who asked for it", "nobody is named", only=(*JOB, "file_names")),
    "ranking.Report": Held("", "requested_by", "who asked for it", "nobody is named", only=(*JOB, "preset")),
    "ranking.ScoringJob": Held("", "requested_by", "who asked for it", "nobody is named", only=(*JOB, "metric")),
    "ranking.Metric": Held("", "added_by", "who added it", "nobody is named", only=("id", "name", "added_at")),
}

# Rows that name a person without a reference; a module for each searches them.
NAMED_IN: Mapping[str, str] = {
    "judgments.JournalEntry": "the journal: lines that name the person get the other name",
    "sessions.Session": "who is signed in, and until when: ended",
    "ranking.ReportTable": "lines of tables about a judge get the other name, and no number changes",
    "ranking.ReportInputs": "the list of judges of a report gets the other name",
}

# Rows without information about judges.
ABOUT_NOBODY: Mapping[str, str] = {
    "auth.Group": "names of rights", "auth.Group_permissions": "rights", "auth.Permission": "rights",
    "contenttypes.ContentType": "names of tables",
    "judgments.Campaign": "settings", "judgments.SharedLink": "a link that belongs to no one person",
    "judgments.Document": "material", "judgments.Segment": "material", "judgments.System": "material",
    "judgments.Candidate": "material", "judgments.SystemOutput": "material", "judgments.Usage": "material",
    "judgments.Classification": "material", "judgments.Batch": "the plan", "judgments.Screen": "the plan",
    "judgments.Slot": "the plan", "judgments.StandIn": "the plan",
    "judgments.SignInAttempts": "digests of which nobody can tell whose they are",
    "judgments.RequestCount": "how often a user, by number, or a digest of an address asked; gone within the hour",
    "judgments.Heartbeat": "when workers were last heard from",
    "judgments.UploadFiles": "material", "judgments.ImportFile": "a bundle, without accounts; gone when imported",
    "ranking.ReportPart": "numbers, gone when the report is made",
}  # fmt: skip

# The id of a screen would reveal repeats, and those of candidates their systems, because they were assigned in order.
COLUMNS: Mapping[str, Columns] = {
    "auth.User": Columns(
        here="id last_login is_superuser username first_name last_name email is_staff is_active date_joined",
        credentials="password",
    ),
    "authtoken.Token": Columns(here="created user_id", credentials="key"),
    "admin.LogEntry": Columns(
        here="id action_time user_id content_type_id object_id object_repr action_flag change_message"
    ),
    "auth.User_groups": Columns(here="id user_id group_id"),
    "auth.User_user_permissions": Columns(here="id user_id permission_id"),
    "judgments.Campaign": Columns(
        bundle="slug name protocol state language instructions consent tutorial questions pass_share most_attempts "
        "preset feedback category_list categories seed design screen_size redundancy batch_size repeat_share "
        "control_share automatic_ties one_domain_a_day lease_minutes batches_per_judge control_pass_share "
        "least_controls least_seconds completion_code failed_code screened_out_code return_address created_at "
        "opened_at closed_at",
        here="id",
    ),
    "judgments.System": Columns(bundle="name kind takes_part taken_from", here="id campaign_id"),
    "judgments.Document": Columns(bundle="name domain", here="id campaign_id"),
    "judgments.Segment": Columns(bundle="document_id position text", here="id campaign_id"),
    "judgments.Candidate": Columns(bundle="segment_id text fingerprint", here="id"),
    "judgments.SystemOutput": Columns(bundle="system_id segment_id candidate_id verbatim edits", here="id"),
    "judgments.Usage": Columns(bundle="name segment_id start end gold", here="id campaign_id"),
    "judgments.Classification": Columns(bundle="system_id usage_id probability", here="id"),
    "judgments.Membership": Columns(
        bundle="role pseudonym joined_at removed_at consented_at taught_at attempts passed_at excluded_at "
        "exclusion_reason excluded_by_rule kept_at is_expert quota",
        here="id campaign_id user_id came_by_id worker platform",
    ),
    "judgments.Invitation": Columns(
        here="id campaign_id created_at expires_at revoked_at pseudonym address mailed_at membership_id",
        credentials="token",
    ),
    "judgments.Batch": Columns(bundle="number domain", here="id campaign_id"),
    "judgments.Screen": Columns(bundle="segment_id batch_id automatic has_control usage_id", here="id campaign_id"),
    "judgments.Slot": Columns(bundle="candidate_id position", here="id screen_id"),
    "judgments.Assignment": Columns(
        bundle="screen_id batch_id round position order repeats_id judge_id claimed_at submitted_at",
        here="id campaign_id leased_until",
        blind="screen_id order repeats_id",
    ),
    "judgments.StandIn": Columns(bundle="assignment_id original_id"),
    "judgments.Judgment": Columns(
        bundle="assignment_id screen_id key revision current skipped skip_reason comment flagged wall_seconds "
        "active_seconds submitted_at",
        here="id",
        blind="screen_id",
    ),
    "judgments.Placement": Columns(
        bundle="candidate_id rank", here="id judgment_id screen_id", blind="id screen_id candidate_id"
    ),
    "judgments.Rating": Columns(
        bundle="candidate_id score meaning_changed", here="id judgment_id screen_id", blind="id screen_id candidate_id"
    ),
    "judgments.Verdict": Columns(bundle="finding", here="id judgment_id"),
    "judgments.Edit": Columns(bundle="position start end replacement category", here="id judgment_id"),
    "judgments.Draft": Columns(here="id assignment_id judge_id answers active_seconds saved_at"),
    "judgments.Completion": Columns(
        bundle="judge_id batch_id screens earns_code passed finished_at", here="id", blind="passed"
    ),
    "judgments.JudgeStatistics": Columns(
        here="judge_id screens timed total_seconds median_seconds pairs ties scores extremes controls controls_passed "
        "counted_up_to others_kappa self_kappa position_p_value compared_at",
        blind="controls controls_passed",
    ),
    "judgments.StoredResponse": Columns(here="id user_id address key fingerprint status content location kept_at"),
}
