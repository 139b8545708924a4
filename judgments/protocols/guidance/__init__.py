"""Ready-made texts for judges, in several languages: each protocol has its own, and all share the consent text.

A protocol's folder has, for each LANGUAGE, `LANGUAGE/instructions.md`, `LANGUAGE/questions.txt`, `LANGUAGE/rubric.txt`
if it needs a rubric and, for sentences in the language SENTENCES, `LANGUAGE/tutorial-SENTENCES.txt`. A file of a preset
comes before that of all: `LANGUAGE/rubric-PRESET.txt`.
"""

from functools import cache
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parent
LANGUAGES = {"en": "English", "pl": "Polski"}
DEFAULT = "en"
# Chosen instead of a language by organisers who write their own.
NONE = "none"
TEXTS = ("instructions", "consent", "tutorial", "questions")


def base_language(tag: str) -> str:
    """The first part of a BCP 47 tag: en for en-GB."""
    return tag.partition("-")[0].casefold()


def language_for(sentences: str, otherwise: str = DEFAULT) -> str:
    """The language of the texts that suits sentences in a language: the same if there are texts in it."""
    spoken = base_language(sentences)
    return spoken if spoken in LANGUAGES else otherwise


def read_guidance(folder: Path, language: str, sentences: str, preset: str = "") -> dict[str, Any]:
    """The texts that exist; there is no tutorial for sentences in a language that its examples are not in."""
    files = {
        "instructions": folder / language / "instructions.md",
        "consent": SHARED / language / "consent.md",
        "questions": folder / language / "questions.txt",
        "rubric": folder / language / "rubric.txt",
    }
    if (spoken := base_language(sentences)) in LANGUAGES:
        files["tutorial"] = folder / language / f"tutorial-{spoken}.txt"
    texts = {}
    for name, file in files.items():
        of_preset = file.with_stem(f"{file.stem}-{preset}")
        if found := next((one for one in (of_preset, file) if one.is_file()), None):
            texts[name] = found.read_text(encoding="utf-8").strip()
    return texts


@cache
def ready_rubric(folder: Path | None) -> str:
    """The rubric of campaigns that have none of their own."""
    file = folder / DEFAULT / "rubric.txt" if folder else None
    return file.read_text(encoding="utf-8") if file and file.is_file() else ""
