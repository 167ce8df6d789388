# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that are whole numbers, paths and positions: taken as they are, or refused by name."""

import operator
import os

from ._errors import ArgumentError

MOST_INT = 2**31 - 1


def as_integer(value, name, least=0, most=MOST_INT):
    """A whole number between two bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
    if number < least:
        raise ArgumentError(f"{name} is {number}, but cannot be negative" if least == 0 else
                            f"{name} is {number}, allowed are {least} to {most}")
    if number > most:
        raise ArgumentError(f"{name} is {number}, allowed are {least} to {most}")
    return number


def as_text(value, name):
    """A string, or None."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    return value


def as_path(path, name="path"):
    """A path as str or bytes."""
    try:
        return os.fspath(path)
    except TypeError:
        raise TypeError(f"{name} must be a path, not {type(path).__name__}") from None


def as_position(position, name="sensor", count=3):
    """A tuple of floats."""
    try:
        numbers = tuple(position)
    except TypeError:
        raise TypeError(f"{name} must be a sequence of numbers, not {type(position).__name__}") from None
    if len(numbers) != count:
        raise ArgumentError(f"{name} has {len(numbers)} numbers, but needs {count}")
    try:
        return tuple(float(number) for number in numbers)
    except OverflowError:  # an integer beyond all floats
        raise ArgumentError(f"{name} has a number that is not finite: inf") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a sequence of numbers") from None


def as_fields(fields):
    """A dict of fields; {} for None."""
    if fields is None:
        return {}
    if not hasattr(fields, "keys"):
        raise TypeError(f"fields must be a dict of name to values, not {type(fields).__name__}")
    return dict(fields)
