/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pace.c: the schedule of `clump play` (cli/base/pace.c).
 */
#include "support/check.h"

#include "base/pace.h"

#define MS INT64_C(1000000)

static void steps_are_those_of_the_recording(void)
{
    static const int64_t received[] = {5000, 5100, 5250, 5250, 15250, 15251};
    cli_pace pace = cli_pace_begin(1);
    for (size_t i = 0; i < sizeof received / sizeof received[0]; i++)
        CHECK_INT(cli_pace_due(&pace, received[i] * MS, 777 * MS), (777 - 5000 + received[i]) * MS);
    CHECK(pace.backwards == 0 && pace.gaps == 0); /* 10 s is not more than 10 s */
}

static void a_rate_divides_the_steps(void)
{
    cli_pace twice = cli_pace_begin(2), slow = cli_pace_begin(0.5);
    CHECK_INT(cli_pace_due(&twice, 1000 * MS, 0), 0);
    CHECK_INT(cli_pace_due(&slow, 1000 * MS, 0), 0);
    CHECK_INT(cli_pace_due(&twice, 1100 * MS, 0), 50 * MS);
    CHECK_INT(cli_pace_due(&slow, 1100 * MS, 0), 200 * MS);
}

/* Late calls do not move the schedule. */
static void errors_do_not_add_up(void)
{
    cli_pace pace = cli_pace_begin(3);
    int64_t due = 0;
    for (int64_t i = 0; i <= 1000000; i++) due = cli_pace_due(&pace, i * 100 * MS, i * 999 * MS);
    CHECK_INT(due, (int64_t)(100000000.0 * (double)MS / 3));
}

static void odd_steps_become_the_period(void)
{
    cli_pace pace = cli_pace_begin(1);
    CHECK_INT(cli_pace_due(&pace, 1000 * MS, 0), 0);
    CHECK_INT(cli_pace_due(&pace, 1050 * MS, 0), 50 * MS);
    CHECK_INT(cli_pace_due(&pace, 900 * MS, 0), 100 * MS); /* backwards */
    CHECK_INT(cli_pace_due(&pace, 920 * MS, 0), 120 * MS);
    CHECK_INT(cli_pace_due(&pace, 10921 * MS, 0), 140 * MS); /* a gap of 10.001 s */
    CHECK_INT(cli_pace_due(&pace, INT64_MAX, 0), 160 * MS);
    CHECK_INT(cli_pace_due(&pace, INT64_MIN, 0), 180 * MS);
    CHECK_INT(cli_pace_due(&pace, INT64_MAX, 0), 200 * MS);
    CHECK(pace.backwards == 2 && pace.gaps == 3);
}

static void the_first_odd_step_is_a_tenth_of_a_second(void)
{
    cli_pace pace = cli_pace_begin(1);
    cli_pace_due(&pace, 1000 * MS, 0);
    CHECK_INT(cli_pace_due(&pace, 0, 0), 100 * MS);
}

static void a_new_turn_begins_one_period_later(void)
{
    cli_pace pace = cli_pace_begin(1);
    cli_pace_due(&pace, 1000 * MS, 0);
    cli_pace_due(&pace, 1020 * MS, 0);
    cli_pace_rewind(&pace);
    CHECK_INT(cli_pace_due(&pace, 1000 * MS, 0), 40 * MS);
    CHECK_INT(cli_pace_due(&pace, 1020 * MS, 0), 60 * MS);
    CHECK(pace.backwards == 0);
}

static void waiting_ends_after_the_time(void)
{
    const int64_t due = cli_pace_now() + 3 * MS;
    CHECK(cli_pace_wait(due, NULL));
    CHECK(cli_pace_now() >= due);
    CHECK(cli_pace_wait(0, NULL)); /* long ago */
    const atomic_bool cancelled = true;
    CHECK(!cli_pace_wait(INT64_MAX, &cancelled)); /* another stage has failed */
}

CHECK_PROGRAM(test_pace)
{
    RUN(steps_are_those_of_the_recording);
    RUN(a_rate_divides_the_steps);
    RUN(errors_do_not_add_up);
    RUN(odd_steps_become_the_period);
    RUN(the_first_odd_step_is_a_tenth_of_a_second);
    RUN(a_new_turn_begins_one_period_later);
    RUN(waiting_ends_after_the_time);
}
