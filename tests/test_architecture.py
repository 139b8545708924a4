"""What the contracts in pyproject.toml cannot say: pure modules load without Django, templates trust no text, and
sentences name no class.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("judgments", "ranking", "appraise_gec")
PURE = (
    *ROOT.glob("judgments/**/rules"),
    *(ROOT / "ranking" / name for name in ("library", "metrics", "numbers", "stats")),
)
FRAMEWORKS = ("django", "rest_framework", "celery", "kombu", "psycopg2")


def module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_the_wiring_holds_no_models():
    assert not (ROOT / "appraise_gec" / "models.py").exists()


@pytest.mark.wide
def test_pure_modules_import_without_django():
    """In a process where Django cannot be imported at all."""
    modules = [module(file) for folder in PURE for file in sorted(folder.rglob("*.py"))]
    assert modules
    program = (
        "import sys, importlib\n"
        f"for name in {FRAMEWORKS!r}: sys.modules[name] = None\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


TEMPLATES = [file for place in ("templates", "judgments/protocols") for file in sorted((ROOT / place).rglob("*.html"))]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_templates_trust_no_text_and_hold_no_script_or_style(template):
    text = template.read_text(encoding="utf-8")
    assert "|safe" not in text
    assert "autoescape off" not in text
    assert "style=" not in text
    assert "<style" not in text
    assert "onclick" not in text
    assert text.count("<script") == text.count('<script type="module" src=')


# Names of metrics and of a dictionary, which are also those of classes.
PROPER_NAMES = {"GoToScorer", "WordNet"}
ANNOTATION = re.compile(r"[\w., ]*[\[|][\w\[\]., |]*")


def texts_in(tree: ast.AST) -> Iterator[str]:
    """Texts of several words that are neither docstrings nor annotations."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = list(ast.walk(tree))
    docstrings = {node.body[0].value for node in nodes if isinstance(node, documented) and ast.get_docstring(node)}
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) and node not in docstrings else None
        if isinstance(text, str) and " " in text and not ANNOTATION.fullmatch(text):
            yield text


@pytest.mark.wide
def test_no_text_for_people_names_a_class():
    """A class that gets another name must not take sentences with it."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    classes = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    names = {name for name in classes if re.search("[a-z][A-Z]", name)} - PROPER_NAMES
    texts = [text for tree in trees for text in texts_in(tree)]
    assert len(names) > 100
    assert len(texts) > 1000
    assert not [text for text in texts if names & set(re.findall(r"\w+", text))]
