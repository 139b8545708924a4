"""The demonstration campaigns: original texts, invented systems, simulated judges."""
