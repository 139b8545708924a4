"""A metric made of metrics: a ridge regression on their features, trained to predict human scores (GMEG-Metric)."""
