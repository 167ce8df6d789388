/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The charts of a paper: a figure per machine with its legend and the table of its numbers. See report.h.
 */
#include "report/chart.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tables -------------------------------------------------------------------------------------- */

static void write_x_name(page *to, const chart_data *data, size_t at)
{
    char name[80];
    lines_x_name(data->chart, data->x[at], name, sizeof name);
    page_escaped(to, data->chart->x_names ? name : page_exact(data->x[at]).text);
}

/* Writes the table of a chart of lines or bars: one column per line. */
static void number_table(page *to, const chart_data *data)
{
    page_add(to, "<thead><tr><th>");
    page_escaped(to, data->chart->x_label);
    page_add(to, "</th>");
    for (size_t i = 0; i < data->line_count; i++)
        page_add(to, "<th>"), page_escaped(to, data->lines[i].label), page_add(to, "</th>");
    page_add(to, "</tr></thead>\n<tbody>\n");
    for (size_t x = 0; x < data->x_count; x++) {
        page_add(to, "<tr><th>");
        write_x_name(to, data, x);
        page_add(to, "</th>");
        for (size_t i = 0; i < data->line_count; i++) {
            const chart_cell *const cell = lines_cell(data, i, x);
            const bool left_out = cell->row && *cell->row->note && !isfinite(cell->y);
            page_add(to, "<td%s>%s</td>",
                     chart_is_wrong(cell->row) ? " class=\"wrong\""
                     : data->lines[i].is_given ? " class=\"given\""
                                               : "",
                     left_out ? "left out" : page_rounded(cell->y).text);
        }
        page_add(to, "</tr>\n");
    }
    page_add(to, "</tbody>\n");
}

/* Writes the table of a chart of stages: one row per bar. */
static void stage_table(page *to, const chart_data *data)
{
    double stages[LINES_STAGES];
    page_add(to, "<thead><tr><th>");
    page_escaped(to, data->chart->x_label);
    page_add(to, "</th><th></th>");
    for (int i = 0; i < LINES_STAGES; i++) page_add(to, "<th>%s</th>", lines_stage_names[i]);
    page_add(to, "<th>median of all, ms</th></tr></thead>\n<tbody>\n");
    for (size_t x = 0; x < data->x_count; x++)
        for (size_t line = 0; line < data->line_count; line++) {
            const papers_row *const row = lines_cell(data, line, x)->row;
            if (!row || lines_stage_sum(row) <= 0) continue;
            page_add(to, "<tr%s><th>", chart_is_wrong(row) ? " class=\"wrong\"" : "");
            write_x_name(to, data, x);
            page_add(to, "</th><th>");
            page_escaped(to, data->lines[line].label);
            page_add(to, "</th>");
            lines_stages(row, stages);
            for (int i = 0; i < LINES_STAGES; i++) page_add(to, "<td>%s</td>", page_rounded(stages[i]).text);
            page_add(to, "<td>%s</td></tr>\n", page_rounded(row->median_ms > 0 ? row->median_ms : (double)NAN).text);
        }
    page_add(to, "</tbody>\n");
}

/* Writes the notes of the rows as a list. Returns how many rows were left out. */
static size_t write_notes(page *to, const chart_data *data)
{
    size_t count = 0, left_out = 0;
    for (size_t line = 0; line < data->line_count; line++)
        for (size_t x = 0; x < data->x_count; x++) {
            const papers_row *const row = lines_cell(data, line, x)->row;
            if (!row || !*row->note) continue;
            page_add(to, count++ ? "<li>" : "<ul class=\"notes\">\n<li>");
            page_escaped(to, data->lines[line].label);
            page_add(to, ", ");
            write_x_name(to, data, x);
            page_add(to, ": ");
            page_escaped(to, row->note);
            page_add(to, "</li>\n");
            if (!isfinite(lines_cell(data, line, x)->y)) left_out++;
        }
    if (count) page_add(to, "</ul>\n");
    return left_out;
}

/* --- figures ------------------------------------------------------------------------------------- */

static void write_figure(page *to, const chart_data *data, const report_machine *here)
{
    page_add(to, "<figure>\n<figcaption>");
    page_escaped(to, here->name);
    page_add(to, "</figcaption>\n<div class=\"scroll\">\n");
    chart_write(to, data, here->name);
    page_add(to, "</div>\n");
    chart_legend(to, data);
    page_add(to, "<details><summary>Numbers</summary>\n<div class=\"scroll\"><table class=\"numbers\">\n");
    if (data->chart->measure == MEASURE_STAGES)
        stage_table(to, data);
    else
        number_table(to, data);
    page_add(to, "</table></div>\n");
    const size_t left_out = write_notes(to, data);
    page_add(to, "</details>\n");
    if (left_out)
        page_add(to, "<p class=\"why\">%zu row%s left out: see the numbers.</p>\n", left_out,
                 left_out == 1 ? " was" : "s were");
    page_add(to, "</figure>\n");
}

static void write_heading(page *to, const papers_chart *chart)
{
    page_add(to, "<h3>");
    if (*chart->figure) {
        page_add(to, "<span class=\"place\">");
        page_escaped(to, chart->figure);
        page_add(to, "</span> ");
    }
    page_escaped(to, chart->title);
    page_add(to, "</h3>\n");
}

/* Adds a line to the list of charts and pictures that are absent, with the reason. */
static void write_absent(page *to, const papers_chart *chart, const char *why)
{
    page_add(to, "<li>");
    page_escaped(to, chart->figure);
    page_add(to, *chart->figure ? ": " : "");
    page_escaped(to, chart->title);
    page_add(to, " (<code>");
    page_escaped(to, chart->experiment);
    page_add(to, "</code>%s", *why ? ": " : "");
    page_escaped(to, why);
    page_add(to, ")</li>\n");
}

/* Writes the chart, unless no machine has rows for it: a line in the list of absent charts then. */
static bool write_chart(page *to, page *absent, const report_input *input, const papers_chart *chart,
                        const papers_given *given, const chart_styles *styles)
{
    page figures = {0};
    bool done = true;
    for (size_t i = 0; i < input->count && done; i++) {
        chart_data data;
        done = lines_collect(chart, given, &input->machines[i].rows, styles, &data);
        if (done && data.line_count) write_figure(&figures, &data, &input->machines[i]);
        lines_free(&data);
    }
    if (figures.length) {
        page_add(to, "<section class=\"block\">\n");
        write_heading(to, chart);
        page_add(to, "<div class=\"figures\">\n");
        page_put(to, figures.text, figures.length);
        page_add(to, "</div>\n</section>\n");
    } else
        write_absent(absent, chart, chart->backend && strcmp(chart->backend, "cuda") == 0 ? "needs a GPU" : "");
    done = done && !figures.failed;
    page_free(&figures);
    return done;
}

/* --- pictures ------------------------------------------------------------------------------------ */

/* Writes the picture as a part of the page. Returns false where the file cannot be read or
 * is too large. */
static bool embed_picture(page *to, const char *folder, const papers_chart *chart)
{
    enum { MOST = 4 << 20 };
    char path[1100];
    snprintf(path, sizeof path, "%.900s/%.150s", folder, chart->base);
    FILE *const from = fopen(path, "rb");
    unsigned char *const bytes = from ? malloc(MOST) : NULL;
    const size_t count = bytes ? fread(bytes, 1, MOST, from) : 0;
    const bool is_whole = count > 0 && count < MOST;
    if (is_whole) {
        page_add(to, "<img alt=\"");
        page_escaped(to, chart->title);
        page_add(to, "\" src=\"data:image/png;base64,");
        page_base64(to, bytes, count);
        page_add(to, "\"/>\n");
    }
    free(bytes);
    if (from) fclose(from);
    return is_whole;
}

/* Writes a run of pictures side by side. Returns the chart after them. */
static const papers_chart *write_pictures(page *to, page *absent, const papers_chart *chart, const char *folder)
{
    page figures = {0};
    for (; chart->experiment && chart->measure == MEASURE_PICTURE; chart++) {
        page picture = {0};
        if (!embed_picture(&picture, folder, chart)) {
            char why[200];
            snprintf(why, sizeof why, "%.150s is not beside the report", chart->base);
            write_absent(absent, chart, why);
            continue;
        }
        page_add(&figures, "<figure>\n%s<figcaption><span class=\"place\">", picture.text);
        page_escaped(&figures, chart->figure);
        page_add(&figures, "</span> ");
        page_escaped(&figures, chart->title);
        page_add(&figures, "</figcaption>\n</figure>\n");
        figures.failed |= picture.failed;
        page_free(&picture);
    }
    if (figures.length)
        page_add(to, "<section class=\"block wide\">\n<div class=\"pictures\">\n%s</div>\n</section>\n", figures.text);
    to->failed |= figures.failed;
    page_free(&figures);
    return chart;
}

bool html_charts(page *to, const report_input *input, const papers_paper *paper, const char *folder)
{
    chart_styles styles = {0};
    for (size_t i = 0; i < input->count; i++) lines_learn(&styles, &input->machines[i].rows, paper->name);
    page absent = {0};
    bool done = true;
    /* The charts of one machine stand side by side; else the machines do. */
    page_add(to, "<div class=\"%s\">\n", input->count == 1 ? "charts" : "rows");
    for (const papers_chart *chart = paper->charts; chart && chart->experiment && done;) {
        if (chart->measure == MEASURE_PICTURE)
            chart = write_pictures(to, &absent, chart, folder);
        else
            done = write_chart(to, &absent, input, chart++, paper->given, &styles);
    }
    page_add(to, "</div>\n");
    if (absent.length)
        page_add(to, "<div class=\"absent\">Not measured, or not there:\n<ul>\n%s</ul></div>\n", absent.text);
    done = done && !absent.failed;
    page_free(&absent);
    return done;
}
