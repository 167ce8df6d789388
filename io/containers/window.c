/* SPDX-License-Identifier: BSD-3-Clause
 *
 * window.c: reads ahead where records follow each other closely, and little where they are far apart.
 */
#include "containers/container.h"

enum {
    WINDOW_LEAST = 4096,      /* a page: the walk jumps from chunk to chunk */
    WINDOW_MOST = 256 * 1024, /* fits the cache of level 2 */
};

clump_status clump_io_window_at(clump_io_window *window, uint64_t from, size_t size, const unsigned char **at)
{
    const clump_io_blob *const blob = window->blob;
    if (blob->memory) return clump_io_blob_at(blob, from, size, &window->bytes, at);
    const uint64_t end = window->from + window->bytes.size;
    if (from >= window->from && from <= end && size <= end - from) {
        *at = window->bytes.data + (from - window->from);
        return CLUMP_OK;
    }
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
