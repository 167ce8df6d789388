/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the lines of a chart look and what they are called: see lines.h.
 */
#include "report/lines.h"

#include <stdio.h>
#include <string.h>

static size_t style_of(const chart_styles *styles, const char *series)
{
    for (size_t i = 0; i < styles->count; i++)
        if (strcmp(styles->series[i], series) == 0) return i;
    return styles->count;
}

void lines_learn(chart_styles *styles, const papers_table *rows, const char *paper)
{
    const size_t length = strlen(paper), most = sizeof styles->series / sizeof *styles->series;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strncmp(row->experiment, paper, length) != 0 || row->experiment[length] != '-') continue;
        if (styles->count < most && style_of(styles, row->series) == styles->count)
            styles->series[styles->count++] = row->series;
    }
}

/* Returns whether a line before this one has the style, or only the colour of it. */
static bool is_used(const chart_data *data, size_t before, unsigned style, bool colour_only)
{
    const unsigned of = colour_only ? LINES_COLOURS : LINES_COLOURS * LINES_MARKS;
    for (size_t i = 0; i < before; i++)
        if (data->lines[i].style % of == style % of) return true;
    return false;
}

/* Gives every series of the chart its style: that of the paper, or the next whose colour is not in use. Where all colours
 * are, pairs of colour and mark differ. */
static void choose_styles(chart_data *data, const chart_styles *styles)
{
    unsigned chosen = 0;
    for (size_t i = 0; i < data->line_count; i++) {
        chart_line *const line = &data->lines[i];
        size_t same = 0;
        while (strcmp(data->lines[same].series, line->series) != 0) same++;
        if (same < i) {
            line->style = data->lines[same].style;
            continue;
        }
        line->style = (unsigned)style_of(styles, line->series);
        for (int tries = 0; tries < LINES_COLOURS * LINES_MARKS; tries++, line->style++)
            if (!is_used(data, i, line->style, chosen < LINES_COLOURS)) break;
        chosen++;
    }
}

static void write_label(const chart_data *data, chart_line *line)
{
    char threads[32] = "";
    if (line->by_threads && line->threads == 0) snprintf(threads, sizeof threads, ", default threads");
    if (line->by_threads && line->threads > 0)
        snprintf(threads, sizeof threads, ", %d thread%s", line->threads, line->threads > 1 ? "s" : "");
    const char *where = "";
    if (line->is_given)
        where = data->chart->source ? data->chart->source : "the paper";
    else if (data->both)
        where = strcmp(line->backend, "cuda") == 0 ? "GPU" : "CPU";
    snprintf(line->label, sizeof line->label, "%.40s%s%.30s%s", line->series, *where ? ", " : "", where, threads);
}

void lines_finish(chart_data *data, const chart_styles *styles)
{
    bool cpu = false, gpu = false;
    for (size_t i = 0; i < data->line_count; i++) {
        cpu |= strcmp(data->lines[i].backend, "cpu") == 0;
        gpu |= strcmp(data->lines[i].backend, "cuda") == 0;
    }
    data->both = cpu && gpu;
    choose_styles(data, styles);
    for (size_t i = 0; i < data->line_count; i++) {
        chart_line *const line = &data->lines[i];
        line->dash =
            (gpu && strcmp(line->backend, "cpu") == 0 ? 1u : 0u) + (line->by_threads && line->threads != 1 ? 1u : 0u);
        write_label(data, line);
    }
}
