"""Protocols: how judges answer. Each is a folder with one `Protocol` object that holds everything specific to it.

To add a protocol, write its folder and register it here.
"""

from judgments.protocols.correction import PROTOCOL as CORRECTION
from judgments.protocols.essays import PROTOCOL as ESSAYS
from judgments.protocols.marking import PROTOCOL as MARKING
from judgments.protocols.ranking import PROTOCOL as RANKING
from judgments.protocols.rating import PROTOCOL as RATING
from judgments.protocols.registry import PROTOCOLS, protocol_named, protocol_of, register
from judgments.protocols.verdict import PROTOCOL as VERDICT

for _protocol in (RANKING, RATING, VERDICT, CORRECTION, MARKING, ESSAYS):
    register(_protocol)

__all__ = ["PROTOCOLS", "protocol_named", "protocol_of", "register"]
