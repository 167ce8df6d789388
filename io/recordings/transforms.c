/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transforms.c: the poses of a coordinate frame, from the transforms of a recording (tf2_msgs/TFMessage).
 */
#include "recordings/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TRANSFORMS_TOLERANCE 1e-3 /* of the square of a quaternion, as in files of poses */

typedef struct transforms {
    char child[64]; /* "": the first that comes */
    char parent[64];
    clump_poses poses;
    size_t matrix_capacity, time_capacity;
    size_t damaged;
} transforms;

/* Appends a transform of the frame, if it is one: later than the one before, and a rotation. */
static clump_status take_transform(const clump_io_where *where, transforms *t, const clump_io_stamped *of)
{
    if (!t->child[0]) memcpy(t->child, of->child, sizeof t->child);
    if (!t->parent[0] && strcmp(t->child, of->child) == 0) memcpy(t->parent, of->parent, sizeof t->parent);
    if (strcmp(t->child, of->child) != 0 || strcmp(t->parent, of->parent) != 0) return CLUMP_OK;
    const double *const q = of->quaternion, *const p = of->place;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const size_t count = t->poses.count;
    if (!(fabs(square - 1) <= TRANSFORMS_TOLERANCE) || !isfinite(p[0] + p[1] + p[2])) {
        t->damaged++;
        return CLUMP_OK;
    }
    if (count > 0 && of->stamp <= t->poses.times[count - 1]) return CLUMP_OK; /* repeated, or late */
    CLUMP_IO_TRY(
        clump_io_list_reserve(where, &t->poses.matrices, &t->matrix_capacity, count + 1, sizeof *t->poses.matrices));
    CLUMP_IO_TRY(clump_io_list_reserve(where, &t->poses.times, &t->time_capacity, count + 1, sizeof *t->poses.times));
    clump_io_pose_matrix(p, q, t->poses.matrices[count]);
    t->poses.times[count] = of->stamp;
    t->poses.count++;
    return CLUMP_OK;
}

static clump_status take_message(const clump_io_where *where, transforms *t, const clump_io_encoded *message)
{
    clump_io_transform_list list;
    clump_io_stamped of;
    bool damaged = false;
    if (!clump_io_transforms_begin(&list, message)) {
        t->damaged++;
        return CLUMP_OK;
    }
    while (clump_io_transforms_next(&list, &of, &damaged)) CLUMP_IO_TRY(take_transform(where, t, &of));
    t->damaged += damaged;
    return CLUMP_OK;
}

static clump_status read_messages(const clump_io_where *where, clump_io_parts *parts, transforms *t)
{
    bool *const wanted = calloc(parts->topics.count + 1, 1);
    if (!wanted) return clump_io_no_memory(where, parts->topics.count + 1);
    for (size_t i = 0; i < parts->topics.count; i++)
        wanted[i] = clump_io_message_kind_of(parts->topics.list[i].type) == CLUMP_IO_MESSAGE_TRANSFORMS;
    clump_status status = clump_io_parts_want(parts, wanted, parts->topics.count);
    free(wanted);
    for (bool more = true; status == CLUMP_OK;) {
        clump_io_message message;
        status = clump_io_parts_next(parts, &message, &more);
        if (status != CLUMP_OK || !more) break;
        const clump_io_topic *const topic = &parts->topics.list[message.topic];
        if (clump_io_message_kind_of(topic->type) != CLUMP_IO_MESSAGE_TRANSFORMS) continue;
        const clump_io_encoded encoded = {message.bytes, message.size, topic->coding == CLUMP_IO_CODING_CDR};
        status = take_message(where, t, &encoded);
    }
    return status;
}

clump_status clump_recording_poses(clump_recording *recording, const char *frame_id, clump_poses *out,
                                   clump_message *message)
{
    if (message) message->text[0] = 0;
    const clump_io_where where = {recording ? recording->name : NULL, message};
    if (!recording || !out)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recording_poses: recording or out is null");
    *out = (clump_poses){0};
    CLUMP_IO_TRY(clump_io_refuse_live(recording, message));
    transforms t = {.poses = {.format = CLUMP_POSES_TUM}};
    if (frame_id) snprintf(t.child, sizeof t.child, "%s", frame_id);
    clump_io_parts parts;
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, message, &parts));
    clump_status status = read_messages(&where, &parts, &t);
    clump_io_parts_close(&parts);
    if (status == CLUMP_OK && t.poses.count == 0)
        status = clump_io_fail(&where, CLUMP_ERR_IO_FORMAT, "there are no transforms%s%s in it%s",
                               t.child[0] ? " of the frame " : "", t.child, t.damaged ? " that are not damaged" : "");
    if (status == CLUMP_OK)
        *out = t.poses;
    else
        clump_poses_free(&t.poses);
    return status;
}
