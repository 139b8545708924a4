"""Compiles every Nth of the kernels' uses, so that N processes share them: `python -m tests.warming PART N [NAME ...]`.

With names those alone.
"""

import sys

from ranking.management.warming import uses

part, parts = map(int, sys.argv[1:3])
wanted = [use for name, use in uses() if name in sys.argv[3:] or not sys.argv[3:]]
for use in wanted[part::parts]:
    use()
