/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_container.h: opens containers (io/containers/container.h) on bytes, in memory or in a file, and reads them
 * whole.
 */
#ifndef CLUMP_TESTS_TEST_CONTAINER_H
#define CLUMP_TESTS_TEST_CONTAINER_H

#include "containers/container.h"

#include "support/check.h"
#include "crc32.h"
#include "recordings/made.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is kept of a message. */
typedef struct kept_message {
    uint32_t topic;
    int64_t time;
    size_t size;
    uint32_t crc;
} kept_message;

enum { OPENED_MOST = 4096 }; /* messages that are kept */

/* An open container. */
typedef struct opened {
    const clump_io_container *container;
    clump_io_blob blob;
    clump_io_topics topics;
    clump_io_losses losses;
    clump_message why;
    void *state;
    unsigned char *copy; /* of exactly the size, so that the sanitizer sees a read beyond the end */
    char path[64];
    clump_status status;
    size_t count;                       /* messages that read_all() has read */
    kept_message messages[OPENED_MOST]; /* the last member: opening does not clear it */
} opened;

/* Opens bytes as memory, or as a file in /tmp. The struct must not move until close_opened(). */
static inline clump_status open_bytes(opened *o, const clump_io_container *container, const void *bytes, size_t size,
                                      bool as_file)
{
    memset(o, 0, offsetof(opened, messages));
    o->container = container;
    o->blob = (clump_io_blob){.file = -1, .size = size, .where = {"sample", &o->why}};
    if (as_file) {
        snprintf(o->path, sizeof o->path, "/tmp/clump-container-XXXXXX");
        o->blob.file = mkstemp(o->path);
        if (o->blob.file < 0 || write(o->blob.file, bytes, size) != (ssize_t)size) abort();
        o->blob.path = o->path;
    } else {
        o->copy = malloc(size ? size : 1);
        if (size) memcpy(o->copy, bytes, size);
        o->blob.memory = o->copy;
    }
    o->status = container->open(&o->blob, &o->topics, &o->losses, &o->state);
    if (o->status != CLUMP_OK && !o->why.text[0]) CHECK_FAIL("a failure without a sentence");
    return o->status;
}

/* Opens a file. `path` must stay until close_opened(). */
static inline clump_status open_path(opened *o, const clump_io_container *container, const char *path)
{
    struct stat status;
    memset(o, 0, offsetof(opened, messages));
    o->container = container;
    o->status = CLUMP_ERR_IO_OPEN;
    o->blob = (clump_io_blob){.file = open(path, O_RDONLY), .path = path, .where = {path, &o->why}};
    if (o->blob.file < 0 || fstat(o->blob.file, &status) != 0) return o->status;
    o->blob.size = (uint64_t)status.st_size;
    return o->status = container->open(&o->blob, &o->topics, &o->losses, &o->state);
}

static inline void close_opened(opened *o)
{
    if (o->state) o->container->close(o->state);
    clump_io_topics_release(&o->topics);
    if (o->blob.file >= 0) close(o->blob.file);
    if (o->path[0]) unlink(o->path);
    free(o->copy);
    o->state = o->copy = NULL;
    o->blob.file = -1;
    o->path[0] = 0;
}

/* Reads the next message of all topics. */
static inline bool read_next(opened *o, clump_io_message *message)
{
    bool more;
    o->status = o->container->next(o->state, NULL, 0, message, &more);
    return o->status == CLUMP_OK && more;
}

static inline uint64_t all_losses(const clump_io_losses *l)
{
    return l->damaged_chunks + l->damaged_messages + l->damaged_packets + l->lost_packets + l->reordered +
           l->lost_bytes + l->truncated;
}

/* Reads all messages that are left. Every byte of them is touched. */
static inline clump_status read_all(opened *o, const bool *wanted, size_t wanted_count)
{
    o->count = 0;
    for (;;) {
        clump_io_message m;
        bool more = false;
        const clump_status status = o->container->next(o->state, wanted, wanted_count, &m, &more);
        if (status != CLUMP_OK || !more) return status;
        if (m.topic >= o->topics.count) abort();
        const kept_message k = {m.topic, m.received, m.size, clump_io_crc32(0, m.bytes, m.size)};
        if (o->count < OPENED_MOST) o->messages[o->count] = k;
        o->count++;
    }
}

/* Returns the name of the topic of a message that read_all() has kept; "none" for others. */
static inline const char *topic_of(const opened *o, size_t message)
{
    return message < o->count && message < OPENED_MOST ? o->topics.list[o->messages[message].topic].name : "none";
}

/* Whether message i of one and message j of the other are the same. */
static inline bool is_same_message(const opened *a, size_t i, const opened *b, size_t j)
{
    const kept_message *const m = &a->messages[i], *const n = &b->messages[j];
    return strcmp(topic_of(a, i), topic_of(b, j)) == 0 && m->time == n->time && m->size == n->size && m->crc == n->crc;
}

#endif
