/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the claims of sections 5.2.1 to 5.2.3: size, number of clusters and point degree.
 */
#include "claims/claims_ec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EC_ES = 3 }; /* the first three methods */

/* --- size ---------------------------------------------------------------------------------------- */

papers_judgement ec_judge_all_faster(const papers_table *rows)
{
    const ec_line pcl = ec_line_of(rows, "ec-size", "pcl-best", "cpu");
    double least = 0, at = 0;
    const char *slowest = "";
    for (size_t i = 0; i < pcl.count; i++)
        for (int m = 0; m < EC_METHODS; m++) {
            const double s = ec_speedup(rows, "ec-size", ec_method_names[m], pcl.row[i]->x);
            if (s > 0 && (least == 0 || s < least)) least = s, slowest = ec_method_names[m], at = pcl.row[i]->x;
        }
    if (least == 0) return ec_missing("ec-size");
    char ours[200];
    snprintf(ours, sizeof ours, "at least %.3gx", least);
    return papers_decide(least > 1, ours,
                         "The least speed-up over PCL at its best is %.3g, of %s at %g points; above 1 holds.", least,
                         slowest, at);
}

papers_judgement ec_judge_97(const papers_table *rows)
{
    static const char *const experiments[] = {"ec-size", "ec-clusters", "ec-degree", "ec-distance"};
    double most = 0, at = 0;
    const char *best = "", *where = "";
    for (int e = 0; e < 4; e++) {
        const ec_line pcl = ec_line_of(rows, experiments[e], "pcl-best", "cpu");
        for (size_t i = 0; i < pcl.count; i++)
            for (int m = 0; m < EC_METHODS; m++) {
                const double s = ec_speedup(rows, experiments[e], ec_method_names[m], pcl.row[i]->x);
                if (s > most) most = s, best = ec_method_names[m], where = experiments[e], at = pcl.row[i]->x;
            }
    }
    if (most == 0) return ec_missing("ec-size, ec-clusters, ec-degree and ec-distance");
    char ours[200];
    snprintf(ours, sizeof ours, "%.0fx", most);
    return papers_decide(most >= 97, ours, "%s at %s %g is %.0f times as fast as PCL at its best; 97 or more holds.",
                         best, where, at, most);
}

papers_judgement ec_judge_es_falls(const papers_table *rows)
{
    bool holds = true;
    char ours[200] = "";
    for (int m = 0; m < EC_ES; m++) {
        const double middle = ec_speedup(rows, "ec-size", ec_method_names[m], 32768);
        const double last = ec_speedup(rows, "ec-size", ec_method_names[m], 262144);
        if (middle == 0 || last == 0) return ec_missing("ec-size");
        holds = holds && last < middle;
        const size_t length = strlen(ours);
        snprintf(ours + length, sizeof ours - length, "%s%s %.3gx to %.3gx", m ? ", " : "", ec_method_names[m], middle,
                 last);
    }
    return papers_decide(holds, ours, "Holds where each ES method gains less over PCL at 262144 points than at 32768.");
}

papers_judgement ec_judge_build_share(const papers_table *rows)
{
    const papers_row *const row = papers_find(rows, "ec-size", "matrix-es", 262144, "cuda");
    if (!row || row->runs == 0) return ec_missing("ec-size");
    const double share = 100 * row->build_ms / row->median_ms;
    char ours[200];
    snprintf(ours, sizeof ours, "%.3g %%", share);
    return papers_decide(
        share >= 99, ours,
        "Building the matrix takes %.3g of %.3g ms, the initial clustering %.3g ms; 99 %% or more holds.",
        row->build_ms, row->median_ms, row->initial_ms);
}

/* Adds the speed-ups of a method at the least size, at its best and at the greatest size to `out`. Returns the last over
 * the best; 0 where one is missing. */
static double list_speedups(const papers_table *rows, const char *method, char *out, size_t size)
{
    const ec_line pcl = ec_line_of(rows, "ec-size", "pcl-best", "cpu");
    double first = 0, last = 0, most = 0, at = 0;
    for (size_t i = 0; i < pcl.count; i++) {
        last = ec_speedup(rows, "ec-size", method, pcl.row[i]->x);
        if (i == 0) first = last;
        if (last > most) most = last, at = pcl.row[i]->x;
    }
    if (pcl.count < 3 || first == 0 || last == 0) return 0;
    const size_t length = strlen(out);
    snprintf(out + length, size - length, "%s%s %.3gx to %.3gx", length ? ", " : "", method, first, last);
    if (last < most) {
        const size_t behind = strlen(out);
        snprintf(out + behind, size - behind, " (%.3gx at %g)", most, at);
    }
    return last / most;
}

papers_judgement ec_judge_rs_grows(const papers_table *rows)
{
    char ours[200] = "";
    const double edge = list_speedups(rows, "edge-rs", ours, sizeof ours);
    const double matrix = list_speedups(rows, "matrix-rs", ours, sizeof ours);
    if (edge == 0 || matrix == 0) return ec_missing("ec-size");
    return papers_decide(
        edge >= 1 && matrix >= 1, ours,
        "Speed-up over PCL at the least and the greatest size, and the greatest speed-up in brackets; holds "
        "where that is at the greatest size.");
}

papers_judgement ec_judge_vertex_falls(const papers_table *rows)
{
    char ours[200] = "";
    const double vertex = list_speedups(rows, "vertex-rs", ours, sizeof ours);
    if (vertex == 0) return ec_missing("ec-size");
    return papers_decide(vertex < 1, ours,
                         "Speed-up over PCL at the least and the greatest size; holds where it is greater in between.");
}

papers_judgement ec_judge_vertex_slower(const papers_table *rows)
{
    const papers_row *const vertex = papers_find(rows, "ec-size", "vertex-rs", 262144, "cuda");
    const papers_row *const edge = papers_find(rows, "ec-size", "edge-rs", 262144, "cuda");
    if (!vertex || !edge || vertex->runs == 0 || edge->runs == 0) return ec_missing("ec-size");
    char ours[200];
    snprintf(ours, sizeof ours, "%.3g and %.3g ms", vertex->cluster_ms, edge->cluster_ms);
    return papers_decide(vertex->cluster_ms > edge->cluster_ms, ours,
                         "The clustering stage at 262144 points takes vertex-rs %.3g ms and edge-rs %.3g ms.",
                         vertex->cluster_ms, edge->cluster_ms);
}

/* --- clusters and degree ------------------------------------------------------------------------- */

papers_judgement ec_judge_more_clusters(const papers_table *rows)
{
    char ours[200];
    double least;
    const double most =
        ec_list_numbers(rows, "ec-clusters", 0, EC_METHODS, ec_growth, ec_median_ms, ours, sizeof ours, &least);
    if (most == 0) return ec_missing("ec-clusters");
    return papers_decide(most < 1, ours,
                         "Time with the most clusters over that with the fewest; below 1 for all six holds.");
}

static papers_judgement judge_constant_es(const papers_table *rows, const char *experiment)
{
    char ours[200];
    double least;
    const double most = ec_list_numbers(rows, experiment, 0, EC_ES, ec_spread, ec_median_ms, ours, sizeof ours, &least);
    if (most == 0) return ec_missing(experiment);
    return ec_constant(most, ours, "Longest over shortest time of each ES method");
}

papers_judgement ec_judge_build_90(const papers_table *rows)
{
    double least = 100, most = 0;
    for (int m = 0; m < EC_ES; m++) {
        const ec_line line = ec_line_of(rows, "ec-clusters", ec_method_names[m], "cuda");
        if (line.count < 2) return ec_missing("ec-clusters");
        for (size_t i = 0; i < line.count; i++) {
            const double share = 100 * line.row[i]->build_ms / line.row[i]->median_ms;
            least = fmin(least, share), most = fmax(most, share);
        }
    }
    char ours[200];
    snprintf(ours, sizeof ours, "%.0f to %.0f %%", least, fmin(most, 100));
    return papers_decide(least >= 80, ours,
                         "Share of building in the time of the ES methods; 80 %% or more in every case holds.");
}

papers_judgement ec_judge_es_clusters(const papers_table *rows)
{
    return judge_constant_es(rows, "ec-clusters");
}

papers_judgement ec_judge_es_degree(const papers_table *rows)
{
    return judge_constant_es(rows, "ec-degree");
}

papers_judgement ec_judge_es_loses(const papers_table *rows)
{
    char ours[200] = "";
    double most = 0;
    for (int m = 0; m < EC_ES; m++)
        for (double x = 4096; x <= 8192; x *= 2) {
            const double s = ec_speedup(rows, "ec-clusters", ec_method_names[m], x);
            if (s == 0) return ec_missing("ec-clusters");
            if (s > most) most = s;
            const size_t length = strlen(ours);
            snprintf(ours + length, sizeof ours - length, "%s%s %.3gx", length ? ", " : "", ec_method_names[m], s);
        }
    return papers_decide(most < 1, ours,
                         "At 4096 and 8192 clusters the best ES method is %.3g times as fast as PCL; below 1 holds.",
                         most);
}

papers_judgement ec_judge_pcl_degree(const papers_table *rows)
{
    const ec_line pcl = ec_line_of(rows, "ec-degree", "pcl-best", "cpu");
    const double growth = ec_growth(&pcl, ec_median_ms);
    if (growth == 0) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "%.3gx", growth);
    return papers_decide(growth >= 4, ours,
                         "PCL at its best takes %.3g times as long at degree %g as at degree %g; 4 or more holds.",
                         growth, pcl.row[pcl.count - 1]->x, pcl.row[0]->x);
}

papers_judgement ec_judge_build_degree(const papers_table *rows)
{
    char ours[200];
    double least;
    const double most =
        ec_list_numbers(rows, "ec-degree", EC_ES, EC_METHODS, ec_growth, ec_build_ms, ours, sizeof ours, &least);
    if (most == 0) return ec_missing("ec-degree");
    return papers_decide(least >= EC_CHANGED, ours,
                         "Building time at the greatest degree over that at the least; %g or more for all three holds.",
                         EC_CHANGED);
}

/* Returns the line of a method with labels in place, as the paper has them; where that was not measured, with two arrays. */
static ec_line line_in_place(const papers_table *rows, const char *in_place, const char *two_arrays)
{
    const ec_line line = ec_line_of(rows, "ec-degree", in_place, "cuda");
    return line.count > 1 ? line : ec_line_of(rows, "ec-degree", two_arrays, "cuda");
}

/* Returns the row of the line with this x; null where there is none. */
static const papers_row *row_at(const ec_line *line, double x)
{
    for (size_t i = 0; i < line->count; i++)
        if (line->row[i]->x == x) return line->row[i];
    return NULL;
}

papers_judgement ec_judge_edge_best(const papers_table *rows)
{
    const ec_line edge = line_in_place(rows, "edge-rs in place", "edge-rs");
    const papers_row *best = NULL, *const at_32 = row_at(&edge, 32), *const at_64 = row_at(&edge, 64);
    for (size_t i = 0; i < edge.count; i++)
        if (!best || edge.row[i]->cluster_ms < best->cluster_ms) best = edge.row[i];
    if (!best || !at_32 || !at_64) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "fastest at %g", best->x);
    return papers_decide(
        best == at_32 || best == at_64, ours,
        "The clustering stage of %s is the shortest, %.3g ms, at degree %g; at 32 and 64 it takes %.3g and "
        "%.3g ms.",
        best->series, best->cluster_ms, best->x, at_32->cluster_ms, at_64->cluster_ms);
}

/* Returns the clustering stage at the greatest degree over that at 64: the paper's is the least there, and grows. */
static double growth_from_64(const ec_line *line)
{
    const papers_row *const from = row_at(line, 64);
    return from && from->cluster_ms > 0 ? line->row[line->count - 1]->cluster_ms / from->cluster_ms : 0;
}

papers_judgement ec_judge_vertex_degree(const papers_table *rows)
{
    const ec_line vertex = line_in_place(rows, "vertex-rs in place", "vertex-rs"),
                  edge = line_in_place(rows, "edge-rs in place", "edge-rs"),
                  matrix = ec_line_of(rows, "ec-degree", "matrix-rs", "cuda");
    const double v = growth_from_64(&vertex), e = growth_from_64(&edge), m = growth_from_64(&matrix);
    if (v == 0 || e == 0 || m == 0) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "%s %.3gx, %s %.3gx, matrix-rs %.3gx", vertex.row[0]->series, v, edge.row[0]->series, e,
             m);
    return papers_decide(
        v >= EC_CHANGED && v > e && v > m, ours,
        "Clustering stage at degree %g over that at degree 64; holds where vertex's is %g or more and above "
        "the others'.",
        vertex.row[vertex.count - 1]->x, EC_CHANGED);
}

papers_judgement ec_judge_matrix_degree(const papers_table *rows)
{
    const ec_line line = ec_line_of(rows, "ec-degree", "matrix-rs", "cuda");
    const double spread = ec_spread(&line, ec_cluster_ms);
    if (line.count < 2 || spread == 0) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "%.2fx", spread);
    return ec_constant(spread, ours, "Longest over shortest clustering stage of matrix-rs");
}
