/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the claims of section 5.2.5, scans of sensors.
 */
#include "claims/claims_ec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The x of ec-sensors. */
enum { SENSOR_VLP16, SENSOR_HDL32E, SENSOR_HDL64E, SENSOR_HIGH, SENSOR_KITTI };

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
    return papers_decide(strcmp(a->series, "matrix-es") == 0 && strcmp(b->series, "matrix-es") == 0, ours,
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
    const bool holds[2] = {a->median_ms < other[0]->median_ms, b->median_ms < other[1]->median_ms};
    char ours[200];
    snprintf(ours, sizeof ours, "VLP-16: %s, HDL-32E: %s", holds[0] ? "yes" : "no", holds[1] ? "yes" : "no");
    return papers_decide(
        holds[0] && holds[1], ours,
        "matrix-es at its best b beside the fastest other: %.3g ms (b = %g) and %.3g ms (%s), %.3g ms (b = "
        "%g) and %.3g ms (%s); faster on both sensors holds.",
        a->median_ms, a->x, other[0]->median_ms, other[0]->series, b->median_ms, b->x, other[1]->median_ms,
        other[1]->series);
}

papers_judgement ec_judge_speedup_small(const papers_table *rows)
{
    const double a = ec_speedup(rows, "ec-sensors", "matrix-es", SENSOR_VLP16);
    const double b = ec_speedup(rows, "ec-sensors", "matrix-es", SENSOR_HDL32E);
    if (a == 0 || b == 0) return ec_missing("ec-sensors");
    char ours[200];
    snprintf(ours, sizeof ours, "%.3gx, %.3gx", a, b);
    return papers_decide(a >= 2.2 && b >= 3.5, ours,
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
    return papers_decide(
        wins == cases, ours,
        "Four sensors, ES and RS apart: matrix is the fastest of the three in %d of %d; all of them holds.", wins,
        cases);
}

papers_judgement ec_judge_third_sensor(const papers_table *rows)
{
    const papers_row *const best = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_HDL64E);
    if (!best) return ec_missing("ec-sensors");
    const double matrix = papers_median(rows, "ec-sensors", "matrix-es", SENSOR_HDL64E, "cuda");
    return papers_decide(strcmp(best->series, "matrix-es") == 0, best->series,
                         "HDL-64E, %zu points: the fastest is %s with %.3g ms, matrix-es takes %.3g ms.", best->points,
                         best->series, best->median_ms, matrix);
}

papers_judgement ec_judge_last_sensor(const papers_table *rows)
{
    const papers_row *const best = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_HIGH);
    if (!best) return ec_missing("ec-sensors");
    const double matrix = papers_median(rows, "ec-sensors", "matrix-rs", SENSOR_HIGH, "cuda");
    return papers_decide(strcmp(best->series, "matrix-rs") == 0, best->series,
                         "HDL-64E high res, %zu points: the fastest is %s with %.3g ms, matrix-rs takes %.3g ms.",
                         best->points, best->series, best->median_ms, matrix);
}

/* Returns the greatest speed-up over PCL on this sensor; 0 where there is none. */
static double greatest_speedup(const papers_table *rows, int sensor)
{
    double most = 0;
    for (int m = 0; m < EC_METHODS; m++) most = fmax(most, ec_speedup(rows, "ec-sensors", ec_method_names[m], sensor));
    return most;
}

/* The speed-up grows with the scan, so both are told: that on scans of the paper's sizes, and that on a larger one. */
papers_judgement ec_judge_87(const papers_table *rows)
{
    const papers_row *const frame = papers_find(rows, "ec-sensors", "pcl-best", SENSOR_KITTI, "cpu");
    double most = 0;
    for (int sensor = SENSOR_VLP16; sensor <= SENSOR_HIGH; sensor++) most = fmax(most, greatest_speedup(rows, sensor));
    const double kitti = greatest_speedup(rows, SENSOR_KITTI);
    if (most == 0) return ec_missing("ec-sensors");
    char ours[200], larger[100] = "";
    snprintf(ours, sizeof ours, "%.0fx", most);
    if (frame && kitti > 0) {
        snprintf(ours, sizeof ours, "%.0fx, %.0fx on a larger frame", most, kitti);
        snprintf(larger, sizeof larger, ", %.0f on a frame of KITTI with %zu points", kitti, frame->points);
    }
    return papers_decide(
        fmax(most, kitti) >= 87, ours,
        "Over PCL at its best: %.0f on simulated scans of the paper's sizes%s; 87 or more on one holds.", most, larger);
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
    return papers_decide(least >= 100, ours,
                         "The least precision of %zu rows: all methods, sensors and backends; 100 %% holds.", found);
}

papers_judgement ec_judge_pcl_some(const papers_table *rows)
{
    double least = 0;
    for (int sensor = SENSOR_VLP16; sensor <= SENSOR_HDL32E; sensor++)
        for (int m = 0; m < EC_METHODS; m++) {
            const double s = ec_speedup(rows, "ec-sensors", ec_method_names[m], sensor);
            if (s == 0) return ec_missing("ec-sensors");
            if (least == 0 || s < least) least = s;
        }
    char ours[200];
    snprintf(ours, sizeof ours, "at least %.3gx", least);
    return papers_decide(
        least < 1, ours,
        "The least speed-up over PCL at its best, by median times of VLP-16 and HDL-32E; below 1 holds.");
}

papers_judgement ec_judge_pcl_small(const papers_table *rows)
{
    const papers_row *const best = ec_fastest(rows, "ec-sensors", ec_method_names, EC_METHODS, SENSOR_VLP16);
    const double pcl = papers_median(rows, "ec-sensors", "pcl-best", SENSOR_VLP16, "cpu");
    if (!best || pcl == 0) return ec_missing("ec-sensors");
    char ours[200];
    snprintf(ours, sizeof ours, "PCL %.3g ms, %s %.3g ms", pcl, best->series, best->median_ms);
    return papers_decide(pcl < best->median_ms, ours,
                         "On VLP-16 scans of %zu points PCL at its best takes %.3g ms, the fastest of the six %.3g ms.",
                         best->points, pcl, best->median_ms);
}
