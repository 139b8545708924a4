"""Charts as SVG in a page: drawing, and the charts of a running campaign."""
