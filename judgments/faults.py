"""What a verb refuses, in a sentence that a person can act on."""


class Refused(Exception):
    """The wish was understood and cannot be granted; the text says why and what to do."""
