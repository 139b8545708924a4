"""ERRANT: the edits that an output and a reference have in common, each with its kind.

Sentences are parsed (`parsing`), each is aligned with its source (`alignment`), the differences are merged into edits,
and the classifier of the package errant names these (`edits`). Edits of a candidate are compared with those of
each reference, and the best reference is chosen for each sentence (`counting`).
Sources: Felice, Bryant and Briscoe (2016); Bryant, Felice and Briscoe (2017).

The cached machine code of `edits` includes that of `alignment`, but Numba notices changes only of `edits` itself:
delete `__pycache__` after changing the other.
"""
