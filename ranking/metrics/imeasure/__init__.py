"""I-measure: the improvement of an output over the source, from an alignment of source, output and reference."""
