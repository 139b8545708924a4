"""Exceptions whose message says what to do."""


class Refused(Exception):
    """A valid request that is refused; the message says why and what to do."""


class Busy(Refused):
    """A request that may succeed in a moment, when others are done."""
