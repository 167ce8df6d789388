/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of bars, side by side or stacked: see chart.h.
 */
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- side by side -------------------------------------------------------------------------------- */

/* A bar: where it stands, and whether its number is written above it. */
typedef struct bar_place {
    double left, width;
    bool named;
} bar_place;

/* Writes a bar from the axis to the number. */
static void write_bar(page *to, const chart_data *data, size_t line, size_t at, const scale *y, bar_place place)
{
    const chart_cell *const cell = lines_cell(data, line, at);
    if (!isfinite(cell->y) || (y->is_log && cell->y <= 0)) return;
    const double zero = y->is_log || y->from > 0 ? y->low : scale_at(y, 0), end = scale_at(y, cell->y);
    const chart_line *const of = &data->lines[line];
    page_add(to, "<g>");
    chart_title(to, data, line, at);
    page_add(to, "<rect class=\"%s c%u d%u%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
             of->is_given ? "hollow" : "bar", of->style % LINES_COLOURS, of->dash,
             chart_is_wrong(cell->row) ? " wrong" : "", place.left, fmin(zero, end), place.width,
             fmax(fabs(zero - end), 0.5));
    if (place.named)
        page_add(to, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                 place.left + place.width / 2, end - 4, page_rounded(cell->y).text);
    page_add(to, "</g>\n");
}

/* Writes the name of a group of bars, at a slant where names are wider than groups. */
static void write_group_name(page *to, const char *name, double middle, bool slanted)
{
    const int y = CHART_HEIGHT - CHART_BOTTOM + (slanted ? 12 : 17);
    page_add(to,
             slanted ? "<text class=\"tick\" text-anchor=\"end\" transform=\"translate(%.1f %d) rotate(-24)\">"
                     : "<text class=\"tick\" text-anchor=\"middle\" transform=\"translate(%.1f %d)\">",
             middle, y);
    page_escaped(to, name);
    page_add(to, "</text>\n");
}

/* Returns the text of a group. */
static const char *group_name(const chart_data *data, size_t at, char *out, size_t size)
{
    if (data->chart->x_names)
        lines_x_name(data->chart, data->x[at], out, size);
    else
        snprintf(out, size, "%s", page_exact(data->x[at]).text);
    return out;
}

static double group_width(const chart_data *data)
{
    return (double)(CHART_WIDTH - CHART_LEFT - CHART_RIGHT) / (double)data->x_count;
}

/* Names at a slant need more room below. */
double chart_bars_extra(const chart_data *data)
{
    char name[80];
    size_t longest = 0;
    for (size_t i = 0; i < data->x_count; i++) {
        const size_t length = strlen(group_name(data, i, name, sizeof name));
        if (length > longest) longest = length;
    }
    return 7.0 * (double)longest > group_width(data) ? 2.6 * (double)longest : 0;
}

/* Returns whether all numbers fit above bars of this width. */
static bool numbers_fit(const chart_data *data, double width)
{
    for (size_t i = 0; i < data->line_count * data->x_count; i++)
        if (6.0 * (double)strlen(page_rounded(data->cells[i].y).text) > width) return false;
    return true;
}

void chart_write_bars(page *to, const chart_data *data)
{
    char name[80];
    const scale y = chart_y_scale(data, true);
    const double group = group_width(data), extra = chart_bars_extra(data);
    const double width = fmin(0.86 * group / (double)data->line_count, 60);
    bar_place place = {.width = 0.92 * width, .named = numbers_fit(data, width)};
    chart_y_axis(to, data, &y);
    for (size_t i = 0; i < data->x_count; i++) {
        const double middle = CHART_LEFT + ((double)i + 0.5) * group;
        write_group_name(to, group_name(data, i, name, sizeof name), middle, extra > 0);
        place.left = middle - 0.5 * width * (double)data->line_count;
        for (size_t line = 0; line < data->line_count; line++, place.left += width)
            write_bar(to, data, line, i, &y, place);
    }
    chart_x_label(to, data, extra);
}

/* --- stacked: a bar per row, from left to right -------------------------------------------------- */

enum { STACK_ROW = 17, STACK_GROUP = 26, STACK_LEFT = 150, STACK_RIGHT = 76 };

static bool has_stages(const chart_data *data, size_t line, size_t at)
{
    const papers_row *const row = lines_cell(data, line, at)->row;
    return row && lines_stage_sum(row) > 0;
}

double chart_stages_height(const chart_data *data)
{
    double height = 30;
    for (size_t i = 0; i < data->x_count; i++) {
        if (data->line_count > 1) height += STACK_GROUP;
        for (size_t line = 0; line < data->line_count; line++) height += has_stages(data, line, i) ? STACK_ROW : 0;
    }
    return height;
}

/* Returns the longest sum of stages. Bars show shares where the sums differ too much for a common scale. */
static double longest_sum(const chart_data *data, bool *shares)
{
    enum { TOO_MUCH = 25 };
    double least = 0, greatest = 0;
    if (chart_range(data, true, &least, &greatest)) *shares = greatest > TOO_MUCH * least;
    return greatest;
}

static void write_stack(page *to, const char *label, const papers_row *row, double top, double full)
{
    double stages[LINES_STAGES], left = STACK_LEFT;
    lines_stages(row, stages);
    page_add(to, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">", STACK_LEFT - 6, top + 11);
    page_escaped(to, label);
    page_add(to, "</text>");
    for (int i = 0; i < LINES_STAGES; i++) {
        const double width = stages[i] / full * (CHART_WIDTH - STACK_LEFT - STACK_RIGHT);
        if (width <= 0) continue;
        page_add(
            to,
            "<rect class=\"t%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\"><title>%s: %s ms</title></rect>", i,
            left, top, width, STACK_ROW - 4, lines_stage_names[i], page_rounded(stages[i]).text);
        left += width;
    }
    page_add(to, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s ms</text>\n", chart_is_wrong(row) ? "tick wrong" : "tick",
             left + 6, top + 11, page_rounded(lines_stage_sum(row)).text);
}

/* Writes the name of a group of bars. */
static void write_stack_heading(page *to, const chart_data *data, const char *name, double top)
{
    page_add(to, "<text class=\"label\" x=\"8\" y=\"%.1f\">", top + 14);
    page_escaped(to, data->chart->x_label);
    page_add(to, ": ");
    page_escaped(to, name);
    page_add(to, "</text>\n");
}

/* A chart of several lines has a group of bars per x. A chart of one line has a bar per x, named by it. */
void chart_write_stages(page *to, const chart_data *data)
{
    char name[80];
    bool shares = false;
    const double longest = longest_sum(data, &shares);
    const bool grouped = data->line_count > 1;
    double top = 6;
    for (size_t i = 0; i < data->x_count; i++) {
        group_name(data, i, name, sizeof name);
        if (grouped) write_stack_heading(to, data, name, top), top += STACK_GROUP - 4;
        for (size_t line = 0; line < data->line_count; line++) {
            if (!has_stages(data, line, i)) continue;
            const papers_row *const row = lines_cell(data, line, i)->row;
            write_stack(to, grouped ? data->lines[line].label : name, row, top,
                        shares ? lines_stage_sum(row) : longest);
            top += STACK_ROW;
        }
        if (grouped) top += 4;
    }
    if (!grouped)
        page_add(to, "<text class=\"label\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">", STACK_LEFT - 6, top + 14),
            page_escaped(to, data->chart->x_label), page_add(to, "</text>\n");
    page_add(to, "<text class=\"label\" text-anchor=\"middle\" x=\"%d\" y=\"%.1f\">%s</text>\n",
             (STACK_LEFT + CHART_WIDTH - STACK_RIGHT) / 2, top + 14,
             shares ? "share of the stages; their sum at the right" : "time of the stages, ms");
}
