/* SPDX-License-Identifier: BSD-3-Clause
 *
 * need.c: see need.h.
 */
#include "cpu/need.h"

#include "core/context.h"

#include <inttypes.h>
#include <stdio.h>

/* "936 bytes", "68.7 GB". A double, so that what overflows can still be said. */
static void write_bytes(char *text, size_t size, double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        snprintf(text, size, "%.0f bytes", bytes);
        return;
    }
    size_t unit = 0;
    for (bytes /= 1000; bytes >= 999.95 && unit + 1 < sizeof units / sizeof *units; unit++) bytes /= 1000;
    snprintf(text, size, "%.1f %s", bytes, units[unit]);
}

clump_status clump_need(clump_context *ctx, clump_ec_method method, clump_buffer *buffer, uint64_t count, uint64_t each,
                        const char *things)
{
    const bool fits = each == 0 || count <= SIZE_MAX / each;
    if (fits && clump_buffer_reserve(ctx, buffer, (size_t)(count * each)) == CLUMP_OK) return CLUMP_OK;
    char bytes[32];
    write_bytes(bytes, sizeof bytes, (double)count * (double)each);
    return clump_fail(ctx, CLUMP_ERR_OUT_OF_MEMORY, "%s needs %s of memory for %" PRIu64 " %s, which cannot be had",
                      clump_ec_method_name(method), bytes, count, things);
}
