/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines.h: the numbers of one chart on one machine: a table with a column per line of the chart and a row per x.
 */
#ifndef CLUMP_BENCH_PAPERS_LINES_H
#define CLUMP_BENCH_PAPERS_LINES_H

#include "papers/papers.h"

enum { LINES_COLOURS = 11, LINES_MARKS = 7 }; /* without a common divisor: 77 pairs differ */

/* A line of a chart: the rows of one series on one backend, or the numbers that the paper gives of a series. */
typedef struct chart_line {
    const char *series, *backend; /* backend "": of the paper */
    int threads;
    bool by_threads; /* another line differs in its threads alone */
    bool is_given;   /* not measured: the paper's numbers, or of the chart's source */
    unsigned style;  /* colour is style % LINES_COLOURS, mark is style % LINES_MARKS */
    unsigned dash;   /* 0: solid */
    char label[112]; /* for the legend and the table: "vertex-rs, GPU" */
} chart_line;

/* A number of a chart. */
typedef struct chart_cell {
    double y;              /* NaN: there is none */
    const papers_row *row; /* null: of the paper, or there is none */
} chart_cell;

typedef struct chart_data {
    const papers_chart *chart;
    chart_line *lines;
    size_t line_count;
    double *x; /* ascending */
    size_t x_count;
    chart_cell *cells; /* x_count per line */
    bool both;         /* lines of CPU and GPU */
} chart_data;

/* The order of the series of a paper, so that a series has one colour in all charts where that is possible. Zeroed is
 * valid. */
typedef struct chart_styles {
    const char *series[256];
    size_t count;
} chart_styles;

/* Adds the series of the rows of this paper. */
void lines_learn(chart_styles *styles, const papers_table *rows, const char *paper);

/* Gives every line its style, dash and label. */
void lines_finish(chart_data *data, const chart_styles *styles);

/* Collects the numbers of a chart from the rows of one machine. Lines without any number are left out. No line: the
 * machine has no rows for the chart. Returns false where there is no memory. */
bool lines_collect(const papers_chart *chart, const papers_given *given, const papers_table *rows,
                   const chart_styles *styles, chart_data *out);
void lines_free(chart_data *data);

const chart_cell *lines_cell(const chart_data *data, size_t line, size_t x);

/* Returns whether the line has a number; else all its rows were left out. */
bool lines_has_numbers(const chart_data *data, size_t line);

/* Writes the name of a place on the x axis. */
void lines_x_name(const papers_chart *chart, double x, char *out, size_t size);

/* Returns whether the list has the word: "a,b" has "a". */
bool lines_listed(const char *list, const char *word);

/* The stages of MEASURE_STAGES. */
enum { LINES_STAGES = 7 };
extern const char *const lines_stage_names[LINES_STAGES];
void lines_stages(const papers_row *row, double out[LINES_STAGES]);

/* Returns the sum of the stages in ms; 0: not known. */
double lines_stage_sum(const papers_row *row);

#endif
