/* SPDX-License-Identifier: BSD-3-Clause
 *
 * point_times.c: see source.h.
 */
#include "files/source.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

static bool find_field(const clump_cloud *cloud, const char *name, clump_field *field)
{
    static const char *const names[] = {"time", "t", "timestamp"};
    if (name) return clump_cloud_find(cloud, name, field);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (clump_cloud_find(cloud, names[i], field)) return true;
    return false;
}

/* Returns seconds after the stamp of the frame: integers are nanoseconds, large numbers are times since 1970. */
static float time_of(const clump_field *field, size_t i, int64_t stamp)
{
    const size_t at = i * field->count;
    if (field->type == CLUMP_TYPE_F32) return ((const float *)field->data)[at];
    if (field->type == CLUMP_TYPE_U32) return (float)(1e-9 * (double)((const uint32_t *)field->data)[at]);
    const double seconds = field->type == CLUMP_TYPE_F64   ? ((const double *)field->data)[at]
                           : field->type == CLUMP_TYPE_U64 ? 1e-9 * (double)((const uint64_t *)field->data)[at]
                                                           : (double)NAN;
    return (float)(fabs(seconds) > 1e6 ? seconds - 1e-9 * (double)stamp : seconds);
}

clump_status cli_point_times_read(cli_point_times *times, const clump_cloud *cloud, int64_t stamp, const char *name,
                                  const float **out)
{
    const size_t count = clump_cloud_points(cloud).count;
    clump_field field;
    *out = NULL;
    if (!find_field(cloud, name, &field)) return name ? CLUMP_ERR_ARGUMENT : CLUMP_OK;
    if (count > times->room || !times->list) {
        const size_t room = count + count / 8 + 1;
        free(times->list);
        times->list = cli_allocate(room, sizeof *times->list);
        times->room = times->list ? room : 0;
        if (!times->list) return CLUMP_ERR_OUT_OF_MEMORY;
    }
    CLUMP_ASSERT(count <= times->room);
    for (size_t i = 0; i < count; i++) times->list[i] = time_of(&field, i, stamp);
    *out = times->list;
    return CLUMP_OK;
}

int cli_point_times_take(cli_point_times *times, const clump_frame *frame, const char *name, const char *input,
                         const float **out)
{
    *out = NULL;
    if (name && strcmp(name, "none") == 0) return CLI_DONE;
    switch (cli_point_times_read(times, frame->cloud, frame->stamp, name, out)) {
    case CLUMP_OK:
        return CLI_DONE;
    case CLUMP_ERR_ARGUMENT:
        return cli_fail("%s: the points have no field '%s' (--times)", input, name);
    default:
        return cli_fail("not enough memory for the times of %zu points", clump_cloud_points(frame->cloud).count);
    }
}

void cli_point_times_release(cli_point_times *times)
{
    free(times->list);
    *times = (cli_point_times){0};
}
