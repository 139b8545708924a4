#!/usr/bin/env python
"""Commands of the platform; `python manage.py help` lists them."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "appraise_gec.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:
        sys.exit(str(reason))
