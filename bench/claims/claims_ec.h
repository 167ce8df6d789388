/* SPDX-License-Identifier: BSD-3-Clause
 *
 * claims_ec.h: the judges of the claims of the Euclidean clustering paper, and what they share. A judge names its
 * threshold in its sentence.
 *
 * What is constant and what changes: the clustering stage of one cloud differed by a factor of 1.2 between three
 * experiments of one run (NVIDIA H200, matrix-es at 262144 points). So a factor of 1.25 may be noise: it counts as
 * constant. One of 1.5 cannot be: that counts as a change. In between it cannot be told.
 *
 * The room has a file or more per paper: claims_ec*.c, claims_dbscan.c, claims_erccl*.c, claims_nn.c. claims.c has what
 * all judges share.
 */
#ifndef CLUMP_BENCH_CLAIMS_EC_H
#define CLUMP_BENCH_CLAIMS_EC_H

#include "report/report.h"

enum { EC_LINE_MOST = 32, EC_METHODS = 6 };
#define EC_CONSTANT 1.25
#define EC_CHANGED  1.5

extern const char *const ec_method_names[EC_METHODS]; /* ES first: vertex, edge, matrix */

/* The rows of one series and backend that were measured, by ascending x. */
typedef struct ec_line {
    const papers_row *row[EC_LINE_MOST];
    size_t count;
} ec_line;
ec_line ec_line_of(const papers_table *rows, const char *experiment, const char *series, const char *backend);

/* What is read of a row. */
typedef double ec_number(const papers_row *row);
double ec_median_ms(const papers_row *row);
double ec_build_ms(const papers_row *row);
double ec_initial_ms(const papers_row *row);
double ec_cluster_ms(const papers_row *row);

/* Returns the largest number of the line over the smallest; 0 where one of them is 0. */
double ec_spread(const ec_line *line, ec_number *number);

/* Returns the number of the row with the greatest x over that with the least; 0 where one of them is 0. */
double ec_growth(const ec_line *line, ec_number *number);

/* Writes "vertex-es 1.02, ..." of the methods first ... last - 1 on the GPU. Returns the greatest number; 0 where one is
 * missing. of: ec_spread() or ec_growth(). */
double ec_list_numbers(const papers_table *rows, const char *experiment, int first, int last,
                       double (*of)(const ec_line *line, ec_number *number), ec_number *number, char *out, size_t size,
                       double *least);

/* Returns the time of PCL at its best over that of the GPU method at this x; 0 where one is missing. */
double ec_speedup(const papers_table *rows, const char *experiment, const char *series, double x);

/* Returns the fastest of the named GPU methods at this x, the first `count` of the list; null where one is missing. */
const papers_row *ec_fastest(const papers_table *rows, const char *experiment, const char *const names[], size_t count,
                             double x);

/* Returns whether a number is constant, by its largest value over its smallest. what: the words for that quotient. */
papers_judgement ec_constant(double spread, const char *ours, const char *what);

/* Returns "cannot be told", because rows of the experiment are missing. */
papers_judgement ec_missing(const char *experiment);

/* claims_ec_factors.c: sections 5.2.1 to 5.2.3. */
papers_judgement ec_judge_all_faster(const papers_table *rows);
papers_judgement ec_judge_97(const papers_table *rows);
papers_judgement ec_judge_es_falls(const papers_table *rows);
papers_judgement ec_judge_build_share(const papers_table *rows);
papers_judgement ec_judge_rs_grows(const papers_table *rows);
papers_judgement ec_judge_vertex_falls(const papers_table *rows);
papers_judgement ec_judge_vertex_slower(const papers_table *rows);
papers_judgement ec_judge_more_clusters(const papers_table *rows);
papers_judgement ec_judge_es_clusters(const papers_table *rows);
papers_judgement ec_judge_build_90(const papers_table *rows);
papers_judgement ec_judge_es_loses(const papers_table *rows);
papers_judgement ec_judge_pcl_degree(const papers_table *rows);
papers_judgement ec_judge_es_degree(const papers_table *rows);
papers_judgement ec_judge_build_degree(const papers_table *rows);
papers_judgement ec_judge_edge_best(const papers_table *rows);
papers_judgement ec_judge_vertex_degree(const papers_table *rows);
papers_judgement ec_judge_matrix_degree(const papers_table *rows);

/* claims_ec_distance.c: section 5.2.4. */
papers_judgement ec_judge_distance(const papers_table *rows);
papers_judgement ec_judge_initial(const papers_table *rows);
papers_judgement ec_judge_build_distance(const papers_table *rows);
papers_judgement ec_judge_passes(const papers_table *rows);

/* claims_ec_sensors.c: section 5.2.5. */
papers_judgement ec_judge_small_scans(const papers_table *rows);
papers_judgement ec_judge_any_block(const papers_table *rows);
papers_judgement ec_judge_speedup_small(const papers_table *rows);
papers_judgement ec_judge_matrix_sensors(const papers_table *rows);
papers_judgement ec_judge_third_sensor(const papers_table *rows);
papers_judgement ec_judge_last_sensor(const papers_table *rows);
papers_judgement ec_judge_87(const papers_table *rows);
papers_judgement ec_judge_precision(const papers_table *rows);
papers_judgement ec_judge_pcl_some(const papers_table *rows);
papers_judgement ec_judge_pcl_small(const papers_table *rows);

/* claims_ec_choice.c: section 6, the discussion. */
papers_judgement ec_judge_rs_order(const papers_table *rows);
papers_judgement ec_judge_es_order(const papers_table *rows);
papers_judgement ec_judge_es_or_rs(const papers_table *rows);
papers_judgement ec_judge_matrix_high_degree(const papers_table *rows);
papers_judgement ec_judge_matrix_large_clusters(const papers_table *rows);
papers_judgement ec_judge_matrix_near(const papers_table *rows);
papers_judgement ec_judge_others_low_degree(const papers_table *rows);
papers_judgement ec_judge_others_small_clusters(const papers_table *rows);
papers_judgement ec_judge_edge_memory(const papers_table *rows);
papers_judgement ec_judge_matrix_memory(const papers_table *rows);

#endif
