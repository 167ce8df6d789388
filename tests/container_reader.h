/* SPDX-License-Identifier: BSD-3-Clause
 *
 * container_reader.h: reads a container from memory or from a file, for tests of containers.
 */
#ifndef CLUMP_TESTS_CONTAINER_READER_H
#define CLUMP_TESTS_CONTAINER_READER_H

#include "check.h"
#include "crc32.h"
#include "recordings/container.h"

#include <unistd.h>

/* Bytes that a test composes. */
typedef struct made {
    unsigned char *bytes;
    size_t size, capacity;
} made;

static inline void made_put(made *to, const void *bytes, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, to->capacity);
        if (!to->bytes) abort();
    }
    if (size) memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}
static inline void made_u8(made *to, unsigned value)
{
    made_put(to, &(unsigned char){(unsigned char)value}, 1);
}
static inline void made_u16(made *to, unsigned value)
{
    made_u8(to, value & 255), made_u8(to, value >> 8 & 255);
}
static inline void made_u32(made *to, uint32_t value)
{
    made_u16(to, value & 65535), made_u16(to, value >> 16);
}
static inline void made_u64(made *to, uint64_t value)
{
    made_u32(to, (uint32_t)value), made_u32(to, (uint32_t)(value >> 32));
}

/* What is kept of a message. */
typedef struct kept {
    uint32_t topic;
    int64_t time;
    size_t size;
    uint32_t crc;
} kept;

enum { READER_MOST = 4096 };

typedef struct reader {
    const clump_io_container *container;
    clump_io_blob blob;
    FILE *file;
    clump_io_topics topics;
    clump_io_losses losses;
    clump_message why;
    void *state;
    size_t count; /* messages that reader_all() has read */
    kept messages[READER_MOST];
} reader;

/* Opens. in_file: through a file without a name. */
static inline clump_status reader_open(reader *r, const clump_io_container *container, const void *bytes, size_t size,
                                       bool in_file)
{
    memset(r, 0, sizeof *r);
    r->container = container;
    r->blob = (clump_io_blob){.size = size, .where = {"test", &r->why}};
    if (in_file) {
        r->file = tmpfile();
        if (!r->file || fwrite(bytes, 1, size, r->file) != size || fflush(r->file) != 0) abort();
        r->blob.file = fileno(r->file);
    } else {
        r->blob.memory = bytes;
    }
    return container->open(&r->blob, &r->topics, &r->losses, &r->state);
}

static inline void reader_close(reader *r)
{
    if (r->state) r->container->close(r->state);
    clump_io_topics_release(&r->topics);
    if (r->file) fclose(r->file);
    r->state = NULL;
    r->file = NULL;
}

/* Reads all messages that are left. Every byte of them is touched. */
static inline clump_status reader_all(reader *r, const bool *wanted, size_t wanted_count)
{
    r->count = 0;
    for (;;) {
        clump_io_message m;
        bool more = false;
        const clump_status status = r->container->next(r->state, wanted, wanted_count, &m, &more);
        if (status != CLUMP_OK || !more) return status;
        if (m.topic >= r->topics.count) abort();
        const kept k = {m.topic, m.received, m.size, clump_io_crc32(0, m.bytes, m.size)};
        if (r->count < READER_MOST) r->messages[r->count] = k;
        r->count++;
    }
}

static inline const char *reader_topic(const reader *r, size_t message)
{
    return message < r->count && message < READER_MOST ? r->topics.list[r->messages[message].topic].name : "none";
}

/* Whether message i of both is the same. */
static inline bool reader_same(const reader *a, size_t i, const reader *b, size_t j)
{
    const kept *const m = &a->messages[i], *const n = &b->messages[j];
    return strcmp(reader_topic(a, i), reader_topic(b, j)) == 0 && m->time == n->time && m->size == n->size &&
           m->crc == n->crc;
}

#endif
