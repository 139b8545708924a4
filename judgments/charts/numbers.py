"""Formats of numbers and names in sentences and labels."""

from collections.abc import Sequence

MINUS = "\u2212"
UNKNOWN = "–"
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(value: float | None, decimals: int = 2) -> str:
    """Format a number with so many decimals; None as a dash."""
    if value is None:
        return UNKNOWN
    text = f"{value:,.{decimals}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def share(value: float | None) -> str:
    """Format a number from 0 to 1 without the leading 0, as papers do in narrow columns."""
    return number(value).replace("0.", ".", 1) if value is not None and abs(value) < 0.995 else number(value, 1)


def p_value(value: float) -> str:
    """Format a p-value for a narrow column; no p-value is 0 or 1."""
    text = number(value, 3)
    return {"0.000": "<.001", "1.000": ">.999"}.get(text, text.removeprefix("0"))


def chance(value: float | None) -> str:
    """Format a probability that is neither 0 nor 1."""
    text = number(value)
    return {"0.00": "<0.01", "1.00": ">0.99"}.get(text, text)


def span(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Format an interval in brackets; an empty text if an end is unknown."""
    return f" ({number(low, decimals)} to {number(high, decimals)})" if low is not None and high is not None else ""


def ranks(low: int | None, high: int | None) -> str:
    """Format a range of ranks, or a dash."""
    if low is None or high is None:
        return UNKNOWN
    return str(low) if low == high else f"{low}–{high}"


def text_list(names: Sequence[str], most: int = 5) -> str:
    """Join names for a sentence; many are cut to the first ones and the number of others."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} others"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def quantity(count: int, one: str) -> str:
    """Format a count with its noun."""
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def in_words(count: int) -> str:
    """Write small numbers as words."""
    return WORDS[count] if count < len(WORDS) else f"{count:,}"
