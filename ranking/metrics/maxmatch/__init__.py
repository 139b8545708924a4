"""MaxMatch (M2): the edits of an output that agree best with those of a reference.

A sentence and an output span a lattice of all smallest differences (`lattice`), in which some arcs are edits of a
reference (`arcs`). Dynamic programming finds the path with most of these (`programme`), and the best reference is
chosen for each sentence (`metric`). Source: Dahlmeier and Ng (2012).

The cached machine code of `programme` includes that of `lattice` and `arcs`, but Numba notices changes only of
`programme` itself: delete `__pycache__` after changing the others.
"""
