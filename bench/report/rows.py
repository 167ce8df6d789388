# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the papers' experiments: read from result files, checked, and sorted by machine. Everything that the report shows or
judges is of one machine."""
import collections
import math
import types

COLUMNS = ("case,experiment,series,x,backend,threads,points,runs,median_ms,min_ms,upload_ms,build_ms,initial_ms,cluster_ms,"
           "merge_ms,label_ms,download_ms,passes,clusters,value,labels_hash,agree,version,note,gpu,machine,cores,compiler,clump,"
           "date").split(",")
TEXTS = {"case", "experiment", "series", "backend", "labels_hash", "agree", "version", "note", "gpu", "machine", "compiler", "clump",
         "date"}
COUNTS = {"threads", "points", "runs", "passes", "clusters", "cores"}
STAGES = "upload", "build", "initial", "cluster", "merge", "label", "download"


class Failure(Exception):
    """One sentence for the user."""


class Table:
    """Rows of one machine, or of all, and how they are found."""

    def __init__(self, rows=()):
        self.rows = []
        self.places = collections.defaultdict(list)
        self.experiments = collections.defaultdict(list)
        for row in rows:
            self.add(row)

    def add(self, row):
        self.rows.append(row)
        self.places[row.experiment, row.series, row.x].append(row)
        self.experiments[row.experiment].append(row)

    def find(self, experiment, series, x, backend=None):
        """The first row of the file with these, or None. backend None: any."""
        return next((row for row in self.places.get((experiment, series, x), ()) if backend in (None, row.backend)), None)

    def median(self, experiment, series, x, backend=None):
        """The median in ms; 0 where there is no row, or it was left out."""
        row = self.find(experiment, series, x, backend)
        return row.median_ms if row else 0

    def line(self, experiment, series, backend="cuda"):
        """The rows of a series that were measured, by ascending x."""
        return sorted((row for row in self.experiments.get(experiment, ())
                       if row.series == series and row.backend == backend and row.runs), key=lambda row: row.x)


class Machine(Table):
    """The rows of one machine. Machines differ in GPU, CPU or cores."""

    def __init__(self, row):
        super().__init__()
        self.gpu, self.cpu, self.cores = row.gpu, row.machine, row.cores
        cores = f"{row.cores:d} core{'' if row.cores == 1 else 's'}"
        self.title = row.gpu or f"{row.machine}, {cores}"
        self.name = f"{row.gpu}, host {row.machine}, {cores}" if row.gpu else self.title

    def named(self, column):
        """The different texts of a column: "gcc 12.2.0; gcc 13.3.0"."""
        return "; ".join(dict.fromkeys(getattr(row, column) for row in self.rows))


def number(column, text):
    """The number of a field; None where no measurement gives it. Charts need logarithms and quotients of all of them."""
    try:
        value = float(text)
    except ValueError:
        return None
    if column in COUNTS:
        return int(value) if 0 <= value <= 2**53 and (column not in ("threads", "clusters", "cores") or value < 2**31) else None
    if math.isnan(value):
        return value if column == "value" else None
    return value if value == 0 or 1e-100 <= abs(value) <= 1e100 else None


def read_text(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        data = b"\0"
    if b"\0" in data:
        raise Failure(f"{path} cannot be read as text")
    return data.decode("utf-8", "replace").replace("\ufffd", "?")


def read(path):
    """The rows of a file."""
    head, *lines = read_text(path).split("\n")
    if head != ",".join(COLUMNS):
        raise Failure(f"{path}: its columns are not those of this version: measure again, with a new file")
    for at, line in enumerate(lines if lines and lines[-1] else lines[:-1], 2):
        fields = line.split(",")
        if len(fields) != len(COLUMNS):
            raise Failure(f"{path}: line {at} does not have {len(COLUMNS)} fields")
        row = {column: field if column in TEXTS else number(column, field) for column, field in zip(COLUMNS, fields)}
        wrong = next((i for i, column in enumerate(COLUMNS) if row[column] is None), None)
        if wrong is not None:
            raise Failure(f"{path}: line {at}: {COLUMNS[wrong]} is not a number of a row: {fields[wrong][:40]}")
        yield types.SimpleNamespace(**row)


def machines(paths):
    """The machines of the result files, in the order of their rows."""
    found = {}
    for path in paths:
        for row in read(path):
            found.setdefault((row.gpu, row.machine, row.cores), Machine(row)).add(row)
    if not found:
        raise Failure(f"{', '.join(paths) or 'no file'} has no rows: run clump_bench papers --csv first")
    return list(found.values())


def dated(dates):
    """The days and commits of rows: "2026-11-16, 2026-11-18 b1b1e16b"."""
    return ", ".join(sorted(set(dates)))


def stages(row):
    return [max(getattr(row, stage + "_ms"), 0) for stage in STAGES]


def is_wrong(row):
    """Whether the answers of the row differ from the reference."""
    return row is not None and row.agree == "no"
