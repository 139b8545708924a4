"""GoToScorer chunk by chunk, as its paper explains it: the reference of the metric."""

from typing import NamedTuple

from ranking.metrics.material import difference


class Chunk(NamedTuple):
    start: int
    end: int
    text: str
    is_edit: bool

    def touches(self, other):
        """Whether another text's chunk has the same words, or some of its words."""
        if self[:2] == other[:2]:
            return True
        inside = self.start <= other.start < self.end or other.start <= self.start < other.end
        return self.start < self.end and inside


def edits(source, text):
    return {(start, end): put[0] for start, end, put in difference(source.split(), text.split())}


def chunks(source, made):
    """Each edit, each word that is kept, and a place for an insertion before each of them and at the end."""
    found, at, words = [], 0, source.split()
    while True:
        found.append(Chunk(at, at, made.get((at, at), ""), (at, at) in made))
        if at == len(words):
            return found
        end = next((stop for start, stop in made if start == at and stop > at), None)
        found.append(Chunk(at, end or at + 1, made[at, end] if end else words[at], end is not None))
        at = found[-1].end


def judged(chunk, others):
    """Whether a text is right about a chunk, and whether it modifies it."""
    touching = [other for other in others if chunk.touches(other)]
    for other in touching:
        if other[:3] == chunk[:3]:
            return True, other.is_edit
    return not touching and not chunk.is_edit, any(other.is_edit for other in touching)


def by_definition(source, reference, outputs, weighted=True, edits_of=edits):
    """TP, FP, FN and TN of each output of a sentence; weights are numbers of outputs that are wrong."""
    counts = [[0, 0, 0, 0] for _ in outputs]
    others = [chunks(source, edits_of(source, text)) for text in outputs]
    for chunk in chunks(source, edits_of(source, reference)):
        found = [judged(chunk, each) for each in others]
        weight = sum(not right for right, _ in found) if weighted else 1
        for row, (right, modified) in zip(counts, found, strict=True):
            row[0] += weight * (right and chunk.is_edit)
            row[1] += weight * (modified and not right)
            row[2] += weight * (chunk.is_edit and not right)
            row[3] += weight * (right and not chunk.is_edit)
    return counts
