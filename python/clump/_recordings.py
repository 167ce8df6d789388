# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of a sensor, frame by frame."""

import operator
import os
from collections import namedtuple
from collections.abc import Iterable

from . import _clump
from ._arguments import as_integer, as_text
from ._errors import ArgumentError
from ._files import Cloud, _fspath, _missing_named

Topic = namedtuple("Topic", "name type has_clouds messages frames first last period gaps longest_gap")
Topic.__doc__ = """One topic of a recording. Times are nanoseconds since 1970, intervals are nanoseconds."""
Topic.__module__ = "clump"

Losses = namedtuple("Losses", "damaged_chunks damaged_messages damaged_packets lost_packets reordered lost_bytes "
                              "truncated first")
Losses.__doc__ = """What could not be read of a recording: counts, and the first loss in words ("": none)."""
Losses.__module__ = "clump"


class Frame:
    """One frame of a recording. It unpacks as index, stamp, cloud.

    index     in the topic, from 0
    stamp     time of the data, nanoseconds since 1970
    cloud     the Cloud; it stays valid as long as it is used
    received  time when the last part was recorded
    frame_id  the coordinate frame, "velodyne"; "" where there is none
    lost      packets of this frame that are known to be missing
    path      of a cloud file, else None
    """

    __module__ = "clump"
    __slots__ = ("index", "stamp", "cloud", "received", "frame_id", "lost", "path")

    def __init__(self, index, stamp, cloud, received=0, frame_id="", lost=0, path=None):
        self.index = index
        self.stamp = stamp
        self.cloud = cloud
        self.received = received
        self.frame_id = frame_id
        self.lost = lost
        self.path = path

    def __iter__(self):
        return iter((self.index, self.stamp, self.cloud))

    def __repr__(self):
        return f"Frame(index={self.index}, stamp={self.stamp}, cloud={self.cloud!r})"


class Frames:
    """The frames of a recording: an iterator, and a context manager that closes the files. Made by clump.frames()."""

    __module__ = "clump"
    __slots__ = ("_handle", "_kind", "_lost", "_topics", "_name")

    def __init__(self, handle, name):
        self._handle = handle
        self._kind = self._lost = self._topics = None
        self._name = name

    def __iter__(self):
        return self

    def __next__(self):
        found = _clump.recording_next(self._handle)
        if found is None:
            raise StopIteration
        index, stamp, cloud, *rest = found
        return Frame(index, stamp, Cloud._of(cloud), *rest)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Close the files. What was lost is still known."""
        if not self.closed:
            self._kind = _clump.recording_kind(self._handle)
            self._lost = _clump.recording_lost(self._handle)
            _clump.recording_close(self._handle)

    @property
    def closed(self):
        """Whether the files are closed."""
        return self._lost is not None

    @property
    def format(self):
        """"bag", "sqlite", "mcap", "pcap", "clouds" or "nclt"."""
        return self._told()[0]

    def _told(self):
        return self._kind if self.closed else _clump.recording_kind(self._handle)

    @property
    def topic(self):
        """The topic that is read; None before the first frame."""
        return self._told()[1]

    @property
    def topics(self):
        """A tuple of Topic. The first use reads the index, or the whole recording where it has none."""
        if self._topics is None:
            self._topics = tuple(Topic(*row) for row in _clump.recording_topics(self._handle))
        return self._topics

    @property
    def lost(self):
        """What has been lost up to now: Losses."""
        return Losses(*(self._lost if self.closed else _clump.recording_lost(self._handle)))

    def seek(self, time):
        """Go to the first frame that was recorded at or after this time (nanoseconds since 1970)."""
        _clump.recording_seek(self._handle, max(-2**63, min(operator.index(time), 2**63 - 1)))

    def __repr__(self):
        return f"<clump.Frames of {self._name!r}{', closed' if self.closed else ''}>"


def frames(path, *, topic=None, metadata=None, calibration=None, organised=False, columns=None, read_ahead=0):
    """Open a recording and iterate over its frames.

    path         ROS bag, rosbag2 (.db3, .mcap or its folder), pcap, a folder of cloud files, or a list of cloud files
    topic        None: the only topic with clouds
    metadata     JSON file of an Ouster sensor; None: from the recording, or beside it
    calibration  .yaml of a Velodyne sensor or .csv of a Hesai sensor; None: the angles of the model
    organised    keep beams without a return as NaN, one row per ring (Ouster)
    columns      of cloud files without a header, as for clump.read()
    read_ahead   messages that a thread of the recording reads ahead; 0: none

    Damaged parts are left out and counted in `lost`.

    >>> import clump, numpy as np, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for i in range(2):
    ...         clump.write(os.path.join(folder, f"{i}.pcd"), np.zeros((i + 1, 3), np.float32))
    ...     with clump.frames(folder) as drive:
    ...         [(index, stamp, len(cloud)) for index, stamp, cloud in drive]
    [(0, 0, 1), (1, 100000000, 2)]
    """
    is_list = isinstance(path, Iterable) and not isinstance(path, (str, bytes, os.PathLike))
    paths = [_fspath(one) for one in path] if is_list else [_fspath(path)]
    if not paths:
        raise ArgumentError("path is a list without files")
    read_ahead = as_integer(read_ahead, "read_ahead")
    topic, columns = as_text(topic, "topic"), as_text(columns, "columns")
    name = os.fspath(path) if not is_list else f"{len(paths)} files"
    metadata = None if metadata is None else _fspath(metadata, "metadata")
    calibration = None if calibration is None else _fspath(calibration, "calibration")
    with _missing_named(*paths, *(extra for extra in (metadata, calibration) if extra)):
        handle = _clump.recording_open(paths, is_list, topic, metadata, calibration, organised, columns, read_ahead)
    return Frames(handle, name)
