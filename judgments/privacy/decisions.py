"""Every table with a decision: how the rows about a person are found, why they are kept, and how they are forgotten."""

from collections.abc import Mapping
from typing import NamedTuple


class Held(NamedTuple):
    """Rows about a person: the way from a row to the membership, or to the user, and what becomes of them.

    `secret` columns let somebody in and are given to nobody; `blind` ones would tell a judge what a judge must not know
    while judging, and are given by whoever runs the site.
    """

    by_member: str = ""
    by_user: str = ""
    why: str = ""
    forgotten: str = ""
    secret: tuple[str, ...] = ()
    blind: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


GONE = "deleted"
STAYS = "stays, under another name"
# The number of a screen tells that it was there before; those of candidates were given system by system.
OF_CANDIDATES = ("id", "screen_id", "candidate_id")
JOB = ("id", "state", "created_at", "finished_at", "campaign_id")

HELD: Mapping[str, Held] = {
    "auth.User": Held("", "pk", "to sign in", GONE, secret=("password",)),
    "authtoken.Token": Held("", "user", "to sign a program in", GONE, secret=("key",)),
    "admin.LogEntry": Held("", "user", "what operators changed", GONE),
    "auth.User_groups": Held("", "user", "rights of operators", GONE),
    "auth.User_user_permissions": Held("", "user", "rights of operators", GONE),
    "judgments.Membership": Held("pk", "", "who judges, and how far", "named otherwise, without account and worker"),
    "judgments.Invitation": Held("membership", "", "to come in by a link", GONE, secret=("token",)),
    "judgments.Assignment": Held(
        "judge", "", "what was given to judge", STAYS, blind=("screen_id", "order", "repeats_id")
    ),
    "judgments.Judgment": Held(
        "assignment__judge", "", "the answers", "stays; the name is taken out of comments", blind=("screen_id",)
    ),
    "judgments.Placement": Held("judgment__assignment__judge", "", "the answers", STAYS, blind=OF_CANDIDATES),
    "judgments.Rating": Held("judgment__assignment__judge", "", "the answers", STAYS, blind=OF_CANDIDATES),
    "judgments.Verdict": Held("judgment__assignment__judge", "", "the answers", STAYS),
    "judgments.Edit": Held("judgment__assignment__judge", "", "the answers", STAYS),
    "judgments.Draft": Held("judge", "", "answers that were begun", GONE),
    "judgments.Completion": Held("judge", "", "finished batches and their codes", STAYS, blind=("passed",)),
    "judgments.JudgeStatistics": Held(
        "judge", "", "how carefully somebody works", STAYS, blind=("controls", "controls_passed")
    ),
    "judgments.StoredResponse": Held("", "user", "so that programs ask twice without harm", GONE),
    "judgments.AssignmentJob": Held("", "requested_by", "who asked for it", "nobody is named", only=JOB),
    "judgments.ExclusionJob": Held("", "requested_by", "who asked for it", "nobody is named", only=JOB),
    "judgments.ImportJob": Held("", "requested_by", "who asked for it", GONE, only=(*JOB, "file_name")),
    "judgments.MailJob": Held("", "requested_by", "who asked for it", "nobody is named", only=JOB),
    "judgments.Upload": Held("", "requested_by", "who asked for it", "nobody is named", only=(*JOB, "file_names")),
    "ranking.Report": Held("", "requested_by", "who asked for it", "nobody is named", only=(*JOB, "preset")),
    "ranking.ScoringJob": Held("", "requested_by", "who asked for it", "nobody is named", only=(*JOB, "metric")),
    "ranking.Metric": Held("", "added_by", "who added it", "nobody is named", only=("id", "name", "added_at")),
}

# Rows in which a person is named without a reference; each is looked through by its own module.
NAMED_IN: Mapping[str, str] = {
    "judgments.JournalEntry": "the journal: lines that name the person get the other name",
    "sessions.Session": "who is signed in, and until when: ended",
    "ranking.ReportTable": "lines of tables about a judge get the other name, and no number changes",
    "ranking.ReportInputs": "the list of judges of a report gets the other name",
}

# Rows that say nothing of who judges.
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
