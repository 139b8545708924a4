"""The models of campaigns, material and judgments, by subject."""

from judgments.models.answers import Edit, EditVerdicts, EssayRating, Placement, Rating, Verdict
from judgments.models.assignments import Assignment, StandIn
from judgments.models.campaign import Campaign
from judgments.models.heartbeats import Heartbeat
from judgments.models.jobs import AssignmentJob, ExclusionJob, ImportJob, Job, MailJob
from judgments.models.journal import JournalEntry
from judgments.models.judge_statistics import Alarm, Completion, JudgeStatistics
from judgments.models.judgments import Draft, Judgment
from judgments.models.material import (
    Candidate,
    Classification,
    Document,
    RecordedOutput,
    Segment,
    System,
    SystemOutput,
    Usage,
)
from judgments.models.members import Consent, ConsentText, Invitation, Membership, SharedLink
from judgments.models.programs import ProgramAnswer, ProgramRun, Prompt
from judgments.models.requests import RequestCount, SignInAttempts, StoredResponse
from judgments.models.screens import Batch, Screen, Slot
from judgments.models.uploads import FilePiece, Submission, Team, Upload
