"""Exceptions whose message says what to do."""

from judgments.rules.files.problems import Problems


class Refused(Exception):
    """A valid request that is refused; the message says why and what to do."""


class Busy(Refused):
    """A request that may succeed in a moment, when others are done."""


def expected(error: Exception, on_problems: str) -> str | None:
    """The message with which a command ends because of a request, file or folder; None for an error of the program."""
    match error:
        case Problems(problems=problems):
            return f"{on_problems} {len(problems)} problem{'s' * (len(problems) != 1)}:\n{error}"
        case Refused():
            return str(error)
        case UnicodeDecodeError():
            return f"A file is not UTF-8 at byte {error.start + 1}; save it as UTF-8."
        case OSError():
            return f"{error.filename or 'the file'}: {error.strerror}."
    return None
