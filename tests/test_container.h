/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_container.h: opens containers (io/recordings/container.h) on bytes, in memory or in a file, and reads them
 * whole.
 */
#ifndef CLUMP_TESTS_TEST_CONTAINER_H
#define CLUMP_TESTS_TEST_CONTAINER_H

#include "recordings/container.h"

#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that grow. */
typedef struct sample_bytes {
    unsigned char *data;
    size_t size;
} sample_bytes;

static inline void sample_put(sample_bytes *bytes, const void *data, size_t size)
{
    bytes->data = realloc(bytes->data, bytes->size + size + 1);
    if (data && size) memcpy(bytes->data + bytes->size, data, size); /* null: the caller fills them */
    bytes->size += size;
}

static inline void sample_free(sample_bytes *bytes)
{
    free(bytes->data);
    *bytes = (sample_bytes){0};
}

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
} opened;

/* Opens bytes as memory, or as a file in /tmp. The struct must not move until close_opened(). */
static inline clump_status open_bytes(opened *o, const clump_io_container *container, const void *bytes, size_t size,
                                      bool as_file)
{
    *o = (opened){.container = container};
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
    *o = (opened){.container = container, .status = CLUMP_ERR_IO_OPEN};
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

#endif
