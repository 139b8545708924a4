"""Metrics and rankings for programs and notebooks: plain sequences or files in, a small result out; without Django::

    from ranking.library import rank, score

    score("source.txt", ["A.txt", "B.txt"], ["reference.txt"]).systems["GLEU"]
    rank("judgments.csv", "trueskill").order

Nothing is printed, and nothing is shared between calls but compiled code, so threads can call at the same time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ranking.numbers.tables import Cell, Table, to_csv, to_markdown

if TYPE_CHECKING:
    from ranking.library.rankings import Ranking, rank
    from ranking.library.scoring import Scores, score

__all__ = ["Ranking", "Result", "Scores", "rank", "score"]


def __getattr__(name: str) -> Any:
    """Load what is asked for: statistics take longer to load than most scorings."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"ranking.library.{'rankings' if name in ('Ranking', 'rank') else 'scoring'}"), name)


@dataclass(frozen=True)
class Result:
    """What every call returns: tables by name, to be read, written or passed on to pandas."""

    tables: Mapping[str, Table]

    def rows(self, name: str) -> list[dict[str, Cell]]:
        """The rows of a table as dictionaries; a number that cannot be computed is None."""
        return self._table(name).dicts()

    def markdown(self, name: str, decimals: int = 3) -> str:
        return to_markdown(self._table(name), decimals)

    def pandas(self, name: str) -> Any:
        """The table as a DataFrame; needs pandas."""
        table = self._table(name)
        return import_module("pandas").DataFrame(list(table.rows), columns=list(table.columns))

    def write(self, folder: str | Path) -> list[Path]:
        """Write every table as CSV; return the files."""
        out = Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        files = {out / f"{name}.csv": to_csv(table) for name, table in self.tables.items()}
        for file, text in files.items():
            file.write_text(text, encoding="utf-8", newline="")
        return list(files)

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            raise KeyError(f"There is no table {name!r}; there are {', '.join(self.tables)}.")
        return self.tables[name]
