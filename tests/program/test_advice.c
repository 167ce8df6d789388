/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_advice.c: the advice of `clump info` (cli/info/advice.c) for every kind of cloud and machine, and what counts as one
 * turn of a sensor (cli/info/turn.c).
 */
#include "support/check.h"

#include "info/advice.h"
#include "info/info.h"
#include "core/registry.h"

#include <math.h>

static const uint64_t giga = 1000000000;

/* --- advice ---------------------------------------------------------------------------------------------- */

static void jobs(void)
{
    const cli_advice_input none = {.points = 1, .turn = true, .ground = true};
    CHECK(cli_advise(none).job == NULL);
    for (int turn = 0; turn < 2; turn++) {
        cli_advice_input in = {.points = 2, .turn = turn == 1};
        CHECK_TEXT(cli_advise(in).job, "ec");
        in.ground = true;
        CHECK_TEXT(cli_advise(in).job, "detect");
        CHECK_TEXT(cli_advise(in).method, "fast");
    }
}

static void devices(void)
{
    CHECK_INT(CLI_ADVICE_GPU_FROM, CLUMP_CROSSOVER);
    cli_advice_input in = {.points = CLI_ADVICE_GPU_FROM, .gpu = true, .gpu_free = 8 * giga, .host_free = 8 * giga};
    CHECK(cli_advise(in).gpu && !cli_advise(in).insist && !cli_advise(in).too_large);
    in.points--;
    CHECK(!cli_advise(in).gpu && !cli_advise(in).insist);
    in.points = 40000000; /* 200 bytes per point: all of the 8 GB */
    CHECK(cli_advise(in).gpu && cli_advise(in).bytes == 8 * giga);
    in.points++;
    CHECK(!cli_advise(in).gpu && cli_advise(in).insist && !cli_advise(in).too_large);
    in.points = 200000000; /* 40 bytes per point on the CPU */
    CHECK(!cli_advise(in).too_large);
    in.points++;
    CHECK(cli_advise(in).too_large);
    in.gpu = false;
    CHECK(cli_advise(in).too_large && !cli_advise(in).insist);
    in.host_free = 0; /* unknown */
    CHECK(!cli_advise(in).too_large);
}

static void says(cli_advice_input in, const char *expected)
{
    char text[CLI_ADVICE_SIZE];
    const cli_advice advice = cli_advise(in);
    cli_advice_text(text, in, &advice);
    CHECK_TEXT(text, expected);
}

static void texts(void)
{
    says((cli_advice_input){.points = 124668, .turn = true, .ground = true},
         "detect by fast on the CPU: one turn of a spinning sensor, with ground");
    says((cli_advice_input){.points = 5000, .turn = true, .gpu = true, .gpu_free = giga},
         "ec by fast on the GPU: one turn of a spinning sensor");
    says((cli_advice_input){.points = 5000, .classified = true, .ground = true},
         "ec by fast on the CPU: a survey whose ground is classified");
    says((cli_advice_input){.points = 50000000, .gpu = true, .gpu_free = giga, .host_free = 9 * giga},
         "ec by fast on the CPU: a survey, a map or an object; too large for the 1 GB that are free on the GPU");
    says((cli_advice_input){.points = 50000000, .ground = true, .host_free = giga},
         "detect by fast on the CPU: a cloud with ground; it may need 4 GB of memory and 1 GB are free: --crop takes a "
         "part, --thin S fewer points");
    says((cli_advice_input){.points = 50000000, .host_free = giga},
         "ec by fast on the CPU: a survey, a map or an object; it may need 2 GB of memory and 1 GB are free: --ram "
         "works "
         "in tiles");
    /* The longest sentence fits. */
    const cli_advice_input largest = {.points = SIZE_MAX / 80,
                                      .turn = true,
                                      .ground = true,
                                      .gpu = true,
                                      .gpu_free = UINT64_MAX / 1000,
                                      .host_free = UINT64_MAX / 1000};
    char text[CLI_ADVICE_SIZE];
    const cli_advice advice = cli_advise(largest);
    cli_advice_text(text, largest, &advice);
    CHECK(advice.too_large && strlen(text) < CLI_ADVICE_SIZE - 20);
}

/* --ram is for `ec` where memory does not suffice: half of what is free, at least what --ram takes. */
static void tiles(void)
{
    cli_advice_input in = {.points = 50000000, .host_free = giga};
    CHECK_INT(cli_advise(in).ram, giga / 2);
    in.host_free = 1000;
    CHECK_INT(cli_advise(in).ram, 16 << 20);
    in.host_free = 2 * giga;
    CHECK_INT(cli_advise(in).ram, 0);
    in.host_free = giga;
    in.ground = true;
    CHECK_INT(cli_advise(in).ram, 0);
}

/* --- turns ----------------------------------------------------------------------------------------------- */

enum { BEAMS = 16, STEPS = 900, MOST = BEAMS * STEPS };
static float xyz[3 * MOST];

/* Fills xyz with what a sensor sees: one point per beam and step, elevations from `low` to `high` degrees, azimuths up
 * to `around` degrees. Walls stand 5 to 20 m away; every fifth step is `behind` times as far. */
static clump_points look(float low, float high, float around, float behind)
{
    for (int k = 0; k < MOST; k++) {
        const float azimuth = around / STEPS * (float)(k / BEAMS) * 0.01745329f;
        const float elevation = (low + (high - low) / (BEAMS - 1) * (float)(k % BEAMS)) * 0.01745329f;
        const float range = (12.5f + 7.5f * sinf(3 * azimuth)) * (k / BEAMS % 5 == 0 ? behind : 1);
        xyz[3 * k] = range * cosf(elevation) * cosf(azimuth);
        xyz[3 * k + 1] = range * cosf(elevation) * sinf(azimuth);
        xyz[3 * k + 2] = range * sinf(elevation);
    }
    return (clump_points){.xyz = xyz, .count = MOST};
}

static void turns(void)
{
    CHECK(cli_is_turn(look(-15, 15, 360, 1)));
    CHECK(cli_is_turn(look(-52, 52, 360, 1)));
    CHECK(cli_is_turn(look(-15, 15, 360, 1.9f))); /* a fifth of the points are behind others */
    clump_points points = look(-15, 15, 360, 1);
    points.count = 999;
    CHECK(!cli_is_turn(points)); /* too few, and not all around */
    CHECK(!cli_is_turn(look(-15, 15, 340, 1)));
    CHECK(!cli_is_turn(look(-80, 80, 360, 1)));
    CHECK(!cli_is_turn((clump_points){0}));
}

/* Points without a direction do not count. */
static void holes(void)
{
    const clump_points points = look(-15, 15, 360, 1);
    for (int k = 0; k < MOST; k += 2) {
        const float value = k % 4 ? NAN : 0;
        xyz[3 * k] = xyz[3 * k + 1] = xyz[3 * k + 2] = value;
    }
    CHECK(cli_is_turn(points));
    for (int k = 0; k < 3 * MOST; k++) xyz[k] = k % 2 ? INFINITY : 1e30f;
    CHECK(!cli_is_turn(points));
}

/* A cube of points around 0, 0, 0: most of them are behind others. */
static void cube(void)
{
    uint64_t random = 1;
    for (int k = 0; k < MOST; k++) {
        xyz[3 * k] = 40 * (check_random_float(&random) - 0.5f);
        xyz[3 * k + 1] = 40 * (check_random_float(&random) - 0.5f);
        xyz[3 * k + 2] = 4 * (check_random_float(&random) - 0.5f);
    }
    CHECK(!cli_is_turn((clump_points){.xyz = xyz, .count = MOST}));
}

CHECK_PROGRAM(test_advice)
{
    RUN(jobs);
    RUN(devices);
    RUN(texts);
    RUN(tiles);
    RUN(turns);
    RUN(holes);
    RUN(cube);
}
