"""Test material of any size: learners' sentences and what imagined systems made of them, the same for the same seed.

A sentence is a row of phrases, some of them faulty. A system puts each fault right, or half right, or leaves it, as
good as it is; so systems share outputs as real ones do, about five distinct ones among ten systems.
"""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

SEED = 2015
SENTENCES_A_DOCUMENT = 20
SOURCE = "INPUT"

# Each phrase as a learner may write it, half corrected, and correct.
PHRASES: tuple[tuple[tuple[str, str, str], ...], ...] = (
    (
        ("In my opinion ,", "In my opinion ,", "In my opinion ,"),
        ("Now a days ,", "Now days ,", "Nowadays ,"),
        ("According with the report ,", "According the report ,", "According to the report ,"),
        ("In the other hand ,", "On other hand ,", "On the other hand ,"),
        ("As we all knows ,", "As all we know ,", "As we all know ,"),
        ("Since last few years ,", "In last few years ,", "In the last few years ,"),
    ),
    (
        ("the peoples in big city", "the people in big city", "people in big cities"),
        ("most of student", "most of students", "most students"),
        ("the young generation who use internet", "young generation who use internet", "young people online"),
        ("many family with child", "many families with child", "many families with children"),
        ("every patients who carry the gene", "every patients who carries the gene", "every carrier of the gene"),
        ("a large amount of workers", "large number of workers", "a large number of workers"),
    ),
    (
        ("is depending of", "depend of", "depend on"),
        ("has discussed about", "have discussed about", "have discussed"),
        ("do not aware of", "are not aware", "are not aware of"),
        ("is suffering by", "are suffering by", "are suffering from"),
        ("pays a lot attention in", "pay lot of attention to", "pay a lot of attention to"),
        ("must to care for", "must care of", "must take care of"),
    ),
    (
        ("the informations on social medias", "the informations on social media", "the information on social media"),
        ("an expensive equipments", "expensive equipments", "expensive equipment"),
        ("the risk of genetical disease", "the risk of genetic diseases", "the risk of genetic disease"),
        ("their relative's feeling", "their relatives feelings", "their relatives' feelings"),
        ("a fresh air and clean waters", "fresh air and clean waters", "fresh air and clean water"),
        ("the develop of new technologys", "the develop of new technologies", "the development of new technology"),
    ),
    (
        ("because it save time .", "because it save the time .", "because it saves time ."),
        ("although it is difficult to finding .", "although it difficult to find .", "although it is hard to find ."),
        ("which can caused many problem .", "which can cause many problem .", "which can cause many problems ."),
        ("and it make them happy .", "and it make them be happy .", "and it makes them happy ."),
        ("even though it costs more higher .", "even though it cost more .", "even though it costs more ."),
        ("when they have not enough money .", "when they do not have enough moneys .", "when they lack money ."),
    ),
)
# How often a sentence has 0, 1, ... faults.
FAULTS = (10, 22, 28, 22, 12, 6)
LEFT, HALF, RIGHT = range(3)


class Corrected(NamedTuple):
    """A sentence: its phrases, which of them are faulty, and for each system what it made of each fault."""

    phrases: list[tuple[str, str, str]]
    faulty: list[int]
    changes: list[tuple[int, ...]]

    def text(self, changes: tuple[int, ...]) -> str:
        words = [phrase[RIGHT] for phrase in self.phrases]
        for place, change in zip(self.faulty, changes, strict=True):
            words[place] = self.phrases[place][change]
        return " ".join(words)


def corrected_sentences(sentences: int, systems: int, seed: int = SEED) -> Iterator[Corrected]:
    rng = random.Random(seed)
    skills = [0.1 + 0.8 * place / systems for place in range(systems)]
    for faults in rng.choices(range(len(FAULTS)), FAULTS, k=sentences):
        phrases = [rng.choice(column) for column in PHRASES]
        faulty = sorted(rng.sample(range(len(PHRASES)), faults))
        changes = [tuple([_change(rng.random(), skill) for _ in faulty]) for skill in skills]
        yield Corrected(phrases, faulty, changes)


def _change(chance: float, skill: float) -> int:
    """What a system does about a fault: every tenth is put half right."""
    if chance < skill:
        return RIGHT
    return HALF if chance < skill + 0.1 else LEFT


class Texts(NamedTuple):
    """Source, references and outputs, a line a sentence."""

    source: list[str]
    references: list[list[str]]
    outputs: list[list[str]]

    def first(self, lines: int) -> "Texts":
        """The first lines of one output that is neither the best nor the worst."""
        output = self.outputs[len(self.outputs) // 2]
        return Texts(self.source[:lines], [reference[:lines] for reference in self.references], [output[:lines]])

    def written(self, folder: Path) -> tuple[list[str], list[str], list[str]]:
        kinds = {"source": [self.source], "ref": self.references, "out": self.outputs}
        files = {f"{kind}{number}": lines for kind, texts in kinds.items() for number, lines in enumerate(texts)}
        for name, lines in files.items():
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        source, references, outputs = (
            [str(folder / name) for name in files if name.startswith(kind)] for kind in kinds
        )
        return source, references, outputs


def made_texts(sentences: int, systems: int, references: int) -> Texts:
    source, rows = [], []
    for sentence in corrected_sentences(sentences, systems + references):
        source.append(sentence.text((LEFT,) * len(sentence.faulty)))
        rows.append([sentence.text(changes) for changes in sentence.changes])
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Texts(source, columns[systems:], columns[:systems])


def multiplicities(sentences: int, systems: int, seed: int = SEED) -> list[list[int]]:
    """The number of systems that share each distinct output of each sentence."""
    return [
        list(Counter(map(sentence.text, sentence.changes)).values())
        for sentence in corrected_sentences(sentences, systems, seed)
    ]


def write_material(folder: Path, sentences: int, systems: int, seed: int = SEED) -> None:
    """Write the source and a file a system into a folder, with a blank line between documents."""
    folder.mkdir(parents=True)
    names = [f"system-{number:02}" for number in range(1, systems + 1)]
    with ExitStack() as stack:
        source, *outputs = (
            stack.enter_context((folder / f"{name}.txt").open("w", encoding="utf-8")) for name in (SOURCE, *names)
        )
        for number, sentence in enumerate(corrected_sentences(sentences, systems, seed)):
            end = "\n\n" if number % SENTENCES_A_DOCUMENT == SENTENCES_A_DOCUMENT - 1 else "\n"
            untouched = (LEFT,) * len(sentence.faulty)
            texts = {changes: sentence.text(changes) + end for changes in {untouched, *sentence.changes}}
            source.write(texts[untouched])
            for file, changes in zip(outputs, sentence.changes, strict=True):
                file.write(texts[changes])
