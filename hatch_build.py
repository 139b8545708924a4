"""Compiles the kernels into the wheel, so that nothing is compiled, and Numba not imported, where it runs.

Numba's own compiler makes one extension module. Which kernels Python calls, and with what kinds of arguments, is found
by the warm-up, which uses them all: `python hatch_build.py FOLDER` writes the module and its table. A wheel with
kernels is for one Python and one platform. Where Numba or a C compiler is missing the wheel is pure and requires Numba.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from shutil import which
from sysconfig import get_config_var
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Processors from 2013 on; bits are equal only for one kind, because products are added in one step where it can.
CPU = {"x86_64": "x86-64-v3", "AMD64": "x86-64-v3"}
# What NumPy calls the instructions that such processors have; one of the names is known to each version of NumPy.
FEATURES = {"x86-64-v3": ["X86_V3", "AVX2"]}


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compiler = (os.environ.get("CC") or get_config_var("CC") or "cc").split()[0]
        self.folder = TemporaryDirectory()  # until the wheel is written
        words, variables = [sys.executable, __file__, self.folder.name], os.environ | {"PYTHONPATH": self.root}
        if (
            version == "editable"
            or not (find_spec("numba") and which(compiler))
            or subprocess.run(words, cwd=self.root, env=variables, check=False).returncode  # noqa: S603 (our own file)
        ):
            self.app.display_warning("The kernels are not compiled, so that this wheel requires Numba.")
            build_data["dependencies"] += self.metadata.core.optional_dependencies["numba"]
            return
        build_data["force_include"] |= {
            str(made): f"ranking/numbers/{made.name}" for made in Path(self.folder.name).iterdir()
        }
        build_data["pure_python"], build_data["infer_tag"] = False, True


def compile_into(folder: Path) -> None:
    from numba import __version__
    from numba.pycc import CC, compiler

    found, dispatchers, table = _called(), {}, {}
    cpu = CPU.get(machine(), "")
    maker = CC("compiled")
    maker.output_dir, maker.target_cpu = str(folder), cpu
    for number, ((name, kinds), (kernel, types)) in enumerate(sorted(found.items())):
        dispatcher = kernel.dispatcher
        maker.export(f"k{number}", dispatcher.overloads[types].signature.return_type(*types))(dispatcher.py_func)
        dispatchers[dispatcher.py_func] = dispatcher
        table.setdefault(name, {})[kinds] = f"k{number}"
    compile_extra = compiler.compile_extra

    def with_options(typing, target, function, args, result, flags, **more):
        """As `njit` compiles it: this compiler would forget options, such as nogil."""
        dispatcher = dispatchers[function]
        dispatcher.targetdescr.options.parse_as_flags(flags, dispatcher.targetoptions)
        return compile_extra(typing, target, function, args, result, flags, **more)

    compiler.compile_extra = with_options
    maker.compile()
    described = {"numba": __version__, "features": FEATURES.get(cpu, []), "kernels": table}
    (folder / "compiled.json").write_text(json.dumps(described, indent=0), encoding="utf-8")


def _called() -> dict[tuple[str, str], tuple[Any, tuple]]:
    """What the warm-up calls: names and kinds of arguments, with kernels and Numba's types."""
    from ranking.management import warming
    from ranking.numbers.kernels import Kernel, kinds_of

    found: dict[tuple[str, str], tuple[Any, tuple]] = {}
    call = Kernel.__call__

    def record(kernel: Any, *arguments: Any) -> Any:
        types = tuple(map(kernel.dispatcher.typeof_pyval, arguments))
        found.setdefault((kernel.name, kinds_of(arguments)), (kernel, types))
        return call(kernel, *arguments)

    Kernel.__call__ = record
    for _, use in warming.uses():
        use()
    return found


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]))
