"""A campaign as a ZIP of lines: what stands in which file, and whether a bundle that comes in can be believed.

Rows have no keys of a database. A system, a document and a judge are known by name, a segment by its line in the
uploaded files, a batch by its number; candidates, screens, assignments and judgments by their place in their file, from
1.
"""
