/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transforms.c: where a sensor is, as tf2_msgs/TFMessage: a list of geometry_msgs/TransformStamped. One transform is written per
 * message; messages of others may have many.
 */
#include "messages/cursor.h"
#include "messages/write.h"

void clump_io_transform_encode(clump_io_encoder *to, const clump_io_message_head *head,
                               const clump_io_transform *transform)
{
    double q[4];
    clump_pose_quaternion(transform->pose, q);
    clump_io_encode_u32(to, 1);
    clump_io_encode_head(to, &(clump_io_message_head){head->sequence, head->stamp, transform->parent});
    const size_t size = strnlen(head->frame_id, sizeof((clump_frame *)0)->frame_id);
    clump_io_encode_text(to, size ? head->frame_id : "clump", size ? size : strlen("clump"));
    for (int k = 0; k < 3; k++) clump_io_encode_f64(to, transform->pose[4 * k + 3]);
    for (int k = 0; k < 4; k++) clump_io_encode_f64(to, q[k]);
}

static double take_double(clump_io_cursor *cursor)
{
    if (cursor->cdr) clump_io_cursor_take(cursor, -(cursor->at - CURSOR_CDR_HEAD) & 7);
    const unsigned char *const at = clump_io_cursor_take(cursor, 8);
    if (!at) return 0;
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = at[cursor->swapped ? 7 - i : i];
    double value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

bool clump_io_transforms_begin(clump_io_transform_list *list, const clump_io_encoded *message)
{
    clump_io_cursor cursor;
    if (!clump_io_cursor_open(&cursor, message)) return false;
    *list = (clump_io_transform_list){.message = *message, .left = clump_io_cursor_u32(&cursor)};
    list->at = cursor.at;
    return !cursor.failed;
}

bool clump_io_transforms_next(clump_io_transform_list *list, clump_io_stamped *out, bool *damaged)
{
    *damaged = false;
    if (list->left == 0) return false;
    list->left--;
    clump_io_cursor cursor;
    *damaged = true;
    if (!clump_io_cursor_open(&cursor, &list->message)) return false;
    cursor.at = list->at;
    out->stamp = clump_io_cursor_header(&cursor, out->parent);
    size_t size;
    const char *const child = clump_io_cursor_text(&cursor, &size);
    if (size >= sizeof out->child) size = sizeof out->child - 1;
    if (child) memcpy(out->child, child, size);
    out->child[size] = 0;
    for (int k = 0; k < 3; k++) out->place[k] = take_double(&cursor);
    for (int k = 0; k < 4; k++) out->quaternion[k] = take_double(&cursor);
    list->at = cursor.at;
    *damaged = cursor.failed;
    return !cursor.failed;
}
