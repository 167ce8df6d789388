/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Fast obstacle clustering by elevation-reference connected component labelling (ER-CCL)".
 */
#include "papers.h"

const papers_paper papers_erccl = {
    "erccl",
    "Fast obstacle clustering by elevation-reference connected component labelling (ER-CCL)",
    "Tian, Song and others; 2020",
    NULL,
    0,
    NULL,
    NULL,
    NULL};
