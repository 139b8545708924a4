#!/usr/bin/env python
"""Commands of the platform; `python manage.py help` lists them."""

import os
import sys
from importlib import import_module

# Commands that need no installation, so that they start without Django, which takes longer than most scorings.
WITHOUT_DJANGO = {"score_files": "ranking.management.from_files", "warm_up": "ranking.management.warming"}


# The last one derives a password from SECRET_KEY.
LISTENING = {"run_platform", "runserver", "testserver", "load_demo"}


def purpose_of(words: list[str]) -> str:
    """The name of an `appraise_gec.environment.Purpose`."""
    if words[:1] in ([], ["help"], ["version"]) or {"-h", "--help", "--version"} & set(words):
        return "HELP"
    return "LISTENING" if words[0] in LISTENING else "COMMAND"


def main(words: list[str]) -> int | str | None:
    if words and words[0] in WITHOUT_DJANGO:
        # Their matrices are so small that threads cost more than they save.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        return import_module(WITHOUT_DJANGO[words[0]]).main(words[1:])
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from appraise_gec import environment

    environment.purpose = environment.Purpose[purpose_of(words)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:
        return str(reason)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
