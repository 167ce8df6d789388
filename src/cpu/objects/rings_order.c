/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings_order.c: rings from the order of the points (rules/rings.h).
 *
 *     1  count   azimuths of all points, and what the steps between them do, chunk by chunk
 *     2  decide  by the sums
 *     3  copy    azimuth and ring of the points that are clustered
 *
 * A chunk looks back for the point before its first one, so chunks do not wait for each other. Batches without jumps and
 * blanks, which are almost all, take no branch per point.
 */
#include "cpu/objects/rings.h"

#include "core/work.h"
#include "cpu/objects/azimuths.h"
#include "rules/scan.h"

#include <string.h>

typedef struct ordering {
    const clump_ring_cloud *cloud;
    clump_cpu_rings *rings;
    clump_ring_steps *steps; /* one per chunk */
    int32_t *jumps;          /* one per chunk: sum of the jumps before it */
    clump_ring_order order;
} ordering;

/* The last point with a direction, or that there is none near. */
typedef struct last_point {
    size_t at; /* index + 1; 0: none so far */
    float azimuth;
} last_point;

/* ----- azimuths and steps ----------------------------------------------------------------------------------------- */

/* Returns the azimuth of point i. */
static float azimuth_of(const clump_cloud_job *in, const clump_objects_rule *rule, size_t i)
{
    const float *const p = clump_point_at(in, i);
    return clump_rings_azimuth(p[0], p[rule->across], p[rule->up], rule->sensor[0], rule->sensor[rule->across]);
}

/* Returns the last point before `begin` that has a direction; not farther back than a step may reach. */
static last_point look_back(const clump_cloud_job *in, const clump_objects_rule *rule, size_t begin)
{
    for (size_t i = begin; i > 0 && begin - i < CLUMP_RINGS_BLANKS; i--) {
        const float azimuth = azimuth_of(in, rule, i - 1);
        if (azimuth >= 0) return (last_point){i, azimuth};
    }
    return (last_point){0};
}

/* Returns whether point i can be the end of a step. */
static bool is_step(last_point last, size_t i)
{
    return last.at > 0 && i - last.at < CLUMP_RINGS_BLANKS;
}

static float elevation_of(const clump_cloud_job *in, const clump_objects_rule *rule, size_t i)
{
    const float *const p = clump_point_at(in, i);
    return clump_rings_elevation(p[0] - rule->sensor[0], p[rule->across] - rule->sensor[rule->across],
                                 rule->sign * (p[rule->up] - rule->sensor[rule->up]));
}

/* Tests the step to point i for a change of the vertical angle. */
static void test_steep(const ordering *o, last_point last, size_t i, clump_ring_steps *sum)
{
    const clump_cloud_job *const in = o->cloud->whole;
    const clump_objects_rule *const rule = &o->cloud->job->rule;
    sum->tested++;
    sum->steep += clump_rings_is_steep(elevation_of(in, rule, last.at - 1), elevation_of(in, rule, i));
}

/* Counts the steps of a batch point by point. */
static void count_each(const ordering *o, size_t begin, int n, last_point *last, clump_ring_steps *sum)
{
    for (size_t i = begin; i < begin + (size_t)n; i++) {
        const float azimuth = o->rings->all[i];
        if (azimuth < 0) continue;
        if (is_step(*last, i)) {
            const int32_t jump = clump_rings_jump(last->azimuth, azimuth);
            sum->jump_down += jump > 0;
            sum->jump_up += jump < 0;
            sum->up += jump == 0 && azimuth > last->azimuth;
            sum->down += jump == 0 && azimuth < last->azimuth;
            if (i % CLUMP_RINGS_STEEP_EVERY == 0) test_steep(o, *last, i, sum);
        } else {
            sum->lost += i >= CLUMP_RINGS_BLANKS;
        }
        *last = (last_point){i + 1, azimuth};
    }
}

/* Counts the steps of a batch that has no blank and follows a point that is none. */
static void count_all(const ordering *o, size_t begin, int n, clump_ring_steps *sum)
{
    const float *const azimuth = o->rings->all + begin;
    uint32_t up = 0, down = 0, jump_up = 0, jump_down = 0;
    for (int k = 0; k < n; k++) {
        const float change = azimuth[k] - azimuth[k - 1];
        up += change > 0;
        down += change < 0;
        jump_up += change > 0.5f;
        jump_down += change < -0.5f;
    }
    sum->up += up - jump_up;
    sum->down += down - jump_down;
    sum->jump_up += jump_up;
    sum->jump_down += jump_down;
    _Static_assert(CLUMP_AZIMUTHS % CLUMP_RINGS_STEEP_EVERY == 0, "the first point of a batch is tested");
    for (size_t i = begin; i < begin + (size_t)n; i += CLUMP_RINGS_STEEP_EVERY)
        test_steep(o, (last_point){i, 0}, i, sum);
}

static bool has_blank(const float *azimuth, int n)
{
    float least = 0;
    for (int k = 0; k < n; k++) least = azimuth[k] < least ? azimuth[k] : least;
    return least < 0;
}

static void count_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *const o = arg;
    const clump_cloud_job *const in = o->cloud->whole;
    const clump_objects_rule *const rule = &o->cloud->job->rule;
    clump_ring_steps sum = {0};
    last_point last = look_back(in, rule, begin);
    for (size_t i = begin; i < end; i += CLUMP_AZIMUTHS) {
        const int n = clump_azimuths_size(i, end);
        float *const azimuth = o->rings->all + i;
        clump_azimuths(in, rule, i, n, azimuth);
        if (i == begin || last.at != i || has_blank(azimuth, n)) {
            count_each(o, i, n, &last, &sum);
        } else {
            count_all(o, i, n, &sum);
            last = (last_point){i + (size_t)n, azimuth[n - 1]};
        }
    }
    o->steps[begin / CLUMP_CHUNK] = sum;
}

/* ----- decision --------------------------------------------------------------------------------------------------- */

static clump_ring_order decide(const ordering *o, size_t chunks)
{
    clump_ring_steps all = {0};
    for (size_t c = 0; c < chunks; c++) {
        const clump_ring_steps s = o->steps[c];
        o->jumps[c] = (int32_t)(all.jump_down - all.jump_up);
        all.up += s.up;
        all.down += s.down;
        all.jump_up += s.jump_up;
        all.jump_down += s.jump_down;
        all.tested += s.tested;
        all.steep += s.steep;
        all.lost += s.lost;
    }
    return clump_rings_order(all, CLUMP_RINGS_MOST);
}

/* ----- copies ----------------------------------------------------------------------------------------------------- */

/* Returns whether a batch has a jump or a blank, or follows a blank. */
static bool has_event(const float *azimuth, int n)
{
    int32_t any = 0;
    for (int k = 0; k < n; k++) any |= fabsf(azimuth[k] - azimuth[k - 1]) > 0.5f;
    return any != 0 || azimuth[0] < 0;
}

/* Copies the azimuths of the points of a batch that are clustered, without branches. Returns their number. */
static size_t copy_azimuths(const uint8_t *marks, const float *azimuth, int n, float *to)
{
    float list[CLUMP_AZIMUTHS + 1];
    size_t count = 0;
    for (int k = 0; k < n; k++) {
        list[count] = clump_scan_azimuth(azimuth[k]);
        count += marks[k] == 1;
    }
    memcpy(to, list, count * sizeof *to);
    return count;
}

static void copy_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const ordering *const o = arg;
    const float *const all = o->rings->all;
    const uint8_t *const marks = o->cloud->gather->marks;
    size_t to = *clump_gather_start(o->cloud->gather, begin);
    int32_t jumps = o->jumps[begin / CLUMP_CHUNK];
    last_point last = look_back(o->cloud->whole, &o->cloud->job->rule, begin);
    for (size_t i = begin; i < end; i += CLUMP_AZIMUTHS) {
        const int n = clump_azimuths_size(i, end);
        const size_t count = copy_azimuths(marks + i, all + i, n, o->rings->azimuth + to);
        uint16_t *const ring = o->rings->ring + to;
        to += count;
        if (last.at == i && i > begin && !has_event(all + i, n)) {
            const uint16_t here = (uint16_t)clump_rings_of_jumps(o->order, jumps);
            for (size_t k = 0; k < count; k++) ring[k] = here;
            last = (last_point){i + (size_t)n, all[i + (size_t)n - 1]};
            continue;
        }
        size_t k = 0;
        for (size_t j = i; j < i + (size_t)n; j++) {
            if (all[j] >= 0) {
                if (is_step(last, j)) jumps += clump_rings_jump(last.azimuth, all[j]);
                last = (last_point){j + 1, all[j]};
            }
            if (marks[j] == 1) ring[k++] = (uint16_t)clump_rings_of_jumps(o->order, jumps);
        }
    }
}

clump_status clump_cpu_rings_order(clump_work *work, clump_cpu_rings *rings, const clump_ring_cloud *cloud)
{
    const size_t count = cloud->whole->count, chunks = clump_gather_chunks(count);
    ordering o = {.cloud = cloud, .rings = rings};
    CLUMP_TRY(clump_buffer_reserve(work, &rings->cloud, count * sizeof(float)));
    CLUMP_TRY(clump_buffer_reserve(work, &rings->steps, chunks * (sizeof *o.steps + sizeof *o.jumps)));
    rings->all = rings->cloud.data;
    o.steps = rings->steps.data;
    o.jumps = (int32_t *)(o.steps + chunks);
    CLUMP_TRY(clump_run(work, cloud->threads, count, CLUMP_CHUNK, count_chunk, &o));
    o.order = decide(&o, chunks);
    if (o.order.rings == 0) return CLUMP_OK;
    rings->source = CLUMP_RINGS_ORDER;
    rings->count = o.order.rings;
    return clump_run(work, cloud->threads, count, CLUMP_CHUNK, copy_chunk, &o);
}
