/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorder_frames.h: frames, boxes and a folder for the tests of the recorder. Include it behind _DEFAULT_SOURCE.
 */
#ifndef CLUMP_TESTS_RECORDER_FRAMES_H
#define CLUMP_TESTS_RECORDER_FRAMES_H

#include "recorder/recorder_walk.h"

#include "recorder/recorder.h"

#include <dirent.h>
#include <unistd.h>

static clump_message why;
static char folder[64];

static inline const char *path_of(const char *name)
{
    static char paths[4][128];
    static int turn;
    char *const path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Returns the number of files in the folder. */
static inline int files_left(void)
{
    int count = 0;
    DIR *const list = opendir(folder);
    for (struct dirent *entry; (entry = readdir(list));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(list);
    return count;
}

static inline void remove_file(const char *name)
{
    CHECK_INT(unlink(path_of(name)), 0);
}

static inline clump_frame make_frame(size_t points)
{
    clump_frame frame = {.stamp = 1700000000123456789, .received = 1700000000200000000, .frame_id = "velodyne"};
    if (clump_cloud_create(points, &frame.cloud, &why) != CLUMP_OK) abort();
    float *const xyz = clump_cloud_xyz(frame.cloud);
    float *const intensity = malloc((points + 1) * sizeof *intensity);
    for (size_t i = 0; i < points; i++) {
        for (size_t a = 0; a < 3; a++) xyz[3 * i + a] = (float)(i % 977) * 0.1f + (float)a;
        intensity[i] = (float)(i % 256);
    }
    clump_cloud_set_field(frame.cloud, &(clump_field){"intensity", CLUMP_TYPE_F32, 1, intensity}, &why);
    free(intensity);
    return frame;
}

static const clump_cluster two_clusters[2] = {
    {.label = 0, .upper = {1, 1, 1}, .box_size = {1, 1}},
    {.label = 1, .lower = {5, 5, 0}, .upper = {6, 6, 2}, .box_center = {5.5f, 5.5f}, .box_size = {1, 1}, .yaw = 45}};
static const clump_recorder_boxes two_boxes = {.clusters = two_clusters, .count = 2};

/* Appends `frames` frames, each a cloud, markers and detections. Returns the first status that is not CLUMP_OK. */
static inline clump_status append_frames(clump_recorder *recorder, clump_frame *frame, int frames)
{
    for (int i = 0; i < frames; i++) {
        frame->stamp += 100000000;
        frame->received += i % 5 == 4 ? -150000000 : 130000000; /* time goes backwards now and then */
        CLUMP_IO_TRY(clump_recorder_cloud(recorder, "/points", frame, NULL, &why));
        CLUMP_IO_TRY(clump_recorder_markers(recorder, "/markers", frame, &two_boxes, &why));
        CLUMP_IO_TRY(clump_recorder_detections(recorder, "/detections", frame, &two_boxes, &why));
    }
    return CLUMP_OK;
}

static inline clump_recorder *open_recorder(const char *path, clump_recording_format format,
                                            clump_compression compression, size_t chunk_size)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.format = format;
    options.compression = compression;
    options.chunk_size = chunk_size;
    clump_recorder *recorder = NULL;
    if (clump_recorder_open(path, &options, &recorder, &why) != CLUMP_OK) CHECK_FAIL("%s", why.text);
    return recorder;
}

static inline bool make_folder(void)
{
    strcpy(folder, "clump-recorder-XXXXXX");
    return mkdtemp(folder) != NULL;
}

#endif
