/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_frames.c: how io/sensors/frames.c cuts packets into frames, with a sensor made for the test. Byte 0 of a packet is
 * 'P', byte 1 its parts. Byte 2 + i is the number of points of part i; with the highest bit, the part begins a frame.
 */
#include "support/check.h"

#include "sensors/sensor.h"

#include <math.h>

typedef struct fake {
    const unsigned char *bytes;
    int64_t time;
    size_t restarts;
} fake;

static bool recognise(const unsigned char *packet, size_t size)
{
    return size >= 2 && packet[0] == 'P';
}

static clump_status create(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **state)
{
    (void)first;
    if (setup->metadata) return clump_io_fail(&setup->where, CLUMP_ERR_IO_UNSUPPORTED, "the sensor is refused");
    *state = calloc(1, sizeof(fake));
    return *state ? CLUMP_OK : CLUMP_ERR_OUT_OF_MEMORY;
}

static const char *model(const void *state)
{
    (void)state;
    return "Fake";
}

static const clump_io_shape *fields(const void *state, size_t *count)
{
    static const clump_io_shape ring = {"ring", 0, CLUMP_TYPE_U16, 1};
    (void)state;
    *count = 1;
    return &ring;
}

static size_t most_points(const void *state)
{
    (void)state;
    return 127;
}

static void shape(const void *state, size_t *width, size_t *height)
{
    (void)state;
    *width = 4;
    *height = 3;
}

static size_t begin(void *state, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered)
{
    fake *const f = state;
    f->bytes = packet->bytes;
    f->time = packet->received - 5;
    *damaged = packet->bytes[0] != 'P';
    *lost = packet->bytes[0] == 'L';
    *reordered = packet->bytes[0] == 'R';
    if (*lost || *reordered) *damaged = false;
    return *damaged || *reordered ? 0 : packet->bytes[1];
}

static size_t cut_calls;

static bool cuts(void *state, size_t part)
{
    cut_calls++;
    return ((const fake *)state)->bytes[2 + part] & 0x80;
}

static int64_t part_time(const void *state, size_t part)
{
    return ((const fake *)state)->time + (int64_t)part;
}

static void append(void *state, size_t part, clump_io_filling *to)
{
    const fake *const f = state;
    const size_t count = f->bytes[2 + part] & 0x7f;
    uint16_t *const ring = to->fields[0];
    if (to->count == 12 && to->room >= 12 && isnan(to->xyz[35])) { /* organised: the point in place `count` */
        to->xyz[3 * count] = to->xyz[3 * count + 1] = to->xyz[3 * count + 2] = 1;
        ring[count] = (uint16_t)count;
        return;
    }
    for (size_t i = 0; i < count; i++, to->count++) {
        to->xyz[3 * to->count] = (float)to->count, to->xyz[3 * to->count + 1] = 0, to->xyz[3 * to->count + 2] = 0;
        ring[to->count] = (uint16_t)i;
    }
}

static void restart(void *state)
{
    ((fake *)state)->restarts++;
}

static const clump_io_sensor sensor = {"Fake", recognise, create, free,      model,  NULL,    fields, most_points,
                                       shape,  begin,     cuts,   part_time, append, restart, NULL};

static clump_message why;
static clump_recording_losses losses;

static clump_io_frames *start(const clump_io_sensor *maker, bool organised, const char *metadata)
{
    const clump_io_where where = {"fake", &why};
    const clump_io_sensor_setup setup = {.organised = organised, .metadata = metadata, .where = where};
    clump_io_frames *frames;
    CHECK_INT(clump_io_frames_create(&where, maker, &setup, &frames), CLUMP_OK);
    losses = (clump_recording_losses){0};
    return frames;
}

/* Gives a packet, and returns how many frames it has ended. The last of them is in *frame. */
static size_t give(clump_io_frames *frames, const char *bytes, size_t size, int64_t received, clump_frame *frame)
{
    const clump_io_packet packet = {(const unsigned char *)bytes, size, received};
    CHECK_INT(clump_io_frames_give(frames, &packet, &losses), CLUMP_OK);
    size_t count = 0;
    for (bool ready = true; ready; count += ready) CHECK_INT(clump_io_frames_take(frames, frame, &ready), CLUMP_OK);
    return count;
}

static void parts_are_cut_into_frames(void)
{
    clump_io_frames *const frames = start(&sensor, false, NULL);
    clump_frame frame = {0};
    bool ready;
    CHECK(clump_io_frames_model(frames) == NULL);
    cut_calls = 0;
    CHECK_INT(give(frames, "P\3\1\2\3", 5, 100, &frame), 0);
    CHECK_TEXT(clump_io_frames_model(frames), "Fake");
    CHECK_INT(give(frames, "P\3\1\x82\3", 5, 200, &frame), 1); /* a cut in the middle of a packet */
    CHECK_INT(clump_cloud_points(frame.cloud).count, 7);
    CHECK_INT(frame.stamp, 95);
    CHECK_INT(frame.received, 200);
    CHECK_INT(give(frames, "P\2\x81\x81", 4, 300, &frame), 2); /* two frames end in one packet */
    CHECK_INT(clump_cloud_points(frame.cloud).count, 1);
    CHECK_INT(frame.stamp, 295);
    CHECK_INT(give(frames, "P\0", 2, 400, &frame), 0);
    CHECK_INT(cut_calls, 8); /* once per part */
    CHECK_INT(clump_io_frames_finish(frames, &frame, &ready), CLUMP_OK);
    CHECK(ready);
    CHECK_INT(frame.stamp, 296);
    CHECK_INT(frame.received, 300);
    CHECK_INT(clump_io_frames_finish(frames, &frame, &ready), CLUMP_OK);
    CHECK(!ready);
    CHECK(!losses.first[0]);
    clump_frame_release(&frame);
    clump_io_frames_destroy(frames);
}

static void losses_belong_to_frames(void)
{
    clump_io_frames *const frames = start(&sensor, false, NULL);
    clump_frame frame = {0};
    CHECK_INT(give(frames, "small", 5, 1, &frame), 0); /* a packet that no sensor has as data */
    CHECK_INT(losses.damaged_packets, 0);
    char large[600] = "large";
    CHECK_INT(give(frames, large, sizeof large, 1, &frame), 0);
    CHECK_INT(losses.damaged_packets, 1);
    CHECK_TEXT(losses.first, "a packet of 600 bytes is of no sensor that clump knows");
    CHECK_INT(give(frames, "P\1\x81", 3, 10, &frame), 0);
    CHECK_INT(give(frames, "L\1\1", 3, 20, &frame), 0);
    CHECK_INT(give(frames, "R\1\1", 3, 30, &frame), 0);
    CHECK_INT(give(frames, "X\1\1", 3, 40, &frame), 0);
    CHECK_INT(losses.lost_packets, 1);
    CHECK_INT(losses.reordered, 1);
    CHECK_INT(losses.damaged_packets, 2);
    CHECK_INT(give(frames, "P\1\x81", 3, 50, &frame), 1);
    CHECK_INT(frame.lost, 1);
    CHECK_INT(clump_cloud_points(frame.cloud).count, 2);
    clump_io_frames_restart(frames); /* drops the open frame */
    CHECK_INT(give(frames, "P\1\x83", 3, 60, &frame), 0);
    CHECK_INT(give(frames, "P\1\x81", 3, 70, &frame), 1);
    CHECK_INT(frame.lost, 0);
    CHECK_INT(clump_cloud_points(frame.cloud).count, 3);
    clump_frame_release(&frame);
    clump_io_frames_destroy(frames);
}

static void organised_frames_begin_as_missing_points(void)
{
    clump_io_frames *const frames = start(&sensor, true, NULL);
    clump_frame frame = {0};
    for (int turn = 0; turn < 3; turn++) {
        give(frames, "P\2\x83\5", 4, 10, &frame);
        CHECK_INT(give(frames, "P\1\x81", 3, 10, &frame), 1);
        const clump_cloud_info info = clump_cloud_describe(frame.cloud);
        CHECK(info.width == 4 && info.height == 3);
        const float *const xyz = clump_cloud_xyz(frame.cloud);
        clump_field ring;
        CHECK(clump_cloud_find(frame.cloud, "ring", &ring));
        for (size_t i = 0; i < 12; i++) {
            const bool there = i == 3 || i == 5;
            CHECK(there ? xyz[3 * i] == 1 : isnan(xyz[3 * i]));
            CHECK(clump_field_value(&ring, i, 0) == (there ? (double)i : 0));
        }
        for (size_t i = 0; i < 36; i++) clump_cloud_xyz(frame.cloud)[i] = 7; /* the memory comes back */
        clump_io_frames_restart(frames);
    }
    clump_frame_release(&frame);
    clump_io_frames_destroy(frames);
}

/* A sensor that never begins a frame must not fill the memory. */
static void endless_frames_are_cut(void)
{
    clump_io_frames *const frames = start(&sensor, false, NULL);
    clump_frame frame = {0};
    char packet[257] = "P\xff";
    memset(packet + 2, 0x7f, 255);
    size_t ended = 0, given = 0;
    for (int i = 0; i < 300 && !ended; i++, given += 255 * 127) ended = give(frames, packet, sizeof packet, i, &frame);
    CHECK_INT(ended, 1);
    if (frame.cloud) CHECK(clump_cloud_points(frame.cloud).count <= given && given < 10000000);
    clump_frame_release(&frame);
    clump_io_frames_destroy(frames);
}

static void refused_sensors_are_a_sentence(void)
{
    clump_io_frames *const frames = start(&sensor, false, "refuse");
    const clump_io_packet packet = {(const unsigned char *)"P\0", 2, 1};
    CHECK_INT(clump_io_frames_give(frames, &packet, &losses), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(why.text, "fake: the sensor is refused");
    clump_io_frames_destroy(frames);
    clump_io_frames_destroy(NULL);
}

/* --- Livox ------------------------------------------------------------------------------------------------- */

static void put_number(unsigned char *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/* A packet with the points (1, -2, 0.5), (2, -2, 0.5) ..., of which the second has no return. Returns its size. */
static size_t livox_packet(unsigned char *packet, unsigned kind, unsigned points, unsigned number, uint64_t stamp)
{
    const size_t size = kind == 1 ? 14 : kind == 2 ? 8 : 10, all = 36 + points * size;
    memset(packet, 0, all);
    put_number(packet + 1, all, 2), put_number(packet + 3, 10000, 2); /* a millisecond */
    put_number(packet + 5, points, 2), put_number(packet + 7, number, 2);
    packet[10] = (unsigned char)kind;
    put_number(packet + 28, stamp, 8);
    for (unsigned i = 0; i < points; i++) {
        unsigned char *const at = packet + 36 + i * size;
        at[size - 2] = (unsigned char)(10 + i), at[size - 1] = 3;
        if (i == 1) continue;
        const int64_t xyz[3] = {i + 1, -2, 0};
        for (size_t k = 0; kind == 1 && k < 3; k++) put_number(at + 4 * k, (uint64_t)(k == 2 ? 500 : xyz[k] * 1000), 4);
        for (size_t k = 0; kind == 2 && k < 3; k++) put_number(at + 2 * k, (uint64_t)(k == 2 ? 50 : xyz[k] * 100), 2);
        if (kind == 3) put_number(at, 2000 * (i + 1), 4), put_number(at + 4, 9000, 2), put_number(at + 6, 9000, 2);
    }
    return all;
}

static bool give_livox(clump_io_frames *frames, const unsigned char *packet, size_t size, clump_frame *frame,
                       clump_recording_losses *counted)
{
    const clump_io_packet given = {packet, size, INT64_C(1700000000000000000)};
    bool ready;
    CHECK(clump_io_frames_give(frames, &given, counted) == CLUMP_OK);
    CHECK(clump_io_frames_take(frames, frame, &ready) == CLUMP_OK);
    return ready;
}

static void livox(void)
{
    unsigned char packet[2000];
    for (unsigned kind = 1; kind <= 3; kind++) {
        const clump_io_where where = {"livox", &why};
        const clump_io_sensor_setup setup = {.where = where};
        clump_io_frames *frames;
        clump_recording_losses counted = {0};
        clump_frame frame = {0};
        CHECK(clump_io_frames_create(&where, NULL, &setup, &frames) == CLUMP_OK);
        int ready_at = -1;
        for (int i = 0; i < 30; i++) { /* 4 ms each: the 26th begins a frame; packet 10 is lost */
            if (i == 10) continue;
            const size_t size = livox_packet(packet, kind, 4, (unsigned)i, (uint64_t)i * 4000000);
            if (give_livox(frames, packet, size, &frame, &counted)) ready_at = i;
        }
        CHECK_INT(ready_at, 25);
        CHECK_INT(counted.lost_packets, 1);
        CHECK_INT(counted.damaged_packets, 0);
        CHECK_TEXT(clump_io_frames_model(frames), "Livox");
        CHECK_INT(frame.stamp, INT64_C(1700000000000000000)); /* the clock counts from the start of the sensor */
        CHECK_INT(frame.lost, 1);
        CHECK_INT(clump_cloud_points(frame.cloud).count, 24 * 3);
        const float *const xyz = clump_cloud_xyz(frame.cloud);
        clump_field intensity, time, tag;
        CHECK(clump_cloud_find(frame.cloud, "intensity", &intensity) && clump_cloud_find(frame.cloud, "time", &time) &&
              clump_cloud_find(frame.cloud, "tag", &tag));
        CHECK(kind == 3 ? fabsf(xyz[3]) < 1e-6f && xyz[4] == 6 && fabsf(xyz[5]) < 1e-6f
                        : xyz[3] == 3 && xyz[4] == -2 && xyz[5] == 0.5f);
        CHECK(clump_field_value(&intensity, 1, 0) == 12 && clump_field_value(&tag, 1, 0) == 3);
        CHECK(fabs(clump_field_value(&time, 4, 0) - 0.0045) < 1e-6); /* the third point of the second packet */
        clump_frame_release(&frame);
        clump_io_frames_destroy(frames);
    }
}

/* Lengths and counts that do not fit each other. */
static void livox_forged(void)
{
    unsigned char packet[2000];
    const size_t size = livox_packet(packet, 1, 96, 0, 5);
    CHECK(clump_io_sensor_livox.recognise(packet, size));
    for (size_t cut = 0; cut < size; cut++) CHECK(!clump_io_sensor_livox.recognise(packet, cut));
    static const unsigned char places[] = {0, 1, 2, 5, 6, 10, 11};
    for (size_t i = 0; i < sizeof places; i++) {
        const unsigned char right = packet[places[i]];
        packet[places[i]] ^= 0x44;
        CHECK_MSG(!clump_io_sensor_livox.recognise(packet, size), "byte %d", places[i]);
        packet[places[i]] = right;
    }
}

CHECK_PROGRAM(test_frames)
{
    RUN(parts_are_cut_into_frames);
    RUN(losses_belong_to_frames);
    RUN(organised_frames_begin_as_missing_points);
    RUN(endless_frames_are_cut);
    RUN(refused_sensors_are_a_sentence);
    RUN(livox);
    RUN(livox_forged);
}
