/* SPDX-License-Identifier: BSD-3-Clause
 *
 * span.c: see span.h. Addresses are compared as integers: the order of two objects in memory is undefined in C.
 */
#include "core/span.h"

#include "common/assert.h"
#include "core/work.h"

static bool is_used(const clump_span *s)
{
    return s->begin && s->count > 0 && s->bytes > 0;
}

/* Whether an element of `many` shares a byte with `one`, which is a single element. Only the first element that ends
 * after `one` begins needs a test: earlier elements end too early, and later elements begin later than this one. */
static bool overlap(const clump_span *many, const clump_span *one)
{
    CLUMP_ASSERT(one->count == 1 && (many->count == 1 || many->stride >= 1));
    const uintptr_t begin = (uintptr_t)many->begin, other = (uintptr_t)one->begin;
    uintptr_t first = begin; /* address of the tested element */
    if (other >= begin + many->bytes) {
        if (many->count == 1) return false;
        const size_t k = (other - begin - many->bytes) / many->stride + 1;
        if (k >= many->count) return false;
        first = begin + k * many->stride;
    }
    return first < other + one->bytes;
}

static bool spans_overlap(const clump_span *a, const clump_span *b)
{
    if (!is_used(a) || !is_used(b) || !(a->written || b->written)) return false;
    return a->count > 1 ? overlap(a, b) : overlap(b, a);
}

clump_status clump_check_spans(clump_work *work, const char *call, const clump_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const clump_span *const s = &spans[i];
        CLUMP_ASSERT(s->alignment > 0 && (s->alignment & (s->alignment - 1)) == 0);
        if (!s->begin) continue;
        if ((uintptr_t)s->begin % s->alignment != 0)
            return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s is not aligned to %zu bytes", call, s->name,
                              s->alignment);
        if (s->bytes > UINTPTR_MAX - (uintptr_t)s->begin)
            return clump_fail(work, CLUMP_ERR_ARGUMENT,
                              "%s: %s would need %zu bytes, which reach beyond the memory that can be addressed", call,
                              s->name, s->bytes);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (spans_overlap(&spans[i], &spans[j]))
                return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: %s and %s overlap, each must have its own memory",
                                  call, spans[j].name, spans[i].name);
    return CLUMP_OK;
}
