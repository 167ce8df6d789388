/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hesai_counters.c: packet counter, clock and position in the turn of a Hesai sensor.
 */
#include "number.h"
#include "common/assert.h"
#include "sensors/hesai.h"

enum {
    HESAI_JUMP = 65536, /* packets, some 20 seconds: a larger jump is a sensor that started again */
    HESAI_BACK = 1024,  /* packets: networks delay by fewer. A larger step back is a sensor that started again, too */
    HESAI_TURN = 36000, /* hundredths of a degree */
    HESAI_LATE = 9000   /* hundredths of a degree behind the beginning of the frame: not late, the sensor turns left */
};
#define HESAI_SECOND 1000000000LL

static unsigned count_bits(uint32_t bits)
{
    return (unsigned)__builtin_popcount(bits);
}

bool clump_io_hesai_count(clump_io_hesai_sequence *sequence, uint32_t number, uint32_t micros, uint64_t *lost,
                          uint64_t *reordered)
{
    const uint32_t all = (1u << CLUMP_IO_HESAI_WINDOW) - 1;
    const int64_t ahead = (int64_t)(int32_t)(number - sequence->highest);
    const bool same_time = micros == sequence->micros;
    sequence->micros = micros;
    if (!sequence->known || ahead > HESAI_JUMP || ahead < -HESAI_BACK) {
        *sequence = (clump_io_hesai_sequence){true, number, all, micros};
        return true;
    }
    if (ahead > 0) {
        const unsigned shift = ahead < CLUMP_IO_HESAI_WINDOW ? (unsigned)ahead : CLUMP_IO_HESAI_WINDOW;
        const uint32_t leaving = sequence->received >> (CLUMP_IO_HESAI_WINDOW - shift);
        *lost += (uint64_t)ahead - count_bits(leaving); /* those beyond the window were never in it */
        sequence->received = ((sequence->received << shift) | 1) & all;
        sequence->highest = number;
        return true;
    }
    if (ahead == 0) {
        *reordered += same_time;
        return !same_time; /* else the firmware does not count */
    }
    *reordered += 1;
    if (ahead > -CLUMP_IO_HESAI_WINDOW) sequence->received |= 1u << -ahead;
    return true;
}

/* Reads the seconds since 1970. The year counts from 1900 or from 2000, by firmware. Year 0: the other bytes are the
 * seconds, big-endian. False: no date. */
static bool read_date(const unsigned char date[6], int64_t *seconds)
{
    if (date[0] == 0) {
        *seconds = 0;
        for (int i = 1; i < 6; i++) *seconds = *seconds << 8 | date[i];
        return true;
    }
    if (date[1] < 1 || date[1] > 12 || date[2] < 1 || date[2] > 31 || date[3] > 23 || date[4] > 59 || date[5] > 60)
        return false;
    const int year = date[0] >= 100 ? 1900 + date[0] : 2000 + date[0];
    *seconds = ((clump_io_days_since_1970(year, date[1], date[2]) * 24 + date[3]) * 60 + date[4]) * 60 + date[5];
    return true;
}

static bool within_second(int64_t a, int64_t b)
{
    return a - b <= HESAI_SECOND && b - a <= HESAI_SECOND;
}

/* Keeps times between 1970 and 2116, so that no difference of two times overflows. */
static int64_t limit_time(int64_t time)
{
    const int64_t highest = (int64_t)1 << 62;
    return time < 0 ? 0 : time > highest ? highest : time;
}

int64_t clump_io_hesai_time(clump_io_hesai_clock *clock, const unsigned char date[6], uint32_t micros, int64_t received)
{
    received = limit_time(received);
    int64_t seconds;
    if (!read_date(date, &seconds)) return received;
    const int64_t highest = ((int64_t)1 << 62) / HESAI_SECOND;
    const int64_t own = limit_time((seconds < highest ? seconds : highest) * HESAI_SECOND + (int64_t)micros * 1000);
    if (received == 0) return own;
    if (!clock->known || !within_second(own + clock->offset, received)) {
        clock->offset = within_second(own, received) ? 0 : received - own;
        clock->known = true;
    }
    return limit_time(own + clock->offset);
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Returns the turns to add to `step`, which is less than half a turn, so that it fits the time that has passed. */
static int64_t whole_turns(int64_t step, int64_t elapsed, int64_t period)
{
    if (elapsed <= period / 2) return 0;
    return divide_down(elapsed * HESAI_TURN / period - step + HESAI_TURN / 2, HESAI_TURN);
}

bool clump_io_hesai_turns(clump_io_hesai_turn *turn, int32_t azimuth, int64_t time, int64_t period)
{
    CLUMP_ASSERT(azimuth >= 0 && azimuth < 36000);
    const int64_t elapsed = time - turn->time;
    const bool jumps = elapsed > 100 * period || elapsed < -period;
    turn->time = time;
    if (!turn->known || jumps) {
        const bool cuts = turn->known;
        *turn = (clump_io_hesai_turn){true, azimuth, 0, time};
        return cuts;
    }
    int64_t step = azimuth - (turn->angle - divide_down(turn->angle, HESAI_TURN) * HESAI_TURN);
    if (step > HESAI_TURN / 2) step -= HESAI_TURN;
    if (step <= -HESAI_TURN / 2) step += HESAI_TURN;
    turn->angle += step + whole_turns(step, elapsed, period) * HESAI_TURN;

    /* A late packet of the turn before belongs to the frame that is being filled. */
    const int64_t now = divide_down(turn->angle, HESAI_TURN);
    if (now <= turn->frame_turn && turn->angle >= turn->frame_turn * HESAI_TURN - HESAI_LATE) return false;
    turn->frame_turn = now;
    return true;
}
