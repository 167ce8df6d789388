/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_rival.h: what the bench asks of other implementations of nearest neighbours. A module, loaded at
 * run time, exports one function that returns a list of them. Building and asking are timed apart; the
 * points are given as the rival wants to have them, copied before the clock starts where it needs that.
 */
#ifndef CLUMP_BENCH_NN_RIVAL_H
#define CLUMP_BENCH_NN_RIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_NN_RIVAL_INTERFACE 1

typedef struct clump_nn_rival {
    int interface_version; /* CLUMP_NN_RIVAL_INTERFACE */
    const char *name;      /* "flann"; null ends the list */
    const char *version;   /* no comma in it */

    /* Both clouds are x y z x y z ..., and stay until release(). Null when it cannot. */
    void *(*prepare)(const float *points, size_t count, const float *queries, size_t asked);
    bool (*build)(void *state);                                             /* anew, dropping what was there */
    bool (*query)(void *state, int32_t *indices, float *distances_squared); /* the nearest of every query */
    void (*forget)(void *state);                                            /* what was built; not timed */
    void (*release)(void *state);
} clump_nn_rival;

/* The one symbol of a module. */
typedef const clump_nn_rival *clump_nn_rival_entry(void);
#define CLUMP_NN_RIVAL_ENTRY "clump_rival_get"

#ifdef __cplusplus
}
#endif
#endif
