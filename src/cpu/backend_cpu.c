/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend_cpu.c: the CPU's table for the registry (core/backend.h), and its one state.
 */
#include "core/context.h"

#include "common/timer.h"
#include "cpu/dbscan_fast.h"
#include "cpu/dbscan_dclust.h"
#include "cpu/dbscan_disjoint.h"
#include "cpu/dbscan_sequential.h"
#include "cpu/ec_bfs.h"
#include "cpu/ec_fast.h"
#include "cpu/erccl.h"
#include "cpu/graph.h"
#include "cpu/ground.h"
#include "cpu/nn.h"
#include "cpu/ranged_fast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct cpu_state {
    clump_cpu_fast fast;
    clump_cpu_bfs bfs;
    clump_graph graph;
    clump_cpu_dbscan dbscan;
    clump_cpu_sequential sequential;
    clump_cpu_disjoint disjoint;
    clump_cpu_dclust dclust;
    clump_cpu_ground ground;
    clump_ranged ranged;
    clump_cpu_erccl erccl;
    clump_cpu_nn nn;
} cpu_state;

#define STATE_BYTES ((sizeof(cpu_state) + 63) / 64 * 64)

static int device_count(const char **why)
{
    (void)why;
    return 1;
}

/* ARM systems give numbers where others give a model name; these are the common 64-bit ones. */
static const char *arm_part(unsigned long part)
{
    switch (part) {
    case 0xd08:
        return "ARM Cortex-A72";
    case 0xd0b:
        return "ARM Cortex-A76";
    case 0xd0c:
        return "ARM Neoverse-N1";
    case 0xd40:
        return "ARM Neoverse-V1";
    case 0xd42:
        return "ARM Cortex-A78AE";
    case 0xd49:
        return "ARM Neoverse-N2";
    case 0xd4f:
        return "ARM Neoverse-V2";
    default:
        return "ARM processor";
    }
}

static void model_name(char *name, size_t size)
{
    snprintf(name, size, "processor");
    FILE *const file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (!value) continue;
        value += strspn(value, ": \t");
        if (strncmp(line, "model name", 10) == 0) {
            snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
            break;
        }
        if (strncmp(line, "CPU part", 8) == 0) {
            snprintf(name, size, "%s", arm_part(strtoul(value, NULL, 0)));
            break;
        }
    }
    fclose(file);
}

static clump_status device_query(int device, clump_device_info *out)
{
    if (device != 0) return CLUMP_ERR_NO_DEVICE;
    *out = (clump_device_info){.backend = CLUMP_BACKEND_CPU};
    model_name(out->name, sizeof out->name);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long page = sysconf(_SC_PAGESIZE);
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long free_pages = sysconf(_SC_AVPHYS_PAGES);
    out->units = cores > 0 ? (int)cores : 1;
    if (page > 0 && pages > 0) out->memory_total = (size_t)page * (size_t)pages;
    if (page > 0 && free_pages > 0) out->memory_free = (size_t)page * (size_t)free_pages;
    return CLUMP_OK;
}

static clump_status open_state(clump_context *ctx, void **state)
{
    *state = ctx->memory.allocate(STATE_BYTES, 64, ctx->memory.user);
    if (!*state)
        return clump_fail(ctx, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", STATE_BYTES);
    memset(*state, 0, sizeof(cpu_state));
    return CLUMP_OK;
}

static void trim(clump_context *ctx, void *state)
{
    cpu_state *const s = state;
    clump_cpu_fast_release(ctx, &s->fast);
    clump_cpu_bfs_release(ctx, &s->bfs);
    clump_graph_release(ctx, &s->graph);
    clump_cpu_dbscan_release(ctx, &s->dbscan);
    clump_cpu_sequential_release(ctx, &s->sequential);
    clump_cpu_disjoint_release(ctx, &s->disjoint);
    clump_cpu_dclust_release(ctx, &s->dclust);
    clump_cpu_ground_release(ctx, &s->ground);
    clump_ranged_release(ctx, &s->ranged);
    clump_cpu_erccl_release(ctx, &s->erccl);
    clump_cpu_nn_release(ctx, &s->nn);
}

static void close_state(clump_context *ctx, void *state)
{
    trim(ctx, state);
    ctx->memory.release(state, STATE_BYTES, ctx->memory.user);
}

static clump_status reserve(clump_context *ctx, void *state, size_t max_points)
{
    cpu_state *const s = state;
    clump_status status = clump_cpu_fast_reserve(ctx, &s->fast, max_points);
    if (status == CLUMP_OK) status = clump_cpu_dbscan_reserve(ctx, &s->dbscan, max_points);
    if (status == CLUMP_OK) status = clump_cpu_ground_reserve(ctx, &s->ground);
    return status == CLUMP_OK ? clump_cpu_erccl_reserve(ctx, &s->erccl, max_points) : status;
}

static bool ec_has(clump_ec_method method)
{
    return (unsigned)method <= CLUMP_EC_MATRIX_RS; /* all there are */
}

static clump_status run_method(clump_context *ctx, cpu_state *s, const clump_ec_job *job, clump_ec_result *result)
{
    switch (job->method) {
    case CLUMP_EC_FAST:
        if (job->per_metre > 0) return clump_cpu_ec_ranged(ctx, &s->ranged, &s->fast, job, result);
        return clump_cpu_ec_fast(ctx, &s->fast, job, result);
    case CLUMP_EC_BFS:
        return clump_cpu_ec_bfs(ctx, &s->bfs, job, result);
    case CLUMP_EC_VERTEX_ES:
    case CLUMP_EC_VERTEX_RS:
        return clump_cpu_ec_vertex(ctx, &s->graph, job, CLUMP_GRAPH_BLOCK, result);
    case CLUMP_EC_EDGE_ES:
    case CLUMP_EC_EDGE_RS:
        return clump_cpu_ec_edge(ctx, &s->graph, job, CLUMP_GRAPH_BLOCK, result);
    case CLUMP_EC_MATRIX_ES:
    case CLUMP_EC_MATRIX_RS:
        return clump_cpu_ec_matrix(ctx, &s->graph, job, CLUMP_GRAPH_BLOCK, result);
    }
    return clump_fail(ctx, CLUMP_ERR_INTERNAL, "the CPU has no method number %d", (int)job->method);
}

/* Size limits and order. */
static clump_status finish(clump_context *ctx, const clump_ec_job *job, clump_ec_result *result)
{
    const double start = clump_now_ms();
    const clump_status status = clump_labels_finish(ctx, job, result);
    result->label_ms += clump_now_ms() - start;
    return status;
}

static clump_status ec(clump_context *ctx, void *state, const clump_ec_job *job, clump_ec_result *result)
{
    const clump_status status = run_method(ctx, state, job, result);
    return status == CLUMP_OK ? finish(ctx, job, result) : status;
}

static bool dbscan_has(clump_dbscan_method method)
{
    return (unsigned)method <= CLUMP_DBSCAN_DCLUST; /* all there are */
}

static clump_status run_dbscan(clump_context *ctx, cpu_state *s, const clump_dbscan_job *job, clump_ec_result *result)
{
    switch (job->method) {
    case CLUMP_DBSCAN_FAST:
        if (job->ec.per_metre > 0) return clump_cpu_dbscan_ranged(ctx, &s->ranged, &s->dbscan, &s->fast, job, result);
        return clump_cpu_dbscan_fast(ctx, &s->dbscan, &s->fast, job, result);
    case CLUMP_DBSCAN_SEQUENTIAL:
        return clump_cpu_dbscan_sequential(ctx, &s->sequential, job, result);
    case CLUMP_DBSCAN_DISJOINT_SET:
        return clump_cpu_dbscan_disjoint(ctx, &s->disjoint, job, CLUMP_DISJOINT_PAIRS, result);
    case CLUMP_DBSCAN_DCLUST:
        return clump_cpu_dbscan_dclust(ctx, &s->dclust, job, CLUMP_DCLUST_CHAINS, CLUMP_DCLUST_SEEDS, result);
    }
    return clump_fail(ctx, CLUMP_ERR_INTERNAL, "the CPU has no method number %d", (int)job->method);
}

static clump_status dbscan(clump_context *ctx, void *state, const clump_dbscan_job *job, clump_ec_result *result)
{
    const clump_status status = run_dbscan(ctx, state, job, result);
    return status == CLUMP_OK ? finish(ctx, &job->ec, result) : status;
}

static bool ground_has(clump_ground_method method)
{
    return (unsigned)method <= CLUMP_GROUND_NONE; /* all there are */
}

static clump_status ground(clump_context *ctx, void *state, const clump_ground_job *job, clump_ec_result *result)
{
    cpu_state *const s = state;
    return clump_cpu_ground_label(ctx, &s->ground, job, result);
}

static bool erccl_has(clump_erccl_method method)
{
    return (unsigned)method <= CLUMP_ERCCL_HASH; /* all there are */
}

static clump_status erccl(clump_context *ctx, void *state, const clump_erccl_job *job, clump_ec_result *result)
{
    cpu_state *const s = state;
    clump_surface surface;
    clump_status status = clump_cpu_erccl_run(ctx, &s->erccl, &s->ground, job, &surface, result);
    if (status == CLUMP_OK) status = finish(ctx, &job->ec, result);
    if (status == CLUMP_OK) clump_cpu_erccl_maps(job, &surface);
    return status;
}

static bool nn_has(clump_nn_method method)
{
    return (unsigned)method <= CLUMP_NN_AZIMUTH; /* all but the two that CUDA alone has */
}

static clump_status index_build(clump_context *ctx, void *state, clump_context *home, void **index,
                                const clump_index_job *job, clump_ec_result *result)
{
    return clump_cpu_index_build(ctx, &((cpu_state *)state)->nn, home, index, job, result);
}

static clump_status index_query(clump_context *ctx, void *state, const void *index, const clump_query_job *job,
                                clump_ec_result *result)
{
    return clump_cpu_index_query(ctx, &((cpu_state *)state)->nn, index, job, result);
}

const clump_backend_table *clump_backend_cpu(void)
{
    static const clump_backend_table table = {
        .id = CLUMP_BACKEND_CPU,
        .name = "cpu",
        .device_count = device_count,
        .device_query = device_query,
        .open = open_state,
        .close = close_state,
        .reserve = reserve,
        .trim = trim,
        .ec_has = ec_has,
        .ec = ec,
        .dbscan_has = dbscan_has,
        .dbscan = dbscan,
        .ground_has = ground_has,
        .ground = ground,
        .erccl_has = erccl_has,
        .erccl = erccl,
        .nn_has = nn_has,
        .index_build = index_build,
        .index_query = index_query,
        .index_release = clump_cpu_index_release,
    };
    return &table;
}
