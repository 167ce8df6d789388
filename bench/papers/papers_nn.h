/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers_nn.h: the experiments of the paper on nearest neighbours. Its clouds are two consecutive frames of a sensor with
 * 64 beams (frames.h): the first is the reference, the second the queries.
 */
#ifndef CLUMP_BENCH_PAPERS_NN_H
#define CLUMP_BENCH_PAPERS_NN_H

#include "papers/papers.h"

/* The rows of nn-table: x. */
enum { NN_CONSTRUCTION = 0, NN_QUERY = 1, NN_TOTAL = 2, NN_PARTS = 3 };

extern const contest_job nn_table_job, nn_size_job, nn_small_job;
bool nn_compute_window(csv *rows, contest_totals *totals, clump_message *why);

#endif
