# SPDX-License-Identifier: BSD-3-Clause
"""Keyword arguments that are options of the library, by the rows of its tables."""

import functools
import inspect

from . import _clump

_GROUND = {"extent": "ground_extent", "tile": "ground_tile"}


def rows(table, *, without=(), inside=False, **defaults):
    """{name: default} of a table of the library. `defaults` replace some of them. inside: the rows of the ground in a function
    that does more than find it, and where `extent` is that of another map."""
    found = {name: value for name, value in _clump.option_rows(table) if name not in without}
    if inside:
        found = {_GROUND.get(name, name): value for name, value in found.items()}
    return found | defaults


def keywords(*tables):
    """Gives a function the options of these tables as keyword arguments. It gets those of the caller as its argument
    `options`, a dict; the others have their defaults."""
    known = {name: default for table in tables for name, default in table.items()}

    def decorate(function):
        own = [parameter for name, parameter in inspect.signature(function).parameters.items() if name != "options"]
        names = {parameter.name for parameter in own}
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                for name, default in known.items() if name not in names]

        @functools.wraps(function)
        def call(*arguments, **given):
            options = {name: given.pop(name) for name in [name for name in given if name in known and name not in names]}
            return function(*arguments, options=options, **given)

        call.__signature__ = inspect.Signature(own + more)
        del call.__wrapped__
        return call

    return decorate
