/* SPDX-License-Identifier: BSD-3-Clause
 *
 * piece_order.c: the indices of a piece. Own points ascend by index; the rim is sorted. An index that occurs twice is
 * refused: two points would count as one.
 */
#include "joint/piece.h"

#include <inttypes.h>

static clump_status refuse_negative(clump_context *ctx, size_t i, int64_t index)
{
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: indices[%zu] is %" PRId64 ", it must be 0 or more",
                      ctx->work.call, i, index);
}

static clump_status refuse_twice(clump_context *ctx, size_t a, size_t b, int64_t index)
{
    return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: indices[%zu] and indices[%zu] are both %" PRId64,
                      ctx->work.call, a < b ? a : b, a < b ? b : a, index);
}

static clump_status check_own(clump_context *ctx, const clump_piece_work *w)
{
    const int64_t *const index = w->indices;
    if (w->own > 0 && index[0] < 0) return refuse_negative(ctx, 0, index[0]);
    for (size_t i = 1; i < w->own; i++) {
        if (index[i] > index[i - 1]) continue;
        if (index[i] == index[i - 1]) return refuse_twice(ctx, i - 1, i, index[i]);
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: indices[%zu] is %" PRId64 " after %" PRId64
                          ", but the indices of own points must ascend",
                          ctx->work.call, i, index[i], index[i - 1]);
    }
    return CLUMP_OK;
}

/* Checks that no index of the sorted rim occurs twice, nor among the own points. */
static clump_status check_rim(clump_context *ctx, const clump_piece_work *w, size_t count)
{
    size_t at = 0; /* the first own point that is not before the rim point */
    for (size_t k = 0; k < count; k++) {
        const uint64_t index = w->rim[k].key;
        if (k > 0 && index == w->rim[k - 1].key)
            return refuse_twice(ctx, (size_t)w->rim[k - 1].value, (size_t)w->rim[k].value, (int64_t)index);
        while (at < w->own && (uint64_t)w->indices[at] < index) at++;
        if (at < w->own && (uint64_t)w->indices[at] == index)
            return refuse_twice(ctx, at, (size_t)w->rim[k].value, (int64_t)index);
    }
    return CLUMP_OK;
}

clump_status clump_piece_order(clump_context *ctx, clump_piece_work *w)
{
    const size_t count = w->points.count - w->own;
    CLUMP_TRY(check_own(ctx, w));
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->piece.rim, 2 * count * sizeof *w->rim));
    w->rim = ctx->piece.rim.data;
    for (size_t k = 0; k < count; k++) {
        const int64_t index = w->indices[w->own + k];
        if (index < 0) return refuse_negative(ctx, w->own + k, index);
        w->rim[k] = (clump_pair){(uint64_t)index, w->own + k};
    }
    clump_pair_sort(w->rim, w->rim + count, count);
    return check_rim(ctx, w, count);
}
