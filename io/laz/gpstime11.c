/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gpstime11.c: encodes the time of a point.
 */
#include "laz/gpstime11.h"

void clump_io_laz_gpstime11_begin(clump_io_laz_gpstime11 *state, uint64_t first)
{
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&state->multiple), 516);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&state->first), 6);
    clump_io_laz_integer_begin(&state->rest, 32);
    state->now = state->newest = 0;
    memset(state->times, 0, sizeof state->times);
    memset(state->differences, 0, sizeof state->differences);
    memset(state->extremes, 0, sizeof state->extremes);
    state->times[0] = first;
}

static bool is_near(uint64_t time, uint64_t before, int32_t *difference)
{
    *difference = (int32_t)(time - before);
    return (uint64_t)(int64_t)*difference == time - before;
}

/* Returns how many times the last difference fits, rounded; between the limits. */
static int32_t find_multiple(int32_t difference, int32_t last)
{
    const float times = (float)difference / (float)last;
    if (times >= CLUMP_IO_LAZ_TIMES_MOST) return CLUMP_IO_LAZ_TIMES_MOST;
    if (times <= CLUMP_IO_LAZ_TIMES_LEAST) return CLUMP_IO_LAZ_TIMES_LEAST;
    return (int32_t)(times < 0 ? times - 0.5f : times + 0.5f);
}

static void encode_symbol(clump_io_laz_encoder *e, clump_io_laz_gpstime11 *state, bool first, uint32_t symbol)
{
    if (first)
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&state->first), symbol);
    else
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&state->multiple), symbol);
}

static void encode_near(clump_io_laz_encoder *e, clump_io_laz_gpstime11 *state, int32_t difference)
{
    const uint32_t now = state->now;
    const int32_t last = state->differences[now];
    state->times[now] += (uint64_t)(int64_t)difference;
    if (last == 0) {
        encode_symbol(e, state, true, CLUMP_IO_LAZ_TIME_NEAR);
        clump_io_laz_encode_integer(e, &state->rest, 0, difference, CLUMP_IO_LAZ_REST_NEAR);
        state->differences[now] = difference;
        state->extremes[now] = 0;
        return;
    }
    const int32_t multiple = find_multiple(difference, last);
    const int32_t expected = (int32_t)((uint32_t)multiple * (uint32_t)last);
    encode_symbol(e, state, false, (uint32_t)(multiple < 0 ? CLUMP_IO_LAZ_TIMES_MOST - multiple : multiple));
    clump_io_laz_encode_integer(e, &state->rest, expected, difference, clump_io_laz_multiple_context(multiple));
    clump_io_laz_time_learn(state, multiple, difference);
}

void clump_io_laz_gpstime11_encode(clump_io_laz_encoder *e, clump_io_laz_gpstime11 *state, uint64_t time)
{
    uint32_t now = state->now;
    bool first = state->differences[now] == 0;
    int32_t difference;
    if (time == state->times[now]) {
        encode_symbol(e, state, first, first ? CLUMP_IO_LAZ_TIME_SAME : CLUMP_IO_LAZ_TIMES_SAME);
        return;
    }
    if (is_near(time, state->times[now], &difference)) {
        encode_near(e, state, difference);
        return;
    }
    const uint32_t fresh = first ? CLUMP_IO_LAZ_TIME_NEW : CLUMP_IO_LAZ_TIMES_NEW;
    for (uint32_t i = 1; i < 4; i++) {
        const uint32_t other = (now + i) & 3;
        if (!is_near(time, state->times[other], &difference)) continue;
        encode_symbol(e, state, first, fresh + i);
        state->now = other;
        first = state->differences[other] == 0;
        if (difference)
            encode_near(e, state, difference);
        else
            encode_symbol(e, state, first, first ? CLUMP_IO_LAZ_TIME_SAME : CLUMP_IO_LAZ_TIMES_SAME);
        return;
    }
    encode_symbol(e, state, first, fresh);
    clump_io_laz_encode_integer(e, &state->rest, (int32_t)(state->times[now] >> 32), (int32_t)(time >> 32),
                                CLUMP_IO_LAZ_REST_NEW);
    clump_io_laz_write_u32(e, (uint32_t)time);
    clump_io_laz_time_new(state, time);
}
