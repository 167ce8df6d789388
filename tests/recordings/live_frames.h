/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live_frames.h: reads all frames of a recording and sums them up, so that two ways to read the same can be compared.
 */
#ifndef CLUMP_TESTS_LIVE_FRAMES_H
#define CLUMP_TESTS_LIVE_FRAMES_H

#include "support/check.h"

#include <clump/io.h>

typedef struct live_frames {
    clump_status status; /* of the first failure */
    clump_message why;
    uint64_t frames, points;
    uint64_t hash; /* of positions and fields of all points, and of what each frame has lost */
    bool live;
    clump_recording_losses lost;
} live_frames;

static inline uint64_t live_mix(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *const at = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline void live_add(live_frames *f, const clump_frame *frame)
{
    const size_t count = clump_cloud_points(frame->cloud).count;
    f->frames++;
    f->points += count;
    f->hash = live_mix(f->hash, &frame->lost, sizeof frame->lost);
    f->hash = live_mix(f->hash, clump_cloud_xyz(frame->cloud), count * 3 * sizeof(float));
    for (size_t i = 0; i < clump_cloud_field_count(frame->cloud); i++) {
        clump_field field;
        if (!clump_cloud_field(frame->cloud, i, &field)) continue;
        f->hash = live_mix(f->hash, field.data, count * field.count * clump_type_size(field.type));
    }
}

static inline live_frames live_read(clump_recording *recording)
{
    live_frames f = {.hash = UINT64_C(0xcbf29ce484222325), .live = clump_recording_is_live(recording)};
    clump_frame frame = {0};
    for (bool more = true; more;) {
        f.status = clump_recording_next(recording, &frame, &more, &f.why);
        if (f.status != CLUMP_OK) break;
        if (more) live_add(&f, &frame);
    }
    clump_frame_release(&frame);
    f.lost = clump_recording_lost(recording);
    return f;
}

static inline live_frames live_read_path(const char *path, const clump_recording_options *options)
{
    clump_recording *recording = NULL;
    live_frames f = {0};
    f.status = clump_recording_open(path, options, &recording, &f.why);
    if (f.status == CLUMP_OK) f = live_read(recording);
    clump_recording_close(recording);
    return f;
}

static inline void live_check_equal(const live_frames *a, const live_frames *b, const char *what)
{
    CHECK_MSG(a->status == b->status, "%s: %s / %s", what, a->why.text, b->why.text);
    CHECK_MSG(a->frames == b->frames && a->points == b->points && a->hash == b->hash,
              "%s: %" PRIu64 " frames, %" PRIu64 " points, hash %016" PRIx64 "; the file has %" PRIu64 ", %" PRIu64
              ", %016" PRIx64,
              what, a->frames, a->points, a->hash, b->frames, b->points, b->hash);
}

#endif
