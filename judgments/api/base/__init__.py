"""What every address for machines has in common: how it speaks, pages, refuses, and does nothing twice."""
