"""Compiles every Nth of the kernels' uses, so that N processes share them: `python -m tests.warming PART N`."""

import sys

from ranking.management.warming import uses

part, parts = map(int, sys.argv[1:])
for _, use in list(uses())[part::parts]:
    use()
