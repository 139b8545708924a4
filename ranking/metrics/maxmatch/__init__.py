"""MaxMatch (M2): the edits of an output that agree with those of a reference as well as they can.

A sentence and an output span a lattice of all smallest differences (`lattice`), in which some arcs are edits of a
reference (`arcs`, `gold`). The programme over it finds the path with most of these (`programme`), and for each sentence
the reference that suits best is chosen (`choice`). Source: Dahlmeier and Ng (2012).

The kept machine code of `programme` holds that of `lattice` and `arcs` too, and Numba notices changes of the module
itself alone: whoever changes one of these throws `__pycache__` away.
"""
