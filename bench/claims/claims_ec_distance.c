/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the claims of section 5.2.4: the average point distance.
 */
#include "claims/claims_ec.h"

#include <math.h>
#include <stdio.h>

papers_judgement ec_judge_distance(const papers_table *rows)
{
    double others = 0, matrix = 0;
    for (int m = 0; m < EC_METHODS; m++) {
        const ec_line line = ec_line_of(rows, "ec-distance", ec_method_names[m], "cuda");
        const double spread = line.count > 1 ? ec_spread(&line, ec_median_ms) : 0;
        if (spread == 0) return ec_missing("ec-distance");
        const bool is_matrix = m % 3 == 2;
        if (!is_matrix && spread > others) others = spread;
        if (is_matrix && (matrix == 0 || spread < matrix)) matrix = spread;
    }
    char ours[200];
    snprintf(ours, sizeof ours, "matrix %.3gx, others %.3gx", matrix, others);
    return papers_decide(
        others <= EC_CONSTANT && matrix > EC_CONSTANT, ours,
        "Longest over shortest time: above %g for both matrix methods and at most %g for the others holds.",
        EC_CONSTANT, EC_CONSTANT);
}

papers_judgement ec_judge_passes(const papers_table *rows)
{
    ec_line line = ec_line_of(rows, "ec-distance", "matrix-rs", "cuda");
    if (line.count < 2) line = ec_line_of(rows, "ec-distance", "matrix-rs", "cpu");
    const double growth = ec_growth(&line, ec_median_ms);
    if (growth == 0 || line.row[0]->x != 1 || line.row[line.count - 1]->x != 1024) return ec_missing("ec-distance");
    const papers_row *const first = line.row[0], *const last = line.row[line.count - 1];
    char ours[200];
    snprintf(ours, sizeof ours, "%lld to %lld passes, %.4g to %.4g ms (%s)", first->passes, last->passes,
             first->median_ms, last->median_ms, first->backend);
    return papers_decide(
        last->passes > first->passes && growth >= 3, ours,
        "The time at distance 1024 is %.3g times that at distance 1; 3 or more, with more passes, holds.", growth);
}

/* Writes a stage of both matrix methods at the greatest distance over that at 1. Returns false where one is missing. */
static bool stage_growth(const papers_table *rows, ec_number *number, double out[2], char *ours, size_t size)
{
    for (int k = 0; k < 2; k++) {
        const ec_line line = ec_line_of(rows, "ec-distance", k ? "matrix-rs" : "matrix-es", "cuda");
        out[k] = ec_growth(&line, number);
    }
    snprintf(ours, size, "matrix-es %.2fx, matrix-rs %.2fx", out[0], out[1]);
    return out[0] > 0 && out[1] > 0;
}

papers_judgement ec_judge_initial(const papers_table *rows)
{
    double growth[2];
    char ours[200];
    if (!stage_growth(rows, ec_initial_ms, growth, ours, sizeof ours)) return ec_missing("ec-distance");
    const double low = fmin(growth[0], growth[1]), high = fmax(growth[0], growth[1]);
    return ec_constant(
        fmax(high, 1 / low), ours,
        "Initial clustering at the greatest distance over that at distance 1, either way (our kernel skips "
        "points without a neighbour)");
}

papers_judgement ec_judge_build_distance(const papers_table *rows)
{
    double growth[2];
    char ours[200];
    if (!stage_growth(rows, ec_build_ms, growth, ours, sizeof ours)) return ec_missing("ec-distance");
    return papers_decide(fmin(growth[0], growth[1]) > 1, ours,
                         "Building at the greatest distance over that at distance 1; above 1 for both holds.");
}
