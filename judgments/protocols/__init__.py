"""Protocols: how judges answer. Each is a folder with a subclass of `Protocol` and everything that its screen needs."""

from judgments.protocols.correction import CorrectionProtocol
from judgments.protocols.essays import EssaysProtocol
from judgments.protocols.marking import MarkingProtocol
from judgments.protocols.ranking import RankingProtocol
from judgments.protocols.rating import RatingProtocol
from judgments.protocols.registry import PROTOCOLS, protocol_named, protocol_of
from judgments.protocols.verdict import VerdictProtocol

# In the order in which forms offer them.
ALL = (
    RankingProtocol(),
    RatingProtocol(),
    VerdictProtocol(),
    CorrectionProtocol(),
    MarkingProtocol(),
    EssaysProtocol(),
)
PROTOCOLS.update({protocol.name: protocol for protocol in ALL})

__all__ = ["PROTOCOLS", "protocol_named", "protocol_of"]
