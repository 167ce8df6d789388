/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rival.h: what the bench asks of another implementation of Euclidean clustering.
 *
 * Each rival is a module of its own, loaded at run time, that exports one function. So two builds
 * of one library stand side by side in one process, and runs can be interleaved. Only run() is
 * timed. All else (copying the points, freeing the last result, numbering the clusters) is not the
 * rival's problem.
 */
#ifndef CLUMP_BENCH_RIVAL_H
#define CLUMP_BENCH_RIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_RIVAL_INTERFACE 1

typedef struct clump_rival {
    int interface_version; /* CLUMP_RIVAL_INTERFACE */
    const char *name;      /* "pcl-best" */
    const char *version;   /* "PCL 1.13.0"; no comma in it */
    bool must_agree;       /* its labels are expected to equal ours on every cloud */

    /* Copies the points (x y z x y z ...) into what the rival works on. Null when it cannot. */
    void *(*prepare)(const float *xyz, size_t count);

    /* Clusters them and keeps the result. False when it failed. */
    bool (*run)(void *state, float d);

    /* One label a point: clusters numbered by smallest point index, -1 for points that are not finite. */
    void (*labels)(void *state, int32_t *labels);

    /* Frees the result of the last run. */
    void (*forget)(void *state);

    void (*release)(void *state);
} clump_rival;

/* The one symbol of a module. */
typedef const clump_rival *clump_rival_entry(void);
#define CLUMP_RIVAL_ENTRY "clump_rival_get"

#ifdef __cplusplus
}
#endif
#endif
