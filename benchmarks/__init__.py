"""Benchmarks of the platform: `python -m benchmarks` measures and prints; docs/performance.md has the results."""
