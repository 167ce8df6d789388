# SPDX-License-Identifier: BSD-3-Clause
"""Types of the package. Checked against the package by mypy's stubtest (python/tests/test_stubs.py)."""
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import IO, Any, Literal, NamedTuple, Protocol, Self, TypeAlias, TypedDict, Unpack, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ArgumentError", "Cloud", "CloudInfo", "Context", "DBSCAN", "Detection", "Device", "DeviceError", "DeviceView",
    "Error", "EuclideanClustering", "FallbackWarning", "FileError", "FormatError", "Frame", "Frames", "HDBSCAN", "Index",
    "Losses", "Map", "MapPoints", "Memory", "MissingFileError", "NearestNeighbors", "Odometry", "OutOfMemoryError", "Page", "Pose", "Registration",
    "Table", "Topic", "Tracker", "Tree", "boxes", "dbscan", "describe", "deskew", "detect", "devices", "ec", "erccl", "frames", "ground", "group", "hdbscan", "icp",
    "labels_hash", "objects", "read", "tree", "view", "write",
]

__version__: str

# --- what goes in --------------------------------------------------------------------------------------

class _LibraryArray(Protocol):
    """An array of another library: torch, CuPy, JAX. Results are arrays of this library."""

    def __dlpack_device__(self) -> Any: ...

@final
class DeviceView:
    """A result on a GPU for arrays of a library that clump does not know."""

    @property
    def pointer(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def read_only(self) -> bool: ...
    @property
    def owner(self) -> Any: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self, *, stream: int | None = ..., max_version: Any = ..., dl_device: Any = ..., copy: Any = ...
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...

class _Frame(Protocol):
    """A table with named columns, as pandas.DataFrame."""

    @property
    def columns(self) -> Any: ...

_Points: TypeAlias = NDArray[Any] | Sequence[Sequence[float]] | Cloud | _Frame
_Cloud: TypeAlias = _Points | _LibraryArray
_Values: TypeAlias = ArrayLike | _LibraryArray
_Mask: TypeAlias = _Values | None
_Position: TypeAlias = Sequence[float] | NDArray[Any]
_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
_Labels: TypeAlias = NDArray[np.int32]
_Flags: TypeAlias = NDArray[np.bool_]
_Floats: TypeAlias = NDArray[np.float32]
_Order: TypeAlias = Literal["index", "size"]
_Up: TypeAlias = Literal["z", "y"]
_EcMethod: TypeAlias = Literal[
    "fast", "bfs", "vertex-es", "vertex-rs", "edge-es", "edge-rs", "matrix-es", "matrix-rs"
]
_DbscanMethod: TypeAlias = Literal["fast", "sequential", "disjoint-set", "dclust"]
_ErcclMethod: TypeAlias = Literal["fast", "serial", "racing", "independent", "ccl", "hash"]
_GroundMethod: TypeAlias = Literal["peak", "grid", "none"]
_Neighbours: TypeAlias = Literal["auto", "exact", "scan"]
_Fits: TypeAlias = Literal["other", "car", "truck", "person"]
_NnMethod: TypeAlias = Literal["fast", "kdtree", "brute", "azimuth", "per-query", "batch"]

_Boxes: TypeAlias = ArrayLike | bool | None

# --- errors --------------------------------------------------------------------------------------------

class Error(Exception): ...
class ArgumentError(Error, ValueError): ...
class OutOfMemoryError(Error, MemoryError): ...
class DeviceError(Error, RuntimeError): ...
class FileError(Error, OSError): ...
class MissingFileError(FileError, FileNotFoundError): ...
class FormatError(Error, ValueError): ...
class FallbackWarning(UserWarning): ...

# --- contexts and devices ------------------------------------------------------------------------------

class Device(NamedTuple):
    name: str
    kind: str
    ordinal: int
    units: int
    memory_total: int
    memory_free: int
    level: str

def devices() -> list[Device]: ...

class Context:
    def __new__(cls, device: str = ..., *, threads: int = ..., gpu_ram: int = ...) -> Self: ...
    @property
    def device(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    @property
    def stats(self) -> dict[str, Any]: ...
    def reserve(self, points: int) -> None: ...
    def trim(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None: ...

# --- options -------------------------------------------------------------------------------------------

# An option of the library (clump/options.h) is one line here. A function takes the keys of its class as keywords. No key may
# be in two bases of a class.

class _Job(TypedDict, total=False):
    mask: _Mask
    sensor: _Position
    context: Context | None

class _Clusters(TypedDict, total=False):
    order: _Order
    min_size: int
    max_size: int | None

class _Surface(TypedDict, total=False):
    sigma: float
    slope: float
    sensor_height: float
    window: float
    bin: float
    up: _Up
    flip: bool
    step: bool

class _SurfaceInside(_Surface, total=False):
    ground: _GroundMethod
    ground_extent: float
    ground_tile: float

class _Map(TypedDict, total=False):
    cell: float
    extent: float
    extent_columns: float
    reach: int
    alpha: float
    tau: float
    beta: float

class _ObjectSize(TypedDict):
    length: float
    width: float
    most_top: float

class _ObjectDict(_ObjectSize, total=False):
    least_top: float
    most_bottom: float
    fits: _Fits

_ObjectBox: TypeAlias = Sequence[float] | _ObjectDict

class _Tree(TypedDict, total=False):
    levels: Sequence[float]
    boxes: Iterable[_ObjectBox] | None
    people: bool
    min_score: float
    neighbours: _Neighbours
    rings: _Values | None
    columns: int
    no_groups: bool

class _Radius(_Job, _Clusters, total=False):
    two_d: bool
    eps_per_metre: float

class _Classes(TypedDict, total=False):
    classes: _Values | None
    class_table: str | PathLike[str] | Mapping[int | tuple[int, ...], float | Mapping[str, Any] | None] | None

class _EcOptions(_Radius, _Classes, total=False):
    method: _EcMethod

class _DbscanOptions(_Radius, _Classes, total=False):
    method: _DbscanMethod
    no_border_points: bool

class _GroundOptions(_Job, _Surface, total=False):
    method: _GroundMethod
    extent: float
    tile: float

class _ErcclOptions(_Job, _Clusters, _SurfaceInside, _Map, total=False):
    method: _ErcclMethod
    all_heights: bool

class _ObjectsOptions(_Job, _Clusters, _SurfaceInside, _Tree, _Classes, total=False):
    d: float
    eps_per_metre: float

class _DetectOptions(_Job, _Clusters, _SurfaceInside, _Map, _Tree, _Classes, total=False):
    d: float | None
    min_points: int
    two_d: bool
    eps_per_metre: float | None
    crop: Sequence[float] | None
    min_range: float
    max_range: float
    thin: float
    axes: bool
    values: _Values | None

class _TreeOptions(TypedDict, total=False):
    min_samples: int
    two_d: bool
    mask: _Mask
    context: Context | None

class _LabelOptions(TypedDict, total=False):
    min_cluster_size: int
    selection: Literal["eom", "leaf"]
    epsilon: float
    max_cluster_size: int
    allow_single_cluster: bool

class _HdbscanOptions(_LabelOptions, total=False):
    min_samples: int
    two_d: bool
    mask: _Mask
    context: Context | None

class _DescribeOptions(TypedDict, total=False):
    count: int | None
    up: _Up
    sensor: _Position
    axes: bool
    heights: _Values | None
    values: _Values | None
    context: Context | None

# --- clustering ----------------------------------------------------------------------------------------

@overload
def ec(points: _Points, d: float, **options: Unpack[_EcOptions]) -> _Labels: ...
@overload
def ec(points: _LibraryArray, d: float, **options: Unpack[_EcOptions]) -> Any: ...
@overload
def dbscan(
    points: _Points, eps: float, min_points: int, *, return_core: Literal[False] = ..., **options: Unpack[_DbscanOptions]
) -> _Labels: ...
@overload
def dbscan(
    points: _Points, eps: float, min_points: int, *, return_core: Literal[True], **options: Unpack[_DbscanOptions]
) -> tuple[_Labels, _Flags]: ...
@overload
def dbscan(
    points: _LibraryArray, eps: float, min_points: int, *, return_core: Literal[False] = ..., **options: Unpack[_DbscanOptions]
) -> Any: ...
@overload
def dbscan(
    points: _LibraryArray, eps: float, min_points: int, *, return_core: Literal[True], **options: Unpack[_DbscanOptions]
) -> tuple[Any, Any]: ...
def tree(points: _Points, **options: Unpack[_TreeOptions]) -> Tree: ...
@overload
def hdbscan(
    points: _Points, *, return_probabilities: Literal[False] = ..., **options: Unpack[_HdbscanOptions]
) -> _Labels: ...
@overload
def hdbscan(
    points: _Points, *, return_probabilities: Literal[True], **options: Unpack[_HdbscanOptions]
) -> tuple[_Labels, _Floats]: ...

class Tree(NamedTuple):
    parents: _Labels
    heights: _Floats
    cores: _Floats | None
    def cut(self, d: float, *, min_size: int = ..., context: Context | None = ...) -> _Labels: ...
    @overload
    def hdbscan(
        self,
        *,
        return_probabilities: Literal[False] = ...,
        context: Context | None = ...,
        **options: Unpack[_LabelOptions],
    ) -> _Labels: ...
    @overload
    def hdbscan(
        self, *, return_probabilities: Literal[True], context: Context | None = ..., **options: Unpack[_LabelOptions]
    ) -> tuple[_Labels, _Floats]: ...

@overload
def ground(points: _Points, *, return_heights: Literal[False] = ..., **options: Unpack[_GroundOptions]) -> _Flags: ...
@overload
def ground(
    points: _Points, *, return_heights: Literal[True], **options: Unpack[_GroundOptions]
) -> tuple[_Flags, _Floats]: ...
@overload
def ground(
    points: _LibraryArray, *, return_heights: Literal[False] = ..., **options: Unpack[_GroundOptions]
) -> Any: ...
@overload
def ground(
    points: _LibraryArray, *, return_heights: Literal[True], **options: Unpack[_GroundOptions]
) -> tuple[Any, Any]: ...
@overload
def erccl(points: _Points, *, return_maps: Literal[False] = ..., **options: Unpack[_ErcclOptions]) -> _Labels: ...
@overload
def erccl(
    points: _Points, *, return_maps: Literal[True], **options: Unpack[_ErcclOptions]
) -> tuple[_Labels, dict[str, NDArray[Any]]]: ...
@overload
def erccl(points: _LibraryArray, *, return_maps: Literal[False] = ..., **options: Unpack[_ErcclOptions]) -> Any: ...
@overload
def erccl(
    points: _LibraryArray, *, return_maps: Literal[True], **options: Unpack[_ErcclOptions]
) -> tuple[Any, dict[str, Any]]: ...
@overload
def objects(points: _Points, *, return_objects: Literal[False] = ..., **options: Unpack[_ObjectsOptions]) -> _Labels: ...
@overload
def objects(
    points: _Points, *, return_objects: Literal[True], **options: Unpack[_ObjectsOptions]
) -> tuple[_Labels, Table]: ...
@overload
def objects(points: _LibraryArray, *, return_objects: Literal[False] = ..., **options: Unpack[_ObjectsOptions]) -> Any: ...
@overload
def objects(
    points: _LibraryArray, *, return_objects: Literal[True], **options: Unpack[_ObjectsOptions]
) -> tuple[Any, Table]: ...

class Table(np.ndarray[Any, np.dtype[np.void]]):
    """A structured array with one row per cluster, object or track."""
    def _repr_html_(self) -> str | None: ...

class Detection(NamedTuple):
    labels: Any
    clusters: Table
    def _repr_html_(self) -> str | None: ...

def detect(
    points: _Cloud, *, method: Literal["ec", "dbscan", "erccl", "objects"] = ..., **options: Unpack[_DetectOptions]
) -> Detection: ...

# --- after clustering ----------------------------------------------------------------------------------

@overload
def describe(
    points: _Cloud, labels: _Values, *, return_hulls: Literal[False] = ..., **options: Unpack[_DescribeOptions]
) -> Table: ...
@overload
def describe(
    points: _Cloud, labels: _Values, *, return_hulls: Literal[True], **options: Unpack[_DescribeOptions]
) -> tuple[Table, list[NDArray[Any]]]: ...
def group(labels: _Values, *, count: int | None = ..., context: Context | None = ...) -> list[Any]: ...
def labels_hash(labels: _Values) -> str: ...
def boxes(clusters: NDArray[np.void], *, up: _Up = ...) -> NDArray[Any]: ...

class Tracker:
    def __init__(
        self, *, up: _Up = ..., gate: float = ..., max_gap: float = ..., smooth: float = ..., context: Context | None = ...
    ) -> None: ...
    def update(self, clusters: NDArray[np.void], time: int, pose: ArrayLike | None = ...) -> Table: ...
    def reset(self) -> None: ...

class Memory:
    def __init__(self, *, up: _Up = ..., context: Context | None = ...) -> None: ...
    def correct(
        self, points: _Points, labels: ArrayLike, clusters: NDArray[np.void], time: int, pose: ArrayLike, *, sensor: _Position = ...
    ) -> tuple[NDArray[np.int32], Table]: ...
    def remember(self, clusters: NDArray[np.void], tracks: NDArray[np.void], time: int, pose: ArrayLike) -> Table: ...
    def reset(self) -> None: ...

class Pose(NamedTuple):
    transform: NDArray[np.float64]
    state: Literal["first", "ok", "lost", "restarted"]
    why: str | None
    weak: bool
    deskewed: bool
    information: NDArray[np.float64]
    certainty: NDArray[np.float64]
    weakest: NDArray[np.float64]
    fitness: float
    rmse: float
    deviation: float
    iterations: int
    used: int
    map_points: int

class Odometry:
    def __init__(
        self,
        *,
        method: Literal["point", "plane"] = ...,
        voxel: float = ...,
        map_voxel: float = ...,
        min_range: float = ...,
        max_range: float = ...,
        reach: float = ...,
        normal_neighbours: int = ...,
        max_iterations: int = ...,
        tolerance: float = ...,
        patience: int = ...,
        context: Context | None = ...,
    ) -> None: ...
    def push(self, points: _Cloud, time: int, *, times: ArrayLike | None = ...) -> Pose: ...
    @property
    def map(self) -> NDArray[np.float64]: ...
    def reset(self) -> None: ...

class MapPoints(NamedTuple):
    points: NDArray[np.float64]
    observations: NDArray[np.uint32]
    passes: NDArray[np.uint32]
    voxels: int
    dropped: int

class Map:
    def __init__(
        self,
        *,
        voxel: float = ...,
        min_range: float = ...,
        max_range: float = ...,
        passes: float = ...,
        context: Context | None = ...,
    ) -> None: ...
    def add(
        self,
        points: _Cloud,
        pose: ArrayLike,
        *,
        frame: int | None = ...,
        mask: ArrayLike | None = ...,
        moving: ArrayLike | None = ...,
    ) -> None: ...
    def look(self, points: _Cloud, pose: ArrayLike, *, frame: int | None = ...) -> None: ...
    def points(self) -> MapPoints: ...

def deskew(
    points: _Cloud, times: ArrayLike, before: ArrayLike, after: ArrayLike, seconds: float, *, context: Context | None = ...
) -> NDArray[np.float32]: ...

# --- neighbours and registration -----------------------------------------------------------------------

class Index:
    def __init__(
        self,
        points: _Cloud,
        *,
        method: _NnMethod = ...,
        partitions: int = ...,
        window: int = ...,
        context: Context | None = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def method(self) -> _NnMethod: ...
    def rebuild(self, points: _Cloud) -> None: ...
    def nearest(self, queries: _Cloud, max_distance: float = ..., *, squared: bool = ...) -> tuple[Any, Any]: ...
    def knn(self, queries: _Cloud, k: int, max_distance: float = ..., *, squared: bool = ...) -> tuple[Any, Any]: ...
    def radius(self, queries: _Cloud, r: float, *, squared: bool = ...) -> tuple[Any, Any, Any]: ...

class Registration(NamedTuple):
    transform: NDArray[np.float64]
    fitness: float
    rmse: float
    iterations: int
    converged: bool
    contested: bool
    information: NDArray[np.float64]

def icp(
    target: _Cloud,
    source: _Cloud,
    *,
    method: Literal["point", "plane", "gicp"] = ...,
    max_iterations: int = ...,
    max_distance: float = ...,
    keep: float = ...,
    tolerance: float = ...,
    normal_neighbours: int = ...,
    thin: float = ...,
    robust: float = ...,
    initial: ArrayLike | None = ...,
    context: Context | None = ...,
) -> Registration: ...

# --- files and recordings ------------------------------------------------------------------------------

class CloudInfo(NamedTuple):
    format: str | None
    encoding: str | None
    width: int
    height: int
    viewpoint: tuple[float, ...]
    coordinate_type: str
    note: str

class Cloud:
    __iter__: None
    def __init__(self, points: Any, *, fields: Mapping[str, ArrayLike] | None = ...) -> None: ...
    def __len__(self) -> int: ...
    @property
    def xyz(self) -> _Floats: ...
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def fields(self) -> tuple[str, ...]: ...
    @property
    def info(self) -> CloudInfo: ...
    def coordinates(self) -> NDArray[np.float64]: ...
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    def __setitem__(self, name: str, values: ArrayLike) -> None: ...
    def __contains__(self, name: object) -> bool: ...
    def __array__(self, dtype: Any = ..., copy: bool | None = ...) -> NDArray[Any]: ...
    def _repr_html_(self) -> str: ...

def read(
    path: _Path | bytearray | memoryview | IO[bytes],
    *,
    format: str | None = ...,
    columns: str | None = ...,
    partial: bool = ...,
    threads: int = ...,
) -> Cloud: ...
def write(
    path: _Path,
    points: Any,
    *,
    labels: ArrayLike | None = ...,
    boxes: _Boxes = ...,
    fields: Mapping[str, ArrayLike] | None = ...,
    format: str | None = ...,
    encoding: Literal["ascii", "binary", "compressed", "big-endian"] | None = ...,
    threads: int = ...,
) -> None: ...

class Page:
    def __init__(self, contents: bytes, title: str, height: int) -> None: ...
    @property
    def html(self) -> str: ...
    def write(self, path: _Path) -> None: ...
    def _repr_html_(self) -> str: ...

def view(
    points: Any,
    labels: ArrayLike | Detection | None = ...,
    boxes: _Boxes = ...,
    *,
    title: str | None = ...,
    colour: str | None = ...,
    view: Literal["home", "top", "side", "sensor"] = ...,
    theme: Literal["auto", "light", "dark"] = ...,
    point_size: float | None = ...,
    up: _Up = ...,
    flip: bool = ...,
    sensor: _Position = ...,
    max_points: int = ...,
    height: int = ...,
    context: Context | None = ...,
) -> Page: ...

class Topic(NamedTuple):
    name: str
    type: str
    has_clouds: bool
    messages: int
    frames: int
    first: int
    last: int
    period: int
    gaps: int
    longest_gap: int

class Losses(NamedTuple):
    damaged_chunks: int
    damaged_messages: int
    damaged_packets: int
    lost_packets: int
    reordered: int
    lost_bytes: int
    truncated: bool
    first: str

class Frame:
    index: int
    stamp: int
    cloud: Cloud
    received: int
    frame_id: str
    lost: int
    path: str | None
    def __init__(
        self,
        index: int,
        stamp: int,
        cloud: Cloud,
        received: int = ...,
        frame_id: str = ...,
        lost: int = ...,
        path: str | None = ...,
    ) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class Frames:
    def __init__(self, handle: Any, name: Any) -> None: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Frame: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def format(self) -> str: ...
    @property
    def topic(self) -> str | None: ...
    @property
    def topics(self) -> tuple[Topic, ...]: ...
    @property
    def lost(self) -> Losses: ...
    def seek(self, time: int) -> None: ...

def frames(
    path: _Path | Iterable[_Path],
    *,
    topic: str | None = ...,
    metadata: _Path | None = ...,
    calibration: _Path | None = ...,
    organised: bool = ...,
    columns: str | None = ...,
    read_ahead: int = ...,
) -> Frames: ...

# --- estimators ----------------------------------------------------------------------------------------

class _Estimator:
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...

class DBSCAN(_Estimator):
    eps: float
    min_samples: int
    metric: Any
    metric_params: Mapping[str, Any] | None
    algorithm: str
    leaf_size: int
    p: float | None
    n_jobs: int | None
    labels_: NDArray[np.intp]
    core_sample_indices_: NDArray[np.intp]
    components_: NDArray[Any]
    def __init__(
        self,
        eps: float = ...,
        *,
        min_samples: int = ...,
        metric: Any = ...,
        metric_params: Mapping[str, Any] | None = ...,
        algorithm: str = ...,
        leaf_size: int = ...,
        p: float | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(self, X: Any, y: object = ..., sample_weight: ArrayLike | None = ...) -> Self: ...
    def fit_predict(self, X: Any, y: object = ..., sample_weight: ArrayLike | None = ...) -> NDArray[np.intp]: ...

class HDBSCAN(_Estimator):
    min_cluster_size: int
    min_samples: int | None
    cluster_selection_epsilon: float
    max_cluster_size: int | None
    metric: Any
    metric_params: Mapping[str, Any] | None
    alpha: float
    algorithm: str
    leaf_size: int
    n_jobs: int | None
    cluster_selection_method: str
    allow_single_cluster: bool
    store_centers: str | None
    copy: bool
    labels_: NDArray[np.intp]
    probabilities_: NDArray[np.float64]
    centroids_: NDArray[np.float64]
    medoids_: NDArray[np.float64]
    def __init__(
        self,
        min_cluster_size: int = ...,
        min_samples: int | None = ...,
        cluster_selection_epsilon: float = ...,
        max_cluster_size: int | None = ...,
        metric: Any = ...,
        metric_params: Mapping[str, Any] | None = ...,
        alpha: float = ...,
        algorithm: str = ...,
        leaf_size: int = ...,
        n_jobs: int | None = ...,
        cluster_selection_method: str = ...,
        allow_single_cluster: bool = ...,
        store_centers: str | None = ...,
        copy: bool = ...,
    ) -> None: ...
    def fit(self, X: Any, y: object = ...) -> Self: ...
    def fit_predict(self, X: Any, y: object = ...) -> NDArray[np.intp]: ...
    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = ...) -> NDArray[np.intp]: ...

class EuclideanClustering(_Estimator):
    distance: float
    min_size: int
    max_size: int | None
    order: str
    n_jobs: int | None
    labels_: NDArray[np.intp]
    n_clusters_: int
    def __init__(
        self,
        distance: float = ...,
        *,
        min_size: int = ...,
        max_size: int | None = ...,
        order: _Order = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(self, X: Any, y: object = ...) -> Self: ...
    def fit_predict(self, X: Any, y: object = ...) -> NDArray[np.intp]: ...

class NearestNeighbors(_Estimator):
    n_neighbors: int | None
    radius: float | None
    algorithm: str
    leaf_size: int
    metric: Any
    p: float
    metric_params: Mapping[str, Any] | None
    n_jobs: int | None
    n_samples_fit_: int
    effective_metric_: Any
    effective_metric_params_: dict[str, Any]
    def __init__(
        self,
        *,
        n_neighbors: int | None = ...,
        radius: float | None = ...,
        algorithm: str = ...,
        leaf_size: int = ...,
        metric: Any = ...,
        p: float = ...,
        metric_params: Mapping[str, Any] | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...
    def fit(self, X: Any, y: object = ...) -> Self: ...
    @overload
    def kneighbors(
        self, X: Any = ..., n_neighbors: int | None = ..., return_distance: Literal[True] = ...
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]: ...
    @overload
    def kneighbors(
        self, X: Any = ..., n_neighbors: int | None = ..., *, return_distance: Literal[False]
    ) -> NDArray[np.intp]: ...
    def kneighbors_graph(
        self, X: Any = ..., n_neighbors: int | None = ..., mode: Literal["connectivity", "distance"] = ...
    ) -> Any: ...
    @overload
    def radius_neighbors(
        self, X: Any = ..., radius: float | None = ..., return_distance: Literal[True] = ..., sort_results: bool = ...
    ) -> tuple[NDArray[np.object_], NDArray[np.object_]]: ...
    @overload
    def radius_neighbors(
        self, X: Any = ..., radius: float | None = ..., *, return_distance: Literal[False], sort_results: bool = ...
    ) -> NDArray[np.object_]: ...
    def radius_neighbors_graph(
        self,
        X: Any = ...,
        radius: float | None = ...,
        mode: Literal["connectivity", "distance"] = ...,
        sort_results: bool = ...,
    ) -> Any: ...
