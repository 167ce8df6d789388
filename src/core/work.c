/* SPDX-License-Identifier: BSD-3-Clause
 *
 * work.c: see work.h.
 */
#include "core/work.h"

#include "common/assert.h"
#include "common/timer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ----- messages --------------------------------------------------------------------------------------------------- */

clump_status clump_fail(clump_work *work, clump_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(work->error, sizeof work->error, format, arguments);
    va_end(arguments);
    return status;
}

void clump_log_line(clump_work *work, clump_log_level level, const char *format, ...)
{
    if (!work->log) return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    work->log(level, line, work->log_user);
}

/* ----- memory ----------------------------------------------------------------------------------------------------- */

#define BUFFER_ALIGNMENT 64 /* a cache line; at least the size of any vector register in use */

clump_status clump_buffer_grow(clump_work *work, clump_buffer *buffer, size_t bytes, size_t keep)
{
    CLUMP_ASSERT((buffer->data == NULL) == (buffer->bytes == 0));
    CLUMP_ASSERT(keep <= buffer->bytes && keep <= bytes);
    if (bytes <= buffer->bytes) return CLUMP_OK;
    if (bytes > SIZE_MAX - BUFFER_ALIGNMENT)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "more memory is needed than can be addressed");
    bytes = (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    if (keep == 0) clump_buffer_release(work, buffer); /* first, so that old and new are never held together */
    void *data = work->memory.allocate(bytes, BUFFER_ALIGNMENT, work->memory.user);
    if (!data)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated (%zu are held)",
                          bytes, work->host_bytes);
    if (keep != 0) {
        memcpy(data, buffer->data, keep);
        clump_buffer_release(work, buffer);
    }
    CLUMP_ASSERT((uintptr_t)data % BUFFER_ALIGNMENT == 0);
    buffer->data = data;
    buffer->bytes = bytes;
    work->host_bytes += bytes;
    return CLUMP_OK;
}

clump_status clump_buffer_reserve(clump_work *work, clump_buffer *buffer, size_t bytes)
{
    return clump_buffer_grow(work, buffer, bytes, 0);
}

void clump_buffer_release(clump_work *work, clump_buffer *buffer)
{
    if (!buffer->data) return;
    CLUMP_ASSERT(buffer->bytes <= work->host_bytes);
    work->memory.release(buffer->data, buffer->bytes, work->memory.user);
    work->host_bytes -= buffer->bytes;
    buffer->data = NULL;
    buffer->bytes = 0;
}

/* ----- threads, cancellation -------------------------------------------------------------------------------------- */

clump_status clump_poll(clump_work *work)
{
    if (!work->team || !clump_team_stopped(work->team)) return CLUMP_OK;
    return clump_fail(work, CLUMP_ERR_CANCELLED, "%s: cancelled by the caller", work->call);
}

/* Starts workers for `threads` threads; returns how many there are. Notes what the system refuses, and warns once. */
static int start_threads(clump_work *work, int threads)
{
    const int started = clump_team_start(work->team, threads);
    if (threads - started > work->refused) work->refused = threads - started;
    if (work->refused > 0 && !work->warned_refused) {
        work->warned_refused = true;
        clump_log_line(work, CLUMP_LOG_WARNING, "the system refused %d of %d threads; calls run on fewer",
                       work->refused, threads);
    }
    return started;
}

int clump_threads_for(clump_work *work, size_t items, size_t least)
{
    CLUMP_ASSERT(least >= 1);
    CLUMP_ASSERT(work->threads >= 1 && work->threads <= CLUMP_MAX_THREADS);
    const size_t most = items / least;
    if (most <= 1 || work->threads == 1) return 1;
    int threads = (size_t)work->threads < most ? work->threads : (int)most;
    if (work->adapt) {
        if (!work->adapt->running) work->chosen_at = clump_now_ms();
        threads = clump_adapt_choose(work->adapt, work->call, items, threads);
    }
    return start_threads(work, threads);
}

clump_status clump_run(clump_work *work, int threads, size_t count, size_t chunk, clump_team_task *task, void *arg)
{
    CLUMP_ASSERT(work->team);
    return clump_team_run(work->team, threads, count, chunk, task, arg) ? CLUMP_OK : clump_poll(work);
}

/* ----- busy shares ------------------------------------------------------------------------------------------------ */

clump_status clump_load_begin(clump_work *work, clump_loads *loads, size_t workers)
{
    loads->count = 0;
    return clump_buffer_reserve(work, &loads->shares, workers * sizeof(float));
}

void clump_load_add(clump_loads *loads, double busy, double span)
{
    CLUMP_ASSERT((size_t)(loads->count + 1) * sizeof(float) <= loads->shares.bytes);
    const double part = span > 0 ? busy / span : 1;
    ((float *)loads->shares.data)[loads->count++] = part < 1 ? (float)part : 1;
}
