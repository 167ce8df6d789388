/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region_mask.c: see detect.h.
 */
#include "cpu/detect/detect.h"

#include "core/work.h"
#include "cpu/obstacles/ground_batch.h"
#include "rules/region.h"

typedef struct masking {
    const clump_cloud_job *in;
    clump_region_rule region;
    uint8_t *mask;
} masking;

/* Tests a batch of points. Coordinates lie in separate arrays, so the compiler vectorises the tests. */
static void mask_batch(const clump_cloud_job *in, clump_region_rule region, size_t begin, int n, uint8_t *restrict mask)
{
    float x[CLUMP_GROUND_BATCH], y[CLUMP_GROUND_BATCH], z[CLUMP_GROUND_BATCH], range[CLUMP_GROUND_BATCH];
    int32_t inside[CLUMP_GROUND_BATCH];
    const char *p = in->points + begin * in->stride;
    for (int k = 0; k < n; k++, p += in->stride)
        x[k] = clump_floats(p)[0], y[k] = clump_floats(p)[1], z[k] = clump_floats(p)[2];
    for (int k = 0; k < n; k++) inside[k] = clump_region_in_box(&region, x[k], y[k], z[k]);
    if (!region.any_range) {
        for (int k = 0; k < n; k++) range[k] = clump_region_range(&region, x[k], y[k], z[k]);
        for (int k = 0; k < n; k++) inside[k] &= clump_region_in_ranges(&region, x[k], y[k], z[k], range[k]);
    }
    for (int k = 0; k < n; k++) mask[k] = (uint8_t)inside[k];
    for (int k = 0; in->mask && k < n; k++) mask[k] &= in->mask[begin + (size_t)k] != 0;
}

static void mask_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const masking *const m = arg;
    for (size_t i = begin; i < end; i += CLUMP_GROUND_BATCH)
        mask_batch(m->in, m->region, i, clump_ground_batch_size(i, end), m->mask + i);
}

clump_status clump_cpu_region_mask(clump_work *work, const clump_detect_job *job, int threads, uint8_t *mask)
{
    const clump_region *const r = &job->region;
    masking m = {.in = &job->in,
                 .region =
                     clump_region_rule_make(r->lower, r->upper, r->min_range, r->max_range, job->sensor, job->two_d),
                 .mask = mask};
    return clump_run(work, threads, job->in.count, CLUMP_CHUNK, mask_chunk, &m);
}
