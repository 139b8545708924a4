"""Good bytes made bad in the ways in which files are: cut, doubled, spliced, spoiled, blown up."""

from collections.abc import Callable, Sequence
from random import Random

MOST_CHANGES = 6
LONGEST = 60_000
TIMES = (2, 10, 1_000)
# What readers stumble over: signs that mean something, numbers that are none or too large, bytes that are no text.
TELLING = [
    b"\0", b"\n", b"\r\n", b"\r", b"\t", b",", b";", b'"', b"'", b"\\", b"|||", b"-1", b"0", b"1e999", b"NaN", b"inf",
    b"99999999999999999999", b"-0.0", b"{", b"}", b"[", b"]", b"null", b"true", b"<", b">", b"&", b"&lt;", b"</r>",
    b"]]>", b"<!--", b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"%", b"=1+1", b"\xff", b"\xc3", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"\xff\xfe", b"S ", b"A ", b"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0", b"\xe2\x80\x8b",
    b"\xe2\x80\xa8", b"\xcc\x81", b"\xe2\x80\xae", b"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", b"PK\x03\x04",
    b"PK\x01\x02", b"PK\x05\x06", b"..", b"/", b"C:\\", b"\xd9\xa3", b"\xc2\xb2",
]  # fmt: skip


def mutated(seeds: Sequence[bytes], chance: Random) -> bytes:
    content = chance.choice(seeds)
    for _ in range(chance.randint(1, MOST_CHANGES)):
        content = chance.choice(CHANGES)(content, seeds, chance)[:LONGEST]
    return content


def _cut(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    start, end = _stretch(content, chance)
    return content[:start] + content[end:]


def _end_early(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    return content[: chance.randint(0, len(content))]


def _repeat(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    start, end = _stretch(content, chance)
    return content[:start] + content[start:end] * chance.choice(TIMES) + content[end:]


def _insert(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    place = chance.randint(0, len(content))
    return content[:place] + chance.choice(TELLING) * chance.choice((1, 1, 1, *TIMES)) + content[place:]


def _overwrite(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    start, end = _stretch(content, chance)
    return content[:start] + chance.choice(TELLING) + content[end:]


def _spoil(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    if not content:
        return content
    place = chance.randrange(len(content))
    return content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]


def _splice(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    other = chance.choice(seeds)
    return content[: chance.randint(0, len(content))] + other[chance.randint(0, len(other)) :]


def _shuffle_lines(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    lines = content.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def _repeat_line(content: bytes, seeds: Sequence[bytes], chance: Random) -> bytes:
    lines = content.split(b"\n")
    place = chance.randrange(len(lines))
    return b"\n".join([*lines[:place], *[lines[place]] * chance.choice(TIMES), *lines[place + 1 :]])


def _stretch(content: bytes, chance: Random) -> tuple[int, int]:
    """Some bytes in a row, mostly few."""
    start = chance.randint(0, len(content))
    return start, min(len(content), start + chance.choice((1, 4, 16, 64, 1_000)))


Change = Callable[[bytes, Sequence[bytes], Random], bytes]
CHANGES: Sequence[Change] = (
    _cut, _end_early, _repeat, _insert, _insert, _overwrite, _spoil, _splice, _shuffle_lines, _repeat_line,
)  # fmt: skip
