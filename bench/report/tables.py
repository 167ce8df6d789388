# SPDX-License-Identifier: BSD-3-Clause
"""Tables in Markdown pages, each between the lines <!-- NAME:begin --> and <!-- NAME:end -->. Those of the papers' experiments:

    papers-machines   the machines of the results
    papers-claims     claims, the paper's numbers, ours, verdicts
    papers-NAME       the tables of the charts of a paper: papers-ec ...
    gpu-cold          a cold call of the six methods of Nguyen et al. 2020, measured as the authors' code was
    choosing          which of the six is the fastest

benches.py has those of the benches."""
import itertools
import math
import re

import lines
from papers import EC_GIVEN, SIX
from rows import Failure, dated, is_wrong

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


def machines_table(machines):
    return "| machine | CPU | cores | compiler | clump | measured | rows |\n|---|---|---:|---|---|---|---:|\n" + "".join(
        row([cell(m.title), cell(m.cpu), str(m.cores), cell(m.named("compiler")), cell(m.named("clump")),
             cell(dated(of.date for of in m.rows)), str(len(m.rows))])
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


def chart_tables(paper, machines):
    """The tables of the charts that stand for a figure. Stages, curves over frames and long tables are in the page alone."""
    tables = []
    for chart in paper.charts:
        if not chart.figure or chart.measure in ("stages", "picture") or chart.x_label == "frame":
            continue
        for machine in machines:
            data = lines.collect(chart, paper.given, machine)
            if not data.lines or len(data.x) > LONG_TABLE:
                continue
            dates = dated(of.date for line in data.lines for _, of in line.cells.values() if of)
            tables.append(f"**{cell(chart.figure)}** {cell(chart.title)}; {cell(chart.y_label)}. {cell(machine.name)}; {cell(dates)}.\n\n" +
                          row([cell(chart.x_label), *(cell(line.label) for line in data.lines)]) + rule(1 + len(data.lines)))
            for x in data.x:
                cells = [line.cell(x) for line in data.lines]
                tables[-1] += row([cell(lines.x_name(chart, x)), *(lines.cell_text(*c) + " **wrong**" * is_wrong(c[1]) for c in cells)])
    return "\n".join(tables)


# --- the six -------------------------------------------------------------------------------------------


def six_places(table, experiment, backend="cuda"):
    """The places on the x axis, ascending, at which matrix-rs has a row."""
    return sorted({r.x for r in table.experiments.get(experiment, ())
                   if r.backend == backend and table.find(experiment, "matrix-rs", r.x, backend)})


def place_name(papers, experiment, x):
    chart = next((c for p in papers for c in p.charts if c.experiment == experiment and c.x_names), None)
    return lines.x_name(chart, x) if chart else "%.10g" % x


def heading(machine, words, experiments):
    dates = dated(of.date for experiment in experiments for of in machine.experiments.get(experiment, ()))
    return f"{words} {cell(machine.name)}; clump {cell(machine.named('clump'))}; {cell(dates)}.\n\n"


def time_cell(of):
    return "left out" if of and of.median_ms <= 0 else lines.rounded(of.median_ms if of else NAN)


def cold_tables(machines):
    tables = []
    for machine in machines:
        body = ""
        for x, method in itertools.product(six_places(machine, "ec-cold"), SIX):
            warm, cold = (machine.find("ec-cold", method + suffix, x, "cuda") for suffix in ("", " cold"))
            theirs = EC_GIVEN.get(("ec-cold", method + " cold", x, "time"), NAN)
            body += row(["%.0f" % x, f"`{method}`", time_cell(warm), time_cell(cold), lines.rounded(theirs)])
        if body:
            tables.append(heading(machine, "Median milliseconds. Cold: a new context, pageable memory, lists of indices made.", ["ec-cold"]) +
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
            tables.append(heading(machine, words, SIX_EXPERIMENTS) +
                          "| factor | places | the fastest of the six | ms | times as fast as the next | `fast`, ms |\n"
                          "|---|---|---|---:|---:|---:|\n" + body)
    return "\n".join(tables)


def paper_kinds(papers, machines):
    """{mark: function that makes its tables}. No text: no machine has the rows."""
    return {"papers-machines": lambda: machines_table(machines), "papers-claims": lambda: claims_tables(papers, machines),
            "gpu-cold": lambda: cold_tables(machines), "choosing": lambda: choosing_tables(papers, machines),
            **{"papers-" + paper.name: lambda paper=paper: chart_tables(paper, machines) for paper in papers}}


# --- pages ---------------------------------------------------------------------------------------------


def fill(text, path, kinds):
    """The text of a page with its tables made anew. Marks that are not in `kinds`, and tables without rows, stay as they are."""
    for name in re.findall(r"^<!-- ([a-z0-9-]+):begin -->$", text, re.M):
        if name in kinds and f"\n<!-- {name}:end -->" not in text:
            raise Failure(f"{path}: the line <!-- {name}:end --> is missing")

    def anew(found):
        table = kinds[found[1]]() if found[1] in kinds else ""
        return f"<!-- {found[1]}:begin -->\n\n{table}\n<!-- {found[1]}:end -->" if table else found[0]
    return re.sub(r"^<!-- ([a-z0-9-]+):begin -->\n.*?^<!-- \1:end -->", anew, text, flags=re.M | re.S)
