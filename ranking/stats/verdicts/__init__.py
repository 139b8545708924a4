"""What a crowd says of single usages, and how systems that detect errors stand against it (Madnani et al. 2011)."""
