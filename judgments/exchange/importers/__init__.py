"""Taking in judgments that others collected: rankings, corrections, verdicts, each from files of its formats."""
