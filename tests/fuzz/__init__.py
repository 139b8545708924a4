"""Whatever a file holds, its reader gives a value or a sentence, and soon: good files, changed by the thousand.

The protocols, which look at the answers in archives, need Django.
"""

import os

import django

import tests.environment  # noqa: F401

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")
django.setup()
