/* SPDX-License-Identifier: BSD-3-Clause
 *
 * claims_erccl.h: judges of the ER-CCL paper's claims that are not in claims_erccl.c.
 */
#ifndef CLUMP_BENCH_CLAIMS_ERCCL_H
#define CLUMP_BENCH_CLAIMS_ERCCL_H

#include "report/report.h"

/* claims_erccl_quality.c */
papers_judgement erccl_judge_peak(const papers_table *rows);
papers_judgement erccl_judge_reach_five(const papers_table *rows);
papers_judgement erccl_judge_joined(const papers_table *rows);
papers_judgement erccl_judge_pieces(const papers_table *rows);
papers_judgement erccl_judge_accuracy(const papers_table *rows);
papers_judgement erccl_judge_order(const papers_table *rows);

/* claims_erccl_scenes.c */
papers_judgement erccl_judge_scene_times(const papers_table *rows);
papers_judgement erccl_judge_road(const papers_table *rows);
papers_judgement erccl_judge_iterations(const papers_table *rows);
papers_judgement erccl_judge_cluster_count(const papers_table *rows);

#endif
