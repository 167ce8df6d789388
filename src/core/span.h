/* SPDX-License-Identifier: BSD-3-Clause
 *
 * span.h: pieces of the caller's memory. A call checks all pieces that it reads and writes before it touches one: no
 * output may overlap another piece, and each is aligned to its type.
 */
#ifndef CLUMP_CORE_SPAN_H
#define CLUMP_CORE_SPAN_H

#include <clump/clump.h>

/* `count` elements of `bytes` bytes, `stride` bytes apart: points and queries. All others are one element. */
typedef struct clump_span {
    const char *name;  /* "labels", for the sentence */
    const void *begin; /* null: not there */
    size_t bytes, count, stride;
    size_t alignment; /* a power of two */
    bool written;
} clump_span;

static inline clump_span clump_span_in(const char *name, const void *begin, size_t count, size_t size, size_t alignment)
{
    const clump_span span = {name, begin,     count * size, count > 0,
                             0,    alignment, false}; /* also read by a C++ compiler */
    return span;
}

static inline clump_span clump_span_out(const char *name, const void *begin, size_t count, size_t size,
                                        size_t alignment)
{
    const clump_span span = {name, begin, count * size, count > 0, 0, alignment, true};
    return span;
}

/* Points that clump_check_points() has accepted, with a stride in bytes. */
static inline clump_span clump_span_points(const char *name, const void *xyz, size_t count, size_t stride)
{
    const clump_span span = {name, xyz, 3 * sizeof(float), count, stride, sizeof(float), false};
    return span;
}

/* CLUMP_ERR_ARGUMENT and a sentence for the public call of this name where two pieces overlap of which one is written, or
 * one is not aligned or reaches beyond the memory that can be addressed. At most one of two pieces has several elements. */
clump_status clump_check_spans(clump_context *ctx, const char *call, const clump_span *spans, size_t count);

#endif
