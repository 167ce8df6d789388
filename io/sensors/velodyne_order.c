/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_order.c: time, order and loss of packets.
 *
 * A packet has no number, only the time of its first firing, in microseconds of the hour. Packets follow each other in
 * equal intervals, so a longer interval tells how many are missing. The sensor may be set to send a sector only. The
 * rest of the turn is then no loss: the skip has been seen inside of a packet.
 */
#include "sensors/velodyne.h"

#include "common/assert.h"

#include <math.h>
#include <string.h>

#define ORDER_HOUR_US INT64_C(3600000000)
#define ORDER_HOUR_NS (1000 * ORDER_HOUR_US)

#define ORDER_CLOCK_AT   1200                /* byte of the packet */
#define ORDER_LATE_US    INT64_C(1000000)    /* a packet is late by this much at most, else the clock was set */
#define ORDER_BREAK_US   INT64_C(10000000)   /* after a longer pause, the missing packets are not counted */
#define ORDER_SLOWEST_US INT64_C(200000)     /* a turn takes no longer */
#define ORDER_AGREE_NS   INT64_C(5000000000) /* clocks that differ by more are not the same */
#define ORDER_LEARN_FROM 8                   /* equal intervals make a period */

void clump_velodyne_order_start(clump_velodyne_order *order, double period)
{
    *order = (clump_velodyne_order){.period = period};
}

void clump_velodyne_order_mask(clump_velodyne_order *order, unsigned from, unsigned to)
{
    order->masked = clump_velodyne_turn(from, to);
    order->cut = (from + order->masked / 2) % VELODYNE_TURN;
}

/* Returns value modulo the hour, within half an hour of 0. */
static int64_t wrap(int64_t value, int64_t hour)
{
    value %= hour;
    if (value > hour / 2) value -= hour;
    CLUMP_ASSERT(value > -hour && value <= hour / 2);
    return value < -hour / 2 ? value + hour : value;
}

/* Completes the sensor's time of the hour by the time of recording. A sensor without GPS counts from some other moment,
 * which the first packet tells. */
static int64_t complete_time(clump_velodyne_order *order, uint32_t clock, int64_t received)
{
    const int64_t since = (int64_t)clock * 1000 - received % ORDER_HOUR_NS;
    int64_t later = wrap(since + order->offset, ORDER_HOUR_NS);
    if (later > ORDER_AGREE_NS || later < -ORDER_AGREE_NS) {
        order->offset = -wrap(since, ORDER_HOUR_NS);
        later = 0;
    }
    int64_t time;
    return __builtin_add_overflow(received, later, &time) ? received : time;
}

/* Follows the period, which differs by some per cent from the manual's. Of an HDL-64E it is not known in advance. */
static void follow_period(clump_velodyne_order *order, double interval)
{
    if (order->period > 0) {
        if (fabs(interval - order->period) < order->period / 5) order->period += (interval - order->period) / 16;
        return;
    }
    order->repeats = fabs(interval - order->candidate) < order->candidate / 10 ? order->repeats + 1 : 0;
    order->candidate = interval;
    if (order->repeats >= ORDER_LEARN_FROM) order->period = interval;
}

static uint64_t count_lost(const clump_velodyne_order *order, double interval, unsigned turned, unsigned first)
{
    if (order->period <= 0) return 0;
    double slack = order->period / 2;
    if (order->masked && order->rate > 0 && clump_velodyne_turn(order->cut, first) < turned) {
        const double masked = order->masked / order->rate;
        interval -= masked;
        slack += masked / 8; /* the rate is known to some per cent only */
    }
    if (interval <= order->period + slack) return 0;
    return (uint64_t)(interval / order->period + 0.5) - 1;
}

static void follow_packet(clump_velodyne_order *order, clump_velodyne_arrival *arrival, int64_t interval,
                          unsigned first)
{
    if (interval < 0 || interval > ORDER_BREAK_US) {
        arrival->broken = true;
        return;
    }
    const unsigned turned = clump_velodyne_turn(order->first, first);
    const double us = (double)interval;
    arrival->broken = order->rate > 0 ? us * order->rate >= VELODYNE_TURN : interval > ORDER_SLOWEST_US;
    arrival->lost = count_lost(order, us, turned, first);
    follow_period(order, us);
    if (arrival->lost || order->period <= 0 || us > order->period * 1.5 || us < order->period / 2) return;
    CLUMP_ASSERT(us > 0 && order->period > 0);
    const double rate = turned / us;
    order->rate += order->rate > 0 ? (rate - order->rate) / 16 : rate;
}

clump_velodyne_arrival clump_velodyne_order_take(clump_velodyne_order *order, const clump_io_packet *packet,
                                                 unsigned first)
{
    clump_velodyne_arrival arrival = {.time = packet->received};
    uint32_t clock;
    memcpy(&clock, packet->bytes + ORDER_CLOCK_AT, 4);
    const int64_t interval = order->begun ? wrap((int64_t)clock - order->clock, ORDER_HOUR_US) : 0;
    const bool stuck = order->begun && interval == 0; /* a sensor or simulator without a clock */
    if (stuck && memcmp(order->newest, packet->bytes, VELODYNE_PACKET_BYTES) == 0) {
        arrival.repeated = true;
        return arrival;
    }
    if (!stuck) arrival.time = complete_time(order, clock, packet->received);
    if (interval < 0 && interval > -ORDER_LATE_US) {
        arrival.late = true;
        return arrival;
    }
    if (order->begun && !stuck) follow_packet(order, &arrival, interval, first);
    order->begun = true;
    order->clock = clock;
    order->first = first;
    memcpy(order->newest, packet->bytes, VELODYNE_PACKET_BYTES);
    return arrival;
}
