#!/usr/bin/env python
"""Commands of the platform; `python manage.py help` lists them."""

from appraise_gec.cli import run

if __name__ == "__main__":
    run()
