/* SPDX-License-Identifier: BSD-3-Clause
 *
 * livox.c: packets of Livox sensors (HAP, Mid-360), as the header of Livox-SDK2 describes them. Checked against that description
 * only. Numbers have the least significant byte first.
 *
 *     0 version u8   1 length u16   3 time_interval u16, 0.1 us   5 dot_num u16   7 udp_cnt u16   9 frame_cnt u8
 *     10 data_type u8   11 time_type u8   24 crc32 u32   28 timestamp u64, ns   36 points
 *
 * The beams follow no rings, and no turn ends: a frame is a tenth of a second of the sensor's clock. The part of a packet is all of
 * it. A clock that is not synchronised counts from the start of the sensor; its times are moved to that of the first packet.
 */
#include "sensors/sensor.h"

#include "endian.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>

#define LIVOX_FRAME INT64_C(100000000) /* nanoseconds */
#define LIVOX_EPOCH                                                                                                    \
    INT64_C(1000000000000000000) /* a clock with a smaller time is not that of the day: September 2001 */
#define LIVOX_FAR    (INT64_C(1) << 62)
#define LIVOX_DEGREE (3.14159265358979323846 / 180)
enum { LIVOX_HEAD = 36, LIVOX_SMALLEST = 8, LIVOX_MOST = (65535 - LIVOX_HEAD) / LIVOX_SMALLEST };
enum { LIVOX_HIGH = 1, LIVOX_LOW = 2, LIVOX_SPHERICAL = 3 };

typedef struct livox_state {
    const unsigned char *packet;
    size_t count;  /* of its points */
    int64_t time;  /* of its first point, nanoseconds since 1970 */
    int64_t shift; /* from the sensor's clock to that of the day */
    int64_t end;   /* of the frame; 0: none has begun */
    bool met;      /* shift is known */
    bool counts;   /* the number of the last packet is known */
    uint16_t number;
} livox_state;

static const clump_io_shape livox_fields[] = {
    {"intensity", 0, CLUMP_TYPE_F32, 1}, {"time", 0, CLUMP_TYPE_F32, 1}, {"tag", 0, CLUMP_TYPE_U8, 1}};

/* Returns the bytes of a point; 0: the kind is not known. */
static size_t point_size(unsigned kind)
{
    return kind == LIVOX_HIGH ? 14 : kind == LIVOX_LOW ? 8 : kind == LIVOX_SPHERICAL ? 10 : 0;
}

static bool recognise(const unsigned char *packet, size_t size)
{
    if (size <= LIVOX_HEAD || size > 65535 || packet[0] != 0 || clump_io_u16(packet + 1) != size) return false;
    const size_t point = point_size(packet[10]), count = clump_io_u16(packet + 5);
    return point && count && packet[11] <= 2 && LIVOX_HEAD + count * point == size;
}

static void restart(void *state)
{
    livox_state *const livox = state;
    livox->end = 0;
    livox->counts = livox->met = false;
}

static clump_status create(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **state)
{
    (void)first;
    *state = calloc(1, sizeof(livox_state));
    return *state ? CLUMP_OK : clump_io_no_memory(&setup->where, sizeof(livox_state));
}

static const char *model(const void *state)
{
    (void)state;
    return "Livox";
}

static const clump_io_shape *fields(const void *state, size_t *count)
{
    (void)state;
    *count = sizeof livox_fields / sizeof *livox_fields;
    return livox_fields;
}

static size_t most_points(const void *state)
{
    (void)state;
    return LIVOX_MOST;
}

/* Counts packets that are missing before this one. The number of a packet is 0 where the sensor begins a frame of its own. */
static void count_lost(livox_state *livox, uint16_t number, uint64_t *lost, uint64_t *reordered)
{
    const uint16_t missing = (uint16_t)(number - livox->number - 1);
    if (livox->counts && number != 0 && missing != 0) {
        if (missing < 0x8000)
            *lost = missing;
        else
            *reordered = 1;
    }
    livox->number = number;
    livox->counts = true;
}

static size_t begin(void *state, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered)
{
    livox_state *const livox = state;
    *lost = *reordered = 0;
    *damaged = !recognise(packet->bytes, packet->size);
    if (*damaged) return 0;
    livox->packet = packet->bytes;
    livox->count = clump_io_u16(packet->bytes + 5);
    CLUMP_ASSERT(livox->count <= LIVOX_MOST);
    const uint64_t stamp = clump_io_u64(packet->bytes + 28);
    const int64_t time = stamp <= INT64_MAX ? (int64_t)stamp : 0;
    /* Times of a damaged capture can be any number. Those of 146 years around 1970 can be added and subtracted. */
    const int64_t received = packet->received > -LIVOX_FAR && packet->received < LIVOX_FAR ? packet->received : 0;
    if (!livox->met) livox->shift = time < LIVOX_EPOCH ? received - time : 0;
    livox->met = true;
    livox->time = time < LIVOX_FAR ? time + livox->shift : received;
    if (livox->time <= -LIVOX_FAR || livox->time >= LIVOX_FAR) livox->time = received;
    count_lost(livox, (uint16_t)clump_io_u16(packet->bytes + 7), lost, reordered);
    return 1;
}

/* A frame ends a tenth of a second after its begin, or where the clock jumps. */
static bool cuts(void *state, size_t part)
{
    (void)part;
    livox_state *const livox = state;
    if (livox->end && livox->time < livox->end && livox->time >= livox->end - 2 * LIVOX_FRAME) return false;
    const bool first = livox->end == 0,
               follows = !first && livox->time >= livox->end && livox->time - livox->end < LIVOX_FRAME;
    livox->end = (follows ? livox->end : livox->time) + LIVOX_FRAME;
    return !first;
}

static int64_t part_time(const void *state, size_t part)
{
    (void)part;
    return ((const livox_state *)state)->time;
}

/* Writes the position of a point in metres. False: there was no return. */
static bool read_point(unsigned kind, const unsigned char *at, float xyz[3])
{
    if (kind == LIVOX_SPHERICAL) { /* millimetres, hundredths of a degree: from the z axis, and around it */
        const double range = 1e-3 * (double)clump_io_u32(at);
        const double zenith = 0.01 * LIVOX_DEGREE * (double)clump_io_u16(at + 4);
        const double azimuth = 0.01 * LIVOX_DEGREE * (double)clump_io_u16(at + 6);
        xyz[0] = (float)(range * sin(zenith) * cos(azimuth));
        xyz[1] = (float)(range * sin(zenith) * sin(azimuth));
        xyz[2] = (float)(range * cos(zenith));
        return range > 0;
    }
    int32_t raw[3];
    for (size_t k = 0; k < 3; k++)
        raw[k] = kind == LIVOX_HIGH ? (int32_t)clump_io_u32(at + 4 * k) : (int16_t)clump_io_u16(at + 2 * k);
    for (size_t k = 0; k < 3; k++) xyz[k] = (float)((double)raw[k] / (kind == LIVOX_HIGH ? 1000 : 100));
    return raw[0] || raw[1] || raw[2];
}

static void append(void *state, size_t part, clump_io_filling *to)
{
    (void)part;
    const livox_state *const livox = state;
    const unsigned kind = livox->packet[10];
    const size_t size = point_size(kind);
    float *const intensity = to->fields[0], *const time = to->fields[1];
    unsigned char *const tag = to->fields[2];
    const double begin = (double)(livox->time - to->stamp) * 1e-9;
    const double step = 1e-7 * (double)clump_io_u16(livox->packet + 3) / (double)livox->count;
    for (size_t i = 0; i < livox->count; i++) {
        const unsigned char *const at = livox->packet + LIVOX_HEAD + i * size;
        if (!read_point(kind, at, to->xyz + 3 * to->count)) continue;
        intensity[to->count] = at[size - 2];
        tag[to->count] = at[size - 1];
        time[to->count] = (float)(begin + step * (double)i);
        to->count++;
    }
}

const clump_io_sensor clump_io_sensor_livox = {.maker = "Livox",
                                               .recognise = recognise,
                                               .create = create,
                                               .destroy = free,
                                               .model = model,
                                               .fields = fields,
                                               .most_points = most_points,
                                               .begin = begin,
                                               .cuts = cuts,
                                               .part_time = part_time,
                                               .append = append,
                                               .restart = restart};
