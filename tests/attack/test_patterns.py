"""Regular expressions that cannot be made to run for long, shown by their shape and not by a clock.

A pattern takes more than linear time only if it can try one stretch of a text in several ways: a repetition without end
inside of another one, or two of them behind each other that can share characters. Repetitions that give nothing back
(`++`, `*+`) try nothing twice.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from re import _compiler as compiler
from re import _constants as kinds
from re import _parser as parser

import pytest

from judgments.judges.rules.guests import guest_of
from ranking.scores.metric_files import NUMBER

ROOT = Path(__file__).parents[2]
CALLS = {"compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
# What stands between slashes where a value is wanted, and not after a number or a name.
SCRIPTED = re.compile(
    r"(?<=[=(,:!&|?\[{;\s])/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+)/[dgimsuvy]*(?=[.,;)\s])"
)
ALPHABET = [chr(code) for code in range(0x180)] + ["\u2028", "\ud800", "\uffff", "\U0001f600"]


def patterns() -> Iterator[tuple[str, str | bytes, int]]:
    """Every pattern of the product with its place and flags, found in the sources; an inline one has no flags."""
    for room in ("appraise_gec", "judgments", "ranking"):
        for path in sorted((ROOT / room).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            named = {id(node.value): node.targets[0] for node in tree.body if isinstance(node, ast.Assign)}
            for node in filter(_is_call, ast.walk(tree)):
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                if name := named.get(id(node)):
                    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                    compiled = getattr(importlib.import_module(module), name.id)
                    yield place, compiled.pattern, compiled.flags
                else:
                    yield place, _written(node.args[0]), 0


def _written(pattern: ast.expr) -> str | bytes:
    """What stands in the source; what is put in on the way is escaped text, such as a word."""
    if isinstance(pattern, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "word" for part in pattern.values)
    return ast.literal_eval(pattern)


def _is_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in CALLS
    )


def faults(pattern: str | bytes, flags: int = 0) -> list[str]:
    """Why a pattern could take more than linear time."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    return list(_faults(parser.parse(text, flags), flags, False))


def _faults(sequence, flags: int, is_repeated: bool) -> Iterator[str]:
    """Those of a sequence; a loop before stays open as long as what follows it shares characters or may be nothing."""
    before: list[set[str]] = []
    for part in sequence:
        taken = _characters([part], flags)
        if _has_loop([part]):
            if is_repeated:
                yield "a repetition inside of a repetition"
            if any(loop & taken for loop in before):
                yield "two repetitions that share characters"
        for inner in _insides(*part):
            yield from _faults(inner, flags, is_repeated or _is_loop(*part))
        before = [loop for loop in before if loop & taken or _may_be_empty(part)]
        if _has_loop([part]):
            before.append(taken)


def _is_loop(kind, value) -> bool:
    return kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT) and value[1] is kinds.MAXREPEAT


def _has_loop(sequence) -> bool:
    return any(_is_loop(*part) or any(map(_has_loop, _insides(*part))) for part in sequence)


def _insides(kind, value) -> list:
    """The sequences inside of a part that can be tried again; what gives nothing back is not entered."""
    if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
        return [value[2]]
    if kind is kinds.SUBPATTERN:
        return [value[3]]
    return list(value[1]) if kind is kinds.BRANCH else []


def _characters(sequence, flags: int) -> set[str]:
    """Every character of the alphabet that a sequence can take somewhere."""
    taken: set[str] = set()
    for kind, value in sequence:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.IN, kinds.ANY):
            one = compiler.compile(parser.SubPattern(parser.State(), [(kind, value)]), flags & ~re.DEBUG)
            taken |= {character for character in ALPHABET if one.fullmatch(character)}
        inside = {kinds.POSSESSIVE_REPEAT: lambda value: [value[2]], kinds.ATOMIC_GROUP: lambda value: [value]}
        for inner in inside[kind](value) if kind in inside else _insides(kind, value):
            taken |= _characters(inner, flags)
    return taken


def _may_be_empty(part) -> bool:
    return parser.SubPattern(parser.State(), [part]).getwidth()[0] == 0


def scripts() -> Iterator[tuple[str, str, int]]:
    """Every pattern of the scripts, as Python reads it: all kinds of characters are letters to it."""
    for path in sorted((ROOT / "static" / "js").rglob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for literal in SCRIPTED.finditer(line):
                pattern = re.sub(r"\\p\{[^}]*\}", r"\\w", literal[1])
                pattern = re.sub(r"\\u\{(\w+)\}", lambda code: f"\\U{code[1]:0>8}", pattern)
                yield f"{path.relative_to(ROOT)}:{number}", pattern, 0


@pytest.mark.wide
def test_no_pattern_can_be_made_to_run_for_long():
    found = [*patterns()], [*scripts()]
    assert len(found[0]) >= 30
    assert len(found[1]) >= 10
    wrong = [(place, pattern, fault) for place, pattern, flags in chain(*found) for fault in faults(pattern, flags)]
    assert wrong == []


@pytest.mark.parametrize(
    ("pattern", "runs_for_long"),
    [
        # The shapes that are known for it, the former address of a guest and the former number among them.
        *[(pattern, True) for pattern in (r"(a+)+b", r"(a|b*)*c", r"\d+\.?\d*x", r"[^@]+@[^ ]+\.[^ ]+", r"\s*\s*$",
                                          r"(\w+\s?)*$", r".*.*=", r"(?:a*)?a*b")],
        *[(pattern, False) for pattern in (r"a+b+", r"\d++\.?\d*x", r"[a-z]*=[a-z]*", r"(?:a++)++b", r"x{1,9}y",
                                           r"[^<>]*+<a*")],
    ],
)  # fmt: skip
def test_what_does_run_for_long_is_found_and_nothing_else(pattern, runs_for_long):
    assert bool(faults(pattern)) == runs_for_long


def test_guests_and_numbers_that_just_miss_are_refused():
    """The two that were found: a megabyte of them took hours."""
    assert not guest_of("a@" + "." * 10**6 + " <").address
    assert guest_of("Ada Lovelace <Ada.B@mail.Example.org>").address == "ada.b@mail.example.org"
    assert not NUMBER.fullmatch("1" * 10**6 + "x")
    assert NUMBER.fullmatch("-12.50e-3")
