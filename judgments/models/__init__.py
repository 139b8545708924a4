"""The words of the domain as tables."""

from judgments.models.answers import Edit, Placement, Rating, Verdict
from judgments.models.assignments import Seat, StandIn
from judgments.models.campaign import Campaign
from judgments.models.heartbeats import Sign
from judgments.models.jobs import Deal, Import, ImportFile, Mailing, Ruling, Work
from judgments.models.journal import Entry
from judgments.models.judge_statistics import Completion, Conduct
from judgments.models.judgments import Draft, Judgment
from judgments.models.material import Candidate, Document, Segment, System, SystemOutput
from judgments.models.members import Invitation, Membership, SharedLink
from judgments.models.requests import KeptAnswer, RateUsed
from judgments.models.screens import Batch, Screen, Slot
from judgments.models.sign_in import Tries
from judgments.models.uploads import Upload, UploadFiles
from judgments.models.usages import Classification, Instance

__all__ = [
    "Batch",
    "Campaign",
    "Candidate",
    "Classification",
    "Completion",
    "Conduct",
    "Deal",
    "Document",
    "Draft",
    "Edit",
    "Entry",
    "Import",
    "ImportFile",
    "Instance",
    "Invitation",
    "Judgment",
    "KeptAnswer",
    "Mailing",
    "Membership",
    "Placement",
    "RateUsed",
    "Rating",
    "Ruling",
    "Screen",
    "Seat",
    "Segment",
    "SharedLink",
    "Sign",
    "Slot",
    "StandIn",
    "System",
    "SystemOutput",
    "Tries",
    "Upload",
    "UploadFiles",
    "Verdict",
    "Work",
]
