"""Studies as files, without loss: `study.json`, and CSV files of its arrays, from which its report can be made again.

Arrays that follow each other in one part and have the same length are columns of one file, which is named after the
first of them: `ballots.judge.csv` has the columns judge, segment and seconds. An array of two dimensions has several
columns. study.json says in which file an array is, from which column on, and which shape and type it has. The types of
fields say how everything is read; fields that do not count when studies are compared are not kept.
"""

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from ranking.numbers.tables import written_lines

STUDY = "study.json"
S = TypeVar("S")


def write(study: Any) -> dict[str, str]:
    """Return the content of each file by name."""
    columns: dict[str, dict[str, np.ndarray]] = {}
    values = {"kind": study.kind} | {name: _plain(getattr(study, name), name, columns) for name in _field_names(study)}
    texts = {STUDY: json.dumps(values, ensure_ascii=False, indent=1) + "\n"}
    for name, table in columns.items():
        # Python's numbers are written so that the same ones are read.
        rows = zip(*(column.tolist() for column in table.values()), strict=True)
        texts[name] = written_lines(tuple(table), rows)
    return texts


def read(study: type[S], files: Mapping[str, str]) -> S:
    return _read(study, json.loads(files[STUDY]), files)


def _plain(value: Any, path: str, columns: dict[str, dict[str, np.ndarray]]) -> Any:
    """The value for JSON; its arrays are put into columns."""
    if isinstance(value, np.ndarray):
        part, _, name = path.rpartition(".")
        file = next((file for file in reversed(columns) if file.removesuffix(".csv").rpartition(".")[0] == part), "")
        if not file or len(next(iter(columns[file].values()))) != len(value):
            file = f"{path}.csv"
        place = {"file": file, "column": len(columns.get(file, {})), "shape": value.shape, "type": value.dtype.name}
        shown = value.astype(np.int8) if value.dtype == bool else value
        if value.ndim == 1:
            columns.setdefault(file, {})[name] = shown
        for number in range(value.shape[1] if value.ndim > 1 else 0):
            columns.setdefault(file, {})[f"{name} {number}"] = shown[:, number]
        return place
    if is_dataclass(value) or hasattr(value, "_fields"):
        return {name: _plain(getattr(value, name), f"{path}.{name}", columns) for name in _field_names(value)}
    if isinstance(value, dict):
        return {key: _plain(one, f"{path}.{key}", columns) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one, f"{path}.{number}", columns) for number, one in enumerate(value)]
    return value.item() if isinstance(value, np.generic) else value


def _field_names(value: Any) -> Iterator[str]:
    if is_dataclass(value):
        return (field.name for field in fields(value) if field.compare)
    return iter(value._fields)


def _read(wanted: Any, value: Any, files: Mapping[str, str]) -> Any:
    """Read a value of the wanted type from JSON and files."""
    kind, parts = get_origin(wanted), get_args(wanted)
    if wanted is np.ndarray:
        shape, stored = value["shape"], "int8" if value["type"] == "bool" else value["type"]
        if 0 in shape:
            return np.empty(shape, dtype=value["type"])
        chosen = range(value["column"], value["column"] + (shape[1] if len(shape) > 1 else 1))
        text = io.StringIO(files[value["file"]])
        found = np.loadtxt(text, stored, delimiter=",", skiprows=1, usecols=chosen, ndmin=2)
        return found.astype(value["type"]).reshape(shape)
    if is_dataclass(wanted) or hasattr(wanted, "_fields"):
        types = get_type_hints(wanted)
        return wanted(**{name: _read(types[name], value[name], files) for name in _field_names(wanted)})
    if kind in (Union, UnionType):
        return None if value is None else _read(next(one for one in parts if one is not type(None)), value, files)
    if kind is dict:
        return {key: _read(parts[1], one, files) for key, one in value.items()}
    if kind is tuple:
        of_each = [parts[0]] * len(value) if parts[-1] is Ellipsis else parts
        return tuple(_read(one, each, files) for one, each in zip(of_each, value, strict=True))
    return wanted(value) if isinstance(wanted, type) and issubclass(wanted, Enum) else value
