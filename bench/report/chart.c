/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts: the frame, the y axis, marks and the legend. See chart.h.
 */
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool chart_is_wrong(const papers_row *row)
{
    return row && strcmp(row->agree, "no") == 0;
}

bool chart_range(const chart_data *data, bool positive, double *least, double *greatest)
{
    *least = INFINITY, *greatest = -INFINITY;
    for (size_t i = 0; i < data->line_count * data->x_count; i++) {
        const double y = data->cells[i].y;
        if (!isfinite(y) || (positive && y <= 0)) continue;
        if (y < *least) *least = y;
        if (y > *greatest) *greatest = y;
    }
    return *least <= *greatest;
}

scale chart_y_scale(const chart_data *data, bool from_zero)
{
    double least, greatest;
    const bool is_log = data->chart->log_y && chart_range(data, true, &least, &greatest);
    if (!is_log && !chart_range(data, false, &least, &greatest)) least = 0, greatest = 1;
    scale y = scale_for(least, greatest, is_log, from_zero);
    y.low = CHART_HEIGHT - CHART_BOTTOM;
    y.high = CHART_TOP;
    return y;
}

void chart_begin(page *to, const chart_data *data, const char *here, double height)
{
    page_add(to, "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %.0f\" aria-label=\"", (int)CHART_WIDTH, height);
    page_escaped(to, data->chart->title);
    page_add(to, ", ");
    page_escaped(to, here);
    page_add(to, "\">\n");
}

void chart_y_axis(page *to, const chart_data *data, const scale *y)
{
    double ticks[SCALE_TICKS];
    const size_t count = scale_ticks(y, ticks);
    for (size_t i = 0; i < count; i++) {
        const double at = scale_at(y, ticks[i]);
        page_add(to, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", (int)CHART_LEFT, at, CHART_WIDTH - CHART_RIGHT);
        page_add(to, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n", CHART_LEFT - 6, at + 4,
                 page_exact(ticks[i]).text);
    }
    page_add(to, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", (int)CHART_LEFT, (int)CHART_TOP,
             CHART_HEIGHT - CHART_BOTTOM, CHART_WIDTH - CHART_RIGHT);
    page_add(to, "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(13 %d) rotate(-90)\">",
             (CHART_TOP + CHART_HEIGHT - CHART_BOTTOM) / 2);
    page_escaped(to, data->chart->y_label);
    page_add(to, "</text>\n");
}

void chart_x_label(page *to, const chart_data *data, double lower)
{
    page_add(to, "<text class=\"label\" text-anchor=\"middle\" x=\"%d\" y=\"%.0f\">",
             (CHART_LEFT + CHART_WIDTH - CHART_RIGHT) / 2, CHART_HEIGHT - 8 + lower);
    page_escaped(to, data->chart->x_label);
    page_add(to, "</text>\n");
}

/* --- marks --------------------------------------------------------------------------------------- */

void chart_mark(page *to, unsigned style, double x, double y, bool hollow, bool wrong)
{
    static const char *const shapes[LINES_MARKS] = {
        "M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z",                          /* circle */
        "M-3.6 -3.6H3.6V3.6H-3.6Z",                                     /* square */
        "M0 -4.8L4.6 3.4H-4.6Z",                                        /* triangle */
        "M0 -5L5 0L0 5L-5 0Z",                                          /* diamond */
        "M0 4.8L4.6 -3.4H-4.6Z",                                        /* triangle downwards */
        "M-4.5 -1.5H-1.5V-4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5Z", /* plus */
        "M0 -5L4.8 -1.5L2.9 4H-2.9L-4.8 -1.5Z",                         /* pentagon */
    };
    page_add(to, "<path class=\"%s c%u\" transform=\"translate(%.1f %.1f)%s\" d=\"%s\"/>", hollow ? "hollow" : "mark",
             style % LINES_COLOURS, x, y, hollow ? " scale(1.25)" : "", shapes[style % LINES_MARKS]);
    if (wrong) page_add(to, "<circle class=\"wrong\" cx=\"%.1f\" cy=\"%.1f\" r=\"8\"/>", x, y);
}

void chart_title(page *to, const chart_data *data, size_t line, size_t x)
{
    const chart_cell *const cell = lines_cell(data, line, x);
    char name[80];
    lines_x_name(data->chart, data->x[x], name, sizeof name);
    page_add(to, "<title>");
    page_escaped(to, data->lines[line].label);
    page_add(to, "; ");
    page_escaped(to, data->chart->x_label);
    page_add(to, " ");
    page_escaped(to, name);
    page_add(to, "; ");
    page_escaped(to, data->chart->y_label);
    page_add(to, " %s", page_rounded(cell->y).text);
    if (chart_is_wrong(cell->row)) page_add(to, "; answers differ from the reference");
    if (cell->row && *cell->row->note) page_add(to, "; "), page_escaped(to, cell->row->note);
    page_add(to, "</title>");
}

/* --- the legend ---------------------------------------------------------------------------------- */

static void stage_legend(page *to)
{
    for (int i = 0; i < LINES_STAGES; i++)
        page_add(
            to,
            "<li><svg class=\"swatch\" viewBox=\"0 0 14 14\"><rect class=\"t%d\" width=\"14\" height=\"14\"/></svg> "
            "%s</li>\n",
            i, lines_stage_names[i]);
}

/* Writes the swatch of a line: a piece of it, or of a bar. */
static void line_swatch(page *to, const chart_data *data, const chart_line *line)
{
    page_add(to, "<svg class=\"swatch\" viewBox=\"0 0 30 14\">");
    if (data->chart->bars)
        page_add(to, "<rect class=\"%s c%u d%u\" x=\"1\" y=\"1\" width=\"28\" height=\"12\"/>",
                 line->is_given ? "hollow" : "bar", line->style % LINES_COLOURS, line->dash);
    else {
        if (!line->is_given)
            page_add(to, "<path class=\"line c%u d%u\" d=\"M1 7H29\"/>", line->style % LINES_COLOURS, line->dash);
        chart_mark(to, line->style, 15, 7, line->is_given, false);
    }
    page_add(to, "</svg> ");
}

void chart_legend(page *to, const chart_data *data)
{
    page_add(to, "<ul class=\"legend\">\n");
    if (data->chart->measure == MEASURE_STAGES) stage_legend(to);
    for (size_t i = 0; i < data->line_count && data->chart->measure != MEASURE_STAGES; i++) {
        if (!lines_has_numbers(data, i)) continue;
        page_add(to, "<li>");
        line_swatch(to, data, &data->lines[i]);
        page_escaped(to, data->lines[i].label);
        page_add(to, "</li>\n");
    }
    page_add(to, "</ul>\n");
}
