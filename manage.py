#!/usr/bin/env python
"""Commands of the platform; `python manage.py help` lists them."""

import os
import sys


def main(words: list[str]) -> int | str | None:
    if words[:1] == ["score_files"]:
        # Needs neither Django, which takes longer to start than most scorings, nor threads for products of matrices.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from ranking.management import from_files

        return from_files.main(words[1:])
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:
        return str(reason)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
