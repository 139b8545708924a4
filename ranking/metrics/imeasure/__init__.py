"""I-measure: how much better an output is than the source, by an alignment of source, output and reference."""
