"""Which sentences count: those whose numbers a file holds, from 1, one a line."""

from judgments.rules.files.problems import Problem, Problems, shorten
from ranking.scores.files import GivenFile, read_lines


def read_sentences(file: GivenFile, sentences: int) -> list[int]:
    """Read the places of sentences, from 0, in order; a number may stand there once."""
    places: dict[int, int] = {}
    problems = []
    for line, text in enumerate(read_lines(file), 1):
        word = text.strip()
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= sentences):
            what = f"{word[:40]!r} is not the number of a sentence; give whole numbers from 1 to {sentences}"
            problems.append(Problem(file.name, line, what))
        elif (place := int(word) - 1) in places:
            problems.append(Problem(file.name, line, f"sentence {word} stands on line {places[place]} already"))
        else:
            places[place] = line
    if not places and not problems:
        problems = [Problem(file.name, None, "holds no number; give the number of each sentence that counts")]
    if problems:
        raise Problems(shorten(file.name, problems))
    return sorted(places)
