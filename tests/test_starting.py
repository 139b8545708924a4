"""What takes long to import is imported where it is used, not by every command and every web process."""

import subprocess
import sys

import pytest

from tests.services.house import ROOT, House
from tests.services.texts import write_material

SLOW = {
    "drf_spectacular.generators", "errant", "huggingface_hub", "markdown_it", "numba", "scipy.linalg", "scipy.optimize",
    "scipy.sparse", "scipy.special", "scipy.stats", "spacy", "trueskill",
}  # fmt: skip
# All commands, and what workers begin with.
COMMAND = "import django; django.setup()"
WORKER = f"{COMMAND}; from appraise_gec.celery import import_tasks; import_tasks()"
# A check imports the views of all pages and of the API, as a web process does.
PAGES = f"{COMMAND}; from django.core.management import call_command; call_command('check')"
SCREEN = """
import sys
from django.test import Client
from judgments.judges import invitations
from judgments.models import Invitation
browser = Client(headers={"host": "127.0.0.1"})
browser.force_login(invitations.accept(Invitation.objects.get()))
page = browser.post("/campaigns/toy/begin/", follow=True)
assert page.resolver_match.view_name == 'assignment', page.redirect_chain
print(*sys.modules)
"""


@pytest.mark.wide
@pytest.mark.parametrize("script", [COMMAND, WORKER, PAGES], ids=["a command", "a worker", "pages"])
def test_nothing_slow_is_imported_before_it_is_used(script):
    script += "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert "judgments.models" in imported
    assert not imported & SLOW
    if script.startswith(WORKER):
        assert "judgments.judging.submission" not in imported
    if not script.startswith(PAGES):
        assert "numpy" not in imported
        assert not {name for name in imported if name.startswith(("judgments.web", "ranking.reports", "ranking.web"))}


@pytest.mark.long
def test_a_judges_screen_imports_nothing_slow(tmp_path):
    house = House(tmp_path)
    write_material(tmp_path / "texts", 20, 3)
    for words in (
        ["migrate", "-v0"],
        ["collectstatic", "--no-input", "-v0"],
        ["import_outputs", "toy", str(tmp_path / "texts"), "--guidance", "none"],
        ["assign_screens", "toy"],
        ["invite_judges", "toy", "ada"],
    ):
        house.manage(*words)
    imported = set(house.shell(SCREEN).split())
    assert "judgments.web.views.judging" in imported
    assert not imported & SLOW
