/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the claims of section 5.2.5, scans of sensors, and of section 6, the discussion.
 */
#include "claims_ec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The x of ec-sensors. */
enum { SENSOR_VLP16, SENSOR_HDL32E, SENSOR_HDL64E, SENSOR_HIGH, SENSOR_KITTI };
enum { EC_ES = 3 }; /* the first three methods */

/* --- scans --------------------------------------------------------------------------------------- */

papers_judgement ec_judge_small_scans(const papers_table *rows)
{
    const papers_row *const a = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_VLP16);
    const papers_row *const b = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_HDL32E);
    if (!a || !b) return ec_missing("ec-sensors");
    const double es_a = papers_median(rows, "ec-sensors", "matrix-es", SENSOR_VLP16, "cuda");
    const double es_b = papers_median(rows, "ec-sensors", "matrix-es", SENSOR_HDL32E, "cuda");
    char ours[200];
    snprintf(ours, sizeof ours, "fastest: %s, %s", a->series, b->series);
    return ec_verdict(strcmp(a->series, "matrix-es") == 0 && strcmp(b->series, "matrix-es") == 0, ours,
                      "VLP-16: %s %.3g ms, matrix-es %.3g ms. HDL-32E: %s %.3g ms, matrix-es %.3g ms.", a->series,
                      a->median_ms, es_a, b->series, b->median_ms, es_b);
}

/* Returns the fastest matrix-es of any b on the cloud, and the fastest of the other five in *other. */
static const papers_row *fastest_block(const papers_table *rows, const char *cloud, const papers_row **other)
{
    const papers_row *best = NULL;
    *other = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        const char *const space = strchr(row->series, ' ');
        if (strcmp(row->experiment, "ec-block") != 0 || strcmp(row->backend, "cuda") != 0 || row->runs == 0) continue;
        if (!space || strcmp(space + 1, cloud) != 0) continue;
        const papers_row **const kept = strncmp(row->series, "matrix-es", 9) == 0 ? &best : other;
        if (!*kept || row->median_ms < (*kept)->median_ms) *kept = row;
    }
    return best;
}

papers_judgement ec_judge_any_block(const papers_table *rows)
{
    const papers_row *other[2];
    const papers_row *const a = fastest_block(rows, "vlp-16", &other[0]);
    const papers_row *const b = fastest_block(rows, "hdl-32e", &other[1]);
    if (!a || !b || !other[0] || !other[1]) return ec_missing("ec-block");
    char ours[200];
    snprintf(ours, sizeof ours, "b = %g: %.3g ms, b = %g: %.3g ms", a->x, a->median_ms, b->x, b->median_ms);
    return ec_verdict(a->median_ms < other[0]->median_ms && b->median_ms < other[1]->median_ms, ours,
                      "matrix-es at its best b beside the fastest other: %.3g and %.3g ms (%s), %.3g and %.3g ms (%s).",
                      a->median_ms, other[0]->median_ms, other[0]->series, b->median_ms, other[1]->median_ms,
                      other[1]->series);
}

papers_judgement ec_judge_speedup_small(const papers_table *rows)
{
    const double a = ec_speedup(rows, "ec-sensors", "matrix-es", SENSOR_VLP16);
    const double b = ec_speedup(rows, "ec-sensors", "matrix-es", SENSOR_HDL32E);
    if (a == 0 || b == 0) return ec_missing("ec-sensors");
    char ours[200];
    snprintf(ours, sizeof ours, "%.2gx, %.2gx", a, b);
    return ec_verdict(a >= 2.2 && b >= 3.5, ours,
                      "Over PCL at its best; at least 2.2 (VLP-16) and 3.5 (HDL-32E) holds.");
}

papers_judgement ec_judge_matrix_sensors(const papers_table *rows)
{
    int wins = 0, cases = 0;
    for (int sensor = SENSOR_VLP16; sensor <= SENSOR_HIGH; sensor++)
        for (int kind = 0; kind < 2; kind++) {
            const papers_row *const best = ec_fastest(rows, "ec-sensors", ec_method_names + 3 * kind, 3, sensor);
            if (!best) return ec_missing("ec-sensors");
            cases++, wins += strncmp(best->series, "matrix", 6) == 0;
        }
    char ours[200];
    snprintf(ours, sizeof ours, "in %d of %d cases", wins, cases);
    return ec_verdict(
        wins == cases, ours,
        "Four sensors, ES and RS apart: matrix is the fastest of the three in %d of %d; all of them holds.", wins,
        cases);
}

papers_judgement ec_judge_last_sensor(const papers_table *rows)
{
    const papers_row *const best = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_HIGH);
    if (!best) return ec_missing("ec-sensors");
    const double matrix = papers_median(rows, "ec-sensors", "matrix-rs", SENSOR_HIGH, "cuda");
    return ec_verdict(strcmp(best->series, "matrix-rs") == 0, best->series,
                      "HDL-64E high res, %zu points: the fastest is %s with %.3g ms, matrix-rs takes %.3g ms.",
                      best->points, best->series, best->median_ms, matrix);
}

papers_judgement ec_judge_87(const papers_table *rows)
{
    double most = 0;
    int at = 0;
    const char *best = "";
    for (int sensor = SENSOR_VLP16; sensor <= SENSOR_KITTI; sensor++)
        for (int m = 0; m < EC_METHODS; m++) {
            const double s = ec_speedup(rows, "ec-sensors", ec_method_names[m], sensor);
            if (s > most) most = s, at = sensor, best = ec_method_names[m];
        }
    if (most == 0) return ec_missing("ec-sensors");
    char ours[200];
    snprintf(ours, sizeof ours, "%.0fx", most);
    return ec_verdict(most >= 87, ours, "%s is %.0f times as fast as PCL at its best on %s; 87 or more holds.", best,
                      most, at == SENSOR_KITTI ? "a frame of KITTI" : "a simulated sequence");
}

papers_judgement ec_judge_precision(const papers_table *rows)
{
    double least = 100;
    size_t found = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const papers_row *const row = &rows->rows[i];
        if (strcmp(row->experiment, "ec-sensors") != 0 || row->runs == 0 || isnan(row->value)) continue;
        if (strncmp(row->series, "pcl", 3) == 0) continue;
        found++;
        if (row->value < least) least = row->value;
    }
    if (found == 0) return ec_missing("ec-sensors");
    char ours[200];
    snprintf(ours, sizeof ours, "%.4g %%", least);
    return ec_verdict(least >= 100, ours,
                      "The least precision of %zu rows: all methods, sensors and backends; 100 %% holds.", found);
}

papers_judgement ec_judge_pcl_small(const papers_table *rows)
{
    const papers_row *const best = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_VLP16);
    const double pcl = papers_median(rows, "ec-sensors", "pcl-best", SENSOR_VLP16, "cpu");
    if (!best || pcl == 0) return ec_missing("ec-sensors");
    char ours[200];
    snprintf(ours, sizeof ours, "PCL %.3g ms, %s %.3g ms", pcl, best->series, best->median_ms);
    return ec_verdict(pcl < best->median_ms, ours,
                      "On VLP-16 scans of %zu points PCL at its best takes %.3g ms, the fastest of the six %.3g ms.",
                      best->points, pcl, best->median_ms);
}

/* --- the discussion ------------------------------------------------------------------------------ */

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
    return ec_verdict(
        range[1] < 1, ours,
        "Exponents of the time from 4096 to 262144 points; below 1 for all three holds. (Here k grows, too.)");
}

papers_judgement ec_judge_es_order(const papers_table *rows)
{
    char ours[200];
    double range[2];
    if (!exponents(rows, 0, 65536, range, ours, sizeof ours)) return ec_missing("ec-size");
    return ec_verdict(range[0] >= 1.6 && range[1] <= 2.2, ours,
                      "Exponents of the time from 65536 to 262144 points; 1.6 to 2.2 for all three holds.");
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
    return ec_verdict(holds, ours,
                      "The fastest of the six by size: ES at 4096 and 8192, RS at 65536 and 262144 points holds.");
}

papers_judgement ec_judge_matrix_high_degree(const papers_table *rows)
{
    const ec_line line = ec_line_of(rows, "ec-degree", "matrix-rs", "cuda");
    if (line.count < 2) return ec_missing("ec-degree");
    const papers_row *const matrix = line.row[line.count - 1];
    const papers_row *const best = ec_fastest(rows, "ec-degree", ec_method_names + EC_ES, 3, matrix->x);
    if (!best) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "fastest: %s", best->series);
    return ec_verdict(best == matrix, ours,
                      "At degree %g the fastest RS method is %s with %.3g ms; matrix-rs takes %.3g ms.", matrix->x,
                      best->series, best->median_ms, matrix->median_ms);
}

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
    return ec_verdict(bytes[1] <= bytes[0] && bytes[1] <= bytes[2], ours,
                      "Memory of the RS methods at %g points; holds where edge-rs needs the least.", x);
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
    return ec_verdict(at_first || at_last, far,
                      "matrix-rs needs the most memory at %s; at distance 1 it needs %.3g MB, vertex-rs %.3g MB.",
                      at_first && at_last ? "distances 1 and 1024"
                      : at_last           ? "distance 1024, not at 1"
                                          : "neither distance",
                      first[2] / 1e6, first[0] / 1e6);
}
