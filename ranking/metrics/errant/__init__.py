"""ERRANT: the edits that an output and a reference have in common, each with its kind.

Sentences are parsed (`parsing`), each is aligned with its source (`alignment`), what differs is joined to edits
(`merging`), and these are named by the classifier of the package errant (`edits`, `kinds`). Edits of a candidate are
held against those of each reference (`counting`), and for each sentence the reference that suits best is chosen
(`choice`).
Sources: Felice, Bryant and Briscoe (2016); Bryant, Felice and Briscoe (2017).

The kept machine code of `edits` holds that of `alignment` and `merging` too, and Numba notices changes of the module
itself alone: whoever changes one of these throws `__pycache__` away.
"""
