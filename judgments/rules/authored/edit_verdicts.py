"""The verdicts on edits that judges choose from, written by organisers as plain text.

    + right
    - wrong

A line a verdict, in the order of their keys: + for those that accept an edit, - for those that reject it; lines that
begin with # are comments.
"""

from collections.abc import Iterable
from typing import NamedTuple

from judgments.rules.authored.blocks import without_comments
from judgments.rules.authored.categories import gettext_noop
from judgments.rules.files.problems import Problem, refuse
from judgments.rules.texts.edits import LONGEST_VERDICT, MISSED

FILE = "verdicts on edits"
MOST = 9  # one digit key each
SIGNS = {"+": True, "-": False}


class EditVerdict(NamedTuple):
    """The name of a verdict, and whether it accepts the edit."""

    name: str
    accepts: bool


# Those of Kobayashi et al. (2024).
DEFAULT = (EditVerdict(gettext_noop("right"), True), EditVerdict(gettext_noop("wrong"), False))


def read_edit_verdicts(text: str) -> tuple[EditVerdict, ...]:
    """Parse an organiser's verdicts, or raise all problems in them; without any, they are right and wrong."""
    problems: list[Problem] = []
    found: list[EditVerdict] = []
    for line in filter(lambda line: line.text, without_comments(text)):
        if fault := _fault(line.text[0], line.rest, found):
            problems.append(Problem(FILE, line.number, fault))
        else:
            found.append(EditVerdict(line.rest, SIGNS[line.text[0]]))
    if found and not problems:
        if len(found) > MOST:
            problems.append(Problem(FILE, None, f"there are {len(found)} verdicts; at most {MOST} have keys"))
        elif {verdict.accepts for verdict in found} != {True, False}:
            what = "one verdict must begin with + and one with -, so that edits can be right or wrong"
            problems.append(Problem(FILE, None, what))
    refuse(problems)
    return tuple(found) or DEFAULT


def _fault(sign: str, name: str, earlier: Iterable[EditVerdict]) -> str | None:
    if sign not in SIGNS:
        return "begin with + (accepts the edit) or - (rejects it), as in + right"
    if not name:
        return f"has no name after {sign}"
    if len(name) > LONGEST_VERDICT:
        return f"has a name of {len(name)} characters; at most {LONGEST_VERDICT} are allowed"
    if name.casefold() == MISSED:
        return f"{MISSED} is for errors that a version leaves as they are; choose another name"
    if not name.isprintable() or set(name) & set("|[],:"):
        return "has a character that cannot be exported; remove | [ ] , : and invisible characters"
    if name.casefold() in {verdict.name.casefold() for verdict in earlier}:
        return f"names {name!r} a second time"
    return None
