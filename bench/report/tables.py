# SPDX-License-Identifier: BSD-3-Clause
"""Tables in Markdown pages, each between the lines <!-- NAME:begin --> and <!-- NAME:end -->. Those of the papers' experiments:

    papers-machines   the machines of the results
    papers-claims     claims, the paper's numbers, ours, verdicts
    papers-NAME       the tables of the charts of a paper: papers-ec ...
    gpu-six           the six methods of Nguyen et al. 2020 on a GPU: times
    gpu-memory        passes and memory
    gpu-cold          a cold call, measured as the authors' code was
    choosing          which of the six is the fastest

benches.py has those of the benches."""
import itertools
import math
import re

import lines
from papers import SIX
from rows import Failure, is_wrong

SIX_EXPERIMENTS = "ec-size", "ec-clusters", "ec-degree", "ec-distance", "ec-sensors"
LONG_TABLE = 24
NAN = float("nan")


def escaped(text):
    """Text from outside for HTML and SVG, as content or as an attribute in double quotes."""
    text = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "?", str(text))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def cell(text):
    """Text from outside as the content of a cell."""
    return re.sub(r"([|*_])", r"\\\1", escaped(text)).replace("\n", " ")


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def rule(columns):
    return "|---|" + "---:|" * (columns - 1) + "\n"


def machines_table(papers, machines):
    return "| machine | CPU | cores | compiler | clump | measured | rows |\n|---|---|---:|---|---|---|---:|\n" + "".join(
        row([cell(m.title), cell(m.cpu), str(m.cores), cell(m.compilers), cell(m.versions), cell(m.last_date), str(len(m.rows))])
        for m in machines)


def judged(claim, machine):
    j = claim.judge(machine)
    return f"**{j.verdict}**{': ' if j.ours else ''}{cell(j.ours)}. {cell(j.why)}"


def claims_tables(papers, machines):
    return "\n".join(
        f"### {cell(paper.title)}\n\n" + row(["claim", "place", "paper", *("ours: " + cell(m.title) for m in machines)]) +
        "|---|---|---|" + "---|" * len(machines) + "\n" +
        "".join(row([cell(c.claim), cell(c.place), cell(c.theirs), *(judged(c, m) for m in machines)]) for c in paper.claims)
        for paper in papers if paper.claims)


def chart_number(number, of):
    left_out = of is not None and of.note and not math.isfinite(number)
    return ("left out" if left_out else lines.rounded(number)) + (" **wrong**" if is_wrong(of) else "")


def chart_tables(paper, machines):
    """The tables of the charts that stand for a figure. Stages and long tables are in the page alone."""
    tables = []
    for chart in paper.charts:
        if not chart.figure or chart.measure in ("stages", "picture"):
            continue
        for machine in machines:
            data = lines.collect(chart, paper.given, machine)
            if not data.lines or len(data.x) > LONG_TABLE:
                continue
            tables.append(f"**{cell(chart.figure)}** {cell(chart.title)}; {cell(chart.y_label)}. {cell(machine.name)}.\n\n" +
                          row([cell(chart.x_label), *(cell(line.label) for line in data.lines)]) + rule(1 + len(data.lines)) +
                          "".join(row([cell(lines.x_name(chart, x)), *(chart_number(*line.cell(x)) for line in data.lines)])
                                  for x in data.x))
    return "\n".join(tables)


# --- the six -------------------------------------------------------------------------------------------


def six_places(table, experiment, backend="cuda"):
    """The places on the x axis, ascending, at which matrix-rs has a row."""
    return sorted({r.x for r in table.experiments.get(experiment, ())
                   if r.backend == backend and table.find(experiment, "matrix-rs", r.x, backend)})


def place_name(papers, experiment, x):
    chart = next((c for p in papers for c in p.charts if c.experiment == experiment and c.x_names), None)
    return lines.x_name(chart, x) if chart else "%.10g" % x


def heading(machine, words):
    return f"{words} {cell(machine.name)}; clump {cell(machine.versions)}; {cell(machine.last_date)}.\n\n"


def time_cell(of):
    return "left out" if of and of.median_ms <= 0 else lines.rounded(of.median_ms if of else NAN)


def given_time(papers, experiment, series, x):
    return next((p.given[experiment, series, x, "time"] for p in papers if (experiment, series, x, "time") in p.given), 0)


def place_tables(papers, machines, words, head, experiments, cells):
    """A table per machine with a GPU: a row per place of the experiments."""
    tables = []
    for machine in machines:
        body = "".join(row([f"{experiment[3:]} {cell(place_name(papers, experiment, x))}", *cells(machine, experiment, x)])
                       for experiment in experiments for x in six_places(machine, experiment))
        if body:
            tables.append(heading(machine, words) + head + body)
    return "\n".join(tables)


def six_tables(papers, machines):
    def cells(machine, experiment, x):
        for method in SIX:
            given = given_time(papers, experiment, method, x)
            yield time_cell(machine.find(experiment, method, x, "cuda")) + (f" ({lines.rounded(given)})" if given else "")
    return place_tables(papers, machines, "Median milliseconds, in brackets what the paper reports of a GPU of 2015.",
                        row(["cloud", *SIX]) + rule(7), SIX_EXPERIMENTS, cells)


def memory_tables(papers, machines):
    def cells(machine, experiment, x):
        for method in "vertex-rs", "matrix-rs":
            of = machine.find(experiment, method, x, "cuda")
            yield str(of.passes) if of else "–"
        for method in SIX:
            of = machine.find(experiment, method, x, "cuda")
            yield lines.rounded(of.value / 1e6 if of and of.value > 0 else NAN)
    return place_tables(papers, machines, "Passes, and megabytes of GPU memory.",
                        row(["cloud", "passes: vertex, edge", "matrix", *SIX]) + rule(9), SIX_EXPERIMENTS[:4], cells)


def cold_tables(papers, machines):
    tables = []
    for machine in machines:
        body = ""
        for x, method in itertools.product(six_places(machine, "ec-cold"), SIX):
            warm, cold = (machine.find("ec-cold", method + suffix, x, "cuda") for suffix in ("", " cold"))
            theirs = given_time(papers, "ec-cold", method + " cold", x) or NAN
            body += row(["%.0f" % x, f"`{method}`", time_cell(warm), time_cell(cold), lines.rounded(theirs)])
        if body:
            tables.append(heading(machine, "Median milliseconds. Cold: a new context, pageable memory, lists of indices made.") +
                          "| points | method | warm | cold | the authors' code |\n|---:|---|---:|---:|---:|\n" + body)
    return "\n".join(tables)


def span(numbers):
    """ "a", or "a to b"."""
    first, last = (lines.rounded(number if number > 0 else NAN) for number in (numbers[0], numbers[-1]))
    return first if first == last else f"{first} to {last}"


def winners(papers, table, experiment, backend):
    """A row per run of places with the same winner; at a place fewer than two methods with times have none."""
    found = []
    for x in six_places(table, experiment, backend):
        times = sorted((table.median(experiment, method, x, backend), SIX.index(method)) for method in SIX)
        times = [time for time in times if time[0] > 0]
        found.append((times[0][1], x, times[0][0], times[1][0] / times[0][0], table.median(experiment, "fast", x, backend))
                     if len(times) > 1 else (None,))
    for method, places in itertools.groupby(found, key=lambda place: place[0]):
        if method is None:
            continue
        _, x, ms, lead, fast = zip(*places)
        names = [cell(place_name(papers, experiment, place)) for place in (x[0], x[-1])]
        yield row([experiment[3:], names[0] if x[0] == x[-1] else " to ".join(names), f"`{SIX[method]}`", span(ms),
                   span((min(lead), max(lead))), span(fast)])


def choosing_tables(papers, machines):
    tables = []
    for machine, (backend, words) in itertools.product(machines, (("cuda", "On the GPU."), ("cpu", "On the CPU."))):
        body = "".join(line for experiment in SIX_EXPERIMENTS for line in winners(papers, machine, experiment, backend))
        if body:
            tables.append(heading(machine, words) + row(["factor", "places", "the fastest of the six", "ms", "times as fast as the next",
                                                         "`fast`, ms"]) + "|---|---|---|---:|---:|---:|\n" + body)
    return "\n".join(tables)


def paper_kinds(papers, machines):
    """{mark: function that makes its tables}. No text: no machine has the rows."""
    makers = {"papers-machines": machines_table, "papers-claims": claims_tables, "gpu-six": six_tables, "gpu-memory": memory_tables,
              "gpu-cold": cold_tables, "choosing": choosing_tables}
    kinds = {name: lambda make=make: make(papers, machines) for name, make in makers.items()}
    return {**kinds, **{"papers-" + paper.name: lambda paper=paper: chart_tables(paper, machines) for paper in papers}}


# --- pages ---------------------------------------------------------------------------------------------


def fill(text, path, kinds):
    """The text of a page with its tables made anew. Marks that are not in `kinds`, and tables without rows, stay as they are."""
    def anew(found):
        name, rest = found[1], text[found.end():]
        if name not in kinds:
            return
        if f"\n<!-- {name}:end -->" not in "\n" + rest:
            raise Failure(f"{path}: the line <!-- {name}:end --> is missing")
        table = kinds[name]()
        if table:
            made[name] = table
    made = {}
    for found in re.finditer(r"^<!-- ([a-z0-9-]+):begin -->\n", text, re.M):
        anew(found)
    for name, table in made.items():
        begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
        before, rest = text.split(begin, 1)
        text = f"{before}{begin}\n{table}\n{end}{rest.split(end, 1)[1]}"
    return text
