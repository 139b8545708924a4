"""Privacy decisions for every table and column, which bundles and personal exports follow.

A table is about a person (`PERSONAL`), names persons without a reference (`NAMED_IN`), or neither (`IMPERSONAL`);
docs/data.md gives the purpose of each and the effect of erasure. `COLUMNS` decides which columns leave the installation
in a bundle or a personal export.
"""

from collections.abc import Mapping
from typing import NamedTuple

from judgments.models.campaign import SETTINGS


class PersonalTable(NamedTuple):
    """A table about persons, with the lookup of the membership or the user.

    If `only` is given, personal exports contain these columns, and bundles none.
    """

    by_member: str = ""
    by_user: str = ""
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


JOB = ("id", "kind", "about", "state", "created_at", "finished_at", "campaign_id")

PERSONAL: Mapping[str, PersonalTable] = {
    "auth.User": PersonalTable(by_user="pk"),
    "authtoken.Token": PersonalTable(by_user="user"),
    "admin.LogEntry": PersonalTable(by_user="user"),
    "auth.User_groups": PersonalTable(by_user="user"),
    "auth.User_user_permissions": PersonalTable(by_user="user"),
    "judgments.Membership": PersonalTable(by_member="pk"),
    "judgments.Invitation": PersonalTable(by_member="membership"),
    "judgments.Consent": PersonalTable(by_member="judge"),
    "judgments.Assignment": PersonalTable(by_member="judge"),
    "judgments.Judgment": PersonalTable(by_member="assignment__judge"),
    "judgments.Placement": PersonalTable(by_member="judgment__assignment__judge"),
    "judgments.Rating": PersonalTable(by_member="judgment__assignment__judge"),
    "judgments.EssayRating": PersonalTable(by_member="judgment__assignment__judge"),
    "judgments.Verdict": PersonalTable(by_member="judgment__assignment__judge"),
    "judgments.Edit": PersonalTable(by_member="judgment__assignment__judge"),
    "judgments.EditVerdicts": PersonalTable(by_member="judgment__assignment__judge"),
    "judgments.Draft": PersonalTable(by_member="judge"),
    "judgments.Completion": PersonalTable(by_member="judge"),
    "judgments.JudgeStatistics": PersonalTable(by_member="judge"),
    "judgments.Alarm": PersonalTable(by_member="judge"),
    "judgments.StoredResponse": PersonalTable(by_user="user"),
    "judgments.Job": PersonalTable(by_user="requested_by", only=JOB),
    "judgments.Upload": PersonalTable(by_user="requested_by", only=("job_ptr_id", "file_names")),
    "judgments.ProgramRun": PersonalTable(by_user="requested_by", only=("job_ptr_id", "endpoint")),
    "ranking.AnalysisPlan": PersonalTable(by_user="fixed_by", only=("id", "preset", "fixed_at")),
    "ranking.Report": PersonalTable(by_user="requested_by", only=("job_ptr_id", "preset")),
    "ranking.Metric": PersonalTable(by_user="added_by", only=("id", "name", "added_at")),
}

# Rows that name a person without a reference; a module for each searches them.
NAMED_IN: Mapping[str, str] = {
    "judgments.JournalEntry": "erasure replaces names in the journal",
    "sessions.Session": "erasure ends the user's sessions",
    "ranking.ReportTable": "erasure replaces names in tables about judges, and changes no number",
    "ranking.ReportInputs": "erasure replaces the name in a report's list of judges",
}

# Rows without information about judges.
IMPERSONAL: Mapping[str, str] = {
    "auth.Group": "permissions", "auth.Group_permissions": "permissions", "auth.Permission": "permissions",
    "contenttypes.ContentType": "names of tables",
    "judgments.Campaign": "settings", "judgments.ConsentText": "settings",
    "judgments.SharedLink": "a link for many persons", "judgments.Team": "a link for a team",
    "judgments.Submission": "material",
    "judgments.Document": "material", "judgments.Segment": "material", "judgments.System": "material",
    "judgments.Candidate": "material", "judgments.SystemOutput": "material", "judgments.RecordedOutput": "material",
    "judgments.Prompt": "what programs are told", "judgments.ProgramAnswer": "answers of programs",
    "judgments.Usage": "material", "judgments.Classification": "material", "judgments.Batch": "the plan",
    "judgments.Screen": "the plan",
    "judgments.Slot": "the plan", "judgments.StandIn": "the plan",
    "judgments.SignInAttempts": "keyed digests, which do not reveal names or addresses",
    "judgments.RequestCount": "counts by user, team or digest of an address; deleted hourly",
    "judgments.Heartbeat": "times of workers",
    "judgments.FilePiece": "files as uploaded, or a bundle, without accounts; deleted when stored or discarded",
    "ranking.ScoringJob": "scores of systems",
    "ranking.Publication": "a report without names of judges",
    "ranking.Look": "numbers of a campaign",
    "ranking.ReportPart": "numbers, deleted when the report is complete",
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
        # Settings tell nothing about a person.
        bundle=" ".join(SETTINGS) + " slug protocol state preset later_screens sentences_offered pilot_batches "
        "datasheet created_at opened_at closed_at",
        here="id",
    ),
    "judgments.System": Columns(bundle="name kind takes_part taken_from", here="id campaign_id"),
    "judgments.Document": Columns(bundle="name domain", here="id campaign_id"),
    "judgments.Segment": Columns(bundle="document_id position text", here="id campaign_id"),
    "judgments.Candidate": Columns(bundle="segment_id text fingerprint", here="id"),
    "judgments.SystemOutput": Columns(bundle="system_id segment_id candidate_id verbatim edits", here="id"),
    "judgments.RecordedOutput": Columns(bundle="candidate_id system_id", here="id"),
    "judgments.Usage": Columns(bundle="name segment_id start end gold", here="id campaign_id"),
    "judgments.Classification": Columns(bundle="system_id usage_id probability", here="id"),
    "judgments.Membership": Columns(
        bundle="role pseudonym joined_at removed_at consented_at taught_at attempts passed_at excluded_at "
        "exclusion_reason excluded_by_rule judged_again kept_at lot is_expert quota",
        here="id campaign_id user_id came_by_id worker platform later_sessions submission_status paused_at message",
    ),
    "judgments.Consent": Columns(here="id judge_id text_id agreed_at"),
    "judgments.Invitation": Columns(
        here="id campaign_id created_at expires_at revoked_at role pseudonym address mailed_at membership_id",
        credentials="token",
    ),
    "judgments.Batch": Columns(bundle="number domain", here="id campaign_id"),
    "judgments.Screen": Columns(
        bundle="segment_id batch_id automatic has_control usage_id weight", here="id campaign_id"
    ),
    "judgments.Slot": Columns(bundle="candidate_id position", here="id screen_id"),
    "judgments.Assignment": Columns(
        bundle="screen_id batch_id round position order repeats_id assisted judge_id claimed_at submitted_at",
        here="id campaign_id leased_until",
        blind="screen_id order repeats_id",
    ),
    "judgments.StandIn": Columns(bundle="assignment_id original_id"),
    "judgments.Judgment": Columns(
        bundle="assignment_id screen_id key revision current after_feedback skipped skip_reason comment flagged view "
        "wall_seconds active_seconds submitted_at",
        here="id",
        blind="screen_id",
    ),
    "judgments.Placement": Columns(
        bundle="candidate_id rank", here="id judgment_id screen_id", blind="id screen_id candidate_id"
    ),
    "judgments.Rating": Columns(
        bundle="candidate_id score meaning_changed", here="id judgment_id screen_id", blind="id screen_id candidate_id"
    ),
    "judgments.EditVerdicts": Columns(
        bundle="candidate_id edits rank", here="id judgment_id screen_id", blind="id screen_id candidate_id"
    ),
    "judgments.EssayRating": Columns(
        bundle="candidate_id scores reasons spans score",
        here="id judgment_id screen_id",
        blind="id screen_id candidate_id",
    ),
    "judgments.Verdict": Columns(bundle="finding", here="id judgment_id"),
    "judgments.Edit": Columns(bundle="position start end replacement category", here="id judgment_id"),
    "judgments.Prompt": Columns(bundle="version text created_at", here="id campaign_id"),
    "judgments.ProgramAnswer": Columns(
        bundle="assignment_id judgment_id purpose sample prompt_id model answered_by temperature seed tokens_in "
        "tokens_out cost raw answers asked_at",
        here="id",
    ),
    "judgments.Draft": Columns(here="id assignment_id judge_id answers active_seconds saved_at"),
    "judgments.Completion": Columns(
        bundle="judge_id batch_id screens earns_code passed finished_at feedback_at", here="id", blind="passed"
    ),
    "judgments.JudgeStatistics": Columns(
        here="judge_id screens timed total_seconds median_seconds pairs ties scores extremes controls controls_passed "
        "counted_up_to others_kappa self_kappa position_p_value compared_at",
        blind="controls controls_passed others_kappa self_kappa position_p_value compared_at",
    ),
    "judgments.Alarm": Columns(
        here="id judge_id kind figures first last raised_at dismissed_at", blind="kind figures first last"
    ),
    "judgments.StoredResponse": Columns(here="id user_id address key fingerprint status content location kept_at"),
}
