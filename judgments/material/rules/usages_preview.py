"""What files of instances would bring, before anything of it is stored: numbers, and samples with the usage marked."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from judgments.material.rules.classifications import ERROR_FROM
from judgments.material.rules.usages import Usages
from judgments.material.rules.usages_reading import Instance
from judgments.rules.texts.marking import Marked, marked

SAMPLES = 10


@dataclass(frozen=True)
class Classifier:
    """A system: of how many instances it says something, how many it takes for errors, how many it leaves out."""

    name: str
    instances: int
    errors: int
    left_out: int


@dataclass(frozen=True)
class UsageSample:
    """An instance with its usage marked, what is known of it, and what each system says."""

    id: str
    document: str
    marked: Marked
    gold: bool | None
    said: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class UsagesPreview:
    """An upload in numbers and samples."""

    instances: int
    sentences: int
    gold_errors: int
    gold_fine: int
    classifiers: tuple[Classifier, ...]
    samples: tuple[UsageSample, ...]

    @property
    def summary(self) -> str:
        """What would be stored, in a few words."""
        instances = f"{self.instances} instance{'s' * (self.instances != 1)}"
        classifiers = f"{len(self.classifiers)} system{'s' * (len(self.classifiers) != 1)}"
        return f"{instances} and {classifiers}"

    def written(self) -> dict[str, Any]:
        """The preview as JSON holds it."""
        return asdict(self)

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> "UsagesPreview":
        """The preview that `written` gave."""
        plain = {name: written[name] for name in ("instances", "sentences", "gold_errors", "gold_fine")}
        return cls(
            **plain,
            classifiers=tuple(Classifier(**one) for one in written["classifiers"]),
            samples=tuple(_sample_read(one) for one in written["samples"]),
        )


def _sample_read(written: Mapping[str, Any]) -> UsageSample:
    said = tuple((name, value) for name, value in written["said"])
    return UsageSample(**{**written, "marked": Marked(*written["marked"]), "said": said})


def preview_of(usages: Usages, known: Mapping[str, Instance], seed: str) -> UsagesPreview:
    """Count and sample; systems may speak of instances that were there before."""
    there = {**known, **{instance.id: instance for instance in usages.instances}}
    shown = list(usages.instances) or list(known.values())
    return UsagesPreview(
        instances=len(usages.instances),
        sentences=len({(instance.document, instance.sentence) for instance in usages.instances}),
        gold_errors=sum(instance.gold is True for instance in usages.instances),
        gold_fine=sum(instance.gold is False for instance in usages.instances),
        classifiers=tuple(
            Classifier(name, len(said), sum(value >= ERROR_FROM for value in said.values()), len(there) - len(said))
            for name, said in sorted(usages.classes.items())
        ),
        samples=tuple(_samples(shown, usages.classes, seed)),
    )


def _samples(
    instances: Sequence[Instance], classes: Mapping[str, Mapping[str, float]], seed: str
) -> Iterator[UsageSample]:
    places: Iterable[int] = sorted(random.Random(seed).sample(range(len(instances)), min(SAMPLES, len(instances))))
    for instance in (instances[place] for place in places):
        said = tuple((name, values[instance.id]) for name, values in sorted(classes.items()) if instance.id in values)
        parts = marked(instance.sentence, instance.start, instance.end)
        yield UsageSample(instance.id, instance.document, parts, instance.gold, said)
