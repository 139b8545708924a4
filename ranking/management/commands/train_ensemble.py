"""Train an ensemble of metrics to predict human scores."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.management.base import PlatformCommand
from ranking.management.metrics import add_metrics, given
from ranking.metrics.catalogue import metrics_of
from ranking.metrics.ensemble.domains import Domain, Scored, halves, joined, measured
from ranking.metrics.ensemble.model import Model
from ranking.numbers.tables import Table, to_markdown
from ranking.scores.people import read_folder
from ranking.scores.refusals import metric_errors_refused
from ranking.stats.metaevaluation.ensembles import cross_validated, tested, without_domains, without_systems


class Command(PlatformCommand):
    """train_ensemble DIR... --out MODEL"""

    help = """Train an ensemble of metrics (GMEG-Metric of Napoles et al. 2019) on systems that people scored sentence
by sentence, and on mixtures of any two of them. A folder is a domain: the source, references (ref..., an M2 file),
outputs, and segment-scores.csv with a column a system. Then score with it: score_files ... --ensemble MODEL. Examples:

  python manage.py train_ensemble dev/ --out model.json --test test/
  python manage.py train_ensemble fce/dev wiki/dev --out model.json --metrics m2,gleu,chargleu,chrf++ --ablation
"""
    requires_system_checks = ()
    nothing = "Nothing was trained."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders to train on")
        parser.add_argument("--out", type=Path, required=True, metavar="MODEL", help="the model, as JSON")
        parser.add_argument("--test", nargs="+", type=Path, default=[], metavar="DIR", help="folders to test on")
        parser.add_argument(
            "--halves", action="store_true", help="train on one half of the sentences, test on the other"
        )
        parser.add_argument("--ablation", action="store_true", help="what is lost without each system and domain")
        parser.add_argument("--seed", type=int, default=1, help="which sentences are mixed (default: 1)")
        add_metrics(parser)

    @metric_errors_refused()
    def handle(self, **options: Any) -> str:
        metrics, seed = metrics_of(options["metrics"]), options["seed"]
        if seed < 0:
            raise CommandError("The seed must be 0 or more.")
        given_domains = [read_folder(*_files(path)) for path in options["folders"]]
        split = [halves(domain.material.sentences, seed) if options["halves"] else None for domain in given_domains]
        domains = [
            measured(domain, metrics, seed, half and half[0], self.bar)
            for domain, half in zip(given_domains, split, strict=True)
        ]
        signatures = {name: metric.signature(given_domains[0].material) for name, metric in metrics.items()}
        model = Model.trained(*joined(domains), signatures, "+".join(domain.name for domain in domains))
        options["out"].write_text(model.written(), encoding="utf-8")
        for domain, value in cross_validated(domains, seed).items():
            self.stdout.write(f"{domain}: r {value:.3f} by cross-validation, over systems and their mixtures")
        held_out = [
            measured(domain, metrics, seed, half[1], self.bar)
            for domain, half in zip(given_domains, split, strict=True)
            if half
        ]
        held_out += [measured(read_folder(*_files(path)), metrics, seed, progress=self.bar) for path in options["test"]]
        for unseen in held_out:
            value, many = tested(model, unseen), len(unseen)
            self.stdout.write(
                f"{unseen.name}: r {value:.3f} on what it was not trained on, {many} systems and mixtures"
            )
        if options["ablation"]:
            self.stdout.write(to_markdown(_ablation(domains, given_domains, seed)))
        return f"{options['out']}: {model.signature}"


def _files(path: Path) -> tuple[str, list[Any]]:
    name = path.resolve().name
    return name, [given(file) for file in sorted(path.iterdir()) if file.is_file() and not file.name.startswith(".")]


def _ablation(domains: Sequence[Domain], named: Sequence[Scored], seed: int) -> Table:
    def rows() -> Iterator[tuple[object, ...]]:
        for domain, scored in zip(domains, named, strict=True):
            yield from without_systems([domain], scored.systems, seed)
        yield from without_domains(domains, seed)

    return Table.of("ablation", ("domain", "without", "r with it", "r without"), rows())
