/* SPDX-License-Identifier: BSD-3-Clause
 *
 * span.h: checks of the caller's memory. Before a call accesses memory it checks every piece that it will read or
 * write. No output may overlap another piece, and each piece is aligned to its type.
 */
#ifndef CLUMP_CORE_SPAN_H
#define CLUMP_CORE_SPAN_H

#include "core/work.h"

/* A piece of memory: `count` elements of `bytes` bytes, `stride` bytes apart. Only points and queries have several. */
typedef struct clump_span {
    const char *name;  /* "labels", for the message */
    const void *begin; /* null: unused */
    size_t bytes, count, stride;
    size_t alignment; /* a power of two */
    bool written;
} clump_span;

/* An array that the call reads: one element of count * size bytes. Positional initialisers, as C++ compiles this
 * too. */
static inline clump_span clump_span_in(const char *name, const void *begin, size_t count, size_t size, size_t alignment)
{
    const clump_span span = {name, begin, count * size, count > 0, 0, alignment, false};
    return span;
}

/* An array that the call writes. */
static inline clump_span clump_span_out(const char *name, const void *begin, size_t count, size_t size,
                                        size_t alignment)
{
    const clump_span span = {name, begin, count * size, count > 0, 0, alignment, true};
    return span;
}

/* A number that the call writes, as cluster_count. */
static inline clump_span clump_span_number(const char *name, const void *begin, size_t size)
{
    return clump_span_out(name, begin, 1, size, size);
}

/* Points that clump_check_points() has accepted; the stride is in bytes. */
static inline clump_span clump_span_points(const char *name, const void *xyz, size_t count, size_t stride)
{
    const clump_span span = {name, xyz, 3 * sizeof(float), count, stride, sizeof(float), false};
    return span;
}

/* Fails with CLUMP_ERR_ARGUMENT where a written piece overlaps another, or a piece is not aligned or exceeds the
 * address space. `call` is the public name for the message. Of any two pieces at most one has several elements. */
clump_status clump_check_spans(clump_work *work, const char *call, const clump_span *spans, size_t count);

#endif
