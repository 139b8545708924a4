"""The words of the domain as tables."""

from judgments.models.answers import Edit, Placement, Rating, Verdict
from judgments.models.campaign import Campaign, Invitation, Membership
from judgments.models.judging import Batch, Draft, Judgment, Screen, Seat, Slot
from judgments.models.material import Candidate, Document, Segment, System, SystemOutput
from judgments.models.work import Work

__all__ = [
    "Batch",
    "Campaign",
    "Candidate",
    "Document",
    "Draft",
    "Edit",
    "Invitation",
    "Judgment",
    "Membership",
    "Placement",
    "Rating",
    "Screen",
    "Seat",
    "Segment",
    "Slot",
    "System",
    "SystemOutput",
    "Verdict",
    "Work",
]
