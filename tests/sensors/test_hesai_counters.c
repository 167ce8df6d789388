/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hesai_counters.c: packet counter and clock of Hesai sensors.
 */
#include "support/check.h"
#include "sensors/hesai.h"

#define SECOND 1000000000LL
static const int64_t packet_second = 1673403880 * SECOND;

static void counts_packets(void)
{
    clump_io_hesai_sequence s = {0};
    uint64_t lost = 0, late = 0;
    uint32_t n = 0xfffffff0, t = 0;
    for (int i = 0; i < 40; i++) CHECK(clump_io_hesai_count(&s, n++, ++t, &lost, &late)); /* also over 2^32 */
    CHECK_INT(lost + late, 0);
    n++;
    for (int i = 0; i < 7; i++) CHECK(clump_io_hesai_count(&s, n++, ++t, &lost, &late));
    CHECK_INT(lost, 0); /* it may still come */
    CHECK(clump_io_hesai_count(&s, n++, ++t, &lost, &late));
    CHECK_INT(lost, 1);
    n += 1000;
    for (int i = 0; i < 9; i++) CHECK(clump_io_hesai_count(&s, n++, ++t, &lost, &late));
    CHECK_INT(lost, 1001);
    CHECK(!clump_io_hesai_count(&s, n - 1, t, &lost, &late)); /* twice */
    CHECK_INT(late, 1);
    for (int i = 0; i < 9; i++)
        CHECK(clump_io_hesai_count(&s, n - 1, ++t, &lost, &late)); /* a sensor that does not count */
    CHECK_INT(late, 1);
    CHECK(clump_io_hesai_count(&s, n - 6, ++t, &lost, &late)); /* late, beyond the window or not */
    CHECK(clump_io_hesai_count(&s, n - 600, ++t, &lost, &late));
    CHECK_INT(late, 3);
    CHECK(clump_io_hesai_count(&s, n + 0x40000000, ++t, &lost, &late)); /* started again */
    for (int i = 0; i < 9; i++) CHECK(clump_io_hesai_count(&s, n + 0x40000000 - 5000, ++t, &lost, &late));
    CHECK_INT(lost, 1001);
    CHECK_INT(late, 3);
}

static void reads_the_clock(void)
{
    static const unsigned char since_1900[6] = {123, 1, 11, 2, 24, 40}, since_2000[6] = {23, 1, 11, 2, 24, 40},
                               seconds[6] = {0, 0, 0x63, 0xbe, 0x1d, 0xe8}, leap[6] = {124, 2, 29, 23, 59, 59},
                               wrong[6] = {123, 13, 1, 0, 0, 0}, unset[6] = {119, 7, 25, 3, 19, 29};
    const unsigned char *const same[] = {since_1900, since_2000, seconds};
    for (size_t k = 0; k < 3; k++) {
        clump_io_hesai_clock clock = {0};
        CHECK_INT(clump_io_hesai_time(&clock, same[k], 250000, packet_second + SECOND / 2), packet_second + SECOND / 4);
        CHECK_INT(clump_io_hesai_time(&clock, same[k], 250000, 0), packet_second + SECOND / 4);
    }
    clump_io_hesai_clock clock = {0};
    CHECK_INT(clump_io_hesai_time(&clock, leap, 0, 0), 1709251199 * SECOND);
    CHECK_INT(clump_io_hesai_time(&clock, wrong, 0, packet_second), packet_second);
    /* A clock that was never set keeps its own steps. */
    CHECK_INT(clump_io_hesai_time(&clock, unset, 1000, packet_second), packet_second);
    CHECK_INT(clump_io_hesai_time(&clock, unset, 1200, packet_second + 900000), packet_second + 200000);
    CHECK_INT(clump_io_hesai_time(&clock, unset, 1400, packet_second + 5 * SECOND), packet_second + 5 * SECOND);
    /* Times at the limits. */
    static const unsigned char most[6] = {0, 255, 255, 255, 255, 255};
    CHECK_INT(clump_io_hesai_time(&clock, most, 0xffffffff, INT64_MAX), (int64_t)1 << 62);
    CHECK_INT(clump_io_hesai_time(&clock, wrong, 0xffffffff, INT64_MIN), 0);
}

CHECK_PROGRAM(test_hesai_counters)
{
    RUN(counts_packets);
    RUN(reads_the_clock);
}
