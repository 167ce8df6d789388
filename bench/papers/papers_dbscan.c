/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The experiments of the paper "Parallel DBSCAN with OpenMP and CUDA".
 */
#include "papers.h"

const papers_paper papers_dbscan = {
    "dbscan", "Parallel DBSCAN with OpenMP and CUDA", "Ky, Beach; 2024", NULL, 0, NULL, NULL, NULL};
