"""Fail where a room has more lines than budgets.toml allows, or names that it does not: `python -m tests.budgets`."""

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
        f"{room}: {lines[room]:,} lines, and budgets.toml allows {most:,}. Make something there shorter, or raise it "
        "and say in the commit what users get for it."
        for room, most in budgets["lines"].items()
        if lines[room] > most
    ]
    times = Counter(name for room in budgets["names"]["rooms"] for name in classes_in(room))
    shared = sorted(name for name, number in times.items() if number > 1 and name not in budgets["names"]["shared"])
    faults += [f"Two classes are named {name}. Rename one after what it is." for name in shared]
    for room in budgets["names"]["rooms"]:
        found = participles_in(room, budgets["names"]["irregular"])
        faults += [f"{place} is named by a participle. Say what it returns or does." for place in found]
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


def participles_in(folder: str, irregular: list[str]) -> list[str]:
    """Public functions and methods whose name is a participle alone; properties may have one, as columns do, and
    methods of query sets, as Django's own.
    """
    found = []
    for module in modules_in(folder):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
        bodies = [tree.body, *(node.body for node in classes if not node.name.endswith("QuerySet"))]
        for node in (node for body in bodies for node in body if isinstance(node, ast.FunctionDef)):
            is_participle = node.name in irregular or (node.name.endswith("ed") and not node.name.endswith("eed"))
            is_property = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
            if is_participle and "_" not in node.name and not is_property:
                found.append(f"{module.relative_to(ROOT)}:{node.lineno} {node.name}")
    return found


if __name__ == "__main__":
    sys.exit(main())
