"""The demonstration: original texts, invented systems, simulated judges."""
