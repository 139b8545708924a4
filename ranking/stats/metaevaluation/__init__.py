"""How well scores of automatic metrics, read from files, agree with people."""
