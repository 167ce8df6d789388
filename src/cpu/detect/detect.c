/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.c: see detect.h. Passes over the points:
 *
 *     1  mask     of caller and region, only where there is a region
 *     2  ground   the surface (cpu/obstacles/ground.h)
 *     3  sort     marks each point as taken, ground or left out; copies points, heights and values of those taken
 *     4  move     the copies of all chunks side by side, with several threads; one thread copies to the final places
 *     5  spread   after clustering: size limits, order, and labels to all points
 */
#include "cpu/detect/detect.h"

#include "common/atomics.h"
#include "common/timer.h"
#include "cpu/obstacles/ground_batch.h"

#define DETECT_MIN_SHARE 8192 /* points per thread that are worth waking it; as for the ground */

enum { DETECT_OUT = 0, DETECT_TAKEN = 1, DETECT_GROUND = 2 }; /* marks */

/* ----- sort and copy ---------------------------------------------------------------------------------------------- */

/* Copies of the points that are taken. */
typedef struct copies {
    float *points, *heights, *values; /* heights, values: null where they are not wanted */
} copies;

typedef struct sorting {
    const clump_cloud_job *in; /* with the mask of caller and region */
    const clump_surface *surface;
    clump_gather *gather;
    bool alone;         /* one thread */
    copies taken;       /* side by side */
    copies staged;      /* with several threads: those of each chunk from its begin on */
    const char *values; /* of all points; null: no values are needed */
    size_t values_stride;
    bool with_heights;             /* boxes or objects want them */
    bool noted;                    /* marks hold notes, and the heights of the copies those of all points */
    size_t finite, masked, ground; /* atomic additions */
    uint32_t count;                /* with one thread: taken so far */
} sorting;

typedef struct tally {
    size_t finite, masked, ground;
    uint32_t taken;
} tally;

/* Sets good[k] to 1 where the used coordinates of a point are finite, and ground[k] and above[k] by the surface. */
static void flag_batch(const clump_cloud_job *in, const clump_surface *s, size_t begin, int n, uint8_t *good,
                       uint8_t *ground, float *above)
{
    clump_ground_batch b;
    if (s->kind == CLUMP_SURFACE_MAP && !in->two_d) { /* all three are used, in any order */
        clump_split_points(in, begin, n, s->across, s->up, b.u, b.v, b.h);
        clump_ground_batch_finite(b.u, b.v, b.h, n, good);
        clump_ground_batch_place(s, n, &b);
        clump_ground_batch_test(s, &b, n, ground, above);
        return;
    }
    clump_split_points(in, begin, n, 1, in->two_d ? 1 : 2, b.u, b.v, b.h); /* in 2-D mode y is read again */
    clump_ground_batch_finite(b.u, b.v, b.h, n, good);
    if (s->kind != CLUMP_SURFACE_NONE) clump_ground_batch_flag(in, s, begin, n, ground, above);
}

/* The same from the notes of the pass before. Few points are open: eight at a time are tested for one. */
static void flag_noted(const clump_cloud_job *in, const clump_surface *s, size_t begin, int n, const uint8_t *notes,
                       uint8_t *good, uint8_t *ground)
{
    _Static_assert(CLUMP_NOTE_FINITE == 1 && CLUMP_NOTE_GROUND == 2, "flags are computed");
    for (int k = 0; k < n; k++) {
        good[k] = notes[k] & CLUMP_NOTE_FINITE;
        ground[k] = (notes[k] & CLUMP_NOTE_GROUND) >> 1;
    }
    for (int first = 0; first < n; first += 8) {
        const int end = n - first < 8 ? n : first + 8;
        uint64_t eight = 0;
        memcpy(&eight, notes + first, (size_t)(end - first));
        if (!(eight & 0x0101010101010101u * CLUMP_NOTE_OPEN)) continue;
        for (int k = first; k < end; k++) {
            if (!(notes[k] & CLUMP_NOTE_OPEN)) continue;
            const float *const p = clump_point_at(in, begin + (size_t)k);
            ground[k] =
                s->steps[clump_surface_part(s, clump_surface_u(s, p), clump_surface_v(s, p))] < CLUMP_STEP_POINTS;
        }
    }
}

/* Marks the points of a batch. good[k] and ground[k] are those of flag_batch(); the mask counts here. */
static void mark_batch(const clump_cloud_job *in, size_t begin, int n, const uint8_t *restrict good,
                       const uint8_t *restrict ground, uint8_t *restrict marks, tally *sum)
{
    _Static_assert(DETECT_TAKEN == 1 && DETECT_GROUND == 2 && DETECT_OUT == 0, "marks are computed");
    uint8_t kept[CLUMP_GROUND_BATCH];
    unsigned finite = 0, unmasked = 0, grounds = 0, taken = 0;
    memset(kept, 1, sizeof kept);
    for (int k = 0; in->mask && k < n; k++) kept[k] = in->mask[begin + (size_t)k] != 0;
    for (int k = 0; k < n; k++) {
        const uint8_t is_ground = ground[k] & kept[k], is_taken = good[k] & kept[k] & (ground[k] ^ 1);
        marks[k] = (uint8_t)(is_taken | is_ground << 1);
        finite += good[k];
        unmasked += kept[k];
        grounds += is_ground;
        taken += is_taken;
    }
    sum->finite += finite;
    sum->masked += (unsigned)n - unmasked;
    sum->ground += grounds;
    sum->taken += taken;
}

/* Copies points, heights and values of those of n points from `i` on that are taken, to places `to` and later; `marks`
 * and `above` begin with point i. Returns the place after them. Every point is copied, and the next one over it where it
 * is not taken: at the edges of objects a branch would be hard to predict. */
static inline size_t copy_marked(const sorting *s, size_t i, int n, const uint8_t *marks, const float *above, copies c,
                                 size_t to)
{
    const char *const points = s->in->points + i * s->in->stride, *const values = s->values;
    for (int k = 0; k < n; k++) {
        memcpy(c.points + 3 * to, points + (size_t)k * s->in->stride, 3 * sizeof(float));
        if (c.heights) c.heights[to] = above[k];
        if (values) memcpy(c.values + to, values + (i + (size_t)k) * s->values_stride, sizeof(float));
        to += marks[k] & DETECT_TAKEN;
    }
    return to;
}

/* The same for a batch, eight points at a time: most of the ground is left out at once. */
static size_t copy_batch(const sorting *s, size_t i, int n, const uint8_t *marks, const float *above, copies c,
                         size_t to)
{
    int k = 0;
    for (; k + 8 <= n; k += 8) {
        uint64_t eight;
        memcpy(&eight, marks + k, sizeof eight);
        if (eight & 0x0101010101010101u * DETECT_TAKEN)
            to = copy_marked(s, i + (size_t)k, 8, marks + k, above + k, c, to);
    }
    return copy_marked(s, i + (size_t)k, n - k, marks + k, above + k, c, to);
}

static void sort_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sorting *const s = arg;
    tally sum = {0};
    const clump_surface surface = *s->surface; /* a copy: the compiler then knows that no store changes it */
    const copies to = s->alone ? s->taken : s->staged;
    size_t next = s->alone ? s->count : begin;
    float above[CLUMP_GROUND_BATCH];
    uint8_t good[CLUMP_GROUND_BATCH], ground[CLUMP_GROUND_BATCH] = {0};
    for (size_t i = begin; i < end; i += CLUMP_GROUND_BATCH) {
        const int n = clump_ground_batch_size(i, end);
        if (s->noted)
            flag_noted(s->in, &surface, i, n, s->gather->marks + i, good, ground);
        else
            flag_batch(s->in, &surface, i, n, good, ground, to.heights ? above : NULL);
        mark_batch(s->in, i, n, good, ground, s->gather->marks + i, &sum);
        const float *const heights = s->noted && to.heights ? to.heights + i : above;
        next = copy_batch(s, i, n, s->gather->marks + i, heights, to, next);
    }
    CLUMP_ADD(&s->finite, sum.finite);
    CLUMP_ADD(&s->masked, sum.masked);
    CLUMP_ADD(&s->ground, sum.ground);
    *clump_gather_start(s->gather, begin) = sum.taken;
    if (s->alone) s->count += sum.taken;
}

/* With several threads: moves the copies of a chunk to their final places. */
static void move_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *const s = arg;
    const size_t to = *clump_gather_start(s->gather, begin);
    const size_t next = end < s->in->count ? *clump_gather_start(s->gather, end) : s->count, n = next - to;
    const copies *const from = &s->staged;
    memcpy(s->taken.points + 3 * to, from->points + 3 * begin, 3 * n * sizeof(float));
    if (from->heights) memcpy(s->taken.heights + to, from->heights + begin, n * sizeof(float));
    if (from->values) memcpy(s->taken.values + to, from->values + begin, n * sizeof(float));
}

/* Divides memory of copies of `count` points. */
static copies divide_copies(const sorting *s, float *memory, size_t count)
{
    copies c = {.points = memory};
    float *next = memory + 3 * count;
    if (s->with_heights) c.heights = next, next += count;
    if (s->values) c.values = next;
    return c;
}

/* Reserves and divides the memory of the copies. */
static clump_status reserve_copies(clump_work *work, clump_cpu_detect *detect, size_t count, sorting *s)
{
    const size_t bytes = count * (3u + s->with_heights + (s->values != NULL)) * sizeof(float);
    CLUMP_TRY(clump_buffer_reserve(work, &detect->taken, bytes));
    CLUMP_TRY(clump_buffer_reserve(work, &detect->labels, count * sizeof(int32_t)));
    CLUMP_TRY(clump_gather_reserve(work, &detect->gather, count));
    if (!s->alone) CLUMP_TRY(clump_buffer_reserve(work, &detect->staged, bytes));
    s->gather = &detect->gather;
    s->taken = divide_copies(s, detect->taken.data, count);
    s->staged = divide_copies(s, detect->staged.data, count);
    return CLUMP_OK;
}

/* Marks the points and copies those that are taken. */
static clump_status copy_taken(clump_work *work, const clump_cpu_detect *detect, const clump_detect_job *job,
                               clump_detect_steps *steps, sorting *s, clump_stats *stats)
{
    const size_t count = s->in->count;
    CLUMP_TRY(clump_run(work, steps->threads, count, CLUMP_CHUNK, sort_chunk, s));
    s->count = (uint32_t)clump_gather_sum(s->gather, count);
    if (!s->alone) CLUMP_TRY(clump_run(work, steps->threads, count, CLUMP_CHUNK, move_chunk, s));
    stats->finite = s->finite;
    stats->masked = s->masked;
    stats->ground = s->ground;
    clump_cloud_job *const to = &steps->taken;
    to->points = (const char *)s->taken.points;
    to->stride = 3 * sizeof(float);
    to->count = s->count;
    to->mask = NULL;
    to->labels = detect->labels.data;
    steps->boxes = job->describe;
    steps->boxes.points = to->points;
    steps->boxes.stride = to->stride;
    steps->boxes.count = s->count;
    steps->boxes.labels = to->labels;
    steps->boxes.options.heights = s->taken.heights;
    steps->boxes.options.values = s->taken.values;
    steps->boxes.options.values_stride = sizeof(float);
    return CLUMP_OK;
}

/* ----- steps ------------------------------------------------------------------------------------------------------ */

static bool wants_boxes(const clump_detect_job *job)
{
    return job->describe.described > 0 || job->describe.options.hull_offsets;
}

/* The caller's points are clustered as they are. */
static clump_status use_all(clump_work *work, clump_cpu_detect *detect, const clump_detect_job *job,
                            clump_detect_steps *steps)
{
    if (!job->in.labels) {
        CLUMP_TRY(clump_buffer_reserve(work, &detect->labels, job->in.count * sizeof(int32_t)));
        steps->taken.labels = detect->labels.data;
    }
    steps->cluster = steps->taken;
    steps->boxes = job->describe;
    steps->boxes.labels = steps->taken.labels;
    return CLUMP_OK;
}

/* Chooses what is clustered: the points that are taken, or one per voxel. The size limits are those of all points, and
 * are applied while labels are spread. Objects and ER-CCL need them before. */
static clump_status choose_clustered(clump_work *work, clump_cpu_detect *detect, const clump_detect_job *job,
                                     clump_detect_steps *steps, clump_stats *stats)
{
    const clump_cloud_job *const taken = &steps->taken;
    steps->cluster = *taken;
    steps->unlimited = job->thin > 0 || job->method == CLUMP_DETECT_EC || job->method == CLUMP_DETECT_DBSCAN;
    if (job->thin > 0) {
        CLUMP_TRY(clump_cpu_thin_select(work, &detect->thin, taken, job->thin, steps->threads, &steps->cluster));
        stats->thinned = taken->count - steps->cluster.count;
    }
    if (!steps->unlimited) return CLUMP_OK;
    steps->cluster.order = CLUMP_ORDER_INDEX;
    steps->cluster.min_size = 1;
    steps->cluster.max_size = 0;
    return CLUMP_OK;
}

clump_status clump_cpu_detect_begin(clump_work *work, clump_cpu_detect *detect, clump_cpu_ground *ground,
                                    const clump_detect_job *job, clump_detect_steps *steps, clump_stats *stats)
{
    const double start = clump_now_ms();
    *steps = (clump_detect_steps){.threads = 1, .taken = job->in};
    steps->copied = job->has_region || job->ground.method != CLUMP_GROUND_NONE || job->thin > 0 ||
                    job->method == CLUMP_DETECT_OBJECTS; /* which has no mask */
    if (!steps->copied) return use_all(work, detect, job, steps);
    steps->threads = clump_threads_for(work, job->in.count, DETECT_MIN_SHARE);
    if (job->has_region) {
        CLUMP_TRY(clump_buffer_reserve(work, &detect->mask, job->in.count));
        CLUMP_TRY(clump_cpu_region_mask(work, job, steps->threads, detect->mask.data));
        steps->taken.mask = detect->mask.data;
    }
    const clump_cloud_job in = steps->taken;
    clump_surface surface;
    sorting s = {.in = &in, .surface = &surface, .alone = steps->threads == 1};
    s.with_heights = wants_boxes(job) || job->method == CLUMP_DETECT_OBJECTS;
    if (wants_boxes(job)) {
        s.values = (const char *)job->describe.options.values;
        s.values_stride = job->describe.options.values_stride;
    }
    CLUMP_TRY(reserve_copies(work, detect, in.count, &s));
    clump_ground_notes notes = {s.gather->marks, s.alone ? s.taken.heights : s.staged.heights, false};
    CLUMP_TRY(
        clump_cpu_ground_find(work, ground, &in, &job->ground, steps->threads, &surface, in.two_d ? NULL : &notes));
    s.noted = notes.made;
    if (surface.kind == CLUMP_SURFACE_NONE) s.with_heights = false, s.taken.heights = s.staged.heights = NULL;
    CLUMP_TRY(copy_taken(work, detect, job, steps, &s, stats));
    CLUMP_TRY(choose_clustered(work, detect, job, steps, stats));
    stats->ground_level = clump_surface_level(&surface);
    stats->ground_ms = clump_now_ms() - start;
    return CLUMP_OK;
}

typedef struct spreading {
    const clump_gather *gather;
    const int32_t *numbers;  /* null, or the final label of each cluster */
    int32_t *taken, *labels; /* labels: null where the caller wants none */
    size_t count, taken_count;
} spreading;

/* Makes the labels of the points of a chunk that are taken final. */
static void renumber_chunk(const spreading *s, size_t begin, size_t end)
{
    const size_t first = *clump_gather_start(s->gather, begin);
    const size_t last = end < s->count ? *clump_gather_start(s->gather, end) : s->taken_count;
    for (size_t i = first; i < last; i++) s->taken[i] = s->taken[i] >= 0 ? s->numbers[s->taken[i]] : s->taken[i];
}

/* Writes the labels of all points. */
static void spread_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const spreading *const s = arg;
    const uint8_t *const marks = s->gather->marks;
    const int32_t *from = s->taken + *clump_gather_start(s->gather, begin);
    int32_t *const labels = s->labels;
    if (s->numbers) renumber_chunk(s, begin, end);
    if (!labels) return;
    for (size_t i = begin; i < end;) {
        uint64_t eight = 0;
        if (end - i >= 8) memcpy(&eight, marks + i, 8);
        if (eight == 0x0101010101010101u * DETECT_TAKEN) {
            memcpy(labels + i, from, 8 * sizeof *labels);
            i += 8, from += 8;
        } else if (eight == 0x0101010101010101u * DETECT_GROUND) {
            for (int k = 0; k < 8; k++) labels[i + (size_t)k] = CLUMP_GROUND;
            i += 8;
        } else {
            for (const size_t stop = end - i >= 8 ? i + 8 : end; i < stop; i++)
                labels[i] = marks[i] == DETECT_TAKEN ? *from++ : marks[i] == DETECT_GROUND ? CLUMP_GROUND : CLUMP_NOISE;
        }
    }
}

clump_status clump_cpu_detect_end(clump_work *work, clump_cpu_detect *detect, const clump_detect_job *job,
                                  clump_detect_steps *steps, const clump_stats *clustered, clump_stats *stats)
{
    const double start = clump_now_ms();
    stats->clusters = clustered->clusters;
    stats->noise = clustered->noise;
    stats->passes = clustered->passes;
    stats->build_ms = clustered->build_ms;
    stats->initial_ms = clustered->initial_ms;
    stats->cluster_ms = clustered->cluster_ms;
    stats->merge_ms = clustered->merge_ms;
    stats->label_ms = clustered->label_ms;
    stats->neighbours = clustered->neighbours;
    stats->ring_source = clustered->ring_source;
    stats->rings = clustered->rings;
    stats->threads = clustered->threads > steps->threads ? clustered->threads : steps->threads;
    if (!steps->copied) {
        stats->finite = clustered->finite;
        stats->masked = clustered->masked;
        return CLUMP_OK;
    }
    const clump_cloud_job *const taken = &steps->taken;
    spreading s = {.gather = &detect->gather,
                   .taken = taken->labels,
                   .labels = job->in.labels,
                   .count = job->in.count,
                   .taken_count = taken->count};
    if (job->thin > 0) CLUMP_TRY(clump_cpu_thin_carry(work, &detect->thin, taken, steps->threads, &stats->noise));
    clump_decided decided = {.sizes = steps->sizes};
    if (steps->unlimited) CLUMP_TRY(clump_labels_decide(work, taken, stats, &decided));
    s.numbers = decided.numbers;
    steps->boxes.sizes = decided.sizes;
    stats->noise += job->in.count - taken->count - stats->ground;
    if (s.labels || s.numbers) CLUMP_TRY(clump_run(work, steps->threads, job->in.count, CLUMP_CHUNK, spread_chunk, &s));
    stats->label_ms += clump_now_ms() - start;
    return CLUMP_OK;
}

clump_status clump_cpu_detect_reserve(clump_work *work, clump_cpu_detect *detect, size_t max_points)
{
    sorting s = {.with_heights = true};
    return reserve_copies(work, detect, max_points, &s);
}

void clump_cpu_detect_release(clump_work *work, clump_cpu_detect *detect)
{
    clump_buffer_release(work, &detect->mask);
    clump_buffer_release(work, &detect->staged);
    clump_buffer_release(work, &detect->taken);
    clump_buffer_release(work, &detect->labels);
    clump_buffer_release(work, &detect->gather.memory);
    clump_cpu_thin_release(work, &detect->thin);
}
