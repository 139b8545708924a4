"""Refusals, in a sentence that a person can act on."""


class Refused(Exception):
    """The request was understood and cannot be granted; the text says why and what to do."""


class Busy(Refused):
    """The request can be granted in a moment, when others have what they asked for."""
