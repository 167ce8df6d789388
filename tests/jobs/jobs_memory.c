/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_memory.c: the memory of the rows of jobs.h, in any place. Inputs are copied before a run and compared after it, outputs have a
 * guard behind them.
 */
#include "jobs/jobs.h"

#include <stdlib.h>
#include <string.h>

enum { FILLED = 0x5a, GUARD = 8, KEPT = 96 };

/* ----- blocks ------------------------------------------------------------------------------------------------------ */

/* Blocks of pinned and device memory that wait for the next run: to take one anew costs more than most runs. */
static struct {
    gpu_place place;
    size_t bytes; /* a power of two */
    void *memory;
} kept[KEPT];
static int kept_count;

/* Under compute-sanitizer blocks are as long as what is in them, and are never used again. */
static size_t round_up(size_t bytes)
{
    size_t all = 256;
    while (all < bytes) all *= 2;
    return gpu_small() ? bytes : all;
}

static void *take(job_run *r, gpu_place place, size_t bytes)
{
    const size_t all = place == GPU_PAGEABLE ? bytes : round_up(bytes);
    for (int k = 0; k < kept_count && place != GPU_PAGEABLE; k++) {
        if (kept[k].place != place || kept[k].bytes != all) continue;
        void *const memory = kept[k].memory;
        kept[k] = kept[--kept_count];
        return memory;
    }
    return gpu_take(r->home, place, all);
}

static void give(job_run *r, gpu_place place, size_t bytes, void *memory)
{
    if (place == GPU_PAGEABLE || gpu_small() || kept_count == KEPT) {
        gpu_give(r->home, place, memory);
        return;
    }
    kept[kept_count].place = place, kept[kept_count].bytes = round_up(bytes), kept[kept_count++].memory = memory;
}

void job_close(clump_context *home)
{
    while (kept_count > 0) kept_count--, gpu_give(home, kept[kept_count].place, kept[kept_count].memory);
}

/* ----- rooms ------------------------------------------------------------------------------------------------------- */

static job_block *add(job_run *r, job_use use, gpu_place place, size_t bytes, size_t more)
{
    const size_t most = (size_t)1 << 30;
    if (r->rooms == JOB_ROOMS) abort();
    job_block *const m = &r->room[r->rooms++];
    *m = (job_block){.use = use, .place = place, .bytes = bytes, .defined = bytes};
    m->held = bytes < most ? bytes + more : most;
    m->here = malloc(m->held + 1);
    if (!m->here) abort();
    memset(m->here, FILLED, m->held + 1);
    m->there = place == GPU_PAGEABLE && use != JOB_INPUT ? m->here : NULL;
    return m;
}

static void *add_output(job_run *r, gpu_place place, size_t bytes)
{
    job_block *const m = add(r, JOB_OUTPUT, place, bytes, GUARD);
    if (place == GPU_PAGEABLE) return m->there;
    m->there = take(r, place, m->held);
    gpu_put(r->home, place, m->there, m->here, m->held);
    return m->there;
}

void *job_room(job_run *r, size_t bytes)
{
    return add_output(r, r->place, bytes);
}

void *job_host_room(job_run *r, size_t bytes)
{
    return add_output(r, GPU_PAGEABLE, bytes);
}

bool job_is_ahead(const job_run *r)
{
    return r->ahead && r->place == GPU_DEVICE;
}

void *job_list_room(job_run *r, size_t bytes, clump_place *place)
{
    const bool there = job_is_ahead(r);
    if (place) *place = there ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    return there ? job_room(r, bytes) : job_host_room(r, bytes);
}

int32_t *job_count_room(job_run *r, clump_clustering *common)
{
    if (!job_is_ahead(r) || common->classes) return job_host_room(r, sizeof(int32_t));
    common->clusters_on_device = job_room(r, sizeof(int32_t));
    return NULL;
}

void *job_scratch(job_run *r, size_t bytes)
{
    return add(r, JOB_SCRATCH, GPU_PAGEABLE, bytes, 0)->there;
}

const void *job_send(job_run *r, const void *memory, size_t bytes)
{
    job_block *const m = add(r, JOB_INPUT, r->place, bytes, 0);
    if (bytes) memcpy(m->here, memory, bytes);
    if (r->place == GPU_PAGEABLE) {
        m->there = (char *)(uintptr_t)memory;
        return memory;
    }
    m->there = take(r, r->place, bytes);
    gpu_put(r->home, r->place, m->there, memory, bytes);
    return m->there;
}

clump_points job_points(job_run *r)
{
    clump_points p = job_host_points(r);
    if (p.count > INT32_MAX) return p; /* there are not as many */
    const size_t step = p.stride ? p.stride : 12;
    if (!r->cloud) r->cloud = job_send(r, p.xyz, p.count ? (p.count - 1) * step + 12 : 0);
    p.xyz = r->cloud;
    if (r->place == GPU_DEVICE) p.place = CLUMP_PLACE_DEVICE;
    if (r->points) r->points(&p, r->user);
    return p;
}

const uint8_t *job_mask(job_run *r)
{
    if (r->c->mask && !r->mask) r->mask = job_send(r, r->c->mask, job_host_points(r).count);
    return r->mask;
}

/* ----- after the calls --------------------------------------------------------------------------------------------- */

static void fetch(job_run *r, const job_block *m, char *to)
{
    if (m->place == GPU_DEVICE)
        gpu_put(r->home, GPU_DEVICE, to, m->there, m->held);
    else if (to != m->there && m->held)
        memcpy(to, m->there, m->held);
}

static job_block *find(job_run *r, const void *output)
{
    for (int k = 0; k < r->rooms; k++)
        if (r->room[k].use == JOB_OUTPUT && r->room[k].there == output) return &r->room[k];
    abort();
}

const void *job_look(clump_context *ctx, job_run *r, const void *output, clump_status *status)
{
    job_block *const m = find(r, output);
    if (m->place != GPU_DEVICE) return m->there;
    if (*status == CLUMP_OK) JOB_MAKE(ctx, r, *status, clump_cuda_wait(ctx));
    if (*status == CLUMP_OK) fetch(r, m, m->here);
    return m->here;
}

void job_forget(job_run *r, const void *output, size_t from)
{
    find(r, output)->defined = from;
}

static bool is_filled(const char *memory, size_t bytes)
{
    size_t k = 0;
    while (k < bytes && memory[k] == FILLED) k++;
    return k == bytes;
}

/* Looks at one output, which may be read, and adds it to the hash. */
static void look_at_output(job_run *r, job_block *m)
{
    fetch(r, m, m->here);
    if (m->held > m->bytes && !is_filled(m->here + m->bytes, m->held - m->bytes))
        r->spoiled = "what is behind an output";
    if (m->defined < m->bytes) memset(m->here + m->defined, FILLED, m->bytes - m->defined);
    r->hash = (r->hash ^ clump_labels_hash((const int32_t *)(const void *)m->here, (m->bytes + 3) / 4)) *
              UINT64_C(0x9e3779b97f4a7c15);
}

static void look_at_input(job_run *r, const job_block *m)
{
    char *const now = malloc(m->held + 1);
    if (!now) abort();
    fetch(r, m, now);
    if (m->held && memcmp(now, m->here, m->held) != 0) r->spoiled = "an input";
    free(now);
}

void job_settle(clump_context *ctx, job_run *r, clump_status *status)
{
    if (r->place == GPU_DEVICE && *status == CLUMP_OK) JOB_MAKE(ctx, r, *status, clump_cuda_wait(ctx));
    for (int k = 0; k < r->rooms; k++) {
        job_block *const m = &r->room[k];
        if (m->use == JOB_OUTPUT && *status == CLUMP_OK) look_at_output(r, m);
        if (m->use == JOB_INPUT) look_at_input(r, m);
    }
    for (int k = 0; k < r->rooms; k++) {
        job_block *const m = &r->room[k];
        if (m->place != GPU_PAGEABLE && m->use != JOB_SCRATCH) give(r, m->place, m->held, m->there);
        free(m->here);
    }
    if (*status != CLUMP_OK) r->hash = 0;
}
