/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_recording.c: the fuzz target for recordings of any kind: what they are, their topics, every frame of every topic
 * with clouds, and a seek. The last byte of the input chooses the options. Run it with -malloc_limit_mb=256: a small file
 * must not make large allocations.
 */
#include "target.h"

#include <string.h>

/* Reads frames to the end, or to the second failure. Touches every coordinate and the ends of every field. */
static void read_frames(clump_recording *recording, clump_frame *frame)
{
    int failures = 0;
    clump_message why;
    for (bool more = true; more && failures < 2;) {
        if (clump_recording_next(recording, frame, &more, &why) != CLUMP_OK) {
            REQUIRE(why.text[0]);
            failures++;
            more = true;
            continue;
        }
        if (!more) return;
        REQUIRE(frame->cloud);
        const clump_points points = clump_cloud_points(frame->cloud);
        volatile double sum = 0;
        for (size_t i = 0; i < 3 * points.count; i++) sum = sum + (double)((const float *)points.xyz)[i];
        clump_field field;
        for (size_t k = 0; points.count && clump_cloud_field(frame->cloud, k, &field); k++)
            sum = sum + clump_field_value(&field, 0, 0) + clump_field_value(&field, points.count - 1, field.count - 1);
        REQUIRE(memchr(frame->frame_id, 0, sizeof frame->frame_id));
    }
}

/* Opens the recording for one topic, and reads it twice. */
static void read_topic(const uint8_t *data, size_t size, const clump_recording_options *options, int64_t middle)
{
    clump_recording *recording;
    clump_message why;
    if (clump_recording_parse(data, size, "fuzz", options, &recording, &why) != CLUMP_OK) {
        REQUIRE(why.text[0] && !recording);
        return;
    }
    clump_frame frame = {0};
    read_frames(recording, &frame);
    if (clump_recording_seek(recording, middle, &why) == CLUMP_OK) read_frames(recording, &frame);
    const clump_recording_losses lost = clump_recording_lost(recording);
    REQUIRE(memchr(lost.first, 0, sizeof lost.first));
    clump_poses poses;
    REQUIRE(clump_recording_poses(recording, NULL, &poses, &why) == CLUMP_OK ? poses.count > 0 : why.text[0]);
    clump_poses_free(&poses);
    clump_frame_release(&frame);
    clump_recording_close(recording);
}

FUZZ_TARGET(recording)
{
    clump_recording_options options = clump_recording_defaults();
    const unsigned choice = size ? data[size - 1] : 0;
    options.organised = choice & 1;
    options.read_ahead = choice % 16 == 6 ? 3 : 0;
    clump_recording *recording;
    clump_message why;
    const clump_status status = clump_recording_parse(data, size, "fuzz", &options, &recording, &why);
    REQUIRE((status == CLUMP_OK) == (recording != NULL));
    if (status != CLUMP_OK) {
        REQUIRE(why.text[0]);
        return 0;
    }
    const clump_topic *topics = NULL;
    size_t count = 0;
    if (clump_recording_topics(recording, &topics, &count, &why) != CLUMP_OK) REQUIRE(why.text[0]);
    size_t read = 0;
    for (size_t i = 0; i < count; i++) {
        REQUIRE(topics[i].name && topics[i].type && topics[i].first <= topics[i].last);
        REQUIRE(topics[i].period >= 0 && topics[i].gaps <= topics[i].messages + topics[i].frames);
        if (!topics[i].has_clouds || read++ == 4) continue;
        options.topic = topics[i].name;
        read_topic(data, size, &options, topics[i].first / 2 + topics[i].last / 2);
    }
    clump_recording_close(recording);
    return 0;
}
