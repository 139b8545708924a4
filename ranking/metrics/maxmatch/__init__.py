"""MaxMatch (M2): the edits of an output that agree with those of a reference as well as they can.

Two words are compared exactly. A sentence and an output span a lattice of all smallest differences (`lattice`), in which
some arcs are edits of a reference (`arcs`); the programme over it finds the path with most of these (`programme`), and
for each sentence the reference that suits is chosen (`choice`). Definition: Dahlmeier and Ng (2012).
"""
