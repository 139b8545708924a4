"""Random draws that no library offers to compiled code."""

import numpy as np

from ranking.numbers.kernels import kernel

# In wider ranges few evenly drawn numbers would be accepted.
WIDE = 2.0
# What is less than this share of what it was subtracted from is rounding noise.
ROUNDING = 1e-12


@kernel
def truncated_normal(random, low, high):
    """Draw from the standard normal distribution between two bounds, by rejection (Robert 1995)."""
    if low > 0:
        return _in_tail(random, low, high)
    if high < 0:
        return -_in_tail(random, -high, -low)
    if high - low > WIDE:
        while True:
            drawn = random.standard_normal()
            if low <= drawn <= high:
                return drawn
    while True:
        drawn = low + (high - low) * random.random()
        if random.random() <= np.exp(-drawn * drawn / 2):
            return drawn


@kernel
def _in_tail(random, low, high):
    """Draw between two bounds above 0."""
    rate = (low + np.sqrt(low * low + 4)) / 2
    if (high - low) * rate < WIDE:
        while True:
            drawn = low + (high - low) * random.random()
            if random.random() <= np.exp((low * low - drawn * drawn) / 2):
                return drawn
    while True:
        drawn = low - np.log(1 - random.random()) / rate
        if drawn <= high and random.random() <= np.exp(-((drawn - rate) ** 2) / 2):
            return drawn


@kernel
def normal_vector(random, precision, weighted, drawn):
    """Draw a normal vector whose mean solves precision x mean = weighted; `precision` becomes its Cholesky factor."""
    size = len(weighted)
    for row in range(size):
        for column in range(row + 1):
            rest = precision[row, column]
            for place in range(column):
                rest -= precision[row, place] * precision[column, place]
            if row == column:
                precision[row, row] = np.sqrt(max(rest, ROUNDING * precision[row, row]))
            else:
                precision[row, column] = rest / precision[column, column]
    for row in range(size):
        rest = weighted[row]
        for place in range(row):
            rest -= precision[row, place] * drawn[place]
        drawn[row] = rest / precision[row, row]
    for row in range(size):
        drawn[row] += random.standard_normal()
    for row in range(size - 1, -1, -1):
        rest = drawn[row]
        for place in range(row + 1, size):
            rest -= precision[place, row] * drawn[place]
        drawn[row] = rest / precision[row, row]


@kernel
def inverse_gamma(random, shape, rate):
    return rate / random.standard_gamma(shape)


@kernel
def pick(random, logs, highest):
    """Draw a place with chances in proportion to exp(logs), of which the highest is known."""
    total = 0.0
    for log in logs:
        total += np.exp(log - highest)
    rest = random.random() * total
    for place in range(len(logs)):
        rest -= np.exp(logs[place] - highest)
        if rest < 0:
            return place
    return len(logs) - 1
