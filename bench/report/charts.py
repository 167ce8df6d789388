# SPDX-License-Identifier: BSD-3-Clause
"""Charts as SVG. Colours are classes of chart.css: c0 ... c6 of series, t0 ... t6 of stages. Series differ in their marks besides,
and have their names beside them. Every mark has a <title>, which browsers show under the pointer.

A chart is drawn 480 wide, so that its letters are legible on a phone."""
import math
import re

import lines
import rows
from papers import name_of
from tables import escaped

WIDTH, HEIGHT, TOP, BOTTOM, LEFT = 480, 330, 10, 46, 54
LETTER = 7.2  # width of a letter of 13 px, about
COLOURS = 7
MARKS = ("M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z", "M-3.6 -3.6H3.6V3.6H-3.6Z", "M0 -4.8L4.6 3.4H-4.6Z", "M0 -5L5 0L0 5L-5 0Z",
         "M0 4.8L4.6 -3.4H-4.6Z", "M-4.5 -1.5H-1.5V-4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5Z", "M0 -5L4.8 -1.5L2.9 4H-2.9L-4.8 -1.5Z",
         "M-4.5 0L-1.5 -1.5L0 -4.5L1.5 -1.5L4.5 0L1.5 1.5L0 4.5L-1.5 1.5Z")
MOST_BARS = 48  # more are drawn as lines
ROW, GROUP = 18, 24  # heights of a bar, and of the heading of a group


# --- axes --------------------------------------------------------------------------------------------------


def nice_below(number):
    """The largest of 1, 2, 5 times a power of ten that is at most the number; the tolerance is for rounding."""
    power = 10.0 ** math.floor(math.log10(number) + 1e-9)
    lead = number / power * (1 + 1e-9)
    return power * (5 if lead >= 5 else 2 if lead >= 2 else 1)


def nice_above(number):
    below = nice_below(number)
    power = 10.0 ** math.floor(math.log10(number) + 1e-9)
    return below if below >= number * (1 - 1e-9) else power * (2 if below < 1.5 * power else 5 if below < 3 * power else 10)


class Scale:
    """An axis: from numbers to places in a picture."""

    def __init__(self, numbers, is_log, from_zero=False, ends=None):
        self.is_log = is_log and min(numbers) > 0
        least, greatest = min(numbers), max(numbers)
        if ends == "exact":
            self.start, self.end = least, greatest
        elif self.is_log:
            self.start, self.end = nice_below(least), nice_above(greatest)
        else:
            if least >= 0 and (from_zero or least < 0.5 * greatest):
                least = 0
            if from_zero and greatest < 0:
                greatest = 0
            if greatest <= least:
                greatest = least + (0.1 * abs(least) or 1)
            step = nice_above((greatest - least) / 6)
            self.start, self.end = step * math.floor(least / step + 1e-9), step * math.ceil(greatest / step - 1e-9)
        if self.end <= self.start:
            self.start, self.end = (0.5 * self.start, 2 * self.start) if self.is_log else (self.start - 1, self.start + 1)
        self.low, self.high = 0, 1

    def at(self, number):
        share = (math.log(number / self.start) / math.log(self.end / self.start) if self.is_log else
                 (number - self.start) / (self.end - self.start))
        return self.low + share * (self.high - self.low)

    def ticks(self, most=24):
        """Steps of 1, 2 or 5; on a logarithmic axis powers of ten, with 2 and 5 where they are few."""
        if not self.is_log:
            step = nice_above((self.end - self.start) / 6)
            first = math.ceil(self.start / step - 1e-9)
            return [i * step for i in range(first, math.floor(self.end / step + 1e-9) + 1)][:most]
        decades = math.log10(self.end / self.start)
        leads = (1, 2, 5) if decades < 3.5 else (1,)
        first, last = (math.floor(math.log10(end) + 1e-9) for end in (self.start, self.end))
        powers = range(first, last + 1, max(1, math.ceil(decades / 12)))
        ticks = [lead * 10.0 ** power for power in powers for lead in leads]
        return [tick for tick in ticks if self.start * (1 - 1e-9) <= tick <= self.end * (1 + 1e-9)][:most]


def axis_label(words, scale):
    return escaped(words + (" (log scale)" if scale.is_log else ""))


# --- names and styles ----------------------------------------------------------------------------------


def label_of(data, line):
    """The name of a line in the page."""
    return name_of(data.chart, line.series) + ("" if line.is_given else lines.suffix(data, line))


def styles_of(paper):
    """{series: number}: a series has one colour and mark in all charts of a paper, those of the paper first."""
    order = {}
    for chart in paper.charts:
        for series in chart.own or ():
            order.setdefault(root(series.split("/")[0]), len(order))
    return order


def root(series):
    """A series without what it is besides its method: "matrix-rs cold" has the colour of "matrix-rs"."""
    return re.sub(" (cold|in place|kitti|vlp-16|hdl-.*)$", "", series)


def paint(data, order):
    """{series: number} of a chart; no two have the same colour where that can be."""
    used = {}
    for line in data.lines:
        if line.series not in used:
            used[line.series] = order.get(root(line.series), len(order) + len(used))
    if len({number % COLOURS for number in used.values()}) < min(len(used), COLOURS):  # two of them look alike: count anew
        used = {series: i for i, series in enumerate(used)}
    return used


def mark(style, x, y, hollow=False, wrong=False):
    ring = f'<circle class="wrong" cx="{x:.1f}" cy="{y:.1f}" r="8"/>' if wrong else ""
    return (f'<path class="{"hollow" if hollow else "mark"} c{style % COLOURS}" transform="translate({x:.1f} {y:.1f})'
            f'{" scale(1.25)" if hollow else ""}" d="{MARKS[style % len(MARKS)]}"/>{ring}')


def title(data, line, x):
    number, row = line.cell(x)
    words = [label_of(data, line) + (", " + data.chart.source if line.is_given else ""),
             f"{data.chart.x_label} {lines.place_name(data.chart, x)}".strip(), f"{lines.rounded(number)} {data.chart.y_label}"]
    if row and data.chart.measure == "time" and 0 < row.min_ms < number:
        words.append(f"fastest run {lines.rounded(row.min_ms)}")
    words += ["answers differ from the reference"] if rows.is_wrong(row) else []
    return f"<title>{escaped('; '.join(words + ([row.note] if row and row.note else [])))}</title>"


def text(words, x, y, anchor="start", kind="tick"):
    return f'<text class="{kind}" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{words}</text>'


def cut(words, width):
    """The words, cut where they are wider than this."""
    most = int(width / LETTER)
    return words if len(words) <= most else words[:most - 1] + "…"


# --- lines -----------------------------------------------------------------------------------------------


def spread(places, least, most, gap=14):
    """Places for labels: in order, at least `gap` apart, within least ... most where they fit."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    found, last = list(places), least - gap
    for i in order:
        found[i] = last = max(places[i], last + gap)
    last = most + gap
    for i in reversed(order):
        found[i] = last = min(found[i], last - gap)
    return found


def is_drawn(number, scale):
    return math.isfinite(number) and (not scale.is_log or number > 0)


def band(data, line, x, y):
    """The spread of the times: from the fastest run to the median."""
    pairs = [(at, row.min_ms, number) for at, (number, row) in sorted(line.cells.items())
             if row and is_drawn(number, y) and 0 < row.min_ms <= number]
    if data.chart.measure != "time" or len(pairs) < 2:
        return ""
    points = [(at, least) for at, least, _ in pairs] + [(at, number) for at, _, number in reversed(pairs)]
    return "M" + "L".join(f"{x.at(at):.1f} {y.at(number):.1f}" for at, number in points) + "Z"


def path_of(data, line, x, y):
    """The line: a gap where a row was left out. A place that the line does not have at all does not interrupt it."""
    path, joined = "", False
    for at in data.x:
        number, row = line.cell(at)
        drawn = is_drawn(number, y)
        if drawn:
            path += f"{'L' if joined else 'M'}{x.at(at):.1f} {y.at(number):.1f}"
        joined = drawn or (joined and not row)
    return path


def x_axis(data, x, bottom):
    """Ticks at the places where they are few or have names, else at round numbers. The last has its name, others where there is room."""
    out, busy = [], 0
    ticks = data.x if len(data.x) <= 14 or data.chart.x_names else x.ticks()
    spans = [(x.at(tick), LETTER / 2 * len(lines.place_name(data.chart, tick)), lines.place_name(data.chart, tick)) for tick in ticks]
    for i, (at, half, name) in enumerate(spans):
        last = i == len(spans) - 1
        if last or (at - half >= busy + 8 and at + half <= spans[-1][0] - spans[-1][1] - 8):
            out.append(f'<path class="axis" d="M{at:.1f} {bottom}v5"/>' + text(escaped(name), at, bottom + 18, "middle"))
            busy = at + half
    out.append(text(axis_label(data.chart.x_label, x), (x.low + x.high) / 2, bottom + BOTTOM - 6, "middle", "label"))
    return "\n".join(out)


def draw_lines(data, styles):
    numbers = [number for line in data.lines for number, _ in line.cells.values() if math.isfinite(number)]
    numbers = [n for n in numbers if n > 0] or numbers if data.chart.log_y else numbers
    least = [row.min_ms for line in data.lines for number, row in line.cells.values()
             if row and data.chart.measure == "time" and 0 < row.min_ms <= number]
    y, x = Scale(numbers + least or [0, 1], data.chart.log_y), Scale(data.x, data.chart.log_x, ends="exact")
    named = [line for line in data.lines if not line.is_given and any(is_drawn(n, y) for n, _ in line.cells.values())]
    right = WIDTH - min(205, 24 + LETTER * max((len(label_of(data, line)) for line in named), default=0))
    height = max(HEIGHT, TOP + BOTTOM + 14 * len(named))  # a name per line
    left = max(LEFT, 28 + LETTER * max(len(lines.exact(tick)) for tick in y.ticks()))  # beside the name of the axis
    y.low, y.high, x.low, x.high = height - BOTTOM, TOP, left + 10, right - 8
    out = []
    for tick in y.ticks():
        at = y.at(tick)
        out.append(f'<path class="grid" d="M{left:.1f} {at:.1f}H{right:.1f}"/>' + text(lines.exact(tick), left - 6, at + 4, "end"))
    out.append(f'<path class="axis" d="M{left:.1f} {TOP}V{y.low}H{right:.1f}"/>')
    out.append(f'<text class="label" text-anchor="middle" transform="translate(12 {(TOP + y.low) / 2:.0f}) rotate(-90)">'
               f'{axis_label(data.chart.y_label, y)}</text>')
    out.append(x_axis(data, x, y.low))
    for line in data.lines:
        style = styles[line.series]
        if not line.is_given:
            kind = f"c{style % COLOURS} d{int(data.both and line.backend == 'cpu') + int(line.by_threads and line.threads != 1)}"
            area = band(data, line, x, y)
            out.append((f'<path class="band c{style % COLOURS}" d="{area}"/>' if area else "") +
                       f'<path class="line {kind}" d="{path_of(data, line, x, y)}"/>')
        for at in data.x:
            number, row = line.cell(at)
            if is_drawn(number, y) and (len(data.x) <= 60 or len(line.cells) < 4 or rows.is_wrong(row)):
                out.append(f"<g>{title(data, line, at)}{mark(style, x.at(at), y.at(number), line.is_given, rows.is_wrong(row))}</g>")
    ends = [[(at, n) for at, n in line.numbers() if is_drawn(n, y)][-1] for line in named]
    places = spread([y.at(n) for _, n in ends], TOP + 4, y.low - 2)
    for line, (at, number), place in zip(named, ends, places):
        out.append(f'<path class="leader" d="M{x.at(at) + 6:.1f} {y.at(number):.1f}L{right:.1f} {place:.1f}"/>' +
                   mark(styles[line.series], right + 8, place) +
                   text(escaped(cut(label_of(data, line), WIDTH - right - 16)), right + 16, place + 4, kind="name"))
    return out, height


# --- bars: a row per line and place, with its name at the left and its number at the right ------------------


def groups_of(data):
    """[(x, [(line, given)])]: the lines of each place; a given number stands in the row of its series, of the GPU where it can."""
    found = []
    for x in data.x:
        ours = [line for line in data.lines if not line.is_given and math.isfinite(line.cell(x)[0])]
        pairs = {id(line): [line, None] for line in ours}
        for given in data.lines:
            if not given.is_given or not math.isfinite(given.cell(x)[0]):
                continue
            same = [line for line in ours if line.series == given.series]
            if same:
                pairs[id(max(same, key=lambda line: line.backend == "cuda"))][1] = given
            else:
                pairs[id(given)] = [None, given]
        found.append((x, list(pairs.values())))
    return [group for group in found if group[1]]


def bar_row(data, styles, pair, at, top, scale):
    """A bar, or a dot on a logarithmic axis, whose bars would begin nowhere."""
    line, given = pair
    out, middle = [], top + ROW / 2 - 1
    if line:
        number, row = line.cell(at)
        style, wrong = styles[line.series], rows.is_wrong(row)
        end = scale.at(number) if is_drawn(number, scale) else scale.low
        dash = int(data.both and line.backend == "cpu") + int(line.by_threads and line.threads != 1)
        start = scale.low if scale.is_log or scale.start > 0 else scale.at(0)
        out.append(title(data, line, at))
        if scale.is_log:
            out.append(f'<path class="line thin c{style % COLOURS} d{dash}" d="M{start:.1f} {middle:.1f}H{end:.1f}"/>' +
                       mark(style, end, middle, wrong=wrong))
        else:
            out.append(f'<rect class="bar c{style % COLOURS} d{dash}{" wrong" if wrong else ""}" x="{min(start, end):.1f}" '
                       f'y="{top + 2:.1f}" width="{max(abs(end - start), 0.5):.1f}" height="{ROW - 6}"/>')
        if row and data.chart.measure == "time" and 0 < row.min_ms < number and is_drawn(row.min_ms, scale):
            out.append(f'<path class="least" d="M{max(scale.at(row.min_ms), scale.low):.1f} {middle - 5:.1f}v10"/>')
        shown = given and abs(scale.at(given.cell(at)[0]) - end - 24) < 30
        out.append(text(lines.rounded(number), max(end, scale.at(given.cell(at)[0])) + 9 if shown else end + 9, middle + 4, kind="name"))
    if given:
        number, style = given.cell(at)[0], styles[given.series]
        out.append(f"<g>{title(data, given, at)}{mark(style, scale.at(number), middle, hollow=True)}</g>")
        if not line:
            out.append(text(lines.rounded(number), scale.at(number) + 12, middle + 4))
    return "<g>" + "".join(out) + "</g>"


def draw_bars(data, styles):
    numbers = [number for line in data.lines for number, _ in line.cells.values() if math.isfinite(number)]
    scale = Scale([n for n in numbers if n > 0] or numbers if data.chart.log_y else numbers, data.chart.log_y, True)
    groups = groups_of(data)
    names = {id(line): label_of(data, line) for line in data.lines}
    one = len({line.series for line in data.lines}) == 1
    alone = all(len(pairs) == 1 and (one or names[id(pairs[0][0] or pairs[0][1])] == lines.place_name(data.chart, x))
                for x, pairs in groups)
    left = min(215, 16 + LETTER * max(len(lines.place_name(data.chart, x)) if alone else len(names[id(line or given)])
                                      for x, pairs in groups for line, given in pairs))
    scale.low, scale.high = left, WIDTH - 52
    out, top = [], 6
    for x, pairs in groups:
        if not alone:
            out.append(text(escaped(f"{data.chart.x_label}: {lines.place_name(data.chart, x)}" if data.chart.x_label else
                                    lines.place_name(data.chart, x)), 4, top + 15, kind="label"))
            top += GROUP - 3
        for line, given in pairs:
            name = lines.place_name(data.chart, x) if alone else names[id(line or given)]
            out.append(text(escaped(cut(name, left - 10)), left - 8, top + 12, "end", "name") +
                       bar_row(data, styles, (line, given), x, top, scale))
            top += ROW
        top += 4
    grid, busy = [], -99
    for tick in scale.ticks():
        at, name = scale.at(tick), lines.exact(tick)
        grid.append(f'<path class="grid" d="M{at:.1f} 4V{top}"/>')
        if at - LETTER / 2 * len(name) > busy + 6:
            grid.append(text(name, at, top + 14, "middle"))
            busy = at + LETTER / 2 * len(name)
    words = data.chart.y_label + (f" by {data.chart.x_label}" if alone and data.chart.x_label else "")
    grid.append(text(axis_label(words, scale), (scale.low + scale.high) / 2, top + 32, "middle", "label"))
    return grid + out, top + 40


# --- stages: a stacked bar per row ---------------------------------------------------------------------------


def draw_stages(data):
    bars = [(lines.place_name(data.chart, x) + (lines.suffix(data, line) if len(data.lines) > 1 else ""), line.cell(x)[1])
            for x in data.x for line in data.lines if math.isfinite(line.cell(x)[0])]
    sums = [sum(rows.stages(row)) for _, row in bars]
    shares = max(sums) > 25 * min(sums)  # too different for a common scale
    shown = [i for i in range(len(rows.STAGES)) if any(rows.stages(row)[i] > 0.004 * total for (_, row), total in zip(bars, sums))]
    out, at = [], 8
    for i in shown:
        out.append(f'<rect class="t{i}" x="{at}" y="4" width="11" height="11"/>' + text(rows.STAGES[i], at + 15, 14, kind="name"))
        at += 28 + LETTER * len(rows.STAGES[i])
    left, top = 20 + LETTER * max(len(name) for name, _ in bars), 24
    for (name, row), total in zip(bars, sums):
        out.append(text(escaped(name), left - 8, top + 12, "end", "name"))
        start = left
        for i, stage in enumerate(rows.stages(row)):
            width = stage / (total if shares else max(sums)) * (WIDTH - left - 70)
            if width <= 0:
                continue
            words = f"{rows.STAGES[i]}: {lines.rounded(stage)} ms"
            out.append(f'<rect class="t{i}" x="{start:.1f}" y="{top + 1}" width="{width:.2f}" height="{ROW - 3}">'
                       f"<title>{words}</title></rect>")
            share = f"{100 * stage / total:.0f} %"
            if width > 4 + LETTER * len(share):
                out.append(text(share, start + width / 2, top + 12, "middle", f"in{i}"))
            start += width
        out.append(text(lines.rounded(total) + " ms", start + 6, top + 12, kind="tick wrong" if rows.is_wrong(row) else "name"))
        top += ROW
    wide = LETTER * len(data.chart.x_label) > left - 8
    out.append(text(escaped(data.chart.x_label), 4 if wide else left - 8, top + 16, "start" if wide else "end", "label"))
    words = "share of the stages; their sum at the right" if shares else "time of the stages, ms"
    out.append(text(words, (left + WIDTH - 70) / 2, top + 16, "middle", "label"))
    return out, top + 24


def draw(data, order, machine):
    """The chart as SVG; "" where all rows were left out."""
    if not any(math.isfinite(number) for line in data.lines for number, _ in line.cells.values()):
        return ""
    styles = paint(data, order)
    bars = data.chart.bars and sum(len(pairs) for _, pairs in groups_of(data)) <= MOST_BARS
    parts, height = (draw_stages(data) if data.chart.measure == "stages" else draw_bars(data, styles) if bars else
                     draw_lines(data, styles))
    return (f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'aria-label="{escaped(f"{data.chart.title}, {machine}")}">\n' + "\n".join(parts) + "\n</svg>\n")
