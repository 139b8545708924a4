"""The words of the domain as tables."""

from judgments.models.answers import Edit, Placement, Rating, Verdict
from judgments.models.campaign import Campaign
from judgments.models.conduct import Completion, Conduct
from judgments.models.deals import Deal
from judgments.models.imports import Import, ImportFile
from judgments.models.instances import Classification, Instance
from judgments.models.journal import Entry
from judgments.models.judging import Batch, Draft, Judgment, Screen, Seat, Slot, StandIn
from judgments.models.mailings import Mailing
from judgments.models.material import Candidate, Document, Segment, System, SystemOutput
from judgments.models.members import Invitation, Membership, SharedLink
from judgments.models.requests import KeptAnswer, RateUsed
from judgments.models.rulings import Ruling
from judgments.models.signs import Sign
from judgments.models.tries import Tries
from judgments.models.uploads import Upload, UploadFiles
from judgments.models.work import Work

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
