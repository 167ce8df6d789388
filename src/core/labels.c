/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.c: size limits and the order of clusters. The input is canonical labels, so equal partitions give equal labels
 * whatever method found them.
 *
 *     sizes    5  1  9  2        min_size 2, order by size
 *     kept     0  .  1  2        by index
 *     number   1  .  0  2        9 first, then 5, then 2
 */
#include "core/backend.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "common/sort.h"

#include <string.h>

/* Larger clusters have smaller keys; clusters of equal size are ordered by label, that is by smallest point index. */
static uint64_t key_of(int32_t size, size_t label)
{
    return (uint64_t)(UINT32_MAX - (uint32_t)size) << 32 | (uint32_t)label;
}

static int32_t size_of_key(uint64_t key)
{
    return (int32_t)(UINT32_MAX - (uint32_t)(key >> 32));
}

#define LABELS_PER_POLL 4096  /* clusters sorted between two polls */
#define LABELS_SHARE    16384 /* points per thread that are worth waking it */

/* Heap sort, because qsort() may allocate. */
static clump_status sort_by_size(clump_work *work, uint64_t *keys, size_t n)
{
    clump_heap_make(keys, n);
    for (; n > 1; n--) {
        if (n % LABELS_PER_POLL == 0) CLUMP_TRY(clump_poll(work));
        keys[n - 1] = clump_heap_pop(keys, n);
    }
    return CLUMP_OK;
}

/* Bytes of labels_scratch: one key, one size and one number per cluster, in this order. */
static size_t scratch_bytes(size_t clusters)
{
    return clusters * (2 * sizeof(int32_t) + sizeof(uint64_t));
}

clump_status clump_labels_reserve(clump_work *work, size_t max_points)
{
    return clump_buffer_reserve(work, &work->labels_scratch, scratch_bytes(max_points));
}

/* What the threads share that count the points of clusters. */
typedef struct counting {
    const int32_t *labels;
    int32_t *sizes;
    size_t clusters;
    bool alone; /* one thread */
} counting;

/* What the threads share that renumber labels. */
typedef struct renumbering {
    int32_t *labels;
    const int32_t *numbers;
    size_t noise; /* atomic additions */
} renumbering;

static void add_point(int32_t label, size_t clusters, int32_t *sizes)
{
    CLUMP_ASSERT(label < (int32_t)clusters);
    (void)clusters;
    if (label >= 0) sizes[label]++;
}

/* Consecutive points mostly have one label, so each addition would wait for the store before. Four points far apart take
 * turns instead. */
static void count_alone(const int32_t *labels, size_t count, size_t clusters, int32_t *sizes)
{
    const size_t quarter = count / 4;
    for (size_t a = 0, b = quarter, c = 2 * quarter, d = 3 * quarter; a < quarter; a++, b++, c++, d++) {
        add_point(labels[a], clusters, sizes), add_point(labels[b], clusters, sizes);
        add_point(labels[c], clusters, sizes), add_point(labels[d], clusters, sizes);
    }
    for (size_t i = 4 * quarter; i < count; i++) add_point(labels[i], clusters, sizes);
}

/* With several threads: one atomic addition per run of points with one label. */
static void count_runs(const counting *f, size_t begin, size_t end)
{
    for (size_t i = begin, first = begin; i < end; first = i) {
        const int32_t label = f->labels[first];
        CLUMP_ASSERT(label < (int32_t)f->clusters);
        while (i < end && f->labels[i] == label) i++;
        if (label >= 0) CLUMP_ADD(&f->sizes[label], (int32_t)(i - first));
    }
}

static void count_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const counting *const f = arg;
    if (f->alone)
        count_alone(f->labels + begin, end - begin, f->clusters, f->sizes);
    else
        count_runs(f, begin, end);
}

static void renumber_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    renumbering *const r = arg;
    int32_t *const labels = r->labels;
    const int32_t *const numbers = r->numbers;
    size_t noise = 0;
    for (size_t i = begin; i < end; i++) {
        if (labels[i] >= 0) labels[i] = numbers[labels[i]];
        noise += labels[i] == CLUMP_NOISE;
    }
    CLUMP_ADD(&r->noise, noise);
}

/* Whether a size is within the limits. */
static bool is_kept(const clump_cloud_job *job, int32_t size)
{
    return (size_t)size >= job->min_size && (job->max_size == 0 || (size_t)size <= job->max_size);
}

/* Numbers `found` clusters. numbers[c], perhaps the memory of sizes[c], becomes the number of cluster c, CLUMP_NOISE where
 * its size is outside the limits; *clusters the number of the others. `kept` has room for one key per cluster. */
static clump_status number_clusters(clump_work *work, const clump_cloud_job *job, uint64_t *kept, const int32_t *sizes,
                                    int32_t *numbers, size_t found, int32_t *clusters)
{
    int32_t n = 0;
    for (size_t c = 0; c < found; c++) {
        CLUMP_ASSERT(sizes[c] >= 1); /* canonical: every number is in use */
        if (is_kept(job, sizes[c])) kept[n++] = key_of(sizes[c], c);
        numbers[c] = CLUMP_NOISE;
    }
    if (job->order == CLUMP_ORDER_SIZE) CLUMP_TRY(sort_by_size(work, kept, (size_t)n));
    for (int32_t k = 0; k < n; k++) numbers[(uint32_t)kept[k]] = k;
    *clusters = n;
    return CLUMP_OK;
}

clump_status clump_labels_number(clump_work *work, const clump_cloud_job *job, int32_t *sizes, int32_t *clusters)
{
    const size_t found = (size_t)*clusters;
    CLUMP_TRY(clump_buffer_reserve(work, &work->labels_scratch, scratch_bytes(found)));
    return number_clusters(work, job, work->labels_scratch.data, sizes, sizes, found, clusters);
}

/* Returns the points of clusters whose sizes are outside the limits. */
static size_t count_dropped(const clump_cloud_job *job, const int32_t *sizes, size_t found)
{
    size_t dropped = 0;
    for (size_t c = 0; c < found; c++) dropped += is_kept(job, sizes[c]) ? 0 : (size_t)sizes[c];
    return dropped;
}

clump_status clump_labels_sizes(clump_work *work, size_t found, int32_t **sizes)
{
    CLUMP_TRY(clump_buffer_reserve(work, &work->labels_scratch, scratch_bytes(found)));
    *sizes = (int32_t *)((uint64_t *)work->labels_scratch.data + found);
    if (found > 0) memset(*sizes, 0, found * sizeof **sizes);
    return CLUMP_OK;
}

/* Counts the points of the clusters. */
static clump_status find_sizes(clump_work *work, const clump_cloud_job *job, size_t found, int32_t **sizes)
{
    const int threads = clump_threads_for(work, job->count, LABELS_SHARE);
    CLUMP_TRY(clump_labels_sizes(work, found, sizes));
    counting f = {job->labels, *sizes, found, threads == 1};
    return clump_run(work, threads, job->count, CLUMP_CHUNK, count_chunk, &f);
}

clump_status clump_labels_decide(clump_work *work, const clump_cloud_job *job, clump_stats *stats,
                                 clump_decided *decided)
{
    const size_t found = (size_t)stats->clusters;
    int32_t *sizes = decided->sizes;
    CLUMP_ASSERT(stats->clusters >= 0 && found <= job->count);
    decided->numbers = NULL;
    if (!clump_labels_unfinished(job) || found == 0) return CLUMP_OK;
    if (!sizes) CLUMP_TRY(find_sizes(work, job, found, &sizes));
    uint64_t *const kept = work->labels_scratch.data;
    int32_t *const numbers = sizes + found;
    stats->noise += count_dropped(job, sizes, found);
    CLUMP_TRY(number_clusters(work, job, kept, sizes, numbers, found, &stats->clusters));
    for (int32_t k = 0; k < stats->clusters; k++) sizes[k] = size_of_key(kept[k]);
    *decided = (clump_decided){numbers, sizes};
    return CLUMP_OK;
}

clump_status clump_labels_finish(clump_work *work, const clump_cloud_job *job, clump_stats *stats)
{
    clump_decided decided = {0};
    CLUMP_TRY(clump_labels_decide(work, job, stats, &decided));
    if (!decided.numbers) return CLUMP_OK;
    renumbering r = {.labels = job->labels, .numbers = decided.numbers};
    const int threads = clump_threads_for(work, job->count, LABELS_SHARE);
    CLUMP_TRY(clump_run(work, threads, job->count, CLUMP_CHUNK, renumber_chunk, &r));
    stats->noise = r.noise;
    return CLUMP_OK;
}
