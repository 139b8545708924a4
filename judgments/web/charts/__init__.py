"""Pictures as SVG in a page: what every plot is drawn with, and the plots of a campaign while it goes on."""
