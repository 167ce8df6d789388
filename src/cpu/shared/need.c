/* SPDX-License-Identifier: BSD-3-Clause
 *
 * need.c: see need.h.
 */
#include "cpu/shared/need.h"

#include "common/assert.h"
#include "common/bytes_text.h"
#include "core/work.h"

#include <inttypes.h>
#include <unistd.h>

/* Whether the machine has the memory. More is never requested: the system may grant it and kill the program when it is
 * used. */
static bool machine_has(const clump_work *work, const clump_buffer *buffer, uint64_t count, uint64_t each)
{
    if (each > 0 && count > SIZE_MAX / each) return false;
    CLUMP_ASSERT(buffer->bytes <= work->host_bytes);
    const uint64_t bytes = count * each, held = work->host_bytes - buffer->bytes;
    const long page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES);
    if (page <= 0 || pages <= 0) return true;
    const uint64_t all = (uint64_t)page * (uint64_t)pages;
    return held <= all && bytes <= all - held;
}

static clump_status refuse(clump_work *work, const char *method, const char *least, uint64_t count, uint64_t each,
                           const char *entries)
{
    char bytes[32];
    clump_bytes_text(bytes, sizeof bytes, (double)count * (double)each);
    return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%s needs %s%s of memory for %" PRIu64 " %s, which cannot be had",
                      method, least, bytes, count, entries);
}

clump_status clump_need(clump_work *work, const char *method, clump_buffer *buffer, uint64_t count, uint64_t each,
                        const char *entries)
{
    const bool there = machine_has(work, buffer, count, each);
    if (there && clump_buffer_reserve(work, buffer, (size_t)(count * each)) == CLUMP_OK) return CLUMP_OK;
    return refuse(work, method, "", count, each, entries);
}

clump_status clump_need_so_far(clump_work *work, const char *method, const clump_buffer *buffer, uint64_t count,
                               uint64_t each, const char *entries)
{
    return machine_has(work, buffer, count, each) ? CLUMP_OK : refuse(work, method, "at least ", count, each, entries);
}
