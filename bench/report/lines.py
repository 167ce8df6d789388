# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of one chart on one machine: a line per series and backend, and a number per line and x. Also how numbers are
written."""
import dataclasses
import math

import rows

NONE = float("nan"), None  # a cell without number and row


@dataclasses.dataclass
class Line:
    series: str
    backend: str  # "": numbers that are given
    threads: int = 0
    by_threads: bool = False  # another line differs in its threads alone
    label: str = ""  # "vertex-rs, GPU"
    cells: dict = dataclasses.field(default_factory=dict)  # x: (number, row)

    @property
    def is_given(self):
        return not self.backend

    def cell(self, x):
        return self.cells.get(x, NONE)

    def numbers(self):
        """[(x, number)] of this line, ascending."""
        return sorted((x, y) for x, (y, _) in self.cells.items() if math.isfinite(y))


@dataclasses.dataclass
class Data:
    chart: object
    lines: list
    x: list  # ascending
    both: bool = False  # lines of CPU and GPU


def base_of(chart, table, row):
    """The row that a speed-up is computed from, or None."""
    if chart.base is None:
        same = [r for r in table.experiments[row.experiment] if r.series == row.series and r.backend == row.backend and r.median_ms > 0]
        return min(same, key=lambda r: r.x, default=None)
    found = [r for r in table.places.get((row.experiment, chart.base, row.x), ()) if r.median_ms > 0]
    return next((r for r in reversed(found[1:]) if r.threads == 1), found[0]) if found else None


def number_of(chart, table, row):
    """The number of a row that the chart shows; NaN where there is none."""
    nan = float("nan")
    if chart.measure in ("time", "speedup"):
        if row.median_ms <= 0 or chart.measure == "time":
            return row.median_ms if row.median_ms > 0 else nan
        base = base_of(chart, table, row)
        return base.median_ms / row.median_ms if base else nan
    if chart.measure in ("passes", "clusters"):
        return float(getattr(row, chart.measure)) if row.runs else nan
    if chart.measure == "memory":
        return row.value / 1e6 if row.value > 0 else nan
    return row.value if chart.measure == "value" else sum(rows.stages(row)) or nan


def stays(chart, line):
    """Whether the measure applies to a line: it has a number, or a count above 0. A line whose rows were all left out stays, so
    that the table lists them."""
    counts = chart.measure in ("passes", "clusters")
    return any((not counts or y > 0) if math.isfinite(y) else chart.measure == "time" and row and not row.runs and row.note
               for y, row in line.cells.values())


def collect(chart, given, table):
    """The lines of a chart. No line: the machine has no rows for the chart."""
    shown = [row for row in table.experiments.get(chart.experiment, ()) if (chart.series is None or row.series in chart.series)
             and (chart.backend is None or row.backend == chart.backend)]
    at = {}  # threads of the rows of one place
    for row in shown:
        at.setdefault((row.series, row.backend, row.x), set()).add(row.threads)
    by_threads = {key[:2] for key, threads in at.items() if len(threads) > 1}
    found = {}
    for row in shown:
        apart = (row.series, row.backend) in by_threads
        line = found.setdefault((row.series, row.backend, row.threads if apart else 0),
                                Line(row.series, row.backend, row.threads, apart))
        line.cells[row.x] = number_of(chart, table, row), row
    for (experiment, series, x, measure), number in given.items() if shown else ():
        if (experiment, measure) == (chart.experiment, chart.measure) and (chart.series is None or series in chart.series):
            found.setdefault((series, "", 0), Line(series, "")).cells[x] = float(number), None
    order = {line.series: i for i, line in reversed(list(enumerate(found.values())))}  # all of a series beside each other
    kept = [line for line in sorted(found.values(), key=lambda line: order[line.series]) if stays(chart, line)]
    if all(line.is_given for line in kept):
        kept = []
    data = Data(chart, kept, sorted({x for line in kept for x, (y, row) in line.cells.items() if row or math.isfinite(y)}),
                {"cpu", "cuda"} <= {line.backend for line in kept})
    for line in kept:
        line.label = line.series + suffix(data, line)
    return data


def suffix(data, line):
    """What a line is besides its series: ", GPU, 2 threads"."""
    where = data.chart.source if line.is_given else ("GPU" if line.backend == "cuda" else "CPU") if data.both else ""
    threads = (f"{line.threads} thread{'s' if line.threads > 1 else ''}" if line.threads else "default threads") if line.by_threads else ""
    return "".join(", " + word for word in (where, threads) if word)


def x_name(chart, x):
    return chart.x_names[int(x)] if chart.x_names and 0 <= x == int(x) < len(chart.x_names) else "%.10g" % x


def place_name(chart, x):
    """The name of a place in the page, with commas in thousands."""
    return x_name(chart, x) if chart.x_names else exact(x)


def cell_text(number, row):
    return "left out" if row and row.note and not math.isfinite(number) else rounded(number)


def rounded(number):
    """Three significant digits, commas in thousands."""
    size = abs(number)
    if not math.isfinite(number):
        return "–"
    if size >= 1e15 or 0 < size < 5e-4:
        return "%.2e" % number
    if size >= 999.5 or number == math.floor(number):
        return f"{number:,.0f}"
    return "%.*f" % (0 if size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 0.9995 else 3, number)


def exact(number):
    """All digits of a place on an axis, commas from 10,000 on."""
    return f"{number:,.0f}" if 1e4 <= abs(number) < 1e15 and number == math.floor(number) else "%.6g" % number
