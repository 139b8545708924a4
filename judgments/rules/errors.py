"""Refusals: messages on which a person can act."""


class Refused(Exception):
    """A valid request that cannot be granted; the text says why and what to do."""


class Busy(Refused):
    """A request that can be granted in a moment, when others are done."""
