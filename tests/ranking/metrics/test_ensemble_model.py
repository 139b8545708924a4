"""Ridge regression and the model that is made of it."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.metrics.ensemble import EnsembleModel, fit
from ranking.metrics.material import MetricError

SCORES = {"one": np.array([0.0, 1.0, 2.0]), "other": np.array([1.0, 0.0, 1.0])}
HUMAN = np.array([10.0, 20.0, 40.0])


def trained() -> EnsembleModel:
    return EnsembleModel.train(SCORES, HUMAN, {"toy": "toy|weight:1"}, "made up")


def test_the_toy_of_the_definition_and_a_constant_feature():
    found = fit(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0]), alpha=2.0)
    assert found.weights.tolist() == [0.5]
    assert found.constant == 0.5
    features = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    assert np.isfinite(fit(features, HUMAN).weights).all()


@given(st.integers(0, 2**31 - 1), st.floats(0.001, 10))
def test_no_other_weights_are_better(seed, alpha):
    """By the definition: the sum that ridge makes least is no less at weights moved a little."""
    random = np.random.default_rng(seed)
    features, wanted = random.normal(size=(12, 3)), random.normal(size=12)
    found = fit(features, wanted, alpha)

    def loss(weights: np.ndarray, constant: float) -> float:
        return float(((wanted - features @ weights - constant) ** 2).sum() + alpha * (weights**2).sum())

    least = loss(found.weights, found.constant)
    for step in random.normal(scale=0.01, size=(20, 4)):
        assert loss(found.weights + step[:3], found.constant + step[3]) >= least - 1e-9


def test_a_model_is_saved_and_read_back_as_it_was():
    model = trained()
    again = EnsembleModel.read(model.as_json())
    assert again == model
    assert again.signature == model.signature
    assert np.array_equal(again.predict(SCORES), model.predict(SCORES))
    other = EnsembleModel.train(SCORES, HUMAN[::-1], {"toy": "toy|weight:1"}, "made up")
    assert other.signature != model.signature
    with pytest.raises(MetricError, match="The ensemble needs other, which these metrics do not compute"):
        model.predict({"one": np.array([1.0])})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *((text, "not an ensemble model") for text in ("", "[]", "{", "gANjb3MKc3lzdGVt")),
        ({"format": "pickle"}, "not an ensemble model of this version"),
        ({"weights": [1.0]}, "the numbers of weights and features differ"),
        ({"weights": [1.0, None]}, "a weight is not a number"),
        ({"weights": [1.0, float("nan")]}, "a weight is not a number"),
        ({"constant": "1"}, "constant has a wrong type"),
        ({"features": [1, 2]}, "a name is not text"),
        ({"more": 1}, "it has alpha, constant"),
    ],
)
def test_a_damaged_model_is_refused_in_a_sentence(change, message):
    with pytest.raises(MetricError, match=message):
        EnsembleModel.read(change if isinstance(change, str) else json.dumps(json.loads(trained().as_json()) | change))
