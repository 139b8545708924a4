"""Agreement of automatic metrics with people."""
