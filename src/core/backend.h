/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend.h: the contract between the core and a backend. To add a backend, implement this table
 * in a folder of its own, export one function that returns it, and name that function in
 * registry.c. Algorithms are whole: the core checks arguments, chooses the backend, and finishes
 * the labels (size limits, order); everything between is the backend's.
 */
#ifndef CLUMP_CORE_BACKEND_H
#define CLUMP_CORE_BACKEND_H

#include <clump/clump.h>

/* Arguments of clump_ec, checked: d and its square are good, labels is there when count > 0. */
typedef struct clump_ec_job {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count;       /* at most INT32_MAX */
    size_t stride;
    clump_place place;
    float d;
    bool two_d;
    const uint8_t *mask; /* null, or 0 = left out */
    clump_ec_method method;
    int32_t *labels; /* count entries; may be used as scratch during the call */
} clump_ec_job;

/* What a backend says of its run. Zeroed before the call. */
typedef struct clump_ec_result {
    int32_t clusters;      /* before size limits */
    size_t finite, masked; /* see clump_stats */
    size_t left_out;       /* points labelled noise: masked, not finite, or both */
    int threads;
    int64_t passes;
    double upload_ms, build_ms, cluster_ms, label_ms, download_ms;
} clump_ec_result;

typedef struct clump_backend_table {
    clump_backend id;
    const char *name; /* "cpu" */

    /* REQUIRED. Devices of this backend on this machine; 0 when there is none. */
    int (*device_count)(void);
    clump_status (*device_query)(int device, clump_device_info *out);

    /* REQUIRED. Makes the backend's state in *state; takes memory only through clump_buffer or, for
     * the state itself, ctx->memory. close() also frees what open() left after failing half way. */
    clump_status (*open)(clump_context *ctx, void **state);
    void (*close)(clump_context *ctx, void *state);

    /* REQUIRED. clump_context_reserve and clump_context_trim. */
    clump_status (*reserve)(clump_context *ctx, void *state, size_t max_points);
    void (*trim)(clump_context *ctx, void *state);

    /* REQUIRED. Which methods there are, and one run: canonical labels (numbered by smallest point
     * index, CLUMP_NOISE for points left out) of job->labels' place. May leave any labels on failure. */
    bool (*ec_has)(clump_ec_method method);
    clump_status (*ec)(clump_context *ctx, void *state, const clump_ec_job *job, clump_ec_result *result);
} clump_backend_table;

/* The only symbols that cross from the backends' folders. */
const clump_backend_table *clump_backend_cpu(void);

#endif
