/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alike.c: see alike.h.
 *
 *     alpha e^-d + (1 - alpha) e^-dh >= tau     <=>     e^-dh >= (tau - alpha e^-d) / (1 - alpha) = x
 *
 * 1. x <= 0: always. x > 1: never, as dh >= 0. Between: dh <= -ln x.
 * 2. alpha = 1: heights have no weight, the distance alone decides.
 * 3. dh may be infinite. Then e^-dh is 0, and only the entry "always" accepts the pair, as the formula demands.
 */
#include "core/alike.h"

#include "common/assert.h"
#include "core/context.h"

#include <math.h>

clump_status clump_alike_reserve(clump_context *ctx, int reach)
{
    CLUMP_ASSERT(reach >= 1 && reach <= CLUMP_ERCCL_REACH);
    const size_t width = (size_t)reach + 1;
    return clump_buffer_reserve(&ctx->work, &ctx->alike, width * width * sizeof(float));
}

/* Returns the largest dh of two cells at this distance that belong together; -1: none. */
static float largest_difference(double alpha, double tau, double distance)
{
    const double by_distance = alpha * exp(-distance);
    if (by_distance >= tau) return INFINITY;
    if (alpha >= 1) return -1;
    const double x = (tau - by_distance) / (1 - alpha);
    return x > 1 ? -1 : (float)-log(x);
}

void clump_alike_fill(const clump_erccl_options *o, float beta, float *table)
{
    const double tau = beta != 0 ? (double)beta * exp(-o->reach) : (double)o->tau;
    for (int rows = 0; rows <= o->reach; rows++)
        for (int columns = 0; columns <= o->reach; columns++) {
            float *const entry = &table[rows * (o->reach + 1) + columns];
            if (o->method == CLUMP_ERCCL_CCL)
                *entry = INFINITY;
            else if (o->method == CLUMP_ERCCL_HASH)
                *entry = rows * rows + columns * columns <= o->reach * o->reach ? INFINITY : -1;
            else
                *entry = largest_difference((double)o->alpha, tau,
                                            (double)o->cell * sqrt((double)(rows * rows + columns * columns)));
        }
}
