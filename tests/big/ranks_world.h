/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_world.h: runs the ranks of clump_big_run() as threads of one process, for tests.
 */
#ifndef CLUMP_TESTS_RANKS_WORLD_H
#define CLUMP_TESTS_RANKS_WORLD_H

#include "big/peers_threads.h"

#include "store/hooks.h"

#include <clump/big.h>

#include <pthread.h>

enum { RANKS_MOST = 8 };

typedef struct ranks_run {
    const char *const *inputs;
    size_t count;
    const char *output;
    const clump_joint_settings *settings;
    clump_big_options options; /* those of rank 0 have its progress, cancel and clusters */
    clump_big_hooks hooks;
    int ranks;
    long trap;                /* the call of rank 0 that fails; 0: none */
    const char *const *works; /* the work folder of each rank; null: as in the options */
    void (*alter)(clump_joint_settings *settings, clump_big_options *options); /* null, or changes them for rank 1 */
    const char *const *other; /* inputs of rank 1; null: as the others */
    int machines;             /* above 0: rank r is on machine r modulo it */
    bool uneven;              /* ranks have 1 to 3 threads, and memories of 16 MB to 1 GB */
    int faulty;               /* the rank that has hooks.before, if it is not null; the others have none */

    clump_status status;     /* for the caller */
    clump_big_result result; /* of rank 0 */
    clump_message message;
    long calls; /* of rank 0 */
} ranks_run;

typedef struct world_rank {
    const ranks_run *run;
    clump_joint_settings settings;
    clump_big_options options;
    clump_big_hooks hooks;
    clump_peers peers;
    const char *const *inputs;
    clump_big_result result;
    clump_message message;
    clump_status status;
    pthread_t thread;
} world_rank;

static inline clump_status ranks_no_clusters(void *user, const clump_cluster *clusters, const uint16_t *classes,
                                             const float *hulls, int64_t first, size_t count, const double origin[3])
{
    (void)user, (void)clusters, (void)classes, (void)hulls, (void)first, (void)count, (void)origin;
    return CLUMP_ERR_INTERNAL; /* only rank 0 gives clusters to its caller */
}

static inline void *ranks_run_one(void *arg)
{
    world_rank *const r = arg;
    const ranks_run *const run = r->run;
    r->options.peers = &r->peers;
    r->status = clump_big_run_with(r->inputs, run->count, run->output, &r->settings, &r->options, &r->hooks, &r->result,
                                   &r->message);
    return NULL;
}

static inline void ranks_compare(const ranks_run *run, const world_rank *all)
{
    for (int r = 1; r < run->ranks; r++) {
        CHECK_INT(all[r].status, all[0].status);
        if (run->trap == 0) CHECK_TEXT(all[r].message.text, all[0].message.text);
        CHECK(all[r].status == CLUMP_OK || all[r].message.text[0]);
        if (all[r].status != CLUMP_OK) continue;
        CHECK(all[r].result.labels_hash == all[0].result.labels_hash);
        CHECK(all[r].result.labels_hash_64 == all[0].result.labels_hash_64);
        CHECK(all[r].result.clusters == all[0].result.clusters && all[r].result.links == all[0].result.links);
    }
}

/* Runs all ranks. Returns the status of rank 0. Checks that all ranks have the same status, sentence and hashes; with a trap
 * only the status. */
static inline clump_status ranks_world_run(ranks_run *run)
{
    clump_world *const world = clump_world_create(run->ranks);
    world_rank all[RANKS_MOST];
    memset(all, 0, sizeof all);
    clump_world_trap(world, 0, run->trap);
    for (int r = 0; r < run->ranks; r++) {
        all[r] = (world_rank){.run = run, .options = run->options, .hooks = run->hooks, .inputs = run->inputs};
        all[r].settings = *run->settings;
        all[r].peers = clump_world_peers(world, r);
        if (r == 1 && run->alter) run->alter(&all[r].settings, &all[r].options);
        if (r == 1 && run->other) all[r].inputs = run->other;
        if (run->uneven) all[r].options.threads = 1 + r % 3, all[r].options.ram = (size_t)16 << (20 + 3 * (r % 3));
        if (run->works) all[r].options.work = run->works[r];
        if (run->machines > 0) all[r].hooks.machine = 1 + (uint64_t)(r % run->machines);
        if (r != run->faulty) all[r].hooks.before = NULL;
        if (r > 0) all[r].options.cancel = NULL;
        if (r > 0 && all[r].options.clusters) all[r].options.clusters = ranks_no_clusters;
    }
    for (int r = 1; r < run->ranks; r++) pthread_create(&all[r].thread, NULL, ranks_run_one, &all[r]);
    ranks_run_one(&all[0]);
    for (int r = 1; r < run->ranks; r++) pthread_join(all[r].thread, NULL);
    ranks_compare(run, all);
    run->result = all[0].result;
    run->message = all[0].message;
    run->calls = clump_world_calls(world, 0);
    clump_world_destroy(world);
    return all[0].status;
}

#endif
