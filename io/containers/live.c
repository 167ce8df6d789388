/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live.c: see live.h.
 *
 *     memory   [ head bytes ][ head bytes ] free ... [ head bytes ]       a record never wraps: what is left at the end of the
 *                first                 ^ end                              memory is skipped
 *
 * An empty ring begins at byte 0 again. So a reader that keeps up uses the first bytes only, which stay in the cache.
 */
#include "containers/live.h"

#include "common/assert.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIVE_SECOND INT64_C(1000000000)

typedef struct live_record {
    uint64_t size; /* of the message; LIVE_SKIP: go to byte 0 */
    int64_t received;
    uint32_t kind, unused;
} live_record;
#define LIVE_SKIP UINT64_MAX

struct clump_io_live {
    unsigned char *memory;
    size_t capacity; /* a multiple of 8 */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t first, end; /* of the records; equal: see used */
    size_t used;       /* bytes from first to end, with skipped ones */
    size_t reserved;   /* where the room of the receiving thread begins */
    bool ended, waits; /* waits: the reading thread sleeps */
    clump_status status;
    clump_message why;
    uint64_t dropped, taken;
    size_t held;    /* of the reading thread: bytes of the record that it has */
    int64_t heard;  /* of the reading thread: when the last message came, */
    int64_t asked;  /* and when the caller was asked last */
    bool cancelled; /* of the reading thread: the caller wants the end, */
    uint64_t read;  /* and gets the messages that had come: `taken` of then */
    uint64_t last;
    int64_t silences; /* of the reading thread: told since then */
};

/* --- the caller's wishes --------------------------------------------------------------------------- */

bool clump_io_wire_goes_on(const clump_io_wire *wire)
{
    return !wire || !wire->watch || wire->watch(wire->watch_user, NULL);
}

void clump_io_wire_say(const clump_io_wire *wire, const char *format, ...)
{
    if (!wire || !wire->watch) return;
    clump_message note;
    va_list values;
    va_start(values, format);
    vsnprintf(note.text, sizeof note.text, format, values);
    va_end(values);
    wire->watch(wire->watch_user, note.text);
}

int64_t clump_io_now(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * LIVE_SECOND + now.tv_nsec;
}

/* --- making ------------------------------------------------------------------------------------------ */

clump_status clump_io_live_create(const clump_io_where *where, size_t bytes, clump_io_live **out)
{
    *out = NULL;
    bytes = bytes / 8 * 8;
    clump_io_live *const live = calloc(1, sizeof *live);
    unsigned char *const memory = malloc(bytes);
    if (!live || !memory) {
        free(live), free(memory);
        return clump_io_no_memory(where, bytes);
    }
    live->memory = memory;
    live->capacity = bytes;
    pthread_mutex_init(&live->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&live->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    live->heard = clump_io_now(CLOCK_MONOTONIC);
    *out = live;
    return CLUMP_OK;
}

void clump_io_live_destroy(clump_io_live *live)
{
    if (!live) return;
    pthread_cond_destroy(&live->changed);
    pthread_mutex_destroy(&live->mutex);
    free(live->memory);
    free(live);
}

/* --- the thread that receives -------------------------------------------------------------------------- */

/* Returns the bytes of a record with a message of this size. */
static size_t record_size(size_t size)
{
    return sizeof(live_record) + (size + 7) / 8 * 8;
}

unsigned char *clump_io_live_reserve(clump_io_live *live, size_t size)
{
    const size_t need = record_size(size);
    if (need > live->capacity || need < size) return NULL;
    pthread_mutex_lock(&live->mutex);
    if (live->used == 0) live->first = live->end = 0;
    const bool wrapped = live->used > 0 && live->end <= live->first;
    const size_t room = wrapped ? live->first - live->end : live->capacity - live->end;
    bool fits = need <= room;
    live->reserved = live->end;
    if (!fits && !wrapped && need <= live->first) { /* at the beginning; commit() marks what is skipped */
        live->reserved = 0;
        fits = true;
    }
    pthread_mutex_unlock(&live->mutex);
    return fits ? live->memory + live->reserved + sizeof(live_record) : NULL;
}

void clump_io_live_commit(clump_io_live *live, uint32_t kind, int64_t received, size_t size)
{
    const live_record record = {.size = size, .received = received, .kind = kind};
    const size_t need = record_size(size);
    memcpy(live->memory + live->reserved, &record, sizeof record);
    pthread_mutex_lock(&live->mutex);
    if (live->reserved != live->end) { /* it wraps */
        const live_record skip = {.size = LIVE_SKIP};
        CLUMP_ASSERT(live->reserved == 0);
        if (live->capacity - live->end >= sizeof skip) memcpy(live->memory + live->end, &skip, sizeof skip);
        live->used += live->capacity - live->end;
        live->end = 0;
    }
    live->end += need;
    live->used += need;
    CLUMP_ASSERT(live->end <= live->capacity && live->used <= live->capacity);
    live->taken++;
    if (live->waits) pthread_cond_signal(&live->changed);
    pthread_mutex_unlock(&live->mutex);
}

void clump_io_live_drop(clump_io_live *live, uint64_t count)
{
    pthread_mutex_lock(&live->mutex);
    live->dropped += count;
    pthread_mutex_unlock(&live->mutex);
}

bool clump_io_live_push(clump_io_live *live, uint32_t kind, int64_t received, const void *bytes, size_t size)
{
    unsigned char *const room = clump_io_live_reserve(live, size);
    if (!room) {
        clump_io_live_drop(live, 1);
        return false;
    }
    if (size) memcpy(room, bytes, size);
    clump_io_live_commit(live, kind, received, size);
    return true;
}

void clump_io_live_end(clump_io_live *live, clump_status status, const clump_message *why)
{
    pthread_mutex_lock(&live->mutex);
    live->ended = true;
    live->status = status;
    if (why) live->why = *why;
    pthread_cond_signal(&live->changed);
    pthread_mutex_unlock(&live->mutex);
}

/* --- the thread that reads -------------------------------------------------------------------------------- */

/* Gives back the record that the last call returned. */
static void release_held(clump_io_live *live)
{
    CLUMP_ASSERT(live->held <= live->used);
    live->first += live->held;
    live->used -= live->held;
    live->held = 0;
}

/* Takes the first record. There is one. */
static void take(clump_io_live *live, clump_io_live_message *message)
{
    live_record record = {.size = LIVE_SKIP};
    const size_t left = live->capacity - live->first;
    if (left >= sizeof record) memcpy(&record, live->memory + live->first, sizeof record);
    if (record.size == LIVE_SKIP) {
        live->used -= left;
        live->first = 0;
        memcpy(&record, live->memory, sizeof record);
    }
    *message = (clump_io_live_message){.kind = record.kind,
                                       .received = record.received,
                                       .bytes = live->memory + live->first + sizeof record,
                                       .size = (size_t)record.size};
    live->held = record_size(message->size);
}

/* Waits a while for a record, or for the end. */
static void wait_a_while(clump_io_live *live)
{
    const int64_t until = clump_io_now(CLOCK_MONOTONIC) + CLUMP_IO_WAIT;
    const struct timespec at = {.tv_sec = (time_t)(until / LIVE_SECOND), .tv_nsec = (long)(until % LIVE_SECOND)};
    live->waits = true;
    pthread_cond_timedwait(&live->changed, &live->mutex, &at);
    live->waits = false;
}

/* Asks the caller whether to go on, also where messages come all the time. */
static void ask_caller(clump_io_live *live, const clump_io_wire *wire, int64_t now)
{
    if (live->cancelled || now - live->asked < CLUMP_IO_WAIT) return;
    live->asked = now;
    live->cancelled = !clump_io_wire_goes_on(wire);
    if (live->cancelled) live->last = clump_io_live_taken(live);
}

clump_status clump_io_live_next(clump_io_live *live, const clump_io_blob *blob, clump_io_live_message *message,
                                clump_io_live_event *event, int64_t *silent)
{
    *event = CLUMP_IO_LIVE_END;
    for (;;) {
        pthread_mutex_lock(&live->mutex);
        release_held(live);
        if (live->used == 0 && !live->ended) wait_a_while(live);
        const bool some = live->used > 0, ended = live->ended;
        if (some) take(live, message);
        pthread_mutex_unlock(&live->mutex);
        const int64_t now = clump_io_now(CLOCK_MONOTONIC);
        *silent = now - live->heard;
        ask_caller(live, blob->wire, now);
        if (live->cancelled && live->read >= live->last) return CLUMP_OK;
        if (some) {
            live->read++;
            live->heard = now;
            live->silences = 0;
            *event = CLUMP_IO_LIVE_MESSAGE;
            return CLUMP_OK;
        }
        if (ended && live->status != CLUMP_OK && blob->where.message) *blob->where.message = live->why;
        if (ended) return live->status;
        if (*silent < (live->silences + 1) * LIVE_SECOND) continue;
        live->silences++;
        *event = CLUMP_IO_LIVE_SILENCE;
        return CLUMP_OK;
    }
}

/* --- any thread --------------------------------------------------------------------------------------------- */

uint64_t clump_io_live_dropped(clump_io_live *live)
{
    pthread_mutex_lock(&live->mutex);
    const uint64_t dropped = live->dropped;
    pthread_mutex_unlock(&live->mutex);
    return dropped;
}

uint64_t clump_io_live_taken(clump_io_live *live)
{
    pthread_mutex_lock(&live->mutex);
    const uint64_t taken = live->taken;
    pthread_mutex_unlock(&live->mutex);
    return taken;
}
