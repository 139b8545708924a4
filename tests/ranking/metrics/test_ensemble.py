"""An ensemble: mixtures of two systems, what it learns from, its regression, its file, the command that trains it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.problems import Problems
from ranking.metrics import catalogue
from ranking.metrics.catalogue import ensemble_of, metrics_of
from ranking.metrics.ensemble import (
    Domain,
    EnsembleModel,
    JudgedTexts,
    fit,
    halves,
    join_domains,
    means,
    measure_features,
    mix_systems,
)
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import score
from ranking.scores.files import GivenFile
from ranking.scores.people import read_folder
from ranking.stats.metaevaluation import ensembles
from tests.ranking.metrics.toy import Toy
from tests.shared_data import shared

WORDS = 8
SENTENCES = 40
SCORES = {"one": np.array([0.0, 1.0, 2.0]), "other": np.array([1.0, 0.0, 1.0])}
HUMAN = np.array([10.0, 20.0, 40.0])


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "toy", Toy)


def made(name: str, seed: int) -> JudgedTexts:
    """Four systems that make the more right the later they come; people see just that, with some noise."""
    random = np.random.default_rng(seed)
    right = [" ".join(f"r{word}" for word in range(WORDS))] * SENTENCES
    outputs, human = [], []
    for skill in (0.2, 0.4, 0.6, 0.8):
        is_right = random.random((SENTENCES, WORDS)) < skill
        outputs.append([" ".join(f"r{w}" if one else "x" for w, one in enumerate(row)) for row in is_right])
        human.append(is_right.mean(axis=1) * 100 + random.normal(scale=2, size=SENTENCES))
    return JudgedTexts(name, Material.of_texts(right, [right]), outputs, np.array(human).T, ("A", "B", "C", "D"))


@pytest.fixture
def domains() -> list[Domain]:
    return [measure_features(made(name, seed), metrics_of("toy"), seed) for seed, name in enumerate(("one", "two"))]


def test_systems_come_before_their_mixtures_and_an_unscored_sentence_counts_for_no_mean():
    domain = measure_features(made("one", 1), metrics_of("toy"), seed=1)
    assert len(domain) == 4 + 6 * 45
    assert domain.pairs[:4].tolist() == [[0, 0], [1, 1], [2, 2], [3, 3]]
    assert list(domain.features) == ["Toy"]
    assert domain.human[:4].tolist() == pytest.approx(made("one", 1).human.mean(axis=0).tolist())
    first, second = domain.pairs.T
    low, high = domain.human[first], domain.human[second]
    assert np.corrcoef(domain.human, (low + high) / 2)[0, 1] > 0.8
    assert len(domain.without(2)) == 3 + 3 * 45
    assert not (domain.without(2).pairs == 2).any()
    domain_scores = made("one", 1)
    domain_scores.human[0, :] = np.nan
    domain = measure_features(domain_scores, metrics_of("toy"), seed=1)
    assert domain.human[0] == pytest.approx(domain_scores.human[1:, 0].mean())
    with pytest.raises(MetricError, match="scores of 3 sentences by 4 systems, and texts of 40 by 4"):
        measure_features(domain_scores._replace(human=np.zeros((3, 4))), metrics_of("toy"), seed=1)


def test_it_learns_human_scores_and_predicts_nothing_without_differences_on_either_side(domains):
    train, test = domains
    model = EnsembleModel.train(*join_domains([train]), {"toy": "toy"}, "one")
    assert ensembles.correlation_on(test, model) > 0.98
    assert min(ensembles.cross_validate([train, test], 1, folds=5).values()) > 0.98
    same = np.full(len(test), 0.1)
    for constant in (replace(test, human=same), replace(test, features={"Toy": same}), test.choose(np.arange(0))):
        assert ensembles.correlation_on(constant, model) == 0


def test_ablation_has_a_line_a_system_and_combinations_begin_with_the_metric_that_tells_most(domains):
    lines = list(ensembles.without_systems(domains, ["A", "B"], 1, folds=2))
    assert [line[:2] for line in lines] == [("one", "A"), ("two", "A"), ("one", "B"), ("two", "B")]
    assert [line[1] for line in ensembles.without_domains(domains, 1, folds=2)] == ["one", "two"]
    assert list(ensembles.without_domains(domains[:1], 1)) == []
    assert all(-1 <= value <= 1 for line in lines for value in line[2:])
    noise = np.random.default_rng(1)
    train, test = ([replace(one, features=one.features | {"x": noise.random(len(one))})] for one in domains)
    features = {"noise": ["x"], "toy": ["Toy"]}
    (first, validated, on_unseen), (both, *_) = ensembles.combinations(train, test, features, 1, folds=5)
    assert (first, both) == (("toy",), ("toy", "noise"))
    assert validated > 0.98
    assert on_unseen[0] > 0.98


def files_of(domain_scores: JudgedTexts, human: str | None = None) -> list[GivenFile]:
    columns = [*domain_scores.systems, "source"]
    rows = [",".join([*map(str, row), "50"]) for row in domain_scores.human.tolist()]
    table = human or "\n".join([",".join(columns), *rows]) + "\n"
    texts = {"source": domain_scores.material.source, "ref0": domain_scores.material.texts[0]}
    texts |= dict(zip(domain_scores.systems, domain_scores.outputs, strict=True))
    made_files = [GivenFile(name, ("\n".join(lines) + "\n").encode()) for name, lines in texts.items()]
    return [*made_files, GivenFile("segment-scores.csv", table.encode())]


def test_a_folder_is_read_and_bounds_are_left_out():
    domain_scores = made("one", 1)
    read = read_folder("one", files_of(domain_scores))
    assert read.systems == ("A", "B", "C", "D")
    assert np.allclose(read.human, domain_scores.human)
    with pytest.raises(Problems, match="has 0 tables of people's scores"):
        read_folder("one", files_of(domain_scores)[:-1])


@pytest.mark.parametrize(
    ("human", "message"),
    [
        ("X,Y\n1,2\n", "has a column 'X', but no output of that name"),
        ("A\n1\n", "fewer than two columns of systems"),
        ("A,B\n1,2\n", "scores 1 sentences, but there are"),
        ("A,B\n" + "1,much\n" * SENTENCES, "'much' is not a finite number"),
    ],
)
def test_a_folder_that_does_not_fit_is_refused_in_a_sentence(human, message):
    with pytest.raises(Problems, match=message):
        read_folder("one", files_of(made("one", 1), human))


def write(folder: Path, name: str, seed: int) -> None:
    (folder / name).mkdir()
    for file in files_of(made(name, seed)):
        (folder / name / file.name).write_bytes(file.content)


def test_the_command_trains_and_the_model_scores(tmp_path, capsys):
    for seed, name in enumerate(("one", "two")):
        write(tmp_path, name, seed)
    model = tmp_path / "model.json"
    summary = call_command(
        "train_ensemble", str(tmp_path / "one"), "--test", str(tmp_path / "two"), "--out", str(model),
        "--metrics", "toy", "--ablation", "--combinations",
    )  # fmt: skip
    output = capsys.readouterr().out
    assert "one: r 1.000 by cross-validation" in output
    assert "two: r 1.000 on held-out data" in output
    assert "| one | A |" in output
    assert "| toy | 1.000 | 1.000 |" in output
    assert summary.startswith(f"{model}: ensemble|features:1|alpha:0.001|trained-on:one|model:")
    domain_scores = made("two", 1)
    scored = score(ensemble_of(model.read_text()), domain_scores.material, domain_scores.systems, domain_scores.outputs)
    assert scored.systems["Ensemble"].tolist() == sorted(scored.systems["Ensemble"])
    assert "|parts:toy|weight:1.0" in scored.signature
    call_command(
        "score_files", "--outputs", str(tmp_path / "two" / "A"), str(tmp_path / "two" / "B"),
        "--source", str(tmp_path / "two" / "source"), "--references", str(tmp_path / "two" / "ref0"),
        "--metrics", "toy", "--ensemble", str(model),
    )  # fmt: skip
    assert "| system | Toy | Toy words | Ensemble |" in capsys.readouterr().out


def test_the_command_refuses_a_file_that_is_not_a_model(tmp_path):
    (tmp_path / "model.json").write_text("{}")
    (tmp_path / "A").write_text("a\n")
    with pytest.raises(CommandError, match="not an ensemble model"):
        call_command(
            "score_files", "--outputs", str(tmp_path / "A"), "--references", str(tmp_path / "A"),
            "--ensemble", str(tmp_path / "model.json"), "--metrics", "toy",
        )  # fmt: skip


@pytest.mark.wide
def test_published_systems_are_predicted_as_well_as_others_found():
    """Trained on dev and tested on test of FCE; with all 73 features others found r = .985 (mixtures by chance)."""
    metrics = metrics_of("m2,gleu:draws=50,chargleu:draws=50,chrf++")

    def domain(part: str) -> Domain:
        files = sorted(shared(f"data/gmeg-fce/{part}").iterdir())
        return measure_features(
            read_folder(part, [GivenFile(file.name, file.read_bytes()) for file in files]), metrics, seed=1
        )

    dev = domain("dev")
    model = EnsembleModel.train(*join_domains([dev]), dict.fromkeys(metrics, ""), "dev")
    assert len(dev) == 681
    assert ensembles.correlation_on(domain("test"), model) > 0.95


def test_one_half_is_trained_on_and_the_other_which_shares_no_sentence_tested(tmp_path, capsys):
    write(tmp_path, "one", 1)
    words = str(tmp_path / "one"), "--halves", "--out", str(tmp_path / "m"), "--metrics", "toy"
    call_command("train_ensemble", *words)
    assert "one: r 1.000 on held-out data" in capsys.readouterr().out
    one, other = halves(11, 3)
    assert sorted([*one, *other]) == list(range(11))
    assert (len(one), len(other)) == (5, 6)


def test_six_systems_make_675_mixtures_and_one_none():
    hybrids = mix_systems(6, 100, seed=1)
    assert len(hybrids) == 675
    assert sorted(set(hybrids.is_first.sum(axis=1).tolist())) == [10, 20, 30, 40, 50, 60, 70, 80, 90]
    assert (mix_systems(3, 30, 5).is_first == mix_systems(3, 30, 5).is_first).all()
    assert (mix_systems(3, 30, 5).is_first != mix_systems(3, 30, 6).is_first).any()
    assert len(mix_systems(1, 10, 1)) == 0
    assert means(np.array([[1.0, np.nan, 3.0], [np.nan] * 3])).tolist() == [2.0, pytest.approx(0)]


@given(st.integers(2, 5), st.integers(1, 40), st.integers(0, 2**31 - 1))
def test_every_sentence_is_that_of_one_of_the_two(systems, sentences, seed):
    hybrids = mix_systems(systems, sentences, seed)
    values = np.arange(systems)[:, None] * 1000 + np.arange(sentences)
    chosen = hybrids.choose(values)
    assert (chosen % 1000 == np.arange(sentences)).all()
    first, second = hybrids.pairs.T
    assert ((chosen // 1000 == first[:, None]) == hybrids.is_first).all()
    assert (np.where(hybrids.is_first, second[:, None], chosen // 1000) == second[:, None]).all()


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
