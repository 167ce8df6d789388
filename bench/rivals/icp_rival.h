/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_rival.h: what the bench asks of another implementation of ICP. A module, loaded at run time, exports one
 * function. Only run() is timed.
 */
#ifndef CLUMP_BENCH_ICP_RIVAL_H
#define CLUMP_BENCH_ICP_RIVAL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_ICP_RIVAL_INTERFACE 1

typedef struct clump_icp_rival {
    int interface_version; /* CLUMP_ICP_RIVAL_INTERFACE */
    const char *name, *version;
    void *(*prepare)(const float *target, size_t count, const float *source, size_t moved);

    /* Point to point, pairs within max_distance; until an iteration moves and turns by less than tolerance. The motion
     * is 4 x 4, row after row. */
    bool (*run)(void *state, double max_distance, int max_iterations, double tolerance, double transform[16]);
    void (*release)(void *state);
} clump_icp_rival;

/* The one symbol of a module. */
typedef const clump_icp_rival *clump_icp_rival_entry(void);
#define CLUMP_ICP_RIVAL_ENTRY "clump_rival_get"

#ifdef __cplusplus
}
#endif
#endif
