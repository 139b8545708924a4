"""A metric made of metrics: a ridge regression on what they count, trained to say what people say (GMEG-Metric)."""
