# SPDX-License-Identifier: BSD-3-Clause
"""The page of the papers' experiments: machines, claims, and a chart per figure and machine. One file, well-formed XML, which needs
nothing from the network; a few lines of script save a chart as SVG."""
import base64
import collections
import csv
import dataclasses
import io
import itertools
import math
import os
import re
import statistics
import urllib.parse

import charts
import claims
import lines
import rows
from papers import name_of
from tables import escaped

CHIPS = {claims.HOLDS: "holds", claims.FAILS: "fails", claims.UNKNOWN: "unknown"}
MOST_PICTURE = 4 << 20
# A chart is saved with the light colours in place of their variables, which programs other than browsers do not know. Characters that
# XML would need to have escaped are avoided.
SCRIPT = """
document.addEventListener("click", function (event) {
  var button = event.target.closest("button[data-save]");
  if (!button) return;
  var copy = button.closest("figure").querySelector("svg.chart").cloneNode(true);
  var style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  var colours = {};
  var text = document.getElementById("chart-style").textContent.replace(/@media[^{]*{[^{}]*{[^{}]*}}/, "");
  text.replace(/(--[a-z0-9]+):([^;}]+)/g, function (all, name, colour) { colours[name] = colour; });
  style.textContent = text.replace(/var.(--[a-z0-9]+)./g, function (all, name) { return colours[name]; });
  copy.insertBefore(style, copy.firstChild);
  copy.setAttribute("width", 2 * copy.viewBox.baseVal.width);
  var link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], {type: "image/svg+xml"}));
  link.download = button.dataset.save;
  link.click();
  URL.revokeObjectURL(link.href);
});
"""


def style(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return file.read()


def word(text):
    """A name for an address or a file: "Fig. 12 (a)" is "fig-12-a"."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def main_figure(place):
    """The figure or table that a place belongs to: of "Fig. 12 (a)" and "Fig. 12b" it is "Fig. 12"."""
    found = re.match(r"(Fig\.|Figure|Table) \d+", place)
    return found[0] if found else place


def figures_of(paper):
    """{figure: address}: figures by number, then tables, then other places in the order of the page."""
    names = dict.fromkeys(main_figure(chart.figure) for chart in paper.charts if chart.figure)
    order = {name: (["Fig.", "Figure", "Table"].index(name.split()[0]), int(name.split()[1])) if re.match("Fig|Table", name) else (3, 0)
             for name in names}
    return {name: f"{paper.name}-{word(name)}" for name in sorted(names, key=order.get)}


# --- what is seen ------------------------------------------------------------------------------------------


def said(data, line):
    """The name of a line in a sentence: "ER-CCL (GPU)"."""
    what = lines.suffix(data, line)[2:]
    return name_of(data.chart, line.series) + (f" ({what})" if what else "")


def at_place(data, x):
    """ "262,144 points", "r = 5", "point degree 16"."""
    name, label = lines.place_name(data.chart, x), data.chart.x_label
    if data.chart.x_names:
        return name
    if re.match(r"[a-z]+s\b", label):
        return f"{name} {label.replace('s', '', 1) if x == 1 else label}"
    return f"{label} = {name}" if re.search(r"\b[a-z]$", label) else f"{label} {name}"


def seen_stages(data):
    cells = [(x, row) for line in data.lines for x, (number, row) in line.cells.items() if math.isfinite(number)]
    found = []
    for x, row in (choose(cells, key=lambda pair: pair[0]) for choose in (min, max)):
        stages = rows.stages(row)
        found.append(f"{rows.STAGES[stages.index(max(stages))]} with {100 * max(stages) / sum(stages):.0f} % at {at_place(data, x)}")
    return f"The longest stage is {', '.join(dict.fromkeys(found))}."


def seen(data):
    """One sentence that says what the chart shows."""
    chart = data.chart
    unit = " " + chart.y_label if chart.y_label in ("ms", "MB", "m") else " %" if "%" in chart.y_label else ""
    ours = [line for line in data.lines if not line.is_given and line.numbers()]
    if not ours:
        return "All rows were left out."
    if chart.measure == "stages":
        return seen_stages(data)
    cells = [(number, x, said(data, line)) for line in ours for x, number in line.numbers()]
    least, most = min(cells), max(cells)
    if least[0] == most[0]:
        return f"All numbers are {lines.rounded(least[0])}{unit}."
    if chart.x_label == "frame" and len(ours) > 2:
        medians = [(statistics.median(number for _, number in line.numbers()), said(data, line)) for line in ours]
        (least, low), (most, high) = min(medians), max(medians)
        return (f"Over {len(data.x)} frames the least median is {lines.rounded(least)}{unit}, of {low}, and the greatest "
                f"{lines.rounded(most)}{unit}, of {high}.")
    if len(data.x) > 24 or chart.y_label == "points (%)":  # frames, or a histogram
        peaks = [(max((number, x) for x, number in line.numbers()), said(data, line)) for line in ours if len(line.cells) > 3]
        if peaks:
            return "; ".join(f"{name} peaks with {lines.rounded(number)}{unit} at {at_place(data, x)}" for (number, x), name in peaks) + "."
    if len(ours) <= 2 and not chart.x_names and len(data.x) > 1:
        ends = [(said(data, line), *(lines.rounded(line.numbers()[end][1]) for end in (0, -1))) for line in ours]
        whole = "; ".join(f"{name}: {first}{'' if first == last else f' to {last}'}{unit}" for name, first, last in ends)
        return f"From {at_place(data, data.x[0])} to {lines.place_name(chart, data.x[-1])}: {whole}."
    best = min if chart.measure == "time" else max if chart.y_label.startswith("times as fast") else None
    shared = [x for x in data.x if sum(math.isfinite(line.cell(x)[0]) for line in ours) > 1]
    if not shared or chart.x_names and not best:
        of = [", ".join(dict.fromkeys((at_place(data, x), name)[:len(ours)])) for _, x, name in (least, most)]
        return f"From {lines.rounded(least[0])}{unit} ({of[0]}) to {lines.rounded(most[0])}{unit} ({of[1]})."
    if chart.x_names:
        winners = collections.defaultdict(list)
        for x in shared:
            winners[best(cell for cell in cells if cell[1] == x)[2]].append(lines.place_name(chart, x))
        return (f"{'Fastest' if best is min else 'Greatest speed-up'}: " +
                "; ".join(f"{name} for {', '.join(places)}" for name, places in winners.items()) + ".")
    x = shared[-1]
    (least, _, low), (most, _, high) = (choose(cell for cell in cells if cell[1] == x) for choose in (min, max))
    if least == most:
        return f"At {at_place(data, x)}, all numbers are {lines.rounded(least)}{unit}."
    if best is min:
        return (f"At {at_place(data, x)}, {low} is the fastest with {lines.rounded(least)} ms; {high} takes {lines.rounded(most)} ms, "
                f"{lines.rounded(most / least)} times as long.")
    what = "speed-up" if best else "number"
    return f"At {at_place(data, x)}, {high} has the greatest {what}, {lines.rounded(most)}{unit}, and {low} the least, {lines.rounded(least)}{unit}."


# --- charts ----------------------------------------------------------------------------------------------


def own_of(data):
    """The chart of the paper's own series. The GPU's lines are the paper's where there are any, else those of the CPU."""
    wanted = data.chart.own
    if not wanted:
        return data
    def is_own(line, series):
        name, _, backend = series.partition("/")
        return line.series == name and (line.is_given or not line.by_threads or line.threads == 1) and \
            (line.is_given or not backend or line.backend == (backend if data.both or line.backend == "cuda" else line.backend))
    kept = [line for series in wanted for line in data.lines if is_own(line, series)]
    if not any(not line.is_given and line.numbers() for line in kept):
        return data
    x = [at for at in data.x if any(line.cell(at)[1] or math.isfinite(line.cell(at)[0]) for line in kept)]
    return dataclasses.replace(data, lines=kept, x=x, both={"cpu", "cuda"} <= {line.backend for line in kept})


def number_table(data):
    """Places as rows and lines as columns; of stages, stages as columns."""
    head, body = [], []
    if data.chart.measure == "stages":
        head = [*rows.STAGES, "median of all, ms"]
        body = [(x, [(lines.rounded(number), "wrong" * rows.is_wrong(row)) for number in (*rows.stages(row), row.median_ms or math.nan)])
                for x in data.x for line in data.lines for row in [line.cell(x)[1]] if row and sum(rows.stages(row)) > 0]
    else:
        head = [charts.label_of(data, line) + (", " + data.chart.source if line.is_given else "") for line in data.lines]
        body = [(x, [(lines.cell_text(*line.cell(x)), "wrong" if rows.is_wrong(line.cell(x)[1]) else "given" * line.is_given)
                     for line in data.lines]) for x in data.x]
    return ("<thead><tr>" + "".join(f"<th>{escaped(words)}</th>" for words in (data.chart.x_label, *head)) + "</tr></thead>\n<tbody>\n" +
            "".join(f"<tr><th>{escaped(lines.place_name(data.chart, x))}</th>" +
                    "".join(f'<td class="{kind}">{number}</td>' if kind else f"<td>{number}</td>" for number, kind in cells) + "</tr>\n"
                    for x, cells in body) + "</tbody>\n")


def notes_of(data):
    found = [f"{charts.label_of(data, line)}, {lines.place_name(data.chart, x)}: {row.note}" for line in data.lines
             for x, (_, row) in sorted(line.cells.items()) if row and row.note]
    notes = "".join(f"<li>{escaped(note)}</li>\n" for note in found)
    return f'<ul class="notes">\n{notes}</ul>\n' if found else ""


def csv_of(data):
    """The numbers of a chart, in full."""
    stages, time = data.chart.measure == "stages", data.chart.measure == "time"
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["series", data.chart.x_label or "x", *((stage + "_ms" for stage in rows.STAGES) if stages else [data.chart.y_label]),
                  *["fastest_ms"] * time])
    for line in data.lines:
        name = charts.label_of(data, line) + (", " + data.chart.source if line.is_given else "")
        for x, (number, row) in sorted(line.cells.items()):
            if math.isfinite(number):
                out.writerow([name, lines.x_name(data.chart, x), *(rows.stages(row) if stages else [number]),
                              *[row.min_ms if row else ""] * time])
    return text.getvalue()


def keys_of(data):
    """What the marks mean, where it is not written beside them."""
    found = []
    if any(line.is_given for line in data.lines):
        found.append(f"Hollow: {data.chart.source}.")
    if data.chart.measure == "time" and not (data.chart.bars and data.chart.log_y):
        found.append("Bands: from the fastest run to the median.")
    elif data.chart.measure == "time":
        found.append("Short strokes: the fastest run.")
    if data.both:
        found.append("Pale: CPU." if data.chart.bars and not data.chart.log_y else "Dashed: CPU.")
    return " ".join(found)


def figure(paper, data, machine, order):
    own = own_of(data)
    file = "-".join(filter(None, (paper.name, *map(word, (data.chart.figure, data.chart.title, machine.title)))))
    keys, words = keys_of(own), seen(own)
    drawn = charts.draw(own, order, machine.name)
    dates = rows.dated(row.date for line in data.lines for _, row in line.cells.values() if row)
    text = (f'<figure>\n<figcaption>{escaped(machine.name)}; <span class="date">{escaped(dates)}</span></figcaption>\n'
            f'<p class="seen">{escaped(words[:1].upper() + words[1:])}</p>\n{drawn}')
    if drawn:
        text += ((f'<p class="keys">{escaped(keys)}</p>\n' if keys else "") +
                 f'<p class="tools"><button type="button" data-save="{file}.svg">SVG</button> <a download="{file}.csv" '
                 f'href="data:text/csv;charset=utf-8,{urllib.parse.quote(csv_of(data), safe=" ,;:.()/+-")}">CSV</a></p>\n')
    if len(own.lines) < len(data.lines):
        text += (f"<details><summary>All {len(data.lines)} lines</summary>\n" + charts.draw(data, order, machine.name) + "</details>\n")
    return text + ('<details><summary>Numbers</summary>\n<div class="scroll"><table class="numbers">\n'
                   f"{number_table(data)}</table></div>\n{notes_of(data)}</details>\n</figure>\n")


def picture(chart, folder):
    """The picture as a part of the page; "" where it is not there, or too large."""
    try:
        with open(os.path.join(folder, chart.base), "rb") as file:
            data = file.read(MOST_PICTURE)
    except OSError:
        return ""
    if not 0 < len(data) < MOST_PICTURE:
        return ""
    return (f'<figure>\n<img alt="{escaped(chart.title)}" src="data:image/png;base64,{base64.b64encode(data).decode()}"/>\n'
            f'<figcaption><span class="place">{escaped(chart.figure)}</span> {escaped(chart.title)}</figcaption>\n</figure>\n')


def paper_section(paper, machines, folder):
    """(the section, the addresses of the figures that it has)."""
    order, places, used, absent, text = charts.styles_of(paper), figures_of(paper), set(), [], ""
    for is_picture, group in itertools.groupby(paper.charts, lambda chart: chart.measure == "picture"):
        pictures = ""
        for chart in group:
            made = picture(chart, folder) if is_picture else "".join(
                figure(paper, data, machine, order) for machine in machines
                for data in [lines.collect(chart, paper.given, machine)] if data.lines)
            if not made:
                why = f": {escaped(chart.base)} is not beside the report" if is_picture else ": needs a GPU" * (chart.backend == "cuda")
                name = f"{chart.figure}: {chart.title}" if chart.figure else chart.title
                absent.append(f"<li>{escaped(name)} (<code>{escaped(chart.experiment)}</code>{why})</li>\n")
                continue
            place = places.get(main_figure(chart.figure))
            address = f' id="{place}"' if place and place not in used else ""
            used.update(filter(None, [place]))
            if is_picture:
                pictures += f"<div{address}>{made}</div>\n"
                continue
            head = f'<span class="place">{escaped(chart.figure)}</span> ' if chart.figure else ""
            text += (f'<section class="block"{address}>\n<h3>{head}{escaped(chart.title)}</h3>\n<div class="figures">\n{made}</div>\n'
                     "</section>\n")
        text += f'<section class="block wide"><div class="pictures">\n{pictures}</div></section>\n' if pictures else ""
    return (f'<section id="paper-{paper.name}">\n<h2>{escaped(paper.title)}</h2>\n<p class="lead">{escaped(paper.authors)}</p>\n'
            f'<div class="{"charts" if len(machines) == 1 else "rows"}">\n{text}</div>\n' +
            (f'<div class="absent">Not measured, or not there:\n<ul>\n{"".join(absent)}</ul></div>\n' if absent else "") +
            "</section>\n"), used


# --- machines and claims -----------------------------------------------------------------------------------


def machine_card(papers, machine):
    counts = collections.Counter(claim.judge(machine).verdict for paper in papers for claim in paper.claims)
    facts = (("CPU", f"{machine.cpu}, {machine.cores} core{'' if machine.cores == 1 else 's'}"), ("GPU", machine.gpu or "none"),
             ("Compiler", machine.named("compiler")), ("clump", machine.named("clump")),
             ("Measured", f"{rows.dated(row.date for row in machine.rows)}; {len(machine.rows)} rows"))
    return (f'<section class="card">\n<h3>{escaped(machine.title)}</h3>\n<dl>\n' +
            "".join(f"<dt>{name}</dt><dd>{escaped(fact)}</dd>\n" for name, fact in facts) + '</dl>\n<p class="counts">' +
            " ".join(f'<span class="chip {chip}">{verdict}: {counts[verdict]}</span>' for verdict, chip in CHIPS.items()) +
            "</p>\n</section>\n")


def wrong_rows(machines):
    wrong = [(row, machine) for machine in machines for row in machine.rows if rows.is_wrong(row)]
    if not wrong:
        return ""
    names = [f"{row.case}: {row.series} on the {'GPU' if row.backend == 'cuda' else 'CPU'}; {machine.title}" for row, machine in wrong]
    return (f'<section class="alarm">\n<h2>{len(wrong)} row{"" if len(wrong) == 1 else "s"} with wrong answers</h2>\n<p>Their labels '
            "differ from those of <code>fast</code> on the CPU. Charts show them in red rings; their times mean nothing.</p>\n<ul>\n" +
            "".join(f"<li>{escaped(name)}</li>\n" for name in names) + "</ul>\n</section>\n")


def judged(claim, machine):
    j = claim.judge(machine)
    ours = f"<strong>{escaped(j.ours)}</strong> " if j.ours else ""
    return (f'<td data-name="{escaped(machine.title)}"><span class="chip {CHIPS[j.verdict]}">{j.verdict}</span> {ours}'
            f'<span class="why">{escaped(j.why)}</span></td>')


def place_of(paper, claim, used):
    """The place of a claim, with a link to its figure where the page has it."""
    first, comma, rest = claim.place.partition(",")
    address = figures_of(paper).get(first)
    return (f'<a href="#{address}">{escaped(first)}</a>' if address in used else escaped(first)) + escaped(comma + rest)


def claims_section(papers, machines, used):
    text = ('<section id="claims">\n<h2>Claims</h2>\n<p class="lead">A verdict is of one machine. The sentence says what was compared. '
            "<em>Cannot be told</em>: the machine lacks what the claim is about, a GPU, a rival or the rows.</p>\n"
            '<p class="lead">In names of methods, <em>es</em> is exhaustive search and <em>rs</em> range search on a grid; '
            "<code>fast</code> is clump's own method. PCL at its best (<code>pcl-best</code>) is compiled for the machine, with a search "
            "tree built once. DI is <code>independent</code>, ER-CCL without races.</p>\n"
            '<table class="claims">\n<thead><tr><th>Claim</th><th>Place</th><th>Paper</th>' +
            "".join(f"<th>Ours: {escaped(machine.title)}</th>" for machine in machines) + "</tr></thead>\n")
    for paper in papers:
        if not paper.claims:
            continue
        text += f'<tbody>\n<tr class="paper"><th colspan="{3 + len(machines)}">{escaped(paper.title)}</th></tr>\n'
        for claim in paper.claims:
            text += (f'<tr><td data-name="Claim">{escaped(claim.claim)}</td><td data-name="Place">{place_of(paper, claim, used)}</td>'
                     f'<td data-name="Paper">{escaped(claim.theirs or "–")}</td>' +
                     "".join(judged(claim, machine) for machine in machines) + "</tr>\n")
        text += "</tbody>\n"
    return text + "</table>\n</section>\n"


def write(papers, machines, folder):
    """The whole page. folder: where pictures are."""
    shown = [paper for paper in papers if any(experiment.startswith(paper.name + "-") for m in machines for experiment in m.experiments)]
    sections = {paper.name: paper_section(paper, machines, folder) for paper in shown}
    used = {place for _, places in sections.values() for place in places}
    contents = "".join(
        f'<li><a href="#paper-{paper.name}">{escaped(paper.title)}</a>' +
        "".join(f' <a class="figure" href="#{place}">{escaped(name)}</a>' for name, place in figures_of(paper).items() if place in used) +
        "</li>\n"
        for paper in shown)
    return ('<!DOCTYPE html>\n<html lang="en" xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<meta charset="utf-8"/>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n<meta name="color-scheme" content="light dark"/>\n'
            f"<title>clump: the papers' experiments</title>\n<style id=\"chart-style\">\n{style('chart.css')}</style>\n"
            f"<style>\n{style('page.css')}</style>\n</head>\n<body>\n<header>\n<h1>The papers' experiments</h1>\n"
            '<p class="lead">Claims of four papers on clustering LiDAR clouds, beside what clump measures. Scans of a simulated sensor and '
            "frames of KITTI stand in for the papers' recordings.</p>\n<ul class=\"contents\">\n"
            '<li><a href="#machines">Machines</a></li>\n'
            f'<li><a href="#claims">Claims and verdicts</a></li>\n{contents}</ul>\n</header>\n<main>\n'
            '<section id="machines">\n<h2>Machines</h2>\n<div class="cards">\n' +
            "".join(machine_card(papers, machine) for machine in machines) +
            "</div>\n</section>\n" + wrong_rows(machines) + claims_section(papers, machines, used) +
            "".join(text for text, _ in sections.values()) +
            "</main>\n<footer><p>Made by <code>bench/report</code> from <code>bench/results/papers/*.csv</code>. Every chart, table and "
            f"verdict is of one machine.</p></footer>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")
