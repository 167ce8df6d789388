/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges of the claims of sections 5.2.1 to 5.2.4: clouds of four factors.
 */
#include "claims_ec.h"

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
    snprintf(ours, sizeof ours, "at least %.2gx", least);
    return ec_verdict(least > 1, ours,
                      "The least speed-up over PCL at its best is %.2g, of %s at %g points; above 1 holds.", least,
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
    return ec_verdict(most >= 97, ours, "%s at %s %g is %.0f times as fast as PCL at its best; 97 or more holds.", best,
                      where, at, most);
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
        snprintf(ours + length, sizeof ours - length, "%s%s %.2gx to %.2gx", m ? ", " : "", ec_method_names[m], middle,
                 last);
    }
    return ec_verdict(holds, ours, "Holds where each ES method gains less over PCL at 262144 points than at 32768.");
}

papers_judgement ec_judge_build_share(const papers_table *rows)
{
    const papers_row *const row = papers_find(rows, "ec-size", "matrix-es", 262144, "cuda");
    if (!row || row->runs == 0) return ec_missing("ec-size");
    const double share = 100 * row->build_ms / row->median_ms;
    char ours[200];
    snprintf(ours, sizeof ours, "%.3g %%", share);
    return ec_verdict(share >= 99, ours,
                      "Building the matrix takes %.3g of %.3g ms, the initial clustering %.3g ms; 99 %% or more holds.",
                      row->build_ms, row->median_ms, row->initial_ms);
}

papers_judgement ec_judge_rs_grows(const papers_table *rows)
{
    static const char *const names[] = {"edge-rs", "matrix-rs"};
    const ec_line pcl = ec_line_of(rows, "ec-size", "pcl-best", "cpu");
    bool holds = pcl.count > 2;
    char ours[200] = "";
    for (int m = 0; m < 2; m++) {
        double first = 0, last = 0, most = 0;
        for (size_t i = 0; i < pcl.count; i++) {
            last = ec_speedup(rows, "ec-size", names[m], pcl.row[i]->x);
            if (i == 0) first = last;
            most = last > most ? last : most;
        }
        if (first == 0 || last == 0) return ec_missing("ec-size");
        holds = holds && last >= most;
        const size_t length = strlen(ours);
        snprintf(ours + length, sizeof ours - length, "%s%s %.3gx to %.3gx", m ? ", " : "", names[m], first, last);
    }
    return ec_verdict(holds, ours, "Holds where the speed-up over PCL is the greatest at the greatest size.");
}

papers_judgement ec_judge_vertex_slower(const papers_table *rows)
{
    const papers_row *const vertex = papers_find(rows, "ec-size", "vertex-rs", 262144, "cuda");
    const papers_row *const edge = papers_find(rows, "ec-size", "edge-rs", 262144, "cuda");
    if (!vertex || !edge || vertex->runs == 0 || edge->runs == 0) return ec_missing("ec-size");
    char ours[200];
    snprintf(ours, sizeof ours, "%.3g and %.3g ms", vertex->cluster_ms, edge->cluster_ms);
    return ec_verdict(vertex->cluster_ms > edge->cluster_ms, ours,
                      "The clustering stage at 262144 points takes vertex-rs %.3g ms and edge-rs %.3g ms.",
                      vertex->cluster_ms, edge->cluster_ms);
}

/* --- clusters and degree ------------------------------------------------------------------------- */

/* Writes "vertex-es 1.02, ..." of the methods first ... last - 1. Returns the greatest number; 0 where one is missing. */
static double list_numbers(const papers_table *rows, const char *experiment, int first, int last,
                           double (*of)(const ec_line *line, ec_number *number), ec_number *number, char *out,
                           size_t size, double *least)
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

papers_judgement ec_judge_more_clusters(const papers_table *rows)
{
    char ours[200];
    double least;
    const double most =
        list_numbers(rows, "ec-clusters", 0, EC_METHODS, ec_growth, ec_median_ms, ours, sizeof ours, &least);
    if (most == 0) return ec_missing("ec-clusters");
    return ec_verdict(most < 1, ours,
                      "Time with the most clusters over that with the fewest; below 1 for all six holds.");
}

static papers_judgement judge_constant_es(const papers_table *rows, const char *experiment)
{
    char ours[200];
    double least;
    const double most = list_numbers(rows, experiment, 0, EC_ES, ec_spread, ec_median_ms, ours, sizeof ours, &least);
    if (most == 0) return ec_missing(experiment);
    return ec_verdict(most <= EC_CONSTANT, ours, "Longest over shortest time of each ES method; at most %g holds.",
                      EC_CONSTANT);
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
            snprintf(ours + length, sizeof ours - length, "%s%s %.2gx", length ? ", " : "", ec_method_names[m], s);
        }
    return ec_verdict(most < 1, ours,
                      "At 4096 and 8192 clusters the best ES method is %.2g times as fast as PCL; below 1 holds.",
                      most);
}

papers_judgement ec_judge_pcl_degree(const papers_table *rows)
{
    const ec_line pcl = ec_line_of(rows, "ec-degree", "pcl-best", "cpu");
    const double growth = ec_growth(&pcl, ec_median_ms);
    if (growth == 0) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "%.3gx", growth);
    return ec_verdict(growth >= 4, ours,
                      "PCL at its best takes %.3g times as long at degree %g as at degree %g; 4 or more holds.", growth,
                      pcl.row[pcl.count - 1]->x, pcl.row[0]->x);
}

papers_judgement ec_judge_build_degree(const papers_table *rows)
{
    char ours[200];
    double least;
    const double most =
        list_numbers(rows, "ec-degree", EC_ES, EC_METHODS, ec_growth, ec_build_ms, ours, sizeof ours, &least);
    if (most == 0) return ec_missing("ec-degree");
    return ec_verdict(least >= 1.5, ours,
                      "Building time at the greatest degree over that at the least; 1.5 or more for all three holds.");
}

papers_judgement ec_judge_edge_best(const papers_table *rows)
{
    const ec_line edge = ec_line_of(rows, "ec-degree", "edge-rs", "cuda");
    const papers_row *best = NULL;
    for (size_t i = 0; i < edge.count; i++)
        if (!best || edge.row[i]->cluster_ms < best->cluster_ms) best = edge.row[i];
    if (!best || !papers_find(rows, "ec-degree", "edge-rs", 32, "cuda")) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "fastest at %g", best->x);
    return ec_verdict(best->x == 32 || best->x == 64, ours,
                      "The clustering stage of edge-rs is the shortest, %.3g ms, at degree %g.", best->cluster_ms,
                      best->x);
}

papers_judgement ec_judge_vertex_degree(const papers_table *rows)
{
    const ec_line vertex = ec_line_of(rows, "ec-degree", "vertex-rs", "cuda");
    const ec_line edge = ec_line_of(rows, "ec-degree", "edge-rs", "cuda");
    const double v = ec_growth(&vertex, ec_cluster_ms), e = ec_growth(&edge, ec_cluster_ms);
    if (v == 0 || e == 0) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "vertex-rs %.2gx, edge-rs %.2gx", v, e);
    return ec_verdict(
        v >= 1.5 && v > e, ours,
        "Clustering stage at degree %g over that at degree %g; holds where it is 1.5 or more and above edge's.",
        vertex.row[vertex.count - 1]->x, vertex.row[0]->x);
}

papers_judgement ec_judge_matrix_degree(const papers_table *rows)
{
    const ec_line line = ec_line_of(rows, "ec-degree", "matrix-rs", "cuda");
    const double spread = ec_spread(&line, ec_cluster_ms);
    if (line.count < 2 || spread == 0) return ec_missing("ec-degree");
    char ours[200];
    snprintf(ours, sizeof ours, "%.2fx", spread);
    return ec_verdict(spread <= EC_CONSTANT, ours,
                      "Longest over shortest clustering stage of matrix-rs is %.2f; at most %g holds.", spread,
                      EC_CONSTANT);
}

/* --- distance ------------------------------------------------------------------------------------ */

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
    snprintf(ours, sizeof ours, "matrix %.2gx, others %.2gx", matrix, others);
    return ec_verdict(
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
    return ec_verdict(last->passes > first->passes && growth >= 3, ours,
                      "The time at distance 1024 is %.3g times that at distance 1; 3 or more, with more passes, holds.",
                      growth);
}
