"""Train an ensemble of metrics (GMEG-Metric of Napoles et al. 2019) on systems that people scored sentence
by sentence, and on mixtures of any two of them. Each folder is a domain: source, references (ref..., an M2 file),
outputs, and segment-scores.csv with a column per system. Then use it: score ... --ensemble MODEL. Examples:

  python manage.py train_ensemble dev/ --out model.json --test test/
  python manage.py train_ensemble fce/dev wiki/dev --out model.json --metrics m2,gleu,chargleu,chrf++ --ablation
"""

from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.management.base import PlatformCommand, argument
from ranking.management.metrics import METRICS_ARGUMENT, chosen_metrics, given_file
from ranking.metrics.ensemble import Domain, EnsembleModel, JudgedTexts, halves, join_domains, measure_features
from ranking.numbers.tables import Table, to_markdown
from ranking.scores.people import read_folder
from ranking.scores.texts import metric_errors_refused
from ranking.stats.metaevaluation.ensembles import (
    combinations,
    correlation_on,
    cross_validate,
    without_domains,
    without_systems,
)


class Command(PlatformCommand):
    help = __doc__
    on_problems = "Nothing was trained."
    arguments = (
        argument("folders", nargs="+", type=Path, metavar="DIR", help="folders to train on"),
        argument("--out", type=Path, required=True, metavar="MODEL", help="the model, as JSON"),
        argument("--test", nargs="+", type=Path, default=[], metavar="DIR", help="folders to test on"),
        argument("--halves", action="store_true", help="train on one half of the sentences, test on the other"),
        argument("--ablation", action="store_true", help="measure the loss without each system and domain"),
        argument("--combinations", action="store_true", help="add metrics one by one, the most useful first"),
        argument("--seed", type=int, default=1, help="seed of mixtures (default: 1)"),
        METRICS_ARGUMENT,
    )

    @metric_errors_refused()
    def run(
        self, folders: list[Path], out: Path, test: list[Path], metrics: str | None, seed: int, options: dict[str, Any]
    ) -> str:
        chosen = chosen_metrics(metrics, None)
        if seed < 0:
            raise CommandError("The seed must be 0 or more.")
        scored = [_read(path) for path in folders]
        split = [halves(one.material.sentences, seed) if options["halves"] else (None, None) for one in scored]

        def measure(one: JudgedTexts, half: Any = None) -> Domain:
            return measure_features(one, chosen, seed, half, self.bar)

        domains = [measure(one, half) for one, (half, _) in zip(scored, split, strict=True)]
        signatures = {name: metric.signature(scored[0].material) for name, metric in chosen.items()}
        model = EnsembleModel.train(*join_domains(domains), signatures, "+".join(domain.name for domain in domains))
        out.write_text(model.as_json(), encoding="utf-8")
        for domain, value in cross_validate(domains, seed).items():
            self.stdout.write(f"{domain}: r {value:.3f} by cross-validation, over systems and their mixtures")
        held_out = [measure(one, half) for one, (_, half) in zip(scored, split, strict=True) if half is not None]
        unseen_domains = held_out + [measure(_read(path)) for path in test]
        for unseen in unseen_domains:
            value, many = correlation_on(unseen, model), len(unseen)
            self.stdout.write(f"{unseen.name}: r {value:.3f} on held-out data, {many} systems and mixtures")
        if options["ablation"]:
            losses = [
                row
                for domain, one in zip(domains, scored, strict=True)
                for row in without_systems([domain], one.systems, seed)
            ]
            rows = [*losses, *without_domains(domains, seed)]
            table = Table.of("ablation", ("domain", "without", "r with it", "r without"), rows)
            self.stdout.write(to_markdown(table))
        if options["combinations"]:
            features = {name: metric.features for name, metric in chosen.items()}
            found = combinations(domains, unseen_domains, features, seed)
            by_number = [(" + ".join(names), validated, *on_unseen) for names, validated, on_unseen in found]
            columns = ("metrics", "r by cross-validation", *(f"r on {one.name}" for one in unseen_domains))
            self.stdout.write(to_markdown(Table.of("combinations", columns, by_number), 3))
        return f"{out}: {model.signature}"


def _read(folder: Path) -> JudgedTexts:
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    return read_folder(folder.resolve().name, [given_file(file) for file in files])
