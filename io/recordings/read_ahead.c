/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read_ahead.c: a thread that reads messages before they are asked for.
 *
 *     thread   parts -> into a free slot     slots are a ring: [taken] ... [next] full full full free free
 *     caller   takes slots in order. The bytes of the taken slot stay until the next call
 *
 * Failures and the end take a slot as messages do, so they come in order. Losses are copied into each slot: the caller sees
 * those up to its message, whatever the thread has read meanwhile.
 *
 * The memory of a slot is used again. Messages of a recording have similar sizes, so nothing is allocated once warm.
 */
#include "recordings/recording.h"

#include "common/assert.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* More slots than this are of no use: the thread is far ahead. */
#define AHEAD_MOST 4096

typedef struct ahead_slot {
    clump_status status;
    bool more;
    clump_io_message message;
    clump_io_bytes bytes;
    clump_io_losses losses;
    clump_message why;
} ahead_slot;

struct clump_io_ahead {
    clump_io_parts *parts;
    clump_message *caller_why;
    clump_message thread_why;
    ahead_slot *slots;
    size_t depth;

    pthread_t thread;
    bool running; /* of the caller: the thread must be joined */
    pthread_mutex_t mutex;
    pthread_cond_t filled, freed;
    size_t first, count; /* full slots: first, first + 1 ... */
    bool stop;
    bool taken; /* the slot before `first` is in use by the caller */
    bool ended; /* of the caller: the end has been taken */
    clump_io_losses losses;
};

clump_status clump_io_ahead_create(const clump_io_where *where, clump_io_parts *parts, size_t depth,
                                   clump_io_ahead **out)
{
    *out = NULL;
    if (depth > AHEAD_MOST) depth = AHEAD_MOST;
    clump_io_ahead *const ahead = calloc(1, sizeof *ahead);
    ahead_slot *const slots = calloc(depth + 1, sizeof *slots); /* one is in use by the caller */
    if (!ahead || !slots) {
        free(ahead), free(slots);
        return clump_io_no_memory(where, (depth + 1) * sizeof *slots);
    }
    ahead->parts = parts;
    ahead->caller_why = parts->why;
    ahead->slots = slots;
    ahead->depth = depth + 1;
    ahead->losses = clump_io_parts_losses(parts);
    pthread_mutex_init(&ahead->mutex, NULL);
    pthread_cond_init(&ahead->filled, NULL);
    pthread_cond_init(&ahead->freed, NULL);
    *out = ahead;
    return CLUMP_OK;
}

/* --- the thread ------------------------------------------------------------------------------------------ */

/* Reads a message into a slot that only the thread has. */
static void fill(clump_io_ahead *ahead, ahead_slot *slot)
{
    CLUMP_ASSERT(slot >= ahead->slots && slot < ahead->slots + ahead->depth);
    slot->status = clump_io_parts_next(ahead->parts, &slot->message, &slot->more);
    if (slot->status == CLUMP_OK && slot->more && slot->message.memory) {
        const clump_io_bytes bytes = slot->bytes;
        slot->bytes = *slot->message.memory;
        *slot->message.memory = bytes;
    } else if (slot->status == CLUMP_OK && slot->more) {
        const clump_io_where where = {NULL, &ahead->thread_why};
        const size_t size = slot->message.size;
        slot->status = clump_io_bytes_reserve(&where, &slot->bytes, size ? size : 1);
        if (slot->status == CLUMP_OK && size) memcpy(slot->bytes.data, slot->message.bytes, size);
        slot->message.bytes = slot->bytes.data;
    }
    if (slot->status != CLUMP_OK) slot->why = ahead->thread_why;
    slot->losses = clump_io_parts_losses(ahead->parts);
}

/* Waits for a free slot. Null: the thread is to end. */
static ahead_slot *wait_for_slot(clump_io_ahead *ahead)
{
    pthread_mutex_lock(&ahead->mutex);
    while (!ahead->stop && ahead->count + ahead->taken >= ahead->depth) pthread_cond_wait(&ahead->freed, &ahead->mutex);
    ahead_slot *const slot = ahead->stop ? NULL : &ahead->slots[(ahead->first + ahead->count) % ahead->depth];
    pthread_mutex_unlock(&ahead->mutex);
    return slot;
}

static void *read_messages(void *user)
{
    clump_io_ahead *const ahead = user;
    for (ahead_slot *slot; (slot = wait_for_slot(ahead));) {
        fill(ahead, slot);
        const bool last = slot->status == CLUMP_OK && !slot->more;
        pthread_mutex_lock(&ahead->mutex);
        CLUMP_ASSERT(ahead->count + ahead->taken < ahead->depth);
        ahead->count++;
        pthread_cond_signal(&ahead->filled);
        pthread_mutex_unlock(&ahead->mutex);
        if (last) break;
    }
    return NULL;
}

/* Signals are for the threads of the program. */
static clump_status start(clump_io_ahead *ahead)
{
    CLUMP_ASSERT(!ahead->running && ahead->count == 0);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ahead->parts->why = &ahead->thread_why;
    const int error = pthread_create(&ahead->thread, NULL, read_messages, ahead);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ahead->running = error == 0;
    if (!error) return CLUMP_OK;
    ahead->parts->why = ahead->caller_why;
    const clump_io_where where = {NULL, ahead->caller_why};
    return clump_io_fail_errno(&where, CLUMP_ERR_OUT_OF_MEMORY, "cannot start a thread", error);
}

/* --- the caller ------------------------------------------------------------------------------------------- */

void clump_io_ahead_stop(clump_io_ahead *ahead)
{
    if (ahead->running) {
        pthread_mutex_lock(&ahead->mutex);
        ahead->stop = true;
        pthread_cond_signal(&ahead->freed);
        pthread_mutex_unlock(&ahead->mutex);
        pthread_join(ahead->thread, NULL);
    }
    ahead->parts->why = ahead->caller_why;
    ahead->running = ahead->stop = ahead->taken = ahead->ended = false;
    ahead->first = ahead->count = 0;
    ahead->losses = clump_io_parts_losses(ahead->parts);
}

void clump_io_ahead_destroy(clump_io_ahead *ahead)
{
    if (!ahead) return;
    clump_io_ahead_stop(ahead);
    for (size_t i = 0; i < ahead->depth; i++) clump_io_bytes_release(&ahead->slots[i].bytes);
    free(ahead->slots);
    pthread_mutex_destroy(&ahead->mutex);
    pthread_cond_destroy(&ahead->filled);
    pthread_cond_destroy(&ahead->freed);
    free(ahead);
}

clump_io_losses clump_io_ahead_losses(const clump_io_ahead *ahead)
{
    return ahead->losses;
}

clump_status clump_io_ahead_next(clump_io_ahead *ahead, clump_io_message *message, bool *more)
{
    *more = false;
    if (ahead->ended) return CLUMP_OK;
    if (!ahead->running) CLUMP_IO_TRY(start(ahead));
    pthread_mutex_lock(&ahead->mutex);
    if (ahead->taken) {
        ahead->taken = false;
        pthread_cond_signal(&ahead->freed);
    }
    while (ahead->count == 0) pthread_cond_wait(&ahead->filled, &ahead->mutex);
    CLUMP_ASSERT(ahead->first < ahead->depth && ahead->count <= ahead->depth);
    const ahead_slot *const slot = &ahead->slots[ahead->first];
    ahead->first = (ahead->first + 1) % ahead->depth;
    ahead->count--;
    ahead->taken = true;
    pthread_mutex_unlock(&ahead->mutex);

    ahead->losses = slot->losses;
    if (slot->status != CLUMP_OK) {
        if (ahead->caller_why) *ahead->caller_why = slot->why;
        return slot->status;
    }
    *message = slot->message;
    *more = slot->more;
    ahead->ended = !slot->more;
    return CLUMP_OK;
}
