/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 11_recording.c: the objects in each frame of a recording, with identities over time. The result is a recording that
 * RViz and Foxglove open.
 *
 *     example_recording drive.bag found.mcap
 *     example_recording                        of a recording that it makes, in this folder
 */
#include <clump/io.h>
#include <clump/track.h>
#include <stdio.h>

enum { FLOOR = 60 * 60, SIDE = 6, CRATE = SIDE * SIDE * SIDE, FRAMES = 20, ROOM = 256 };

/* Simulates a sensor: a floor 1.5 m below it, and a crate of 0.5 m that moves away by 1 m per second. */
static void make_points(float *xyz, int frame)
{
    for (int i = 0; i < FLOOR; i++, xyz += 3) {
        xyz[0] = 0.5f * (float)(i % 60 - 30);
        xyz[1] = 0.5f * (float)(i / 60 - 30);
        xyz[2] = -1.5f;
    }
    for (int i = 0; i < CRATE; i++, xyz += 3) {
        xyz[0] = 5 + 0.1f * (float)(frame + i % SIDE);
        xyz[1] = 1 + 0.1f * (float)(i / SIDE % SIDE);
        xyz[2] = -1.2f + 0.1f * (float)(i / SIDE / SIDE);
    }
}

/* Writes what the sensor records, ten frames per second. */
static clump_status make_recording(const char *path, clump_message *why)
{
    clump_frame frame = {0};
    clump_recorder *recorder;
    clump_status status = clump_recorder_open(path, NULL, &recorder, why);
    if (status == CLUMP_OK) status = clump_cloud_create(FLOOR + CRATE, &frame.cloud, why);
    for (int f = 0; f < FRAMES && status == CLUMP_OK; f++) {
        make_points(clump_cloud_xyz(frame.cloud), f);
        frame.stamp = 1700000000000000000 + f * 100000000LL; /* nanoseconds since 1970 */
        status = clump_recorder_cloud(recorder, "/points", &frame, NULL, why);
    }
    clump_frame_release(&frame);
    if (status == CLUMP_OK) return clump_recorder_close(recorder, true, why);
    clump_recorder_close(recorder, false, NULL);
    return status;
}

/* Finds the objects of a frame, tracks them, and appends cloud and boxes to the output. */
static clump_status find_objects(clump_context *ctx, clump_tracker *tracker, const clump_frame *frame,
                                 clump_recorder *output, clump_message *why)
{
    clump_cluster objects[ROOM];
    clump_track tracks[ROOM];
    uint64_t ids[ROOM];
    int32_t count = 0;
    clump_status status = clump_detect(ctx, clump_cloud_points(frame->cloud), NULL, NULL, objects, ROOM, &count);
    if (count > ROOM) count = ROOM; /* there are more objects than room for them */
    if (status == CLUMP_OK) status = clump_tracker_update(ctx, tracker, frame->stamp, objects, count, tracks);
    if (status != CLUMP_OK) {
        snprintf(why->text, sizeof why->text, "%s", clump_context_error(ctx));
        return status;
    }
    for (int32_t i = 0; i < count; i++) {
        ids[i] = tracks[i].id;
        printf("frame %d: object %d, %.1f m away, %.1f m/s\n", (int)frame->index, (int)ids[i],
               (double)objects[i].distance, (double)tracks[i].speed);
    }
    const clump_recorder_boxes boxes = {.clusters = objects, .count = count, .ids = ids};
    status = clump_recorder_cloud(output, "/points", frame, NULL, why);
    return status == CLUMP_OK ? clump_recorder_markers(output, "/boxes", frame, &boxes, why) : status;
}

/* Goes through the recording. The frame's memory is used again for every frame. */
static clump_status find_in_recording(const char *from, const char *to, clump_context *ctx, clump_message *why)
{
    clump_recording *recording = NULL;
    clump_recorder *output = NULL;
    clump_tracker *tracker = NULL;
    clump_frame frame = {0};
    bool more = true;
    clump_status status = clump_recording_open(from, NULL, &recording, why);
    if (status == CLUMP_OK) status = clump_recorder_open(to, NULL, &output, why);
    if (status == CLUMP_OK) status = clump_tracker_create(ctx, NULL, &tracker);
    while (status == CLUMP_OK && more) {
        status = clump_recording_next(recording, &frame, &more, why);
        if (status == CLUMP_OK && more) status = find_objects(ctx, tracker, &frame, output, why);
    }
    clump_frame_release(&frame);
    clump_tracker_destroy(tracker);
    clump_recording_close(recording);
    if (status == CLUMP_OK) return clump_recorder_close(output, true, why);
    clump_recorder_close(output, false, NULL); /* leaves no file */
    return status;
}

int main(int argc, char **argv)
{
    const char *const from = argc == 3 ? argv[1] : "drive.mcap", *const to = argc == 3 ? argv[2] : "found.mcap";
    clump_message why = {0};
    clump_context *ctx;
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) return 1;
    clump_status status = argc == 3 ? CLUMP_OK : make_recording(from, &why);
    if (status == CLUMP_OK) status = find_in_recording(from, to, ctx, &why);
    puts(status == CLUMP_OK ? to : why.text[0] ? why.text : clump_status_text(status));
    clump_context_destroy(ctx);
    return status != CLUMP_OK;
}
