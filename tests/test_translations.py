"""The words of the interface: every one is marked, collected, translated and compiled."""

import gettext
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from judgments.protocols import PROTOCOLS
from judgments.web.templatetags.pages import WORDS
from tests.catalogues import Message, read_catalogue

ROOT = Path(__file__).parent.parent
LOCALES = ROOT / "locale"
CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/django.po"))
TEMPLATES = ROOT / "templates"
SCRIPTS = ROOT / "static" / "js"
OF_PROTOCOLS = ROOT / "judgments" / "protocols"
# What only organisers see is in English so far.
ENGLISH = (
    "judgments/organise.html", "judgments/material.html", "judgments/judges.html", "judgments/_pages.html",
    "judgments/exports.html", "judgments/screens.html", "judgments/preview", "judgments/disputes.html",
    "judgments/adjudicate.html", "judgments/first_account.html",
    "judgments/new_campaign.html", "judgments/settings.html", "judgments/journal.html",
    "judgments/delete_campaign.html", "judgments/forget_judge.html",
    "judgments/_revoke.html", "judgments/_one_judge.html", "judgments/judge.html", "judgments/consents.html",
    "ranking/",
    "judgments/_alarms.html", "judgments/_files.html", "judgments/_who_needs_a_look.html",
    "judgments/system.html", "judgments/_preview.html", "judgments/_usages_preview.html", "judgments/_job.html",
    "judgments/_samples.html", "judgments/_undo.html", "judgments/_texts.html", "judgments/_way.html",
    "judgments/upload.html", "judgments/programs.html", "judgments/_plot.html",
    "judgments/new_import.html", "judgments/import_job.html", "judgments/assignment_job.html",
    "judgments/team.html", "judgments/submissions.html",
    "judgments/_problems.html", "judgments/_notes.html", "judgments/_counted.html",
    "judgments/import_judgments.html", "judgments/judgments_upload.html", "judgments/_judgments_options.html",
    "judgments/_files.html", "judgments/organisers.html", "judgments/mail.html", "judgments/_group.html",
    "judgments/guide.html", "judgments/_next.html", "admin/", "style.html",
)  # fmt: skip
ENGLISH_SCRIPTS = ("job.js", "upload.js")
ATTRIBUTES = r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"'
PARTS = r"%\(\w+\)s|\{\w+\}|</?\w+>"


def language_of(catalogue: Path) -> str:
    return catalogue.parent.parent.name


def judges_templates() -> list[Path]:
    return [
        file
        for file in [*sorted(TEMPLATES.rglob("*.html")), *sorted(OF_PROTOCOLS.rglob("*.html"))]
        if TEMPLATES not in file.parents or not file.relative_to(TEMPLATES).as_posix().startswith(ENGLISH)
    ]


def judges_scripts() -> dict[str, str]:
    """Scripts by their names, those of protocols by protocol and name: `ranking/screen.js`."""
    own = {file.name: file for file in sorted(SCRIPTS.rglob("*.js")) if file.name not in ENGLISH_SCRIPTS}
    of_protocols = {f"{file.parts[-3]}/{file.name}": file for file in sorted(OF_PROTOCOLS.rglob("*.js"))}
    return {name: file.read_text(encoding="utf-8") for name, file in (own | of_protocols).items()}


def in_words(message: Message) -> str:
    return f"{message.context}: {message.source[0]}" if message.context else message.source[0]


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> Path:
    """A copy of the sources in which the translations were collected again."""
    if not shutil.which("xgettext"):
        pytest.skip("there is no xgettext; install the package gettext")
    copy = tmp_path_factory.mktemp("sources")
    for folder in ("appraise_gec", "judgments", "ranking", "templates", "locale", "static"):
        shutil.copytree(ROOT / folder, copy / folder)
    shutil.copy(ROOT / "manage.py", copy)
    command = [sys.executable, "manage.py", "make_translations"]
    environment = os.environ | {"DATA_DIR": str(copy / "var")}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return copy / "locale"


def test_every_language_that_is_offered_has_a_catalogue_and_the_other_way_round():
    offered = {code for code, _ in settings.LANGUAGES} - {"en"}
    assert offered == set(map(language_of, CATALOGUES)) == {folder.name for folder in LOCALES.iterdir()}


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=language_of)
class TestCatalogue:
    def test_it_holds_what_the_sources_say_and_nothing_else(self, catalogue, collected):
        anew = collected / catalogue.relative_to(LOCALES)
        messages = {(message.context, *message.source) for message in read_catalogue(catalogue)}
        assert messages == {(message.context, *message.source) for message in read_catalogue(anew)}

    def test_everything_is_translated_in_all_forms_with_the_parts_of_the_message(self, catalogue):
        messages = read_catalogue(catalogue)
        assert len(messages) > 100
        assert not [in_words(message) for message in messages if message.fuzzy or not all(message.translated)]
        for message in read_catalogue(catalogue)[1:]:
            for form, text in enumerate(message.translated):
                source = message.source[0 if form == 0 else -1]
                assert set(re.findall(PARTS, text)) == set(re.findall(PARTS, source)), in_words(message)
        header = read_catalogue(catalogue)[0].translated[0]
        forms = int(re.search(r"nplurals=(\d)", header)[1])
        counted = [message for message in read_catalogue(catalogue) if len(message.source) == 2]
        assert {len(message.translated) for message in counted} == {forms}

    def test_it_is_compiled_as_it_is_written(self, catalogue):
        with catalogue.with_suffix(".mo").open("rb") as file:
            compiled = gettext.GNUTranslations(file)._catalog
        written = {
            name: text
            for message in read_catalogue(catalogue)[1:]
            for name, text in zip(message.names, message.translated, strict=True)
        }
        assert {name: text for name, text in compiled.items() if name} == written, "run: make translations"


def bare_text(template: str) -> str:
    """What a template says without asking for its translation; keys are called the same everywhere."""
    text = re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}", "", template, flags=re.DOTALL)
    text = re.sub(r"{% blocktranslate\b.*?{% endblocktranslate %}", "", text, flags=re.DOTALL)
    text = re.sub(r"<kbd>.*?</kbd>", "", text)
    text = re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.DOTALL)
    visible = " ".join([*re.findall(ATTRIBUTES, text), re.sub(r"<[^>]*>|&\w+;", " ", text)])
    return " ".join(visible.replace("Appraise GEC", "").split())


@pytest.mark.parametrize("template", judges_templates(), ids=lambda file: file.name)
def test_pages_of_judges_say_nothing_untranslated(template):
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"[^\W\d_]", bare_text(text)), bare_text(text)
    assert not re.findall(r"\|(?:pluralize|yesno)", text), "other languages count otherwise: use blocktranslate count"
    assert not re.findall(r'\|default(?:_if_none)?:"[^"]*\w', text), 'say default:_("...")'


def words_in(*scripts: str) -> set[str]:
    return {name for script in scripts for name in re.findall(r'\bword\("(\w+)"', judges_scripts()[script])}


def with_imports(script: str) -> set[str]:
    """A script of a protocol, and those beside it that it imports."""
    beside = re.findall(r'from "\./([^"/]+)"', judges_scripts()[script])
    return {script}.union(*(with_imports(f"{script.partition('/')[0]}/{name}") for name in beside))


def test_scripts_and_pages_know_the_same_words_and_give_each_the_values_that_it_needs():
    assert words_in(*(name for name in judges_scripts() if "/" not in name)) == WORDS.keys()
    words = WORDS | {name: sentence for protocol in PROTOCOLS.values() for name, sentence in protocol.words.items()}
    for script, text in judges_scripts().items():
        for name, values in re.findall(r'\bword\("(\w+)"(?:, {([^}]*)})?\)', text):
            provided = set(re.findall(r"(?:^|,) *(\w+)", values))
            assert provided == set(re.findall(r"{(\w+)}", str(words[name]))), f"{script}: {name}"


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_the_script_of_a_protocol_and_its_object_know_the_same_words(protocol):
    assert words_in(*with_imports(f"{protocol.name}/screen.js")) - WORDS.keys() == protocol.words.keys()


@pytest.mark.parametrize(("script", "text"), judges_scripts().items(), ids=judges_scripts())
def test_scripts_hold_no_sentences_of_their_own(script, text):
    assert not re.findall(r"""["'`][A-Z][a-z]* [a-z].*""", text)
