"""What a verb refuses, in a sentence that a person can act on."""


class Refused(Exception):
    """The wish was understood and cannot be granted; the text says why and what to do."""


class Busy(Refused):
    """It can be granted in a moment, when others have what they asked for."""
