/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the claims of section 6, the discussion: orders of growth, which method for which cloud, memory.
 */
#include "claims/claims_ec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EC_ES = 3 }; /* the first three methods */

/* --- orders of growth ---------------------------------------------------------------------------- */

/* Returns the exponent e of time ~ points^e between two sizes; NaN where one is missing. */
static double exponent(const papers_table *rows, const char *series, double from, double to)
{
    const double a = papers_median(rows, "ec-size", series, from, "cuda");
    const double b = papers_median(rows, "ec-size", series, to, "cuda");
    return a > 0 && b > 0 ? log(b / a) / log(to / from) : (double)NAN;
}

/* Writes the exponents of three methods, the first at `first`. Returns false where one is missing. */
static bool exponents(const papers_table *rows, int first, double from, double range[2], char *out, size_t size)
{
    out[0] = '\0';
    for (int m = first; m < first + 3; m++) {
        const double e = exponent(rows, ec_method_names[m], from, 262144);
        if (isnan(e)) return false;
        if (m == first || e < range[0]) range[0] = e;
        if (m == first || e > range[1]) range[1] = e;
        const size_t length = strlen(out);
        snprintf(out + length, size - length, "%s%s %.2f", m > first ? ", " : "", ec_method_names[m], e);
    }
    return true;
}

papers_judgement ec_judge_rs_order(const papers_table *rows)
{
    char ours[200];
    double range[2];
    if (!exponents(rows, EC_ES, 4096, range, ours, sizeof ours)) return ec_missing("ec-size");
    return papers_decide(
        range[1] < 1, ours,
        "Exponents of the time from 4096 to 262144 points; below 1 for all three holds. (Here k grows, too.)");
}

papers_judgement ec_judge_es_order(const papers_table *rows)
{
    char ours[200];
    double range[2];
    if (!exponents(rows, 0, 131072, range, ours, sizeof ours)) return ec_missing("ec-size");
    return papers_decide(
        range[0] >= 1.6 && range[1] <= 2.2, ours,
        "Exponents of the time from 131072 to 262144 points, the largest clouds; 1.6 to 2.2 for all three holds.");
}

papers_judgement ec_judge_es_or_rs(const papers_table *rows)
{
    static const double sizes[] = {4096, 8192, 65536, 262144};
    bool holds = true;
    char ours[200] = "";
    for (int i = 0; i < 4; i++) {
        const papers_row *const best = ec_fastest(rows, "ec-size", ec_method_names, EC_METHODS, sizes[i]);
        if (!best) return ec_missing("ec-size");
        const bool exhaustive = strstr(best->series, "-es") != NULL;
        holds = holds && exhaustive == (i < 2);
        const size_t length = strlen(ours);
        snprintf(ours + length, sizeof ours - length, "%s%g: %s", i ? ", " : "", sizes[i], best->series);
    }
    return papers_decide(holds, ours,
                         "The fastest of the six by size: ES at 4096 and 8192, RS at 65536 and 262144 points holds.");
}

/* --- which method for which cloud ---------------------------------------------------------------- */

/* Judges the RS methods at the least or the greatest x of an experiment. Holds where matrix-rs is the fastest; `matrix`
 * false: where it is not. */
static papers_judgement judge_choice(const papers_table *rows, const char *experiment, bool greatest, bool matrix)
{
    const ec_line line = ec_line_of(rows, experiment, "matrix-rs", "cuda");
    if (line.count < 2) return ec_missing(experiment);
    const papers_row *const ours = line.row[greatest ? line.count - 1 : 0];
    const papers_row *const best = ec_fastest(rows, experiment, ec_method_names + EC_ES, 3, ours->x);
    if (!best) return ec_missing(experiment);
    char fastest[200];
    snprintf(fastest, sizeof fastest, "fastest: %s", best->series);
    return papers_decide((best == ours) == matrix, fastest,
                         "RS methods of %s at %g: vertex-rs %.3g ms, edge-rs %.3g ms, matrix-rs %.3g ms.", experiment,
                         ours->x, papers_median(rows, experiment, "vertex-rs", ours->x, "cuda"),
                         papers_median(rows, experiment, "edge-rs", ours->x, "cuda"), ours->median_ms);
}

papers_judgement ec_judge_matrix_high_degree(const papers_table *rows)
{
    return judge_choice(rows, "ec-degree", true, true);
}

papers_judgement ec_judge_matrix_large_clusters(const papers_table *rows)
{
    return judge_choice(rows, "ec-clusters", false, true);
}

papers_judgement ec_judge_matrix_near(const papers_table *rows)
{
    return judge_choice(rows, "ec-distance", false, true);
}

papers_judgement ec_judge_others_low_degree(const papers_table *rows)
{
    return judge_choice(rows, "ec-degree", false, false);
}

papers_judgement ec_judge_others_small_clusters(const papers_table *rows)
{
    return judge_choice(rows, "ec-clusters", true, false);
}

/* --- memory -------------------------------------------------------------------------------------- */

/* Writes the bytes of the RS methods at one x, on the GPU or else on the CPU. Returns false where one is missing. */
static bool memory_of(const papers_table *rows, const char *experiment, double x, double bytes[3], char *out,
                      size_t size)
{
    const char *const backend = papers_find(rows, experiment, "edge-rs", x, "cuda") ? "cuda" : "cpu";
    for (int m = 0; m < 3; m++) {
        const papers_row *const row = papers_find(rows, experiment, ec_method_names[EC_ES + m], x, backend);
        if (!row || row->runs == 0) return false;
        bytes[m] = row->value;
    }
    snprintf(out, size, "vertex-rs %.3g, edge-rs %.3g, matrix-rs %.3g MB (%s)", bytes[0] / 1e6, bytes[1] / 1e6,
             bytes[2] / 1e6, backend);
    return true;
}

papers_judgement ec_judge_edge_memory(const papers_table *rows)
{
    char ours[200];
    double bytes[3], x = 262144;
    if (!memory_of(rows, "ec-size", x, bytes, ours, sizeof ours) &&
        !memory_of(rows, "ec-size", x = 65536, bytes, ours, sizeof ours))
        return ec_missing("ec-size");
    return papers_decide(
        bytes[1] <= bytes[0] && bytes[1] <= bytes[2], ours,
        "Memory of the RS methods at %g points; holds where edge-rs needs the least. Our matrix has a bit "
        "per pair of labels, the paper's an int.",
        x);
}

papers_judgement ec_judge_matrix_memory(const papers_table *rows)
{
    char near[200], far[200];
    double first[3], last[3];
    if (!memory_of(rows, "ec-distance", 1, first, near, sizeof near) ||
        !memory_of(rows, "ec-distance", 1024, last, far, sizeof far))
        return ec_missing("ec-distance");
    const bool at_first = first[2] >= first[0] && first[2] >= first[1],
               at_last = last[2] >= last[0] && last[2] >= last[1];
    return papers_decide(at_first || at_last, far,
                         "matrix-rs needs the most memory at %s; at distance 1 it needs %.3g MB, vertex-rs %.3g MB.",
                         at_first && at_last ? "distances 1 and 1024"
                         : at_last           ? "distance 1024, not at 1"
                                             : "neither distance",
                         first[2] / 1e6, first[0] / 1e6);
}
