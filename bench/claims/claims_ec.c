/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The claims of the paper "Fast Euclidean Cluster Extraction Using GPUs", in its order.
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

/* --- claims -------------------------------------------------------------------------------------- */

#define EC_CLAIM(where, place, words, number, on_gpu, judge)                                                           \
    {                                                                                                                  \
        "ec", where, place, words, number, on_gpu, judge                                                               \
    }

const papers_claim claims_ec[] = {
    EC_CLAIM("ec-size", "Fig. 4, section 5.2.1", "every GPU method is faster than PCL at every size", "", true,
             ec_judge_all_faster),
    EC_CLAIM("ec-size", "section 7", "up to 97 times as fast as PCL on synthetic clouds", "97x", true, ec_judge_97),
    EC_CLAIM("ec-size", "Fig. 5, section 5.2.1", "the speed-up of the ES methods falls above 32768 points", "", true,
             ec_judge_es_falls),
    EC_CLAIM("ec-size", "Fig. 6, section 5.2.1",
             "building takes about 99.9 % of the time of matrix-es at 262144 points", "99.9 %", true,
             ec_judge_build_share),
    EC_CLAIM("ec-size", "Fig. 5, section 5.2.1", "the speed-up of edge-rs and matrix-rs keeps growing with the size",
             "", true, ec_judge_rs_grows),
    EC_CLAIM("ec-size", "Fig. 5, section 5.2.1", "the speed-up of vertex-rs falls at some sizes", "", true,
             ec_judge_vertex_falls),
    EC_CLAIM("ec-size", "section 5.2.1", "clustering takes vertex-rs longer than edge-rs on large clouds", "", true,
             ec_judge_vertex_slower),
    EC_CLAIM("ec-clusters", "Fig. 7, section 5.2.2", "all methods become faster with more clusters", "", true,
             ec_judge_more_clusters),
    EC_CLAIM("ec-clusters", "Fig. 7, section 5.2.2", "the ES methods hardly change with the number of clusters", "",
             true, ec_judge_es_clusters),
    EC_CLAIM("ec-clusters", "section 5.2.2", "building takes the ES methods about 90 % of the time", "90 %", true,
             ec_judge_build_90),
    EC_CLAIM("ec-clusters", "Fig. 8, section 5.2.2", "the ES methods are slower than PCL in the two last cases",
             "below 1x", true, ec_judge_es_loses),
    EC_CLAIM("ec-degree", "Fig. 9, section 5.2.3", "PCL's time grows rapidly with the degree", "", false,
             ec_judge_pcl_degree),
    EC_CLAIM("ec-degree", "Fig. 9, section 5.2.3", "the ES methods hardly change with the degree", "", true,
             ec_judge_es_degree),
    EC_CLAIM("ec-degree", "Fig. 10, section 5.2.3", "building takes all RS methods longer at a larger degree", "", true,
             ec_judge_build_degree),
    EC_CLAIM("ec-degree", "Fig. 10, section 5.2.3", "edge: clustering is fastest at degree 32 to 64", "32, 64", true,
             ec_judge_edge_best),
    EC_CLAIM("ec-degree", "Fig. 10, section 5.2.3", "vertex: clustering grows with the degree, faster than the others",
             "", true, ec_judge_vertex_degree),
    EC_CLAIM("ec-degree", "Fig. 10, section 5.2.3", "matrix: clustering does not change with the degree", "", true,
             ec_judge_matrix_degree),
    EC_CLAIM("ec-distance", "Fig. 11, section 5.2.4", "the point distance matters to the matrix methods alone", "",
             true, ec_judge_distance),
    EC_CLAIM("ec-distance", "Fig. 12, section 5.2.4", "the initial clustering does not change with the point distance",
             "", true, ec_judge_initial),
    EC_CLAIM("ec-distance", "Fig. 12, section 5.2.4", "building the matrix takes slightly longer at large distances",
             "", true, ec_judge_build_distance),
    EC_CLAIM("ec-distance", "Fig. 12, section 5.2.4", "matrix-rs: passes and time grow with the point distance",
             "2 to 10 passes, 4.5 to 156 ms", false, ec_judge_passes),
    EC_CLAIM("ec-sensors", "Fig. 14, section 5.2.5", "matrix-es is the fastest on small scans: VLP-16 and HDL-32E", "",
             true, ec_judge_small_scans),
    EC_CLAIM("ec-block", "Fig. 14, section 5.2.5", "the same at its best block size b; the paper does not give b", "",
             true, ec_judge_any_block),
    EC_CLAIM("ec-sensors", "Fig. 14, section 5.2.5", "matrix-es is 2.2 and 3.5 times as fast as PCL on small scans",
             "2.2x, 3.5x", true, ec_judge_speedup_small),
    EC_CLAIM("ec-sensors", "Fig. 13, section 5.2.5", "matrix is faster than edge and vertex on scans", "", true,
             ec_judge_matrix_sensors),
    EC_CLAIM("ec-sensors", "section 5.2.5", "matrix-es is the fastest on HDL-64E, too", "", true,
             ec_judge_third_sensor),
    EC_CLAIM("ec-sensors", "Fig. 13, section 5.2.5", "matrix-rs is the fastest on the largest scans", "", true,
             ec_judge_last_sensor),
    EC_CLAIM("ec-sensors", "abstract, section 7", "up to 87 times as fast as PCL on scans", "87x", true, ec_judge_87),
    EC_CLAIM("ec-sensors", "section 5.2.5", "the clusters are those of PCL in every frame", "100 %", false,
             ec_judge_precision),
    EC_CLAIM("ec-sensors", "Fig. 14, section 5.2.5", "PCL is faster than some GPU methods on some small scans",
             "below 1x", true, ec_judge_pcl_some),
    EC_CLAIM("ec-sensors", "section 6", "PCL is the most efficient below 4000 points", "", true, ec_judge_pcl_small),
    EC_CLAIM("ec-size", "section 6", "the cost of RS grows more slowly than the number of points", "O(k log n)", true,
             ec_judge_rs_order),
    EC_CLAIM("ec-size", "section 6", "the cost of ES grows with the square of the number of points", "O(n^2 / p)", true,
             ec_judge_es_order),
    EC_CLAIM("ec-size", "section 6", "ES is the choice for 4000 to 8000 points, RS for larger clouds", "", true,
             ec_judge_es_or_rs),
    EC_CLAIM("ec-degree", "section 6", "matrix is preferred at high degrees", "", true, ec_judge_matrix_high_degree),
    EC_CLAIM("ec-clusters", "section 6", "matrix is preferred for large clusters", "", true,
             ec_judge_matrix_large_clusters),
    EC_CLAIM("ec-distance", "section 6", "matrix is preferred at small point distances", "", true,
             ec_judge_matrix_near),
    EC_CLAIM("ec-degree", "section 6", "edge and vertex are preferred at low degrees", "", true,
             ec_judge_others_low_degree),
    EC_CLAIM("ec-clusters", "section 6", "edge and vertex are preferred for small clusters", "", true,
             ec_judge_others_small_clusters),
    EC_CLAIM("ec-size", "section 6", "the edge methods need the least memory", "", false, ec_judge_edge_memory),
    EC_CLAIM("ec-distance", "section 6", "the matrix methods often need the most memory", "", false,
             ec_judge_matrix_memory),
    {.judge = NULL},
};
