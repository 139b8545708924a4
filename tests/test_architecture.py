"""What the contracts in pyproject.toml cannot say: pure modules load without Django, and templates trust no text."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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
