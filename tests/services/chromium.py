"""The browser that the machine has; nothing is downloaded."""

import os
import shutil

# The same browser without its windows comes first: it opens pages in half the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def path_of_chromium() -> str | None:
    return os.environ.get("TEST_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
