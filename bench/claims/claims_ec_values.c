/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the judges of the Euclidean clustering paper share: lines of rows, and numbers of them. See claims_ec.h.
 */
#include "claims/claims_ec.h"

#include <stdio.h>
#include <string.h>

const char *const ec_method_names[EC_METHODS] = {"vertex-es", "edge-es", "matrix-es",
                                                 "vertex-rs", "edge-rs", "matrix-rs"};

/* --- rows ---------------------------------------------------------------------------------------- */

ec_line ec_line_of(const papers_table *rows, const char *experiment, const char *series, const char *backend)
{
    ec_line line = {.count = 0};
    for (size_t i = 0; i < rows->count && line.count < EC_LINE_MOST; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, experiment) != 0 || strcmp(row->series, series) != 0) continue;
        if (strcmp(row->backend, backend) != 0 || row->runs == 0) continue;
        size_t place = line.count++;
        for (; place > 0 && line.row[place - 1]->x > row->x; place--) line.row[place] = line.row[place - 1];
        line.row[place] = row;
    }
    return line;
}

double ec_median_ms(const papers_row *row)
{
    return row->median_ms;
}

double ec_build_ms(const papers_row *row)
{
    return row->build_ms;
}

double ec_initial_ms(const papers_row *row)
{
    return row->initial_ms;
}

double ec_cluster_ms(const papers_row *row)
{
    return row->cluster_ms;
}

double ec_spread(const ec_line *line, ec_number *number)
{
    double least = 0, most = 0;
    for (size_t i = 0; i < line->count; i++) {
        const double n = number(line->row[i]);
        if (i == 0 || n < least) least = n;
        if (i == 0 || n > most) most = n;
    }
    return least > 0 ? most / least : 0;
}

double ec_growth(const ec_line *line, ec_number *number)
{
    if (line->count < 2) return 0;
    const double first = number(line->row[0]), last = number(line->row[line->count - 1]);
    return first > 0 ? last / first : 0;
}

double ec_speedup(const papers_table *rows, const char *experiment, const char *series, double x)
{
    const double ours = papers_median(rows, experiment, series, x, "cuda");
    return ours > 0 ? papers_median(rows, experiment, "pcl-best", x, "cpu") / ours : 0;
}

const papers_row *ec_fastest(const papers_table *rows, const char *experiment, const char *const names[], size_t count,
                             double x)
{
    const papers_row *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const papers_row *const row = papers_find(rows, experiment, names[i], x, "cuda");
        if (!row || row->runs == 0) return NULL;
        if (!best || row->median_ms < best->median_ms) best = row;
    }
    return best;
}

double ec_list_numbers(const papers_table *rows, const char *experiment, int first, int last,
                       double (*of)(const ec_line *line, ec_number *number), ec_number *number, char *out, size_t size,
                       double *least)
{
    double most = 0;
    *least = 0, out[0] = '\0';
    for (int m = first; m < last; m++) {
        const ec_line line = ec_line_of(rows, experiment, ec_method_names[m], "cuda");
        const double n = line.count > 1 ? of(&line, number) : 0;
        if (n == 0) return 0;
        if (n > most) most = n;
        if (m == first || n < *least) *least = n;
        const size_t length = strlen(out);
        snprintf(out + length, size - length, "%s%s %.2f", m > first ? ", " : "", ec_method_names[m], n);
    }
    return most;
}

papers_judgement ec_constant(double spread, const char *ours, const char *what)
{
    papers_judgement j = papers_decide(spread <= EC_CONSTANT, ours, "%s; at most %g holds, %g or more does not.", what,
                                       EC_CONSTANT, EC_CHANGED);
    if (spread > EC_CONSTANT && spread < EC_CHANGED) j.verdict = VERDICT_UNKNOWN;
    return j;
}

papers_judgement ec_missing(const char *experiment)
{
    return papers_unknown("Rows of %s are missing: not measured on this machine, or left out.", experiment);
}
