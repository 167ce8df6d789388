/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h: options and figures that only methods of the papers have, for those who repeat the papers' experiments.
 *
 *     clump_papers papers = clump_papers_defaults();
 *     papers.matrix_block = 256;
 *     clump_ec_options options = clump_ec_defaults();
 *     options.method = CLUMP_EC_MATRIX_RS;
 *     options.common.papers = &papers;
 *
 * An option that the method does not have must be left as it is.
 */
#ifndef CLUMP_PAPERS_H
#define CLUMP_PAPERS_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clump_papers {
    uint32_t cookie; /* set by clump_papers_defaults(), do not touch */

    /* clump_ec, Nguyen et al. 2020 */
    int matrix_block; /* 0: 1024; matrix-*: the paper's b, the number of labels that one thread block merges: 64, 128, 256,
                       * 512 or 1024 */
    bool in_place; /* false; true: vertex-* and edge-* read and lower one array of labels, as in the paper. The result
                       * is the same, passes are never more; on a GPU their number varies */

    /* clump_dbscan, CUDA-DClust+. They change time and memory, never the labels: a point that finds a seed list full is
     * processed later. */
    int dclust_chains; /* 0: 256; dclust: chains that grow at the same time, 1 ... CLUMP_DCLUST_MOST_CHAINS */
    int dclust_threads; /* 0: 512; dclust: threads per chain, a multiple of 32, at most CLUMP_DCLUST_MOST_THREADS. Without
                         * effect on the CPU, where chains take turns in one thread */
    int dclust_seeds;   /* 0: 1024; dclust: entries of the seed list of a chain, 1 ... CLUMP_DCLUST_MOST_SEEDS */
    bool
        dclust_host_merge; /* false; true: the GPU's chains are merged on the host, as in the paper's first version. Without
                             * effect on the CPU */

    /* clump_erccl, Tian et al. 2020, every method */
    float beta;       /* 0; else tau is beta * exp(-reach), as in the paper */
    bool all_heights; /* false; true: the highest and lowest point of an obstacle cell are of all its points, ground
                       * included, as the paper's equation 6 is printed; not in clump_detect */
} clump_papers;

#define CLUMP_DCLUST_MOST_CHAINS  1024
#define CLUMP_DCLUST_MOST_THREADS 1024
#define CLUMP_DCLUST_MOST_SEEDS   65536

CLUMP_API clump_papers clump_papers_defaults(void);

/* Returns the utilisation of each thread, 0 to 1, in the last clustering call that succeeded. Two methods measure it:
 *     CLUMP_DBSCAN_DISJOINT_SET      one entry per thread: its busy time as a share of the cluster step
 *     CLUMP_DBSCAN_DCLUST on a GPU   one entry per thread block, in the order of their indices: its time in the first
 *                                    expansion, as a share of the time from the first begin to the last end of a thread
 *                                    block. The number of entries is that of the chains, or of the points if fewer
 * Null and *count = 0 for other methods and after a call that failed. Valid until the next call. */
CLUMP_API const float *clump_context_load(const clump_context *ctx, int *count);

/* As clump_context_load, for the merge step of CLUMP_DBSCAN_DISJOINT_SET; no other method has one. */
CLUMP_API const float *clump_context_merge_load(const clump_context *ctx, int *count);

#ifdef __cplusplus
}
#endif
#endif
