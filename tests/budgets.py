"""Count the lines of each room, and fail where one is above its budget in budgets.toml: `python -m tests.budgets`."""

import sys
import tomllib

from tests.services.house import ROOT


def main() -> int:
    budgets: dict[str, int] = tomllib.loads((ROOT / "budgets.toml").read_text(encoding="utf-8"))["lines"]
    lines = {room: sum(map(lines_in, room.split())) for room in budgets}
    for room, most in budgets.items():
        if lines[room] > most:
            print(f"{room}: {lines[room]:,} lines, and budgets.toml allows {most:,}. Make something there shorter.")
    return int(any(lines[room] > most for room, most in budgets.items()))


def lines_in(folder: str) -> int:
    """Lines of Python in a folder and those below it, or in a file, without migrations."""
    place = ROOT / folder
    modules = [place] if place.is_file() else [one for one in place.rglob("*.py") if "migrations" not in one.parts]
    return sum(one.read_text(encoding="utf-8").count("\n") for one in modules)


if __name__ == "__main__":
    sys.exit(main())
