/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers_threads.h: a transport of clump_peers whose ranks are threads of one process, so that tests run the code of many machines.
 *
 * Every call has three steps, with a barrier after each:
 *
 *     1  post    each rank writes the pointers of its arguments into its slot
 *     2  read    each rank reads the slots and the memory of the others
 *     3  leave   arguments may be changed again
 *
 * A barrier waits for all ranks, or until the world is broken. A broken world stays broken: each later call fails on every
 * rank, so that no rank waits for one that has left.
 */
#ifndef CLUMP_TESTS_PEERS_THREADS_H
#define CLUMP_TESTS_PEERS_THREADS_H

#include "support/check.h"

#include <clump/big.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Ranks in one process. Each rank is one thread, which uses the peers of its number only. */
typedef struct clump_world clump_world;

typedef struct world_slot {
    clump_world *world;
    int rank;
    long calls, trap;
    const void *send; /* arguments of the running call */
    const uint64_t *bytes;
    const void *values;
    uint64_t value;
    size_t count;
} world_slot;

struct clump_world {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int count, waiting;
    unsigned long round; /* of the barrier */
    bool broken;
    world_slot slots[];
};

static inline clump_world *clump_world_create(int count)
{
    clump_world *const world = calloc(1, sizeof *world + (size_t)count * sizeof *world->slots);
    if (!world) abort();
    pthread_mutex_init(&world->lock, NULL);
    pthread_cond_init(&world->wake, NULL);
    world->count = count;
    for (int r = 0; r < count; r++) world->slots[r] = (world_slot){.world = world, .rank = r};
    return world;
}

static inline void clump_world_destroy(clump_world *world)
{
    pthread_cond_destroy(&world->wake);
    pthread_mutex_destroy(&world->lock);
    free(world);
}

/* The call number `call` of a rank, counted from 1, fails on all ranks. 0: no call does. */
static inline void clump_world_trap(clump_world *world, int rank, long call)
{
    world->slots[rank].trap = call;
}

/* Returns how many calls a rank has made so far. */
static inline long clump_world_calls(const clump_world *world, int rank)
{
    return world->slots[rank].calls;
}

/* Waits for all ranks. `fails` breaks the world. Returns whether the world is whole. */
static inline bool world_meet(clump_world *world, bool fails)
{
    pthread_mutex_lock(&world->lock);
    const unsigned long round = world->round;
    if (fails) world->broken = true;
    if (++world->waiting == world->count) {
        world->waiting = 0;
        world->round++;
    }
    if (fails || round != world->round) pthread_cond_broadcast(&world->wake);
    while (round == world->round && !world->broken) pthread_cond_wait(&world->wake, &world->lock);
    const bool whole = !world->broken;
    pthread_mutex_unlock(&world->lock);
    return whole;
}

/* Begins a call: the arguments are in the slot. */
static inline bool world_post(world_slot *slot)
{
    slot->calls++;
    return world_meet(slot->world, slot->calls == slot->trap);
}

static inline clump_status world_leave(world_slot *slot)
{
    return world_meet(slot->world, false) ? CLUMP_OK : CLUMP_ERR_INTERNAL;
}

static inline clump_status world_exchange(void *user, const void *send, const uint64_t *send_bytes, void *receive,
                                          const uint64_t *receive_bytes)
{
    world_slot *const slot = user;
    slot->send = send;
    slot->bytes = send_bytes;
    if (!world_post(slot)) return CLUMP_ERR_INTERNAL;
    const world_slot *const slots = slot->world->slots;
    char *to = receive;
    bool agree = true;
    for (int r = 0; r < slot->world->count && agree; r++) {
        uint64_t begin = 0;
        for (int k = 0; k < slot->rank; k++) begin += slots[r].bytes[k];
        agree = slots[r].bytes[slot->rank] == receive_bytes[r];
        if (agree && receive_bytes[r] > 0) memcpy(to, (const char *)slots[r].send + begin, (size_t)receive_bytes[r]);
        if (receive_bytes[r] > 0) to += receive_bytes[r];
    }
    CHECK(agree);
    return world_meet(slot->world, !agree) ? CLUMP_OK : CLUMP_ERR_INTERNAL;
}

/* Replaces the values by their sums, or by the least: bits of both kinds of integers are added in the same way. */
static inline clump_status world_combine(world_slot *slot, uint64_t *values, size_t count, bool least)
{
    uint64_t *const found = malloc(count * sizeof *found + 1);
    slot->values = values;
    slot->count = count;
    if (!found) abort();
    if (!world_post(slot)) return free(found), CLUMP_ERR_INTERNAL;
    for (int r = 0; r < slot->world->count; r++) {
        const uint64_t *const theirs = slot->world->slots[r].values;
        CHECK(slot->world->slots[r].count == count);
        for (size_t i = 0; i < count; i++)
            if (r == 0 || (least && (int64_t)theirs[i] < (int64_t)found[i]))
                found[i] = theirs[i];
            else if (!least)
                found[i] += theirs[i];
    }
    const clump_status status = world_leave(slot);
    if (status == CLUMP_OK && count > 0) memcpy(values, found, count * sizeof *found);
    free(found);
    return status;
}

static inline clump_status world_sum(void *user, uint64_t *values, size_t count)
{
    return world_combine(user, values, count, false);
}

static inline clump_status world_least(void *user, int64_t *values, size_t count)
{
    return world_combine(user, (uint64_t *)values, count, true);
}

static inline clump_status world_before(void *user, uint64_t *value)
{
    world_slot *const slot = user;
    slot->value = *value;
    if (!world_post(slot)) return CLUMP_ERR_INTERNAL;
    uint64_t total = 0;
    for (int r = 0; r < slot->rank; r++) total += slot->world->slots[r].value;
    *value = total;
    return world_leave(slot);
}

static inline clump_peers clump_world_peers(clump_world *world, int rank)
{
    return (clump_peers){.rank = rank,
                         .count = world->count,
                         .user = &world->slots[rank],
                         .exchange = world_exchange,
                         .sum = world_sum,
                         .least = world_least,
                         .before = world_before};
}

#endif
