/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_world.c: see ranks_world.h.
 */
#include "big/ranks_world.h"

#include "peers/peers.h"
#include "support/random.h"
#include "ranks/ranks.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct world_rank {
    const ranks_case *c;
    clump_world *world;
    int rank;
    size_t begin, end; /* the share */
    int64_t *labels;   /* of all points */
    clump_ranks ranks;
    clump_status status;
    pthread_t thread;
} world_rank;

/* Fills in the share: points that take part, and their places. */
static void fill_share(world_rank *w)
{
    const ranks_case *const c = w->c;
    clump_ranks *const ranks = &w->ranks;
    int32_t *const stored = malloc((w->end - w->begin) * 12 + 1);
    ranks->places = malloc((w->end - w->begin) * sizeof *ranks->places + 1);
    ranks->stored = stored;
    ranks->share = w->end - w->begin;
    for (size_t i = w->begin; i < w->end; i++) {
        const float *const p = c->xyz ? c->xyz + 3 * i : NULL;
        if (p && (!isfinite(p[0]) || !isfinite(p[1]) || (!c->settings.two_d && !isfinite(p[2])))) continue;
        memcpy(stored + 3 * ranks->taken, p ? (const void *)p : c->steps + 3 * i, 12);
        ranks->places[ranks->taken++] = (uint32_t)(i - w->begin);
    }
}

static void make_frame(const ranks_case *c, clump_big_frame *frame)
{
    *frame = (clump_big_frame){.kind = c->steps ? CLUMP_FILE_FRAME_STEPS : CLUMP_FILE_FRAME_WHOLE,
                               .coordinates = c->steps ? CLUMP_COORDINATES_STEPS : CLUMP_COORDINATES_FLOAT,
                               .two_d = c->settings.two_d,
                               .reach = c->settings.min_points > 1 ? 2 : 1,
                               .d = c->settings.d,
                               .step = 1};
    clump_big_box box;
    clump_big_box_clear(&box);
    clump_big_frame_place(frame, &box, NULL);
}

static void *run_rank(void *arg)
{
    world_rank *const w = arg;
    const ranks_case *const c = w->c;
    clump_ranks *const ranks = &w->ranks;
    const clump_peers peers = clump_world_peers(w->world, w->rank);
    ranks->mail = clump_mail_make(&peers);
    if (c->mail > 0) ranks->mail.most = c->mail;
    ranks->settings = c->settings;
    make_frame(c, &ranks->frame);
    ranks->threads = c->threads;
    ranks->backend = CLUMP_BACKEND_CPU;
    ranks->most = c->most;
    ranks->first_index = c->first_index;
    ranks->wide = c->wide;
    ranks->ram = c->ram;
    ranks->cancel = c->cancel;
    fill_share(w);
    double phases[CLUMP_BIG_PHASES] = {0};
    w->status = clump_ranks_cluster(ranks, phases);
    for (size_t i = 0; i < ranks->share && w->status == CLUMP_OK; i++)
        w->labels[w->begin + i] =
            ranks->wide ? ((const int64_t *)ranks->labels)[i] : ((const int32_t *)ranks->labels)[i];
    return NULL;
}

/* Collects what the ranks say, which must agree. */
static clump_status collect(const ranks_case *c, const world_rank *all, ranks_outcome *out)
{
    const clump_ranks *const first = &all[0].ranks;
    *out = (ranks_outcome){.clusters = first->clusters,
                           .noise = first->noise,
                           .tiles = first->map.tile_count,
                           .rims = first->rims,
                           .links = first->links,
                           .loads_most = first->loads_most,
                           .loads_mean = first->loads_mean,
                           .message = first->message,
                           .same_message = true,
                           .calls = clump_world_calls(all[0].world, 0)};
    bool agree = true;
    for (int r = 0; r < c->ranks; r++) {
        const clump_ranks *const ranks = &all[r].ranks;
        out->sent += ranks->mail.sent;
        out->same_message &= strcmp(ranks->message.text, first->message.text) == 0;
        agree &= all[r].status == all[0].status;
        agree &= all[r].status == CLUMP_OK || ranks->message.text[0];
        agree &= all[r].status != CLUMP_OK || (ranks->clusters == first->clusters && ranks->links == first->links);
    }
    return agree ? all[0].status : CLUMP_ERR_INTERNAL;
}

clump_status ranks_world_run(const ranks_case *c, int64_t *labels, ranks_outcome *out)
{
    world_rank *const all = calloc((size_t)c->ranks, sizeof *all);
    clump_world *const world = clump_world_create(c->ranks);
    uint64_t random = c->random;
    size_t begin = 0;
    clump_world_trap(world, 0, c->trap);
    for (int r = 0; r < c->ranks; r++) { /* random shares; some are empty */
        const size_t left = c->count - begin, even = c->count * (size_t)(r + 1) / (size_t)c->ranks - begin;
        size_t share = check_random(&random) % 4 ? (size_t)(check_random(&random) % (left / 2 + 1)) : 0;
        if (c->even) share = even;
        if (r + 1 == c->ranks) share = left;
        all[r] =
            (world_rank){.c = c, .world = world, .rank = r, .begin = begin, .end = begin + share, .labels = labels};
        begin += share;
    }
    for (int r = 1; r < c->ranks; r++) pthread_create(&all[r].thread, NULL, run_rank, &all[r]);
    run_rank(&all[0]);
    for (int r = 1; r < c->ranks; r++) pthread_join(all[r].thread, NULL);
    const clump_status status = collect(c, all, out);
    for (int r = 0; r < c->ranks; r++) clump_ranks_release(&all[r].ranks);
    clump_world_destroy(world);
    free(all);
    return status;
}
