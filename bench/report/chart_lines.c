/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of lines, and which kind a chart is: see chart.h.
 */
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The x axis is logarithmic where the chart says so and all places are positive. Its ends are the places themselves: an
 * axis from 4096 to 262144 needs no room for 1000 and 500000. */
static scale x_scale(const chart_data *data)
{
    const double first = data->x[0], last = data->x[data->x_count - 1];
    const bool is_log = data->chart->log_x && first > 0;
    scale x = {.from = first, .to = last, .is_log = is_log};
    if (last <= first) {
        x.from = is_log ? 0.5 * first : first - 1;
        x.to = is_log ? 2 * first : first + 1;
    }
    x.low = CHART_LEFT + 14;
    x.high = CHART_WIDTH - CHART_RIGHT - 14;
    return x;
}

/* Writes a tick with its name, unless it overlaps the one before. Returns where its name ends. */
static double x_tick(page *to, const chart_data *data, double at, double number, double busy_until)
{
    char name[80];
    if (data->chart->x_names)
        lines_x_name(data->chart, number, name, sizeof name);
    else
        snprintf(name, sizeof name, "%s", page_exact(number).text);
    const double half = 3.6 * (double)strlen(name); /* of 12 px letters, about 7 px each */
    if (at - half < busy_until + 6) return busy_until;
    const int bottom = CHART_HEIGHT - CHART_BOTTOM;
    page_add(to, "<path class=\"axis\" d=\"M%.1f %dv5\"/>", at, bottom);
    page_add(to, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">", at, bottom + 18);
    page_escaped(to, name);
    page_add(to, "</text>\n");
    return at + half;
}

/* Ticks are at the places where they are few or have names, else at round numbers. */
static void x_axis(page *to, const chart_data *data, const scale *x)
{
    enum { FEW = 14 };
    double ticks[SCALE_TICKS], busy_until = 0;
    const bool at_places = data->x_count <= FEW || data->chart->x_names;
    const size_t count = at_places ? data->x_count : scale_ticks(x, ticks);
    for (size_t i = 0; i < count; i++) {
        const double number = at_places ? data->x[i] : ticks[i];
        busy_until = x_tick(to, data, scale_at(x, number), number, busy_until);
    }
    chart_x_label(to, data, 0);
}

static bool is_drawn(const chart_cell *cell, const scale *y)
{
    return isfinite(cell->y) && (!y->is_log || cell->y > 0);
}

/* Writes the line: a gap where a number is missing. */
static void write_path(page *to, const chart_data *data, size_t line, const scale *x, const scale *y)
{
    bool joined = false;
    page_add(to, "<path class=\"line c%u d%u\" d=\"", data->lines[line].style % LINES_COLOURS, data->lines[line].dash);
    for (size_t i = 0; i < data->x_count; i++) {
        const chart_cell *const cell = lines_cell(data, line, i);
        if (is_drawn(cell, y))
            page_add(to, "%c%.1f %.1f", joined ? 'L' : 'M', scale_at(x, data->x[i]), scale_at(y, cell->y));
        /* A place that this line does not have at all does not interrupt it; a row that was left out does. */
        joined = is_drawn(cell, y) || (joined && !cell->row);
    }
    page_add(to, "\"/>\n");
}

void chart_write_lines(page *to, const chart_data *data)
{
    enum { CROWDED = 60 }; /* places from which on marks would hide the lines */
    const scale x = x_scale(data), y = chart_y_scale(data, false);
    chart_y_axis(to, data, &y);
    x_axis(to, data, &x);
    for (size_t line = 0; line < data->line_count; line++) {
        if (!data->lines[line].is_given) write_path(to, data, line, &x, &y);
        for (size_t i = 0; i < data->x_count; i++) {
            const chart_cell *const cell = lines_cell(data, line, i);
            if (!is_drawn(cell, &y)) continue;
            if (data->x_count > CROWDED && cell->row && !chart_is_wrong(cell->row)) continue;
            page_add(to, "<g>");
            chart_title(to, data, line, i);
            chart_mark(to, data->lines[line].style, scale_at(&x, data->x[i]), scale_at(&y, cell->y),
                       data->lines[line].is_given, chart_is_wrong(cell->row));
            page_add(to, "</g>\n");
        }
    }
}

/* --- all kinds ------------------------------------------------------------------------------------ */

void chart_write(page *to, const chart_data *data, const char *here)
{
    const bool stages = data->chart->measure == MEASURE_STAGES;
    const double extra = data->chart->bars ? chart_bars_extra(data) : 0;
    chart_begin(to, data, here, stages ? chart_stages_height(data) : CHART_HEIGHT + extra);
    if (stages)
        chart_write_stages(to, data);
    else if (data->chart->bars)
        chart_write_bars(to, data);
    else
        chart_write_lines(to, data);
    page_add(to, "</svg>\n");
}
