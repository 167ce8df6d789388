/* SPDX-License-Identifier: BSD-3-Clause
 *
 * window.c: reads ahead where records follow each other closely, and little where they are far apart. A pipe is read as
 * far as is asked for: what comes later is not waited for.
 */
#include "containers/container.h"

#include "common/assert.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW_LEAST = 4096,      /* a page: the walk jumps from chunk to chunk */
    WINDOW_MOST = 256 * 1024, /* fits the cache of level 2 */
};

/* --- pipes ---------------------------------------------------------------------------------------------- */

/* Waits for bytes. False: the caller has ended the recording. */
static bool wait_for_pipe(const clump_io_pipe *pipe)
{
    for (;;) {
        struct pollfd ready = {.fd = pipe->file, .events = POLLIN};
        const int count = poll(&ready, 1, CLUMP_IO_WAIT / 1000000);
        if (count > 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return true; /* read() says what is wrong */
        if (!clump_io_wire_goes_on(pipe->wire)) return false;
    }
}

/* Reads at least one byte, or comes to the end. */
static clump_status read_pipe(const clump_io_blob *blob, unsigned char *to, size_t size, size_t *got)
{
    clump_io_pipe *const pipe = blob->pipe;
    const size_t left = pipe->head.size - pipe->head_taken;
    CLUMP_ASSERT(size > 0 && pipe->head_taken <= pipe->head.size);
    *got = left < size ? left : size;
    if (*got) {
        memcpy(to, pipe->head.data + pipe->head_taken, *got);
        pipe->head_taken += *got;
        return CLUMP_OK;
    }
    pipe->cancelled = !wait_for_pipe(pipe);
    const ssize_t now = pipe->cancelled ? 0 : read(pipe->file, to, size);
    if (now < 0 && (errno == EINTR || errno == EAGAIN)) return CLUMP_OK;
    if (now < 0) return clump_io_fail_errno(&blob->where, CLUMP_ERR_IO_READ, "cannot read", errno);
    *got = (size_t)now;
    pipe->ended = now == 0;
    return CLUMP_OK;
}

/* Drops what lies before `from`, and reads until [from, from + size) is in the window, or to the end of the pipe. */
static clump_status fill_from_pipe(clump_io_window *window, uint64_t from, size_t size)
{
    clump_io_bytes *const bytes = &window->bytes;
    CLUMP_ASSERT(from >= window->from);
    while (!window->blob->pipe->ended && window->from + bytes->size < from + size) {
        const uint64_t end = window->from + bytes->size;
        const size_t keep = end > from ? (size_t)(end - from) : 0;
        if (keep && keep < bytes->size) memmove(bytes->data, bytes->data + (bytes->size - keep), keep);
        window->from = end - keep;
        bytes->size = keep;
        CLUMP_IO_TRY(clump_io_bytes_reserve(&window->blob->where, bytes, size > WINDOW_MOST ? size : WINDOW_MOST));
        size_t got;
        CLUMP_IO_TRY(read_pipe(window->blob, bytes->data + keep, bytes->capacity - keep, &got));
        bytes->size += got;
    }
    return CLUMP_OK;
}

/* --- both ------------------------------------------------------------------------------------------------- */

clump_status clump_io_window_room(clump_io_window *window, uint64_t from, size_t size, uint64_t *room)
{
    const clump_io_blob *const blob = window->blob;
    *room = blob->size > from ? blob->size - from : 0;
    if (!blob->pipe) return CLUMP_OK;
    CLUMP_IO_TRY(fill_from_pipe(window, from, size));
    const uint64_t end = window->from + window->bytes.size;
    *room = end > from ? end - from : 0;
    return CLUMP_OK;
}

clump_status clump_io_window_at(clump_io_window *window, uint64_t from, size_t size, const unsigned char **at)
{
    const clump_io_blob *const blob = window->blob;
    if (blob->memory) return clump_io_blob_at(blob, from, size, &window->bytes, at);
    if (blob->pipe) CLUMP_IO_TRY(fill_from_pipe(window, from, size));
    const uint64_t end = window->from + window->bytes.size;
    if (from >= window->from && from <= end && size <= end - from) {
        *at = window->bytes.data + (from - window->from);
        return CLUMP_OK;
    }
    if (blob->pipe) return clump_io_fail(&blob->where, CLUMP_ERR_IO_TRUNCATED, "the input ends too early");
    const bool follows = from >= window->from && from <= end;
    window->step = !follows || window->step == 0 ? WINDOW_LEAST : window->step * 2;
    if (window->step > WINDOW_MOST) window->step = WINDOW_MOST;
    size_t wanted = size > window->step ? size : window->step;
    if (from <= blob->size && wanted > blob->size - from && size <= blob->size - from)
        wanted = (size_t)(blob->size - from);
    window->bytes.size = 0; /* a failed read leaves no window */
    CLUMP_IO_TRY(clump_io_blob_at(blob, from, wanted, &window->bytes, at));
    window->from = from;
    return CLUMP_OK;
}

void clump_io_window_release(clump_io_window *window)
{
    clump_io_bytes_release(&window->bytes);
}
