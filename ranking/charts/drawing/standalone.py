"""A chart as a file with its own styles, black on white for print."""

from judgments.web.charts.drawing import Chart

# The same classes as in static/css/plots.css, which styles charts in pages; a test compares them.
STYLE = """
.plot { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.plot text { fill: #1d1d1b; font-variant-numeric: tabular-nums; }
.plot text.faded { fill: #5c5b57; }
.plot .name { font-weight: 600; }
.plot .name.column { font-weight: 400; }
.plot .paper { fill: #ffffff; }
.plot .band { fill: #5c5b57; fill-opacity: .1; }
.plot .band.other { fill: none; }
.plot .grid { stroke: #d9d6cd; }
.plot .zero { stroke: #5c5b57; stroke-opacity: .6; }
.plot .leader { stroke: #5c5b57; stroke-opacity: .35; }
.plot .lead { stroke: #d9d6cd; stroke-width: 2; }
.plot .interval { stroke: #1d1d1b; stroke-width: 2; }
.plot .point { fill: #1d1d1b; stroke: #1d1d1b; stroke-width: 1.5; }
.plot .point.hollow { fill: #ffffff; }
.plot .curve { fill: none; stroke: #1d1d1b; stroke-width: 2; stroke-linejoin: round; }
.plot .curve.dashed { stroke-dasharray: 8 4; }
.plot .curve.dotted { stroke-dasharray: 2 3; }
.plot .curve.pale { stroke: #5c5b57; stroke-width: 1; stroke-opacity: .45; }
.plot .bar { fill: #1f5fa8; }
.plot .bar.tied { fill-opacity: .35; }
.plot .cell { stroke: none; }
.plot .void { fill: none; stroke: #d9d6cd; stroke-dasharray: 2 3; }
.plot .even { fill: #5c5b57; fill-opacity: .08; }
.plot .more1, .plot .more2, .plot .more3, .plot .more4 { fill: #5b9bd8; }
.plot .less1, .plot .less2, .plot .less3, .plot .less4 { fill: #e8913a; }
.plot .more1, .plot .less1 { fill-opacity: .22; }
.plot .more2, .plot .less2 { fill-opacity: .45; }
.plot .more3, .plot .less3 { fill-opacity: .7; }
"""
PAPER = '<rect class="paper" width="100%" height="100%"/>'
END_OF_HEAD = "</desc>"


def to_svg(chart: Chart) -> str:
    """Insert the styles after the chart's description; names cannot contain its end tag, because they are escaped."""
    head, end, rest = chart.svg.partition(END_OF_HEAD)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{end}\n<style>{STYLE}</style>\n{PAPER}{rest}\n'
