"""Fail where a room has more lines than budgets.toml allows, or two classes share a name: `python -m tests.budgets`."""

import ast
import sys
import tomllib
from collections import Counter
from pathlib import Path

from tests.services.house import ROOT


def main() -> int:
    budgets = tomllib.loads((ROOT / "budgets.toml").read_text(encoding="utf-8"))
    lines = {room: sum(map(lines_in, room.split())) for room in budgets["lines"]}
    faults = [
        f"{room}: {lines[room]:,} lines, and budgets.toml allows {most:,}. Make something there shorter."
        for room, most in budgets["lines"].items()
        if lines[room] > most
    ]
    for room, allowed in budgets["shared_class_names"].items():
        shared = [name for name, times in Counter(classes_in(room)).items() if times > 1 and name not in allowed]
        faults += [f"{room}: two classes are named {name}. Rename one after what it is." for name in shared]
    print(*faults, sep="\n", end="\n" if faults else "")
    return int(bool(faults))


def modules_in(folder: str) -> list[Path]:
    """A module, or those in a folder and below it, without migrations."""
    place = ROOT / folder
    return [place] if place.is_file() else [one for one in place.rglob("*.py") if "migrations" not in one.parts]


def lines_in(folder: str) -> int:
    return sum(one.read_text(encoding="utf-8").count("\n") for one in modules_in(folder))


def classes_in(folder: str) -> list[str]:
    trees = [ast.parse(one.read_text(encoding="utf-8")) for one in modules_in(folder)]
    return [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


if __name__ == "__main__":
    sys.exit(main())
