"""What depends on the protocol is asked of its object: nothing else compares or names protocols."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgments.protocols import PROTOCOLS

ROOT = Path(__file__).parents[3]
OWN = ROOT / "judgments" / "protocols"
NAMES = set(PROTOCOLS)
# Who may name one: presets and the demo are about certain protocols; in the others the words mean something else.
MAY_NAME = {
    "judgments/campaigns/presets.py": NAMES,
    "judgments/management/demo": NAMES,
    "judgments/models/campaign.py": {"ranking"},  # the default
    "judgments/models/answers.py": {"rating"},  # tables
}
ASKED_IN_A_TEMPLATE = re.compile(r"\.protocol\s*(?:==|!=|in\b|not in\b)|\bprotocol\.name\s*(?:==|!=|in\b)")


def sources(*rooms: str) -> list[Path]:
    return [
        file
        for room in rooms
        for file in sorted((ROOT / room).rglob("*.py"))
        if OWN not in file.parents and "migrations" not in file.parts
    ]


def path(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def compared(tree: ast.AST) -> Iterator[int]:
    """The lines on which the protocol of something is compared with a word, a constant, or several."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            asks = any(isinstance(side, ast.Attribute) and side.attr == "protocol" for side in sides)
            fixed = (ast.Constant, ast.Set, ast.Tuple, ast.List, ast.Attribute)
            others = [side for side in sides if not (isinstance(side, ast.Attribute) and side.attr == "protocol")]
            if asks and any(isinstance(side, fixed) or _is_constant(side) for side in others):
                yield node.lineno
        if isinstance(node, ast.Match) and isinstance(node.subject, ast.Attribute) and node.subject.attr == "protocol":
            yield node.lineno


def _is_constant(side: ast.AST) -> bool:
    return isinstance(side, ast.Name) and side.id.isupper() and side.id != "PROTOCOLS"


def named(tree: ast.AST) -> set[str]:
    """The protocols whose names stand there as words."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in NAMES}


def imported(tree: ast.AST) -> set[str]:
    """The protocols of which something is imported."""
    found = (node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {name for module in found for name in NAMES if f"{module}.".startswith(f"judgments.protocols.{name}.")}


def test_the_questions_are_found():
    for line in (
        "campaign.protocol == 'rating'", "campaign.protocol in {'rating', x}", "'rating' != self.campaign.protocol",
        "campaign.protocol != Campaign.Protocol.RATING", "campaign.protocol in CORRECTED",
        "match campaign.protocol:\n    case 'rating': pass",
    ):  # fmt: skip
        assert list(compared(ast.parse(line))) == [1], line
    assert not list(compared(ast.parse("protocol != campaign.protocol")))
    assert named(ast.parse("x['rating'] = f(1)")) == {"rating"}
    assert imported(ast.parse("from judgments.protocols.rating import Score")) == {"rating"}
    assert ASKED_IN_A_TEMPLATE.search('{% if campaign.protocol == "rating" %}')


@pytest.mark.wide
@pytest.mark.parametrize("room", ["appraise_gec", "judgments", "ranking"])
def test_no_source_asks_which_protocol_it_is(room):
    asking = {path(file): list(compared(ast.parse(file.read_text(encoding="utf-8")))) for file in sources(room)}
    assert {file: lines for file, lines in asking.items() if lines and not file.startswith(tuple(MAY_NAME))} == {}


@pytest.mark.wide
def test_collecting_names_no_protocol_and_only_the_demo_imports_one():
    for file in sources("judgments", "ranking", "appraise_gec"):
        tree, place = ast.parse(file.read_text(encoding="utf-8")), path(file)
        if place.startswith("judgments/"):
            assert named(tree) <= next(
                (names for start, names in MAY_NAME.items() if place.startswith(start)), set()
            ), place
        if not place.startswith("judgments/management/demo"):
            assert imported(tree) == set(), place


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_knows_no_other_one(name):
    for file in (OWN / name).rglob("*.py"):
        assert imported(ast.parse(file.read_text(encoding="utf-8"))) <= {name}, path(file)


def test_no_template_asks_which_protocol_it_is():
    templates = list((ROOT / "templates").rglob("*.html"))
    assert templates
    assert [path(file) for file in templates if ASKED_IN_A_TEMPLATE.search(file.read_text(encoding="utf-8"))] == []
