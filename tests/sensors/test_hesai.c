/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hesai.c: packets of Hesai sensors, made in the test.
 */
#include "support/check.h"
#include "support/hesai_packets.h"
#include "sensors/hesai.h"

#include <math.h>

#define SECOND 1000000000LL
static const int64_t packet_second = 1673403880 * SECOND;
static const clump_io_sensor *const sensor = &clump_io_sensor_hesai;

enum { ROOM = 4096 };
typedef struct decoder {
    void *state;
    float xyz[3 * ROOM], intensity[ROOM], time[ROOM];
    uint16_t ring[ROOM];
    uint8_t nth[ROOM];
    clump_io_filling to;
    size_t cuts, parts;
    uint64_t lost, reordered, damaged;
} decoder;

static clump_status start_decoder(decoder *d, const clump_io_sensor_setup *setup, const unsigned char *packet,
                                  size_t size, int64_t received)
{
    memset(d, 0, sizeof *d);
    d->to = (clump_io_filling){.room = ROOM, .xyz = d->xyz, .fields = {d->intensity, d->ring, d->time, d->nth}};
    const clump_io_packet first = {packet, size, received};
    CLUMP_IO_TRY(sensor->create(setup, &first, &d->state));
    size_t fields;
    sensor->fields(d->state, &fields);
    if (fields < 4) d->to.fields[3] = NULL;
    return CLUMP_OK;
}

/* Decodes a packet. The points of all parts are kept until the caller sets to.count to 0. */
static void decode(decoder *d, const unsigned char *bytes, size_t size, int64_t received)
{
    const clump_io_packet packet = {bytes, size, received};
    bool damaged;
    uint64_t lost, reordered;
    const size_t parts = sensor->begin(d->state, &packet, &damaged, &lost, &reordered);
    d->lost += lost, d->reordered += reordered, d->damaged += damaged, d->parts += parts;
    for (size_t i = 0; i < parts; i++) {
        d->cuts += sensor->cuts(d->state, i);
        if (!d->to.stamp) d->to.stamp = sensor->part_time(d->state, i);
        if (d->to.room - d->to.count < sensor->most_points(d->state)) d->to.count = 0;
        sensor->append(d->state, i, &d->to);
    }
}

static void start_layout(decoder *d, const hesai_layout *layout, int64_t received)
{
    unsigned char packet[1500];
    hesai_packet(layout, packet, 0, 1, 0);
    CHECK_INT(start_decoder(d, &(clump_io_sensor_setup){0}, packet, layout->size, received), CLUMP_OK);
}

static void recognises_models(void)
{
    for (size_t k = 0; k < HESAI_LAYOUTS; k++) {
        unsigned char packet[1500] = {0};
        hesai_packet(&hesai_layouts[k], packet, 100, 1, 0);
        CHECK(sensor->recognise(packet, hesai_layouts[k].size));
        decoder d;
        start_layout(&d, &hesai_layouts[k], packet_second);
        CHECK_TEXT(sensor->model(d.state), hesai_layouts[k].name);
        size_t count;
        const clump_io_shape *shapes = sensor->fields(d.state, &count);
        CHECK_INT(count, 3);
        CHECK_TEXT(shapes[1].name, "ring");
        decode(&d, packet, hesai_layouts[k].size - 1, packet_second);
        CHECK_INT(d.damaged, 1);
        CHECK(!sensor->recognise(packet, hesai_layouts[k].size - 1)); /* a damaged packet does not choose the model */
        sensor->destroy(d.state);
    }
}

static void check_near(double value, double expected)
{
    CHECK_MSG(fabs(value - expected) < 2e-5, "%.9g, expected %.9g", value, expected);
}

/* One measurement of 10 m at 123.40 degrees, of the first and of the last channel. */
static void computes_points(void)
{
    static const double angles[HESAI_LAYOUTS][2][2] = {{{14.794, -1.042}, {-24.985, -1.042}},
                                                       {{14.9, -1.042}, {-24.879, -1.042}},
                                                       {{-52.121, 8.736}, {52.133, -7.892}},
                                                       {{-52.6268, 10.1083}, {52.6268, -10.1083}},
                                                       {{15, 0}, {-15, 0}},
                                                       {{14.972363, 0.082385}, {-16.023602, -0.129679}},
                                                       {{19.407, 0.094}, {-20.72, -0.166}}};
    for (size_t k = 0; k < HESAI_LAYOUTS; k++) {
        const hesai_layout *layout = &hesai_layouts[k];
        unsigned char packet[1500];
        hesai_packet(layout, packet, 12320, 1, 5000);
        hesai_measure(layout, packet, 1, 0, 2500, 77);
        hesai_measure(layout, packet, 1, layout->channels - 1, 2500, 255);
        decoder d;
        start_layout(&d, layout, packet_second);
        decode(&d, packet, layout->size, packet_second);
        CHECK_INT(d.to.count, 2);
        CHECK_INT(d.parts, layout->blocks);
        for (size_t i = 0; i < 2; i++) {
            const double degree = acos(-1) / 180, e = angles[k][i][0] * degree, a = (123.4 + angles[k][i][1]) * degree;
            check_near(d.xyz[3 * i], 10 * cos(e) * sin(a));
            check_near(d.xyz[3 * i + 1], 10 * cos(e) * cos(a));
            check_near(d.xyz[3 * i + 2], 10 * sin(e));
            CHECK_INT(d.nth[i], 0);
            CHECK(d.time[i] > 0 && d.time[i] < 0.001f);
        }
        CHECK_INT(d.intensity[0], 77);
        const bool upwards = angles[k][0][0] < angles[k][1][0];
        CHECK_INT(d.ring[0], upwards ? 0 : layout->channels - 1);
        CHECK_INT(d.ring[1], upwards ? layout->channels - 1 : 0);
        sensor->destroy(d.state);
    }
}

static void keeps_different_returns(void)
{
    for (size_t k = 0; k < HESAI_LAYOUTS; k++) {
        const hesai_layout *layout = &hesai_layouts[k];
        unsigned char packet[1500];
        hesai_packet(layout, packet, 0, 1, 0);
        packet[layout->mode_at] = 0x39;
        for (size_t b = 0; b < layout->blocks; b++) hesai_turn(layout, packet, b, 100 + 20 * (unsigned)(b / 2));
        hesai_measure(layout, packet, 0, 3, 1000, 1), hesai_measure(layout, packet, 1, 3, 1000, 1); /* one point */
        hesai_measure(layout, packet, 0, 5, 1000, 2), hesai_measure(layout, packet, 1, 5, 1001, 3); /* two */
        hesai_measure(layout, packet, 0, 7, 0, 0), hesai_measure(layout, packet, 1, 7, 1000, 4);    /* the second */
        hesai_measure(layout, packet, 0, 9, 3, 9);                                                  /* too near */
        decoder d;
        CHECK_INT(start_decoder(&d, &(clump_io_sensor_setup){0}, packet, layout->size, packet_second), CLUMP_OK);
        size_t fields;
        CHECK_TEXT(sensor->fields(d.state, &fields)[3].name, "return");
        CHECK_INT(fields, 4);
        decode(&d, packet, layout->size, packet_second);
        CHECK_INT(d.parts, layout->blocks / 2);
        CHECK_INT(d.to.count, 4);
        static const unsigned char intensity[] = {1, 2, 3, 4}, nth[] = {0, 0, 1, 1};
        for (size_t i = 0; i < 4; i++) CHECK(d.intensity[i] == intensity[i] && d.nth[i] == nth[i]);
        packet[layout->mode_at] = 0; /* unknown: equal azimuths tell */
        hesai_put32(packet + layout->sequence_at, 2);
        decode(&d, packet, layout->size, packet_second);
        CHECK_INT(d.to.count, 8);
        packet[layout->mode_at] = 0x3d; /* three returns: 6 blocks are two parts, other numbers are damage */
        hesai_put32(packet + layout->sequence_at, 3);
        d.parts = 0;
        decode(&d, packet, layout->size, packet_second);
        CHECK_INT(d.parts, layout->blocks == 6 ? 2 : 0);
        CHECK_INT(d.damaged, layout->blocks != 6);
        sensor->destroy(d.state);
    }
}

/* Sends a packet of XT32 that begins at this angle since the beginning, in hundredths of a degree. 10 turns per second. */
static void send_at(decoder *d, int64_t angle, int64_t direction, uint32_t sequence)
{
    const hesai_layout *layout = &hesai_layouts[5];
    unsigned char packet[1500];
    const int64_t azimuth = ((angle * direction) % 36000 + 36000) % 36000;
    const int64_t nanoseconds = angle * 100000000 / 36000;
    hesai_packet(layout, packet, (unsigned)azimuth, sequence, (uint32_t)(nanoseconds / 1000));
    for (size_t b = 0; b < 8; b++)
        hesai_turn(layout, packet, b, (unsigned)((azimuth + direction * 18 * (int64_t)b + 36000) % 36000));
    decode(d, packet, layout->size, packet_second + nanoseconds);
}

static void cuts_turns(void)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        decoder d;
        start_layout(&d, &hesai_layouts[5], packet_second);
        for (uint32_t i = 0; i < 2500; i++) send_at(&d, 144 * (int64_t)i, direction, i); /* 10 turns */
        CHECK_INT(d.cuts, direction > 0 ? 9 : 10); /* to the left, the first cut comes a quarter turn later */
        CHECK_INT(d.lost + d.reordered + d.damaged, 0);
        sensor->destroy(d.state);
    }
}

static void cuts_once_with_late_packets(void)
{
    decoder d;
    start_layout(&d, &hesai_layouts[5], packet_second);
    for (uint32_t i = 0; i < 2500; i++) { /* each pair of packets changes places, also those around azimuth 0 */
        const uint32_t j = i ^ 1;
        send_at(&d, 144 * (int64_t)(j + 249), 1, j);
    }
    CHECK_INT(d.cuts, 9);
    CHECK_INT(d.lost, 0);
    CHECK_INT(d.reordered, 1250);
    sensor->destroy(d.state);
}

static void cuts_after_gaps(void)
{
    static const struct {
        uint32_t gap;
        size_t cuts;
    } cases[] = {{20, 1}, {150, 1}, {200, 1}, {249, 1}, {251, 2}, {600, 2}, {3000, 2}, {100000, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        decoder d;
        start_layout(&d, &hesai_layouts[5], packet_second);
        for (uint32_t i = 0; i < 450; i++) { /* 1.8 turns; the gap is behind a tenth of turn 2 */
            const uint32_t j = i < 275 ? i : i + cases[k].gap;
            send_at(&d, 144 * (int64_t)j, 1, j);
        }
        const uint64_t turns = (449 + cases[k].gap) / 250, seen = turns < 2 ? turns : 0;
        CHECK_MSG(seen == 0 || d.cuts == seen, "gap %u: %zu cuts", cases[k].gap, d.cuts);
        CHECK_MSG(d.cuts >= cases[k].cuts && d.cuts <= 3, "gap %u: %zu cuts", cases[k].gap, d.cuts);
        CHECK_INT(d.lost, cases[k].gap < 65536 ? cases[k].gap : 0);
        sensor->destroy(d.state);
    }
}

static void begins_anew_when_time_goes_back(void)
{
    decoder d;
    start_layout(&d, &hesai_layouts[5], packet_second);
    for (uint32_t i = 1000; i < 1100; i++) send_at(&d, 144 * (int64_t)i, 1, i);
    CHECK_INT(d.cuts, 0);
    for (uint32_t i = 0; i < 100; i++) send_at(&d, 144 * (int64_t)i, 1, i);
    CHECK_INT(d.cuts, 1);
    sensor->restart(d.state);
    send_at(&d, 144 * 500, 1, 500);
    CHECK_INT(d.cuts, 1);
    sensor->destroy(d.state);
}

/* Channels of XT32 fire one after the other; blocks are 50 microseconds apart. */
static void gives_times(void)
{
    const hesai_layout *layout = &hesai_layouts[5];
    unsigned char packet[1500];
    hesai_packet(layout, packet, 0, 1, 500000);
    for (size_t b = 0; b < 8; b++) hesai_measure(layout, packet, b, b, 1000, 0);
    decoder d;
    start_layout(&d, layout, packet_second);
    decode(&d, packet, layout->size, packet_second);
    CHECK_INT(d.to.stamp, packet_second + 500000000 + 6000 - 7 * 50000);
    for (size_t b = 0; b < 8; b++) CHECK(fabs(d.time[b] - (double)b * 51512e-9) < 1e-9);
    sensor->destroy(d.state);
}

static void make_calibration(char *text, size_t room, size_t channels)
{
    size_t n = (size_t)snprintf(text, room, "Laser id,Elevation,Azimuth\r\n");
    for (size_t c = channels; c-- > 0;)
        n += (size_t)snprintf(text + n, room - n, "%zu, %g,%g\r\n", c + 1, (double)c - 3.5, 0.25 * (double)c);
}

static clump_status create_calibrated(const char *text, size_t size, decoder *d, clump_message *why)
{
    unsigned char packet[1500];
    hesai_packet(&hesai_layouts[4], packet, 0, 1, 0);
    const clump_io_sensor_setup setup = {
        .calibration = text, .calibration_size = size, .calibration_name = "angles.csv", .where = {"x.pcap", why}};
    return start_decoder(d, &setup, packet, hesai_layouts[4].size, packet_second);
}

static void reads_calibrations(void)
{
    char text[1024];
    make_calibration(text, sizeof text, 16);
    decoder d;
    clump_message why = {""};
    CHECK_INT(create_calibrated(text, strlen(text), &d, &why), CLUMP_OK);
    unsigned char packet[1500];
    hesai_packet(&hesai_layouts[4], packet, 9000, 1, 0);
    hesai_measure(&hesai_layouts[4], packet, 0, 4, 2500, 0);
    decode(&d, packet, hesai_layouts[4].size, packet_second);
    const double degree = acos(-1) / 180;
    check_near(d.xyz[0], 10 * cos(0.5 * degree) * sin(91 * degree));
    check_near(d.xyz[1], 10 * cos(0.5 * degree) * cos(91 * degree));
    CHECK_INT(d.ring[0], 4);
    sensor->destroy(d.state);
    for (size_t size = 0; size < strlen(text); size++) { /* each cut gives a sentence, or cuts off spaces or digits */
        char *cut = malloc(size + 1);
        memcpy(cut, text, size);
        if (create_calibrated(cut, size, &d, &why) == CLUMP_OK) {
            CHECK(size + 8 > strlen(text));
            sensor->destroy(d.state);
        } else {
            CHECK(strncmp(why.text, "angles.csv: ", 12) == 0 && !d.state);
        }
        free(cut);
    }
    static const char *const wrong[] = {"1,2\n",    "0,1,2\n",        "17,1,2\n", "1,nan,2\n",
                                        "1,91,2\n", "1,1,2\n1,1,2\n", "1 1 2\n"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        CHECK_MSG(create_calibrated(wrong[k], strlen(wrong[k]), &d, &why) == CLUMP_ERR_IO_FORMAT, "%s", wrong[k]);
    CHECK_INT(create_calibrated("1,1,2\n", 6, &d, &why), CLUMP_ERR_IO_FORMAT);
    CHECK_TEXT(why.text, "angles.csv: the file has angles of 1 channels; the sensor has 16");
}

static void names_other_models(void)
{
    unsigned char packet[1500] = {0xee, 0xff, 1, 4};
    clump_message why = {""};
    decoder d;
    CHECK(sensor->recognise(packet, 893));
    CHECK_INT(start_decoder(&d, &(clump_io_sensor_setup){.where = {"x", &why}}, packet, 893, 0),
              CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_TEXT(
        why.text,
        "x: packets of 893 bytes of a Hesai OT128 or Pandar128 E4X are not decoded; those of " CLUMP_IO_HESAI_MODELS
        " are");
    CHECK(!sensor->recognise(packet, 3) && !sensor->recognise(packet, 0));
    const unsigned char position[512] = {0xff, 0xee}, fault[99] = {0xcd, 0xdc};
    start_layout(&d, &hesai_layouts[1], packet_second);
    decode(&d, position, sizeof position, packet_second);
    decode(&d, fault, sizeof fault, packet_second);
    CHECK_INT(d.damaged, 0);
    decode(&d, position, 1, packet_second);
    decode(&d, position, 0, packet_second);
    CHECK_INT(d.damaged, 2);
    sensor->destroy(d.state);
}

/* Whatever the bytes are: points are finite and within reach, and there are not too many. */
static void survives_any_bytes(void)
{
    uint64_t seed = 7;
    for (size_t k = 0; k < HESAI_LAYOUTS; k++) {
        const hesai_layout *layout = &hesai_layouts[k];
        decoder d;
        start_layout(&d, layout, packet_second);
        for (int round = 0; round < 4000; round++) {
            unsigned char *packet = malloc(layout->size);
            hesai_packet(layout, packet, (unsigned)(check_random(&seed) % 36000), (uint32_t)round,
                         (uint32_t)check_random(&seed));
            for (size_t i = layout->head_size + 100; i < layout->size && round % 2; i++)
                packet[i] = (unsigned char)check_random(&seed);
            for (int flips = round % 9; flips > 0; flips--)
                packet[check_random(&seed) % layout->size] = (unsigned char)check_random(&seed);
            const size_t size = round % 5 ? layout->size : check_random(&seed) % (layout->size + 1);
            unsigned char *exact = malloc(size + !size); /* so that a read behind the end is seen */
            memcpy(exact, packet, size);
            sensor->recognise(exact, size);
            d.to.count = 0, d.to.stamp = 0;
            decode(&d, exact, size, (int64_t)check_random(&seed) >> (round % 60));
            for (size_t i = 0; i < d.to.count; i++) {
                CHECK(fabs(d.xyz[3 * i]) < 16800 && fabs(d.xyz[3 * i + 1]) < 16800 && fabs(d.xyz[3 * i + 2]) < 16800);
                CHECK(d.ring[i] < layout->channels && d.nth[i] < 3);
            }
            free(packet), free(exact);
        }
        sensor->destroy(d.state);
    }
}

CHECK_PROGRAM(test_hesai)
{
    RUN(recognises_models);
    RUN(computes_points);
    RUN(keeps_different_returns);
    RUN(cuts_turns);
    RUN(cuts_once_with_late_packets);
    RUN(cuts_after_gaps);
    RUN(begins_anew_when_time_goes_back);
    RUN(gives_times);
    RUN(reads_calibrations);
    RUN(names_other_models);
    RUN(survives_any_bytes);
}
