/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blob.c: bytes of a file at any place, and memory that grows.
 */
#include "containers/container.h"

#include "common/assert.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

clump_status clump_io_bytes_reserve(const clump_io_where *where, clump_io_bytes *bytes, size_t capacity)
{
    CLUMP_ASSERT(bytes->capacity == 0 || bytes->data);
    if (capacity <= bytes->capacity) return CLUMP_OK;
    const size_t half = bytes->capacity + bytes->capacity / 2;
    const size_t room = capacity < half ? half : capacity;
    unsigned char *const data = realloc(bytes->data, room);
    if (!data) return clump_io_no_memory(where, room);
    bytes->data = data;
    bytes->capacity = room;
    return CLUMP_OK;
}

void clump_io_bytes_release(clump_io_bytes *bytes)
{
    free(bytes->data);
    *bytes = (clump_io_bytes){0};
}

clump_status clump_io_blob_at(const clump_io_blob *blob, uint64_t from, size_t size, clump_io_bytes *scratch,
                              const unsigned char **at)
{
    if (from > blob->size || size > blob->size - from)
        return clump_io_fail(&blob->where, CLUMP_ERR_IO_TRUNCATED, "the file ends at byte %llu",
                             (unsigned long long)blob->size);
    if (blob->memory) {
        *at = blob->memory + from;
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(clump_io_bytes_reserve(&blob->where, scratch, size ? size : 1));
    size_t done = 0;
    while (done < size) {
        const ssize_t got = pread(blob->file, scratch->data + done, size - done, (off_t)(from + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return clump_io_fail_errno(&blob->where, CLUMP_ERR_IO_READ, "cannot read", errno);
        if (got == 0)
            return clump_io_fail(&blob->where, CLUMP_ERR_IO_TRUNCATED, "the file became shorter while it was read");
        done += (size_t)got;
    }
    scratch->size = size;
    *at = scratch->data;
    return CLUMP_OK;
}
