"""Exceptions whose message says what to do."""

from errno import ENOSPC

from judgments.rules.files.problems import Problems


class Refused(Exception):
    """A valid request that is refused; the message says why and what to do."""


class Busy(Refused):
    """A request that may succeed in a moment, when others are done."""


# What databases say when the machine or the operator, not the program, must do something; and what that is.
OF_DATABASES = (
    (
        ("database is locked", "lock timeout"),
        "Something else is storing into the database, and has not finished while this waited. Run it again later.",
    ),
    (
        ("disk I/O error", "disk is full", "No space left on device"),
        "The disk of the database is full, or fails. Free some space (df -h shows how much is left), and run it again.",
    ),
    (
        ("unable to open database file", "readonly database"),
        "The database cannot be opened for writing. Check the owner of DATA_DIR and of the files in it.",
    ),
    (
        ("no such table", "no such column", 'relation "'),
        "The database is new, or of another version of the platform. Prepare it by `migrate`.",
    ),
    (
        ("Connection refused", "could not connect", "could not translate host name", "server closed the connection",
         "authentication failed", 'database "'),
        "The database does not answer. Check that it runs, and DATABASE_URL.",
    ),
)  # fmt: skip


def expected_of_database(error: Exception) -> str | None:
    """The message with which a command ends because of the database's state; None for an error of the program."""
    said = str(error).strip()
    advice = next((advice for words, advice in OF_DATABASES if any(word in said for word in words)), None)
    return f"{advice} ({said.splitlines()[0]})" if advice else None


def message_of_expected(error: Exception, on_problems: str) -> str | None:
    """The message with which a command ends because of a request, file or folder; None for an error of the program."""
    match error:
        case Problems(problems=problems):
            return f"{on_problems} {len(problems)} problem{'s' * (len(problems) != 1)}:\n{error}"
        case Refused():
            return str(error)
        case UnicodeDecodeError():
            return f"A file is not UTF-8 at byte {error.start + 1}; save it as UTF-8."
        case OSError() if error.errno == ENOSPC:
            return f"{error.filename or 'The output'}: there is no space left on the disk. Free some, and try again."
        case OSError():
            return f"{error.filename or 'the file'}: {error.strerror}."
    return None
