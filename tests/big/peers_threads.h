/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peers_threads.c: ranks that are threads of one process.
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
#include "peers/peers.h"

#include "common/assert.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

clump_world *clump_world_create(int count)
{
    CLUMP_ASSERT(count >= 1);
    clump_world *const world = calloc(1, sizeof *world + (size_t)count * sizeof *world->slots);
    if (!world) return NULL;
    pthread_mutex_init(&world->lock, NULL);
    pthread_cond_init(&world->wake, NULL);
    world->count = count;
    for (int r = 0; r < count; r++) world->slots[r] = (world_slot){.world = world, .rank = r};
    return world;
}

void clump_world_destroy(clump_world *world)
{
    if (!world) return;
    pthread_cond_destroy(&world->wake);
    pthread_mutex_destroy(&world->lock);
    free(world);
}

void clump_world_trap(clump_world *world, int rank, long call)
{
    world->slots[rank].trap = call;
}

long clump_world_calls(const clump_world *world, int rank)
{
    return world->slots[rank].calls;
}

/* Waits for all ranks. `fails` breaks the world. Returns whether the world is whole. */
static bool meet(clump_world *world, bool fails)
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
static bool post(world_slot *slot)
{
    slot->calls++;
    return meet(slot->world, slot->calls == slot->trap);
}

static clump_status leave(world_slot *slot)
{
    return meet(slot->world, false) ? CLUMP_OK : CLUMP_ERR_INTERNAL;
}

static clump_status exchange(void *user, const void *send, const uint64_t *send_bytes, void *receive,
                             const uint64_t *receive_bytes)
{
    world_slot *const slot = user;
    slot->send = send;
    slot->bytes = send_bytes;
    if (!post(slot)) return CLUMP_ERR_INTERNAL;
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
    CLUMP_ASSERT(agree);
    return meet(slot->world, !agree) ? CLUMP_OK : CLUMP_ERR_INTERNAL;
}

static clump_status sum(void *user, uint64_t *values, size_t count)
{
    world_slot *const slot = user;
    uint64_t *const sums = malloc(count * sizeof *sums + 1);
    slot->values = values;
    slot->count = count;
    if (!meet(slot->world, !sums) || !post(slot)) {
        free(sums);
        return CLUMP_ERR_INTERNAL;
    }
    memset(sums, 0, count * sizeof *sums);
    for (int r = 0; r < slot->world->count; r++) {
        const uint64_t *const theirs = slot->world->slots[r].values;
        CLUMP_ASSERT(slot->world->slots[r].count == count);
        for (size_t i = 0; i < count; i++) sums[i] += theirs[i];
    }
    const clump_status status = leave(slot);
    if (status == CLUMP_OK && count > 0) memcpy(values, sums, count * sizeof *sums);
    free(sums);
    return status;
}

static clump_status least(void *user, int64_t *values, size_t count)
{
    world_slot *const slot = user;
    int64_t *const found = malloc(count * sizeof *found + 1);
    slot->values = values;
    slot->count = count;
    if (!meet(slot->world, !found) || !post(slot)) {
        free(found);
        return CLUMP_ERR_INTERNAL;
    }
    for (size_t i = 0; i < count; i++) found[i] = INT64_MAX;
    for (int r = 0; r < slot->world->count; r++) {
        const int64_t *const theirs = slot->world->slots[r].values;
        CLUMP_ASSERT(slot->world->slots[r].count == count);
        for (size_t i = 0; i < count; i++) found[i] = theirs[i] < found[i] ? theirs[i] : found[i];
    }
    const clump_status status = leave(slot);
    if (status == CLUMP_OK && count > 0) memcpy(values, found, count * sizeof *found);
    free(found);
    return status;
}

static clump_status before(void *user, uint64_t *value)
{
    world_slot *const slot = user;
    slot->value = *value;
    if (!post(slot)) return CLUMP_ERR_INTERNAL;
    uint64_t total = 0;
    for (int r = 0; r < slot->rank; r++) total += slot->world->slots[r].value;
    *value = total;
    return leave(slot);
}

clump_peers clump_world_peers(clump_world *world, int rank)
{
    return (clump_peers){.rank = rank,
                         .count = world->count,
                         .user = &world->slots[rank],
                         .exchange = exchange,
                         .sum = sum,
                         .least = least,
                         .before = before};
}
