"""I-measure: the improvement of an output on the source, from an alignment of source, output and reference."""
