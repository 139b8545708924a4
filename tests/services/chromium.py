"""The browser that the machine has; nothing is downloaded."""

import os
import shutil
import subprocess

# The same browser without its windows comes first: it opens pages in half the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LANGUAGES = ("ar", "he", "hi", "th", "zh")


def path_of_chromium() -> str | None:
    return os.environ.get("TEST_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def languages_without_font() -> list[str]:
    """Of the languages in browser tests, those whose letters Chromium would show as boxes."""
    if not shutil.which("fc-list"):
        return list(LANGUAGES)
    return [name for name in LANGUAGES if not subprocess.check_output(["fc-list", f":lang={name}"])]
