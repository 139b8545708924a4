"""The arrows between the parts point down, and the pure parts know no Django."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PURE = ("judgments/rules", "ranking/stats", "ranking/metrics", "ranking/numbers")
FRAMEWORKS = ("django", "rest_framework", "celery", "kombu", "psycopg2")

# The floor on which each part of an app stands; a part imports only from its own floor and those below.
FLOORS = {
    "rules": 0, "stats": 0, "metrics": 0, "progress": 0, "faults": 0,
    "models": 1, "archives": 1, "chapters": 2, "numbers_shown": 2,
    "access": 2, "overview": 2, "people": 2, "extract": 2, "besides": 2, "candidates": 2, "plots": 2, "exports": 2,
    "bundles": 2, "comparing": 2, "journal": 2, "protocols": 2, "showing": 2, "lessons": 2, "quality": 2, "sitting": 2,
    "asking": 2, "pictures": 2, "scoreboard": 2, "metric_files": 2, "gathering": 2,
    "intake": 3, "replacement": 3, "recording": 3, "dealing": 3, "scheduling": 3, "submission": 3, "campaigns": 3,
    "invitations": 3, "exclusion": 3, "quotas": 3, "conduct": 3, "mailing": 3, "removal": 3, "uploads": 3, "systems": 3,
    "imports": 3, "deals": 3, "rulings": 3, "usages": 3, "handed_in": 3, "reseating": 3, "experts": 3,
    "references": 3, "entering": 3, "rates": 3,
    "restoration": 3, "remaking": 3, "launching": 3, "preparation": 3, "roster": 3, "reports": 3,
    "attempts": 3, "splitting": 3, "boards": 3, "metric_scores": 3, "heartbeat": 3, "demo": 3, "tokens": 3,
    "programs": 3, "judges_told": 3, "scorings": 3, "backups": 3, "persons": 3, "retention": 3, "renaming": 3,
    "signs": 3, "places": 2, "queues": 2, "running": 2,
    "numbers": 0, "charts": 2, "scores": 3, "operations": 2, "web": 4,
    "views": 4, "api": 4, "forms": 4, "admin": 4, "tasks": 4, "management": 4, "urls": 4, "apps": 4, "templatetags": 4,
}  # fmt: skip


def sources(*folders: str) -> list[Path]:
    return [
        file for folder in folders for file in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in file.parts
    ]


def module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports by dots hide where they lead"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def floor(name: str) -> int:
    parts = name.split(".")
    return FLOORS[parts[1]] if len(parts) > 1 and parts[1] in FLOORS else 0


def ours(name: str) -> bool:
    return name.split(".")[0] in ("judgments", "ranking")


def test_every_part_of_an_app_has_a_floor():
    named = {module(file).split(".")[1] for file in sources("judgments", "ranking") if "." in module(file)}
    assert named <= FLOORS.keys()


@pytest.mark.parametrize("file", sources("judgments", "ranking"), ids=module)
def test_arrows_point_down(file):
    here = module(file)
    for name in filter(ours, imports(file)):
        assert floor(name) <= floor(here), f"{here} imports {name}, which stands higher"


def test_collecting_knows_nothing_of_concluding():
    assert not [
        (module(file), name) for file in sources("judgments") for name in imports(file) if name.startswith("ranking")
    ]


def test_nothing_imports_the_wiring():
    assert not [
        (module(file), name)
        for file in sources("judgments", "ranking")
        for name in imports(file)
        if name.startswith("appraise_gec")
    ]


def test_the_wiring_holds_no_models():
    assert not (ROOT / "appraise_gec" / "models.py").exists()


def test_pure_modules_import_without_django():
    """In a process where Django cannot be imported at all."""
    modules = [module(file) for file in sources(*PURE)]
    assert modules
    program = (
        "import sys, importlib\n"
        f"for name in {FRAMEWORKS!r}: sys.modules[name] = None\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", sources(*PURE), ids=module)
def test_pure_modules_name_no_framework(file):
    assert not [name for name in imports(file) if name.split(".")[0] in FRAMEWORKS]


@pytest.mark.parametrize("template", sorted((ROOT / "templates").rglob("*.html")), ids=lambda file: file.name)
def test_templates_trust_no_text_and_hold_no_script_or_style(template):
    text = template.read_text(encoding="utf-8")
    assert "|safe" not in text
    assert "autoescape off" not in text
    assert "style=" not in text
    assert "<style" not in text
    assert "onclick" not in text
    assert text.count("<script") == text.count('<script type="module" src=')
