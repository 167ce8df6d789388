/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gpstime11.h: the time of a point, a float64 whose bits are coded as an integer.
 *
 * Four sequences of times are kept: the last time of each, and the last difference. A symbol tells how the next time
 * follows: the same; a multiple of the last difference, with a small rest; a new sequence; another of the four.
 */
#ifndef CLUMP_IO_LAZ_GPSTIME11_H
#define CLUMP_IO_LAZ_GPSTIME11_H

#include "laz/integer.h"

#define CLUMP_IO_LAZ_GPSTIME11 8u /* bytes */

typedef struct clump_io_laz_gpstime11 {
    CLUMP_IO_LAZ_MODEL(516) multiple;
    CLUMP_IO_LAZ_MODEL(6) first; /* where the sequence has no difference yet */
    clump_io_laz_integer rest;
    uint32_t now, newest; /* sequences */
    uint64_t times[4];
    int32_t differences[4];
    uint32_t extremes[4]; /* how often in a row the difference was far from the last one */
} clump_io_laz_gpstime11;

void clump_io_laz_gpstime11_begin(clump_io_laz_gpstime11 *state, uint64_t first);

/* The symbols where there is a last difference: 0 to 500 are multiples, and 501 to 510 the multiples -1 to -10. */
enum {
    CLUMP_IO_LAZ_TIMES_MOST = 500,
    CLUMP_IO_LAZ_TIMES_LEAST = -10,
    CLUMP_IO_LAZ_TIMES_SAME = 511,
    CLUMP_IO_LAZ_TIMES_NEW = 512, /* and 513 to 515: another sequence */
};
/* The symbols where there is none: */
enum {
    CLUMP_IO_LAZ_TIME_SAME = 0,
    CLUMP_IO_LAZ_TIME_NEAR = 1, /* the difference has 32 bits */
    CLUMP_IO_LAZ_TIME_NEW = 2,  /* and 3 to 5: another sequence */
};

/* Contexts of the integer codec. */
enum { CLUMP_IO_LAZ_REST_NEAR = 0, CLUMP_IO_LAZ_REST_NEW = 8 };

/* A multiple of the last difference: its context, and whether it is so extreme that a new difference is learned. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_multiple_context(int32_t multiple)
{
    if (multiple == 1) return 1;
    if (multiple == 0) return 7;
    if (multiple < 0) return multiple > CLUMP_IO_LAZ_TIMES_LEAST ? 5 : 6;
    return multiple < 10 ? 2 : multiple < CLUMP_IO_LAZ_TIMES_MOST ? 3 : 4;
}
CLUMP_IO_LAZ_INLINE void clump_io_laz_time_learn(clump_io_laz_gpstime11 *state, int32_t multiple, int32_t difference)
{
    const uint32_t now = state->now;
    if (multiple == 1) state->extremes[now] = 0;
    if (multiple != 0 && multiple != CLUMP_IO_LAZ_TIMES_MOST && multiple != CLUMP_IO_LAZ_TIMES_LEAST) return;
    if (++state->extremes[now] <= 3) return;
    state->differences[now] = difference;
    state->extremes[now] = 0;
}

/* Begins a sequence. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_time_new(clump_io_laz_gpstime11 *state, uint64_t time)
{
    state->newest = (state->newest + 1) & 3;
    state->now = state->newest;
    state->times[state->now] = time;
    state->differences[state->now] = 0;
    state->extremes[state->now] = 0;
}

/* Decodes the time of the next point. False: no encoder writes such bytes. */
CLUMP_IO_LAZ_INLINE bool clump_io_laz_gpstime11_decode(clump_io_laz_decoder *d, clump_io_laz_gpstime11 *state,
                                                       uint64_t *time)
{
    /* An encoder changes to a sequence that it then uses: it never changes twice for a point. */
    for (int changes = 0; changes < 2; changes++) {
        const uint32_t now = state->now;
        const bool first = state->differences[now] == 0;
        const uint32_t symbol = first ? clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->first))
                                      : clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->multiple));
        const uint32_t fresh = first ? CLUMP_IO_LAZ_TIME_NEW : CLUMP_IO_LAZ_TIMES_NEW;
        if (symbol > fresh) {
            state->now = (now + symbol - fresh) & 3;
            continue;
        }
        if (symbol == fresh) {
            const int32_t upper =
                clump_io_laz_decode_integer(d, &state->rest, (int32_t)(state->times[now] >> 32), CLUMP_IO_LAZ_REST_NEW);
            clump_io_laz_time_new(state, (uint64_t)(uint32_t)upper << 32 | clump_io_laz_read_u32(d));
        } else if (first && symbol == CLUMP_IO_LAZ_TIME_NEAR) {
            const int32_t difference = clump_io_laz_decode_integer(d, &state->rest, 0, CLUMP_IO_LAZ_REST_NEAR);
            state->differences[now] = difference;
            state->times[now] += (uint64_t)(int64_t)difference;
            state->extremes[now] = 0;
        } else if (!first && symbol != CLUMP_IO_LAZ_TIMES_SAME) {
            const int32_t multiple =
                symbol <= CLUMP_IO_LAZ_TIMES_MOST ? (int32_t)symbol : CLUMP_IO_LAZ_TIMES_MOST - (int32_t)symbol;
            const int32_t expected = (int32_t)((uint32_t)multiple * (uint32_t)state->differences[now]);
            const int32_t difference =
                clump_io_laz_decode_integer(d, &state->rest, expected, clump_io_laz_multiple_context(multiple));
            state->times[now] += (uint64_t)(int64_t)difference;
            clump_io_laz_time_learn(state, multiple, difference);
        }
        *time = state->times[state->now];
        return true;
    }
    return false;
}

void clump_io_laz_gpstime11_encode(clump_io_laz_encoder *e, clump_io_laz_gpstime11 *state, uint64_t time);

#endif
