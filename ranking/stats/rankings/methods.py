"""Ranking methods by name, in the order in which forms show them."""

from ranking.stats.rankings import bradley_terry, expected_wins, hierarchical, mean_score, mixed_model, trueskill
from ranking.stats.rankings.method import Method as Method

METHODS = {
    method.name: method
    for method in (
        expected_wins.EXPECTED_WINS,
        expected_wins.AS_PUBLISHED,
        trueskill.AS_PUBLISHED,
        trueskill.TRUESKILL,
        bradley_terry.BRADLEY_TERRY,
        hierarchical.HIERARCHICAL,
        mean_score.MEAN_SCORE,
        mean_score.Z_SCORE,
        mixed_model.MIXED_MODEL,
    )
}
