"""GREEN or GLEU by gec-metrics: python -m benchmarks.gec_metrics_score METRIC SOURCE REFERENCE REFERENCE OUTPUT ...

Its metrics with models import libraries of gigabytes. These two need none, so empty modules stand for those that
are not installed: `pip install --no-deps gec-metrics gecommon` is enough, and the time to load them is not counted.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

LEFT_OUT = {
    "bert_score", "fuzzywuzzy", "matplotlib", "openai", "outlines", "pandas", "pydantic", "seaborn", "tqdm", "torch",
    "transformers", "yaml",
}  # fmt: skip


class Empty(ModuleType):
    __path__: Sequence[str] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"Module": object})


class EmptyModules(MetaPathFinder, Loader):
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in LEFT_OUT else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


if __name__ == "__main__":
    import_module("errant")  # would take an empty module for a graphics card
    sys.meta_path.append(EmptyModules())
    from gec_metrics import get_metric

    name, *paths = sys.argv[1:]
    source, first, second, *outputs = (Path(path).read_text(encoding="utf-8").splitlines() for path in paths)
    metric = get_metric(name)()
    print(*(metric.score_corpus(sources=source, hypotheses=lines, references=[first, second]) for lines in outputs))
