/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of one chart on one machine: see lines.h.
 */
#include "report/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lines_stage_names[LINES_STAGES] = {"upload", "build", "initial", "cluster",
                                                     "merge",  "label", "download"};

void lines_stages(const papers_row *row, double out[LINES_STAGES])
{
    const double stages[LINES_STAGES] = {row->upload_ms, row->build_ms, row->initial_ms, row->cluster_ms,
                                         row->merge_ms,  row->label_ms, row->download_ms};
    for (int i = 0; i < LINES_STAGES; i++) out[i] = stages[i] > 0 ? stages[i] : 0;
}

double lines_stage_sum(const papers_row *row)
{
    double stages[LINES_STAGES], sum = 0;
    lines_stages(row, stages);
    for (int i = 0; i < LINES_STAGES; i++) sum += stages[i];
    return sum;
}

bool lines_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    }
    return false;
}

void lines_x_name(const papers_chart *chart, double x, char *out, size_t size)
{
    const char *at = chart->x_names;
    for (double i = 0; at && i < x; i++) {
        at = strchr(at, ',');
        at += at != NULL;
    }
    if (at && x >= 0 && x == floor(x))
        snprintf(out, size, "%.*s", (int)strcspn(at, ","), at);
    else
        snprintf(out, size, "%.10g", x);
}

/* --- collecting ---------------------------------------------------------------------------------- */

static bool row_is_shown(const papers_chart *chart, const papers_row *row)
{
    return strcmp(row->experiment, chart->experiment) == 0 && isfinite(row->x) &&
           (!chart->series || lines_listed(chart->series, row->series)) &&
           (!chart->backend || strcmp(chart->backend, row->backend) == 0);
}

static bool given_is_shown(const papers_chart *chart, const papers_given *given)
{
    return strcmp(given->experiment, chart->experiment) == 0 && given->measure == chart->measure &&
           (!chart->series || lines_listed(chart->series, given->series));
}

/* Returns the row of the line that a speed-up is computed from; null where there is none. */
static const papers_row *base_of(const papers_chart *chart, const papers_table *rows, const papers_row *of)
{
    const papers_row *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, of->experiment) != 0 || row->median_ms <= 0) continue;
        if (!chart->base) {
            if (strcmp(row->series, of->series) == 0 && strcmp(row->backend, of->backend) == 0 &&
                (!best || row->x < best->x))
                best = row;
        } else if (strcmp(row->series, chart->base) == 0 && row->x == of->x && (!best || row->threads == 1))
            best = row;
    }
    return best;
}

/* Returns the number of a row that the chart shows; NaN where there is none. */
static double number_of(const papers_chart *chart, const papers_table *rows, const papers_row *row)
{
    const papers_row *base = NULL;
    switch (chart->measure) {
    case MEASURE_TIME:
        return row->median_ms > 0 ? row->median_ms : (double)NAN;
    case MEASURE_SPEEDUP:
        base = row->median_ms > 0 ? base_of(chart, rows, row) : NULL;
        return base ? base->median_ms / row->median_ms : (double)NAN;
    case MEASURE_PASSES:
        return row->runs ? (double)row->passes : (double)NAN;
    case MEASURE_CLUSTERS:
        return row->runs ? (double)row->clusters : (double)NAN;
    case MEASURE_VALUE:
        return row->value;
    case MEASURE_STAGES:
        return lines_stage_sum(row) > 0 ? lines_stage_sum(row) : (double)NAN;
    case MEASURE_PICTURE:
        break;
    }
    return (double)NAN;
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Finds the places on the x axis. */
static void collect_x(const papers_chart *chart, const papers_given *given, const papers_table *rows, chart_data *out)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (row_is_shown(chart, &rows->rows[i])) out->x[count++] = rows->rows[i].x;
    for (; given && given->experiment; given++)
        if (given_is_shown(chart, given)) out->x[count++] = given->x;
    qsort(out->x, count, sizeof *out->x, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (out->x_count == 0 || out->x[i] != out->x[out->x_count - 1]) out->x[out->x_count++] = out->x[i];
}

static bool is_same_line(const papers_chart *chart, const papers_row *a, const papers_row *b)
{
    return strcmp(a->series, b->series) == 0 && strcmp(a->backend, b->backend) == 0 && row_is_shown(chart, a);
}

/* Returns whether the series has rows on this backend and of one x that differ in threads. */
static bool is_by_threads(const papers_chart *chart, const papers_table *rows, const papers_row *row)
{
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const a = &rows->rows[i];
        if (!is_same_line(chart, a, row)) continue;
        for (size_t k = i + 1; k < rows->count; k++) {
            const papers_row *const b = &rows->rows[k];
            if (a->x == b->x && a->threads != b->threads && is_same_line(chart, b, row)) return true;
        }
    }
    return false;
}

/* Returns the index of the line of a row, or of the paper's numbers where row is null; adds it where it is new. */
static size_t line_of(chart_data *out, const papers_table *rows, const papers_row *row, const char *series)
{
    for (size_t i = 0; i < out->line_count; i++) {
        const chart_line *const line = &out->lines[i];
        if (strcmp(line->series, series) != 0 || line->is_given == (row != NULL)) continue;
        if (!row || (strcmp(line->backend, row->backend) == 0 && (!line->by_threads || line->threads == row->threads)))
            return i;
    }
    chart_line *const line = &out->lines[out->line_count];
    *line = (chart_line){.series = series, .backend = row ? row->backend : "", .is_given = !row};
    if (row) line->threads = row->threads, line->by_threads = is_by_threads(out->chart, rows, row);
    for (size_t x = 0; x < out->x_count; x++)
        out->cells[out->line_count * out->x_count + x] = (chart_cell){(double)NAN, NULL};
    return out->line_count++;
}

static chart_cell *cell_of(chart_data *out, size_t line, double x)
{
    size_t at = 0;
    while (out->x[at] != x) at++;
    return &out->cells[line * out->x_count + at];
}

/* Sorts the lines: all of a series beside each other, the paper's last. */
static void sort_lines(chart_data *out)
{
    for (size_t i = 1; i < out->line_count; i++) {
        const chart_line line = out->lines[i];
        size_t place = i;
        for (size_t k = i; k > 0 && place == i; k--)
            if (strcmp(out->lines[k - 1].series, line.series) == 0) place = k;
        memmove(&out->lines[place + 1], &out->lines[place], (i - place) * sizeof line);
        out->lines[place] = line;
    }
}

/* Finds the lines, then their cells. */
static void fill_cells(const papers_chart *chart, const papers_given *given, const papers_table *rows, chart_data *out)
{
    for (size_t i = 0; i < rows->count; i++)
        if (row_is_shown(chart, &rows->rows[i])) line_of(out, rows, &rows->rows[i], rows->rows[i].series);
    for (const papers_given *g = given; g && g->experiment; g++)
        if (given_is_shown(chart, g)) line_of(out, rows, NULL, g->series);
    sort_lines(out);
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (row_is_shown(chart, row))
            *cell_of(out, line_of(out, rows, row, row->series), row->x) =
                (chart_cell){number_of(chart, rows, row), row};
    }
    for (; given && given->experiment; given++)
        if (given_is_shown(chart, given))
            cell_of(out, line_of(out, rows, NULL, given->series), given->x)->y = given->number;
}

/* Removes lines to which the measure does not apply: all numbers are NaN, or counts that are all 0. A line whose rows
 * were all left out stays, so that the table lists them. */
static void drop_lines(chart_data *out)
{
    const papers_measure measure = out->chart->measure;
    const bool counts = measure == MEASURE_PASSES || measure == MEASURE_CLUSTERS;
    size_t kept = 0, ours = 0;
    for (size_t i = 0; i < out->line_count; i++) {
        const chart_cell *const cells = &out->cells[i * out->x_count];
        bool stays = false;
        for (size_t x = 0; x < out->x_count; x++) {
            const bool left_out = cells[x].row && !cells[x].row->runs && *cells[x].row->note;
            stays |= isfinite(cells[x].y) ? !counts || cells[x].y > 0 : left_out && measure == MEASURE_TIME;
        }
        if (!stays) continue;
        memmove(&out->cells[kept * out->x_count], cells, out->x_count * sizeof *cells);
        out->lines[kept++] = out->lines[i];
        ours += !out->lines[i].is_given;
    }
    out->line_count = ours ? kept : 0;
}

/* Removes places without any cell of the lines that stayed. */
static void drop_places(chart_data *out)
{
    size_t kept = 0;
    const size_t width = out->x_count;
    bool *const stays = calloc(width + 1, sizeof *stays);
    if (!stays) return;
    for (size_t i = 0; i < out->line_count * width; i++)
        stays[i % width] |= out->cells[i].row || isfinite(out->cells[i].y);
    for (size_t i = 0; i < out->line_count * width; i++)
        if (stays[i % width]) out->cells[kept++] = out->cells[i];
    kept = 0;
    for (size_t x = 0; x < width; x++)
        if (stays[x]) out->x[kept++] = out->x[x];
    out->x_count = kept;
    free(stays);
}

bool lines_collect(const papers_chart *chart, const papers_given *given, const papers_table *rows,
                   const chart_styles *styles, chart_data *out)
{
    size_t most = 1, shown = 0;
    for (const papers_given *g = given; g && g->experiment; g++) most++;
    for (size_t i = 0; i < rows->count; i++) shown += row_is_shown(chart, &rows->rows[i]);
    most += shown;
    *out = (chart_data){.chart = chart, .x = malloc(most * sizeof(double)), .lines = malloc(most * sizeof(chart_line))};
    if (!out->x || !out->lines) return lines_free(out), false;
    if (shown) collect_x(chart, given, rows, out);
    out->cells = malloc((most * out->x_count + 1) * sizeof *out->cells);
    if (!out->cells) return lines_free(out), false;
    if (shown) fill_cells(chart, given, rows, out);
    drop_lines(out);
    drop_places(out);
    lines_finish(out, styles);
    return true;
}

void lines_free(chart_data *data)
{
    free(data->lines);
    free(data->x);
    free(data->cells);
    *data = (chart_data){0};
}

const chart_cell *lines_cell(const chart_data *data, size_t line, size_t x)
{
    return &data->cells[line * data->x_count + x];
}

bool lines_has_numbers(const chart_data *data, size_t line)
{
    for (size_t x = 0; x < data->x_count; x++)
        if (isfinite(lines_cell(data, line, x)->y)) return true;
    return false;
}
