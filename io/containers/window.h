/* SPDX-License-Identifier: BSD-3-Clause
 *
 * window.h: walks through a blob from record to record, with few reads of the file.
 */
#ifndef CLUMP_IO_RECORDINGS_WINDOW_H
#define CLUMP_IO_RECORDINGS_WINDOW_H

#include "endian.h"
#include "containers/container.h"

/* The part of a blob that is in memory. Set `blob`, the rest to zero. */
typedef struct clump_io_window {
    const clump_io_blob *blob;
    clump_io_bytes bytes;
    uint64_t from; /* place of bytes.data in the blob */
    size_t step;   /* bytes that the last read asked for */
} clump_io_window;

/* Points *at to bytes [from, from + size) of the blob, valid until the next call. Fails as clump_io_blob_at(). */
clump_status clump_io_window_at(clump_io_window *window, uint64_t from, size_t size, const unsigned char **at);
void clump_io_window_release(clump_io_window *window);

#endif
