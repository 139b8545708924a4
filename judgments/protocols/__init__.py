"""How judges answer: one module a protocol, each with its form, its answer rows and its template fragment."""

from judgments.models import Campaign
from judgments.protocols import correction, ranking, rating, verdict
from judgments.protocols.base import JudgingProtocol

PROTOCOLS: dict[str, JudgingProtocol] = {
    Campaign.Protocol.RANKING: ranking.PROTOCOL,
    Campaign.Protocol.RATING: rating.PROTOCOL,
    Campaign.Protocol.VERDICT: verdict.PROTOCOL,
    Campaign.Protocol.CORRECTION: correction.PROTOCOL,
}
