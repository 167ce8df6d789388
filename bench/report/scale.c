/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Axes: see chart.h.
 */
#include "report/chart.h"

#include <math.h>

/* Returns the largest of 1, 2, 5 times a power of ten that is at most the number; the tolerance is for rounding. */
static double nice_below(double number)
{
    const double power = pow(10, floor(log10(number) + 1e-9));
    const double lead = number / power * (1 + 1e-9);
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

static double nice_above(double number)
{
    const double below = nice_below(number);
    if (below >= number * (1 - 1e-9)) return below;
    const double power = pow(10, floor(log10(number) + 1e-9));
    return below < 1.5 * power ? 2 * power : below < 3 * power ? 5 * power : 10 * power;
}

/* Returns the distance of ticks that gives 4 to 8 of them. */
static double linear_step(double span)
{
    return nice_above(span / 6);
}

scale scale_for(double least, double greatest, bool is_log, bool from_zero)
{
    scale s = {.low = 0, .high = 1, .is_log = is_log};
    if (is_log) {
        s.from = nice_below(least);
        s.to = nice_above(greatest);
        if (s.to <= s.from) s.to = nice_above(2 * s.from);
        return s;
    }
    if (least >= 0 && (from_zero || least < 0.5 * greatest)) least = 0;
    if (from_zero && greatest < 0) greatest = 0;
    if (greatest <= least) greatest = least + (least == 0 ? 1 : 0.1 * fabs(least));
    const double step = linear_step(greatest - least);
    s.from = step * floor(least / step + 1e-9);
    s.to = step * ceil(greatest / step - 1e-9);
    return s;
}

double scale_at(const scale *s, double number)
{
    const double share =
        s->is_log ? log(number / s->from) / log(s->to / s->from) : (number - s->from) / (s->to - s->from);
    return s->low + share * (s->high - s->low);
}

static size_t log_ticks(const scale *s, double ticks[SCALE_TICKS])
{
    static const double leads[] = {1, 2, 5};
    const double decades = log10(s->to / s->from);
    const size_t lead_count = decades < 3.5 ? 3 : 1;
    const int every = decades > 20 ? (int)ceil(decades / 20) : 1;
    size_t count = 0;
    for (int power = (int)floor(log10(s->from) + 1e-9); power <= (int)floor(log10(s->to) + 1e-9); power += every)
        for (size_t i = 0; i < lead_count; i++) {
            const double tick = leads[i] * pow(10, power);
            if (tick >= s->from * (1 - 1e-9) && tick <= s->to * (1 + 1e-9) && count < SCALE_TICKS)
                ticks[count++] = tick;
        }
    return count;
}

size_t scale_ticks(const scale *s, double ticks[SCALE_TICKS])
{
    if (s->is_log) return log_ticks(s, ticks);
    const double step = linear_step(s->to - s->from);
    size_t count = 0;
    for (double i = ceil(s->from / step - 1e-9); i * step <= s->to + 1e-9 * step && count < SCALE_TICKS; i++)
        ticks[count++] = i * step + 0.0;
    return count;
}
