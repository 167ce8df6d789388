/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_velodyne.c: points of made packets against the formulas of the manuals in doubles; hostile packets. Order, loss
 * and frames are in test_velodyne_order.c, calibration files in test_velodyne_calibration.c.
 */
#include "support/check.h"
#include "sensors/velodyne.h"
#include "sensors/velodyne_feed.h"

#include <math.h>

/* --- points --------------------------------------------------------------------------------------- */

/* The angles of a laser and the time of its shot in a block, by the manuals. */
typedef struct expected_beam {
    double elevation, offset, time, up;
    unsigned ring;
} expected_beam;

static expected_beam vlp16_beam(unsigned slot)
{
    static const double up[] = {11.2, -0.7, 9.7, -2.2, 8.1, -3.7, 6.6, -5.1};
    const unsigned laser = slot % 16;
    return (expected_beam){.elevation = laser % 2 ? laser : -15.0 + laser,
                           .time = slot / 16 * 55.296 + laser * 2.304,
                           .up = (laser < 8 ? up[laser] : -up[15 - laser]) / 1000,
                           .ring = laser % 2 ? 8 + laser / 2 : laser / 2};
}

static expected_beam hdl32_beam(unsigned slot)
{
    static const double lowest[] = {-30.67, -29.33, -28};
    const unsigned ring = slot % 2 ? 16 + slot / 2 : slot / 2;
    return (expected_beam){.elevation = lowest[ring % 3] + ring / 3 * 4, .time = slot * 1.152, .ring = ring};
}

static expected_beam vlp32_beam(unsigned slot)
{
    static const double elevation[] = {-25,    -1,    -1.667, -15.639, -11.31, 0,     -0.667, -8.843,
                                       -7.254, 0.333, -0.333, -6.148,  -5.333, 1.333, 0.667,  -4,
                                       -4.667, 1.667, 1,      -3.667,  -3.333, 3.333, 2.333,  -2.667,
                                       -3,     7,     4.667,  -2.333,  -2,     15,    10.333, -1.333};
    static const double offset[] = {1.4,  -4.2, 1.4,  -1.4, 1.4,  -1.4, 4.2,  -1.4, 1.4,  -4.2, 1.4,
                                    -1.4, 4.2,  -1.4, 4.2,  -1.4, 1.4,  -4.2, 1.4,  -4.2, 4.2,  -1.4,
                                    1.4,  -1.4, 1.4,  -1.4, 1.4,  -4.2, 4.2,  -1.4, 1.4,  -1.4};
    unsigned ring = 0;
    for (unsigned i = 0; i < 32; i++) ring += elevation[i] < elevation[slot];
    return (expected_beam){
        .elevation = elevation[slot], .offset = offset[slot], .time = slot / 2 * 2.304, .ring = ring};
}

/* Compares all points of some packets with the manual's formula. The sensor turns evenly by a whole number of azimuth
 * units, so that the direction of each shot is known. */
static void check_points(velodyne_sample sample, expected_beam (*beam)(unsigned), double unit)
{
    velodyne_run run = open_run();
    sample.azimuth = 35000, sample.clock = 1000;
    double worst = 0;
    for (int n = 0; n < 40; n++) {
        const double first = sample.azimuth, clock = sample.clock;
        const size_t before = run.filling.count;
        const uint64_t frames = run.frames;
        give_sample(&run, &sample);
        if (run.frames != frames) continue; /* the packet is in two frames */
        size_t at = before;
        for (unsigned block = 0; block < 12; block++)
            for (unsigned slot = 0; slot < 32; slot++, at++) {
                const expected_beam b = beam(slot);
                const unsigned char *const raw = packet + 100 * block + 4 + 3 * slot;
                const double d = (raw[0] | raw[1] << 8) * unit, e = b.elevation * DEGREE;
                const double turn = sample.step * b.time / sample.firing_us;
                const double a = ((first + block * sample.step + turn) / 100 + b.offset) * DEGREE;
                const double flat = d * cos(e) - b.up * sin(e);
                const double expected[] = {flat * cos(a), -flat * sin(a), d * sin(e) + b.up * cos(e)};
                if (d == 0) CHECK_FAIL("the sample has a laser without return");
                for (int k = 0; k < 3; k++)
                    worst = fmax(worst, fabs((double)run.filling.xyz[3 * at + (size_t)k] - expected[k]));
                const double time =
                    (clock + block * sample.firing_us + b.time) * 1e-6 + (double)(hour - run.filling.stamp) * 1e-9;
                if (fabs((double)((float *)run.filling.fields[2])[at] - time) >
                    2e-6) /* clocks are whole microseconds */
                    CHECK_FAIL("time of slot %u: %g, expected %g", slot, (double)((float *)run.filling.fields[2])[at],
                               time);
                if (((uint16_t *)run.filling.fields[1])[at] != b.ring) CHECK_FAIL("ring of slot %u is wrong", slot);
                if (((float *)run.filling.fields[0])[at] != (float)raw[2]) CHECK_FAIL("intensity is wrong");
            }
        CHECK_INT(run.filling.count, at);
    }
    CHECK_MSG(worst < 65535 * unit * 1e-5 / 2, "worst %g m", worst); /* 0.5 mm at 100 m */
    CHECK_INT(run.frames, 1);
    CHECK_INT(run.lost + run.damaged + run.reordered, 0);
    velodyne_run_close(&run);
}

static void places_points(void)
{
    check_points(sample_vlp16(), vlp16_beam, 0.002);
    check_points(sample_hdl32(), hdl32_beam, 0.002);
    check_points(sample_vlp32(), vlp32_beam, 0.004);
}

static void places_points_of_vls128(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vls128();
    sample.distance = 25000; /* 100 m */
    give_sample(&run, &sample);
    CHECK_TEXT(run.sensor->model(run.state), "Velodyne VLS-128");
    CHECK_INT(run.filling.count, 384);
    /* laser, elevation, offset of the azimuth and groups of lasers that fire before */
    static const struct {
        unsigned laser;
        double elevation, offset;
        unsigned groups, ring;
    } some[] = {{0, -11.742, 6.354, 0, 4},
                {36, -25, -0.911, 4, 0},
                {59, 15, 0.911, 7, 127},
                {64, -5.62, 6.354, 9, 20},
                {127, 0.43, -6.354, 16, 75}};
    for (size_t firing = 0; firing < 3; firing++)
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            const float *const p = run.filling.xyz + 3 * (firing * 128 + some[i].laser);
            const double turn = 0.19 * ((double)firing + some[i].groups * 2.665 / 53.3);
            const double a = (turn + some[i].offset) * DEGREE, e = some[i].elevation * DEGREE;
            CHECK(fabs((double)p[0] - 100 * cos(e) * cos(a)) < 5e-4 &&
                  fabs((double)p[1] + 100 * cos(e) * sin(a)) < 5e-4);
            CHECK(fabs((double)p[2] - 100 * sin(e)) < 5e-4);
            CHECK_INT(((uint16_t *)run.filling.fields[1])[firing * 128 + some[i].laser], some[i].ring);
        }
    velodyne_run_close(&run);
}

/* The formula of the HDL-64E's manual, step by step. */
static void hdl64_point(const clump_velodyne_laser *l, double raw, double azimuth, double point[3])
{
    const double angle = azimuth - l->rotation, c = cos(angle), s = sin(angle);
    const double distance = raw * 0.002 + l->distance, ce = cos(l->elevation), se = sin(l->elevation);
    const double flat = distance * ce - l->up * se;
    const double xx = fabs(flat * s - l->aside * c), yy = fabs(flat * c + l->aside * s);
    const double x_more = (l->distance - l->distance_x) * (xx - 2.4) / (25.04 - 2.4) + l->distance_x - l->distance;
    const double y_more = (l->distance - l->distance_y) * (yy - 1.93) / (25.04 - 1.93) + l->distance_y - l->distance;
    const double flat_x = (distance + x_more) * ce - l->up * se, flat_y = (distance + y_more) * ce - l->up * se;
    point[0] = flat_y * c + l->aside * s;
    point[1] = -(flat_x * s - l->aside * c);
    point[2] = (distance + y_more) * se + l->up * ce;
}

static void places_points_of_hdl64(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_hdl64();
    clump_velodyne_laser lasers[64];
    clump_velodyne_hdl64_lasers(lasers);
    double worst = 0;
    for (int n = 0; n < 100; n++) {
        const double first = sample.azimuth;
        size_t at = run.filling.count;
        give_sample(&run, &sample);
        CHECK_INT(run.filling.count, at + 384);
        for (unsigned block = 0; block < 12; block++)
            for (unsigned slot = 0; slot < 32; slot++, at++) {
                const unsigned char *const raw = packet + 100 * block + 4 + 3 * slot;
                double point[3];
                hdl64_point(&lasers[block % 2 * 32 + slot], raw[0] | raw[1] << 8,
                            (first + block / 2 * sample.step) / 100 * DEGREE, point);
                for (size_t k = 0; k < 3; k++)
                    worst = fmax(worst, fabs((double)run.filling.xyz[3 * at + k] - point[k]));
            }
    }
    CHECK_TEXT(run.sensor->model(run.state), "Velodyne HDL-64E");
    CHECK_MSG(worst < 1e-3, "worst %g m", worst);
    velodyne_run_close(&run);
}

static void numbers_rings_by_elevation(void)
{
    static const uint8_t products[] = {0x21, 0x22, 0x24, 0x28, 0x63, 0xA1};
    for (size_t i = 0; i < sizeof products; i++) {
        velodyne_sample sample = sample_vlp16();
        sample.product = products[i];
        sample_packet(&sample, packet);
        const clump_velodyne_model *const model = clump_velodyne_model_of(packet);
        CHECK(model != NULL);
        if (!model) continue;
        clump_velodyne_laser lasers[VELODYNE_MAX_LASERS];
        clump_velodyne_model_lasers(model, lasers);
        static clump_velodyne_optics optics;
        clump_velodyne_optics_set(&optics, model, lasers, model->unit);
        double elevation[VELODYNE_MAX_LASERS];
        bool seen[VELODYNE_MAX_LASERS] = {0};
        for (unsigned k = 0; k < model->lasers; k++)
            elevation[optics.ring[k]] = lasers[k].elevation, seen[optics.ring[k]] = true;
        for (unsigned k = 1; k < model->lasers; k++) CHECK(seen[k] && elevation[k] > elevation[k - 1]);
    }
}

/* The unit of distances is a fact of the model. A file that says otherwise changes nothing, and that is said. */
static void takes_the_unit_of_the_model(void)
{
    static char text[8192];
    size_t used = 0;
    for (int i = 0; i < 128; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "- {laser_id: %d, vert_correction: 0.0}\n", i);
    const size_t lasers = used;
    static const char *const units[] = {"", "distance_resolution: 0.004\n", "distance_resolution: 0.007\n"};
    static const char *const notes[] = {
        "", "", "a.yaml: distance_resolution 0.007 m is not used: distances of Velodyne VLS-128 count 0.004 m"};
    for (size_t i = 0; i < 3; i++) {
        used = lasers + (size_t)snprintf(text + lasers, sizeof text - lasers, "%s", units[i]);
        velodyne_run run = open_run();
        run.setup.calibration = text, run.setup.calibration_size = used, run.setup.calibration_name = "of/a.yaml";
        velodyne_sample sample = sample_vls128();
        sample.distance = 5000;
        give_sample(&run, &sample);
        const float *const p = run.filling.xyz;
        CHECK_MSG(fabsf(hypotf(hypotf(p[0], p[1]), p[2]) - 20) < 1e-3f, "%g %g %g", (double)p[0], (double)p[1],
                  (double)p[2]);
        CHECK_TEXT(run.sensor->note(run.state), notes[i]);
        velodyne_run_close(&run);
    }
}

/* --- two returns --------------------------------------------------------------------------------- */

static void keeps_one_of_two_equal_returns(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    sample.mode = SAMPLE_DUAL, sample.distance = 5000;
    give_sample(&run, &sample);
    size_t fields;
    run.sensor->fields(run.state, &fields);
    CHECK_INT(fields, 4);
    CHECK_INT(run.filling.count, 6 * 32);
    sample_packet(&sample, packet);
    packet[104] = 1;               /* the second return of laser 0 is another one */
    packet[107] = packet[108] = 0; /* that of laser 1 is missing */
    velodyne_run_give(&run, packet, sizeof packet, hour);
    CHECK_INT(run.filling.count, 12 * 32 + 1);
    const uint8_t *const returned = run.filling.fields[3];
    CHECK(returned[6 * 32 + 31] == 0 && returned[6 * 32 + 32] == 1 && returned[6 * 32 + 33] == 0);
    CHECK_INT(run.lost, 0);
    velodyne_run_close(&run);
}

static void reads_two_returns_of_vls128(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vls128();
    sample.mode = SAMPLE_DUAL, sample.distance = 5000;
    for (int i = 0; i < 50; i++) CHECK_INT(give_sample(&run, &sample), 8); /* the other four blocks are empty */
    CHECK_INT(run.filling.count, 50 * 128);
    CHECK_INT(run.lost + run.damaged, 0);
    velodyne_run_close(&run);
}

/* The mode is set anew while the sensor runs. The points of both returns stay, and no packet is missing. */
static void follows_a_change_of_mode(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp32();
    sample.distance = 5000;
    for (int i = 0; i < 60; i++) {
        sample.mode = i / 20 % 2 ? SAMPLE_DUAL : SAMPLE_SINGLE;
        give_sample(&run, &sample);
    }
    CHECK_INT(run.lost + run.damaged, 0);
    CHECK_INT(run.filling.count, (40 * 12 + 20 * 6) * 32);
    velodyne_run_close(&run);
}

/* --- what is no data, and damage ---------------------------------------------------------------------- */

static void tells_packets_apart(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    unsigned char position[512] = {0};
    CHECK(!clump_io_sensor_velodyne.recognise(position, sizeof position));
    sample_packet(&sample, packet);
    CHECK(clump_io_sensor_velodyne.recognise(packet, sizeof packet));
    CHECK(!clump_io_sensor_velodyne.recognise(packet, sizeof packet - 1));
    packet[1205] = 0x42;
    CHECK_INT(velodyne_run_give(&run, packet, sizeof packet, 0), 0);
    CHECK_TEXT(run.why.text, "Velodyne sensor of the unknown model 0x42");
    give_sample(&run, &sample);
    CHECK_INT(velodyne_run_give(&run, position, sizeof position, 0), 0);
    CHECK_INT(run.damaged, 0);
    CHECK_INT(velodyne_run_give(&run, packet, 1000, 0), 0);
    CHECK_INT(run.damaged, 1);
    velodyne_sample other = sample_vlp32(); /* another sensor */
    CHECK_INT(give_sample(&run, &other), 0);
    CHECK_INT(run.damaged, 2);
    sample_packet(&sample, packet);
    packet[300] = 0;    /* flag */
    packet[703] = 0xFF; /* azimuth */
    CHECK_INT(velodyne_run_give(&run, packet, sizeof packet, 0), 10);
    CHECK_INT(run.damaged, 3);
    velodyne_run_close(&run);
}

static void survives_damage(void)
{
    static velodyne_sample (*const samples[])(void) = {sample_vlp16, sample_vls128, sample_hdl64};
    for (size_t s = 0; s < 3; s++) {
        velodyne_run run = open_run();
        velodyne_sample sample = samples[s]();
        for (size_t i = 0; i < 3000; i++) {
            sample_packet(&sample, packet);
            for (unsigned k = 0; k < 1 + i % 5; k++)
                packet[i % 2 ? sample_random(&sample) % 1206 : 1190 + sample_random(&sample) % 16] ^=
                    (unsigned char)(1u << sample_random(&sample) % 8);
            unsigned char *const copy = malloc(SAMPLE_BYTES); /* a sanitizer sees a byte read too far */
            if (!copy) abort();
            memcpy(copy, packet, SAMPLE_BYTES);
            velodyne_run_give(&run, copy, i % 50 == 49 ? sample_random(&sample) % SAMPLE_BYTES : SAMPLE_BYTES,
                              (int64_t)((uint64_t)sample_random(&sample) << (i % 64)));
            free(copy);
            if (run.filling.cloud && run.filling.count > 1000000) velodyne_run_end(&run);
        }
        CHECK(run.state != NULL);
        if (run.state) run.sensor->restart(run.state);
        velodyne_run_close(&run);
    }
}

CHECK_PROGRAM(test_velodyne)
{
    RUN(places_points);
    RUN(places_points_of_vls128);
    RUN(places_points_of_hdl64);
    RUN(numbers_rings_by_elevation);
    RUN(takes_the_unit_of_the_model);
    RUN(keeps_one_of_two_equal_returns);
    RUN(reads_two_returns_of_vls128);
    RUN(follows_a_change_of_mode);
    RUN(tells_packets_apart);
    RUN(survives_damage);
}
