# SPDX-License-Identifier: BSD-3-Clause
"""Contexts: memory, worker threads and device of calls."""

import threading
from collections import namedtuple

from . import _clump
from ._arguments import as_integer
from ._errors import ArgumentError

Device = namedtuple("Device", "name kind ordinal units memory_total memory_free level")
Device.__doc__ = "A processor or GPU of this machine, as `devices` lists it."
Device.__module__ = "clump"

_KINDS = {"auto": 0, "cpu": 1, "cuda": 2}


def _parse_device(device):
    """The backend and ordinal of "auto", "cpu", "cuda" or "cuda:1"."""
    if not isinstance(device, str):
        raise TypeError(f"device must be a string such as 'cpu' or 'cuda:0', not {type(device).__name__}")
    kind, colon, ordinal = device.partition(":")
    if kind not in _KINDS or (colon and (kind != "cuda" or not ordinal.isdecimal() or len(ordinal) > 9)):
        raise ArgumentError(f"there is no device {device!r}; there are: auto, cpu, cuda, cuda:0, cuda:1 ...")
    return _KINDS[kind], int(ordinal) if colon else 0


class Context(_clump.Context):
    """Keeps memory, worker threads and a device between calls.

    device   "auto" (a GPU where there is one and the cloud is large enough), "cpu", "cuda" or "cuda:1"
    threads  CPU threads that a call may use; 0: as many as pay
    gpu_ram  bytes of GPU memory that calls may use; 0: what is free

    Functions without the argument `context` use one of the calling thread. Calls of several threads on one context take
    turns.

    >>> import clump
    >>> with clump.Context("cpu", threads=2) as context:
    ...     clump.ec([[0, 0, 0], [0, 0, 1]], 0.5, context=context)
    array([0, 1], dtype=int32)
    >>> context
    <clump.Context cpu, 2 threads, closed>
    """

    __slots__ = ("_device", "_threads", "__weakref__")
    __module__ = "clump"

    def __new__(cls, device="auto", *, threads=0, gpu_ram=0):
        backend, ordinal = _parse_device(device)
        threads = as_integer(threads, "threads")
        gpu_ram = as_integer(gpu_ram, "gpu_ram", most=float("inf"))
        self = super().__new__(cls, backend, ordinal, min(threads, 256), min(gpu_ram, 2**63 - 1))
        self._device = device
        self._threads = threads
        return self

    @property
    def device(self):
        """The device that was asked for."""
        return self._device

    @property
    def threads(self):
        """CPU threads that a call may use; 0: as many as pay."""
        return self._threads

    @property
    def stats(self):
        """What the last call did: a dict with method, reason, threads, times in milliseconds, counts and bytes."""
        return _clump.context_stats(self)

    def reserve(self, points):
        """Allocates the memory that calls on clouds of up to so many points need."""
        _clump.context_reserve(self, points)

    def trim(self):
        """Returns all memory and ends the worker threads. The next call takes what it needs."""
        _clump.context_trim(self)

    def close(self):
        """Frees everything. Later calls on the context fail; closing twice is no error."""
        _clump.context_close(self)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __repr__(self):
        threads = f", {self._threads} thread{'s' if self._threads > 1 else ''}" if self._threads else ""
        return f"<clump.Context {self._device}{threads}{', closed' if self.closed else ''}>"

    def __reduce__(self):
        raise TypeError("a clump.Context cannot be pickled; make one per process")


class _Own(threading.local):
    """The default contexts of a thread, by device."""

    def __init__(self):
        self.auto = None
        self.others = {}


_own = _Own()


def default():
    """The context of the calling thread."""
    context = _own.auto
    if context is None or context.closed:
        context = _own.auto = Context()
    return context


def default_on(device):
    """The context of the calling thread on a device, such as "cuda:1"."""
    context = _own.others.get(device)
    if context is None or context.closed:
        context = _own.others[device] = Context(device)
    return context


def devices():
    """The devices of this machine: the processor first, then the GPUs.

    >>> import clump
    >>> clump.devices()[0].kind
    'cpu'
    """
    return [Device(name, kind, *rest) for kind, ordinal, name, *tail in _clump.devices() for rest in [(ordinal, *tail)]]
