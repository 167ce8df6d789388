/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recording_samples.h: small recordings for tests: bags and MCAP with clouds, and packets of NCLT, in memory.
 */
#ifndef CLUMP_TESTS_RECORDING_SAMPLES_H
#define CLUMP_TESTS_RECORDING_SAMPLES_H

#include "support/check.h"

#include <clump/io.h>

#include <math.h>
#include <unistd.h>

typedef struct sample {
    unsigned char *bytes;
    size_t size;
} sample;

#define SAMPLE_START  INT64_C(1700000000000000000)
#define SAMPLE_PERIOD INT64_C(100000000)

/* Frame i of a sample has base + i points at (i, 1, 2), (i, 2, 3) ... */
static inline void sample_frame(clump_frame *frame, size_t base, size_t i)
{
    clump_message why;
    clump_cloud_destroy(frame->cloud);
    CHECK_INT(clump_cloud_create(base + i, &frame->cloud, &why), CLUMP_OK);
    float *const xyz = clump_cloud_xyz(frame->cloud);
    for (size_t p = 0; p < base + i; p++)
        xyz[3 * p] = (float)i, xyz[3 * p + 1] = (float)p + 1, xyz[3 * p + 2] = (float)p + 2;
    frame->stamp = SAMPLE_START + (int64_t)i * SAMPLE_PERIOD;
    frame->received = frame->stamp + 1000000;
    snprintf(frame->frame_id, sizeof frame->frame_id, "lidar");
}

/* Writes frames [from, to) to topics "/a", "/b" ... and markers to "/boxes". */
static inline void sample_write(const char *path, clump_compression compression, size_t topics, size_t base,
                                size_t from, size_t to)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.compression = compression;
    options.chunk_size = 4096;
    clump_recorder *recorder;
    clump_message why;
    CHECK_MSG(clump_recorder_open(path, &options, &recorder, &why) == CLUMP_OK, "%s", why.text);
    clump_frame frame = {0};
    for (size_t i = from; i < to; i++) {
        sample_frame(&frame, base, i);
        for (size_t t = 0; t < topics; t++) {
            const char topic[3] = {'/', (char)('a' + t), 0};
            CHECK_MSG(clump_recorder_cloud(recorder, topic, &frame, NULL, &why) == CLUMP_OK, "%s", why.text);
        }
        const clump_recorder_boxes none = {0};
        CHECK_MSG(clump_recorder_markers(recorder, "/boxes", &frame, &none, &why) == CLUMP_OK, "%s", why.text);
    }
    clump_frame_release(&frame);
    CHECK_MSG(clump_recorder_close(recorder, true, &why) == CLUMP_OK, "%s", why.text);
}

/* The same in memory. The extension decides: "mcap" or "bag". */
static inline sample sample_make(const char *extension, clump_compression compression, size_t topics, size_t base,
                                 size_t frames)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/clump-sample-%ld.%s", (long)getpid(), extension);
    sample_write(path, compression, topics, base, 0, frames);
    sample s;
    s.bytes = check_load(path, &s.size);
    unlink(path);
    return s;
}

/* --- velodyne_hits.bin of NCLT ------------------------------------------------------------------------------- */

#define HITS_LASERS     32
#define HITS_DIRECTIONS 180                        /* per turn */
#define HITS_FIRINGS    12                         /* per packet */
#define HITS_TIME       UINT64_C(1326030975726043) /* microseconds */
#define HITS_POINTS     (HITS_FIRINGS * HITS_LASERS)
#define HITS_PACKET     (24 + HITS_POINTS * 8) /* bytes */

static inline void sample_put(sample *s, const void *bytes, size_t size)
{
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static inline uint16_t sample_encode(double metres)
{
    return (uint16_t)lround((metres + 100.0) / 0.005);
}

/* A point 10 m away in that direction, laser l at height l / 10. */
static inline void sample_put_hit(sample *s, size_t direction, unsigned laser)
{
    const double angle = -(double)(direction % HITS_DIRECTIONS) * 2 * 3.14159265358979 / HITS_DIRECTIONS;
    const uint16_t xyz[3] = {sample_encode(10 * cos(angle)), sample_encode(10 * sin(angle)),
                             sample_encode(laser * 0.1)};
    const unsigned char rest[2] = {(unsigned char)(direction % 200), (unsigned char)laser};
    sample_put(s, xyz, sizeof xyz);
    sample_put(s, rest, sizeof rest);
}

/* Packets 2 ms apart. The recording begins at direction 0, to the front; turns are cut at the back. */
static inline sample sample_hits(size_t packets)
{
    sample s = {malloc(packets * HITS_PACKET), 0};
    static const uint16_t magic[4] = {44444, 44444, 44444, 44444};
    for (size_t p = 0; p < packets; p++) {
        const uint32_t count = HITS_POINTS, padding = 0;
        const uint64_t time = HITS_TIME + 2000 * p;
        sample_put(&s, magic, sizeof magic);
        sample_put(&s, &count, sizeof count);
        sample_put(&s, &time, sizeof time);
        sample_put(&s, &padding, sizeof padding);
        for (size_t f = 0; f < HITS_FIRINGS; f++)
            for (unsigned l = 0; l < HITS_LASERS; l++) sample_put_hit(&s, p * HITS_FIRINGS + f, l);
    }
    return s;
}

#endif
