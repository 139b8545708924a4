"""MaxMatch (M2): the edits of an output that agree best with those of a reference.

A sentence and an output span a lattice of all smallest differences (`lattice`). Its edges are joined to arcs, some of
which are edits (`gold`) of a reference, and the cheapest path is found as the official program finds it (`arcs`), or by
the rule alone where there are too many arcs (`long_lines`). The edits on the path are counted (`counting`), and the
best reference is chosen for each sentence (`metric`). Source: Dahlmeier and Ng (2012).

The cached machine code of `counting` includes that of the other modules, but Numba notices changes only of `counting`
itself: delete `__pycache__` after changing the others.
"""
