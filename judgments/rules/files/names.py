"""Names of systems and judges: which are valid, and which denote the source or a reference."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import PurePosixPath

LONGEST = 80
# Of the id of a usage in a file.
LONGEST_ID = 100
# Punctuation that needs no quoting in CSV, XML attributes, file names and space-separated lists of systems.
SIGNS = set("._+-")
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
SOURCE_NAMES = {"input", "source"}
REFERENCE = re.compile("(ref|reference|gold|target|annotator)[ _.-]?[0-9a-z]{0,2}", re.IGNORECASE)
ENDINGS = (".txt", ".md")
# Cyrillic and Greek letters that look like Latin ones, in lower case or in upper case.
DOUBLES = str.maketrans("авекмнорстухіјѕαβεζηικμνορτυχ", "abekmhopctyxijsabezhikmnoptyx")


def system_name(file_name: str) -> str:
    """The system to which a file belongs: the file name without its folder and .txt or .md.

    Some file systems decompose accented letters; NFC composes them again.
    """
    name = unicodedata.normalize("NFC", PurePosixPath(file_name).name)
    return name.removesuffix(next(filter(name.endswith, ENDINGS), ""))


def similar_names(names: Iterable[str]) -> Iterator[str]:
    """A sentence for each two names that look like one, or differ by the ending of a file alone."""
    for one, other in combinations(dict.fromkeys(names), 2):
        paths = PurePosixPath(one), PurePosixPath(other)
        if _looks(one) == _looks(other):
            yield f"{one} and {other} look alike, but their letters differ"
        elif paths[0].stem == paths[1].stem and all(path.suffix[1:].isalpha() or not path.suffix for path in paths):
            yield f"{one} and {other} are two systems, as the endings of their files differ"


def _looks(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().translate(DOUBLES)


def is_source_name(name: str) -> bool:
    """Whether a name denotes the source (INPUT or source, in any case)."""
    return name.casefold() in SOURCE_NAMES


def is_reference_name(name: str) -> bool:
    """Whether a name denotes a reference, such as ref0, reference-b or gold."""
    return REFERENCE.fullmatch(name) is not None


def fault_of_pseudonym(name: str) -> str | None:
    if not name.strip():
        return "a judge's name is empty; give each judge a name"
    if len(name) > LONGEST:
        return f"the judge's name {name[:20]!r}... is longer than {LONGEST} characters; shorten it"
    if any(unicodedata.category(character) in INVISIBLE for character in name):
        return f"the judge's name {name!a} contains an invisible character; remove it"
    return None


def fault_of_name(name: str) -> str | None:
    if len(name) > LONGEST:
        return f"the name is longer than {LONGEST} characters; shorten it"
    # Letters and digits of any script, marks on them, and a few punctuation marks.
    allowed = (sign.isalnum() or sign in SIGNS or unicodedata.category(sign).startswith("M") for sign in name)
    if not name[:1].isalnum() or not all(allowed):
        return (
            f"{name!r} cannot name a system: begin with a letter or digit and use only letters, digits "
            "and . _ + - (it must stand in CSV, XML and file names)"
        )
    return None
