/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chart.h: charts as SVG. Colours are classes of the page's style sheet (html_style.c): c0 ... c10 of series, t0 ... t6 of
 * stages. Every mark has a <title>, which browsers show under the pointer.
 */
#ifndef CLUMP_BENCH_PAPERS_CHART_H
#define CLUMP_BENCH_PAPERS_CHART_H

#include "report/lines.h"
#include "report/page.h"

#include <stdbool.h>
#include <stddef.h>

/* --- scale.c: an axis: from numbers to places in a picture, and where its ticks are ----------------- */

enum { SCALE_TICKS = 24 };

typedef struct scale {
    double from, to;  /* numbers at the ends; from < to */
    double low, high; /* their places */
    bool is_log;
} scale;

/* Returns an axis for numbers from least to greatest, whose ends are ticks. A logarithmic axis needs least > 0. A linear
 * axis begins at 0 where least is smaller than half of greatest, or from_zero is set. */
scale scale_for(double least, double greatest, bool is_log, bool from_zero);

/* Returns the place of a number. */
double scale_at(const scale *s, double number);

/* Writes the ticks: steps of 1, 2 or 5; on a logarithmic axis powers of ten, with 2 and 5 where they are few. Returns
 * their number. */
size_t scale_ticks(const scale *s, double ticks[SCALE_TICKS]);

/* --- chart.c ---------------------------------------------------------------------------------------- */

enum { CHART_WIDTH = 600, CHART_HEIGHT = 350, CHART_LEFT = 62, CHART_RIGHT = 14, CHART_TOP = 12, CHART_BOTTOM = 46 };

/* Writes the legend as a list. */
void chart_legend(page *to, const chart_data *data);

/* --- parts that the kinds of charts share (chart.c) ---------------------------------------------- */

/* Finds the least and the greatest number that can be drawn; false: there is none. */
bool chart_range(const chart_data *data, bool positive, double *least, double *greatest);

/* Returns the y axis of a chart of lines or bars. is_log is false where a number is not positive. */
scale chart_y_scale(const chart_data *data, bool from_zero);

void chart_begin(page *to, const chart_data *data, const char *here, double height);
void chart_y_axis(page *to, const chart_data *data, const scale *y);

/* Writes the label of the x axis, this much lower than usual. */
void chart_x_label(page *to, const chart_data *data, double lower);

/* Writes a mark of the series at a place; hollow: the paper's. wrong: in a red ring. */
void chart_mark(page *to, unsigned style, double x, double y, bool hollow, bool wrong);

/* Writes <title> of a number: what it is, its value, and what the row says besides. */
void chart_title(page *to, const chart_data *data, size_t line, size_t x);

/* Returns whether the answers of the row differ from the reference. */
bool chart_is_wrong(const papers_row *row);

/* --- kinds --------------------------------------------------------------------------------------- */

/* Writes the chart: lines, bars or stacked bars. here: the machine, for screen readers. */
void chart_write(page *to, const chart_data *data, const char *here);

void chart_write_lines(page *to, const chart_data *data);
void chart_write_bars(page *to, const chart_data *data);
void chart_write_stages(page *to, const chart_data *data);
double chart_stages_height(const chart_data *data);

/* Returns by how much a chart of bars is higher than others, because its groups have long names. */
double chart_bars_extra(const chart_data *data);

#endif
