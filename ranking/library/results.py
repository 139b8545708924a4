"""What every call returns: tables by name, to be read, written or passed on to pandas."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ranking.numbers.tables import Cell, Table, to_csv, to_markdown


@dataclass(frozen=True)
class Result:
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
