"""How fast the platform is: `python -m benchmarks` measures and prints; docs/performance.md keeps what was measured."""
