"""Which protocols there are."""

from collections.abc import Iterable

from judgments.models import Campaign
from judgments.protocols.base import Protocol
from judgments.rules.errors import Refused

# In the order in which forms offer them.
PROTOCOLS: dict[str, Protocol] = {}


def register(protocol: Protocol) -> None:
    """Let campaigns have this protocol."""
    if protocol.name in PROTOCOLS:
        raise ValueError(f"There are two protocols called {protocol.name}.")
    PROTOCOLS[protocol.name] = protocol


def protocol_named(name: str) -> Protocol:
    """The protocol of this name."""
    if name not in PROTOCOLS:
        raise Refused(f"There is no protocol {name!r}; the protocols are {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[name]


def protocol_of(campaign: Campaign) -> Protocol:
    """How judges of a campaign answer."""
    return protocol_named(campaign.protocol)


def protocols_about(material: str) -> list[Protocol]:
    """Those that ask about texts, or about usages."""
    return [protocol for protocol in PROTOCOLS.values() if protocol.material == material]


def names_of(protocols: Iterable[Protocol]) -> str:
    """Protocols in a sentence."""
    return " or ".join(sorted(protocol.name for protocol in protocols))
