"""Cells that a spreadsheet must not run: text that begins like a formula gets an apostrophe in front."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def defused(cell: object) -> object:
    """A cell that a spreadsheet shows as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
