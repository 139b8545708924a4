"""What files of usages would bring, before anything of it is stored: numbers, and samples with the usage marked."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from judgments.material.rules.classifications import ERROR_FROM
from judgments.material.rules.usages import Usages
from judgments.material.rules.usages_reading import Usage
from judgments.rules.texts.marking import Marked, marked

SAMPLES = 10


@dataclass(frozen=True)
class Classifier:
    """A system: of how many usages it says something, how many it takes for errors, how many it leaves out."""

    name: str
    usages: int
    errors: int
    left_out: int


@dataclass(frozen=True)
class UsageSample:
    """A usage with its usage marked, what is known of it, and what each system says."""

    id: str
    document: str
    marked: Marked
    gold: bool | None
    said: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class UsagesPreview:
    """An upload in numbers and samples."""

    usages: int
    sentences: int
    gold_errors: int
    gold_fine: int
    classifiers: tuple[Classifier, ...]
    samples: tuple[UsageSample, ...]

    @property
    def summary(self) -> str:
        """What would be stored, in a few words."""
        usages = f"{self.usages} usage{'s' * (self.usages != 1)}"
        classifiers = f"{len(self.classifiers)} system{'s' * (len(self.classifiers) != 1)}"
        return f"{usages} and {classifiers}"

    def written(self) -> dict[str, Any]:
        """The preview as JSON holds it."""
        return asdict(self)

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> "UsagesPreview":
        """The preview that `written` gave."""
        plain = {name: written[name] for name in ("usages", "sentences", "gold_errors", "gold_fine")}
        return cls(
            **plain,
            classifiers=tuple(Classifier(**one) for one in written["classifiers"]),
            samples=tuple(_sample_read(one) for one in written["samples"]),
        )


def _sample_read(written: Mapping[str, Any]) -> UsageSample:
    said = tuple((name, value) for name, value in written["said"])
    return UsageSample(**{**written, "marked": Marked(*written["marked"]), "said": said})


def preview_of(usages: Usages, known: Mapping[str, Usage], seed: str) -> UsagesPreview:
    """Count and sample; systems may speak of usages that were there before."""
    there = {**known, **{usage.id: usage for usage in usages.usages}}
    shown = list(usages.usages) or list(known.values())
    return UsagesPreview(
        usages=len(usages.usages),
        sentences=len({(usage.document, usage.sentence) for usage in usages.usages}),
        gold_errors=sum(usage.gold is True for usage in usages.usages),
        gold_fine=sum(usage.gold is False for usage in usages.usages),
        classifiers=tuple(
            Classifier(name, len(said), sum(value >= ERROR_FROM for value in said.values()), len(there) - len(said))
            for name, said in sorted(usages.classes.items())
        ),
        samples=tuple(_samples(shown, usages.classes, seed)),
    )


def _samples(usages: Sequence[Usage], classes: Mapping[str, Mapping[str, float]], seed: str) -> Iterator[UsageSample]:
    places: Iterable[int] = sorted(random.Random(seed).sample(range(len(usages)), min(SAMPLES, len(usages))))
    for usage in (usages[place] for place in places):
        said = tuple((name, values[usage.id]) for name, values in sorted(classes.items()) if usage.id in values)
        parts = marked(usage.sentence, usage.start, usage.end)
        yield UsageSample(usage.id, usage.document, parts, usage.gold, said)
