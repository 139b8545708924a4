"""The only bridge from rows to what statistics and metrics read: ballots, and lines of text."""
