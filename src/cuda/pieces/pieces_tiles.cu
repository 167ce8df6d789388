/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_tiles.cu: clusters tile by tile. A tile goes to the GPU in one range per chunk; the host gathers its rim. After
 * `fast` four kernels make what the other tiles need to know (rules/pieces.h):
 *
 *     firsts   each cluster: its first core point, own points before those of the rim
 *     pairs    border points next to several clusters: the ids of these
 *     ids      each own point: its id; each rim point: the id that it links
 *     marks    a bit per own first point
 *
 * Points of earlier tiles come first in a rim. Their ids are known by then, so the host adds their links while the GPU is at
 * work on the next tile. Those of later tiles, which DBSCAN alone has, wait for the last tile; they are few.
 */
#include "cuda/pieces/pieces_steps.h"

extern "C" {
#include "common/timer.h"
}

#include <string.h>

enum {
    TILES_THREADS = 256,
    TILES_BLOCKS = 8,      /* per multiprocessor: 2048 threads, all that fit on an H200 */
    TILES_HEAD = 256,      /* bytes before the pairs of a lane, and before its rim ids: the number of pairs */
    TILES_CHOICES = 65536, /* choices that there is room for at first */
};

typedef struct tile_job {
    float *points;
    uint32_t *indices;
    int32_t *labels; /* later the ids */
    uint32_t *firsts;
    uint8_t *core; /* null: all points in clusters are core points */
    uint32_t own, count;
    uint32_t early; /* the end of the rim points of earlier tiles */
    const clump_counts *counts;
    clump_border *pairs;
    uint64_t pair_capacity;
    const unsigned long long *pair_count;
    uint32_t *marks;
} tile_job;

/* ----- kernels -------------------------------------------------------------------------------------- */

__global__ static void __launch_bounds__(TILES_THREADS) firsts_kernel(tile_job t)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t i = team.thread; i < t.count; i += team.threads) {
        const int32_t label = t.labels[i];
        if (label < 0 || (t.core && !t.core[i])) continue;
        const uint32_t index = t.indices[i] | (i < t.own ? 0 : CLUMP_PIECES_RIM);
        /* read first: the points of a large cluster all have one entry */
        if (index < __ldcg(&t.firsts[label])) atomicMin(&t.firsts[label], index);
    }
}

__global__ static void __launch_bounds__(TILES_THREADS) pairs_kernel(tile_job t)
{
    const clump_gpu_team team = clump_whole_grid();
    const uint64_t all = *t.pair_count, listed = all < t.pair_capacity ? all : t.pair_capacity;
    for (uint64_t k = team.thread; k < listed; k += team.threads)
        t.pairs[k].label = (int32_t)clump_pieces_id(t.firsts[t.pairs[k].label]);
}

__global__ static void __launch_bounds__(TILES_THREADS) ids_kernel(tile_job t)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t i = team.thread; i < t.count; i += team.threads) {
        const int32_t label = t.labels[i];
        const bool core = t.core ? t.core[i] != 0 : label >= 0;
        const uint32_t first = label < 0 ? UINT32_MAX : t.firsts[label];
        uint32_t id = clump_pieces_id(first);
        if (i >= t.own)
            id = core && label >= 0 ? clump_pieces_link(first, t.indices[i], i < t.early) : CLUMP_PIECES_NONE;
        else if (core)
            id |= CLUMP_PIECES_CORE;
        t.labels[i] = (int32_t)id;
    }
}

__global__ static void __launch_bounds__(TILES_THREADS) marks_kernel(tile_job t)
{
    const clump_gpu_team team = clump_whole_grid();
    const uint32_t clusters = t.counts->clusters;
    for (uint64_t c = team.thread; c < clusters; c += team.threads) {
        const uint32_t first = t.firsts[c];
        if (first < CLUMP_PIECES_RIM) atomicOr(&t.marks[first / 32], 1u << first % 32);
    }
}

/* ----- one tile on the GPU ------------------------------------------------------------------------------------ */

static void lay_out(clump_cutter *c, size_t n, tile_job *t)
{
    clump_cut(c, &t->points, 3 * n);
    clump_cut(c, &t->indices, n);
    clump_cut(c, &t->labels, n);
    clump_cut(c, &t->firsts, n);
    clump_cut(c, &t->core, n);
}

size_t pieces_tile_bytes(size_t n)
{
    clump_cutter c = {NULL, 0};
    tile_job t;
    lay_out(&c, n, &t);
    return c.used;
}

/* The rim of a tile: cells whose ranks are in p->around, those of earlier tiles first, and their points. */
typedef struct tile_rim {
    size_t cells, early_cells, points, early_points;
} tile_rim;

static tile_rim find_rim(clump_cuda_pieces *p, uint32_t tile)
{
    uint32_t *const around = (uint32_t *)p->around.data;
    tile_rim rim = {clump_pieces_around(&p->plan, tile, around), 0, 0, 0};
    for (size_t k = 0; k < rim.cells; k++) {
        const uint32_t rank = around[k];
        const size_t points = (size_t)p->plan.edges[rank];
        rim.points += points;
        if (rank >= p->plan.begins[tile]) continue;
        around[k] = around[rim.early_cells];
        around[rim.early_cells++] = rank;
        rim.early_points += points;
    }
    return rim;
}

/* Calls f(place, count) for the ranges of the groups that are the rim, in the order of the rim points: those of the cells
 * first ... end - 1 of p->around. */
template <class F> static clump_status each_rim_range(const clump_cuda_pieces *p, size_t first, size_t end, F f)
{
    const uint32_t *const around = (const uint32_t *)p->around.data;
    for (size_t k = first; k < end; k++)
        for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) {
            const uint32_t *const starts = pieces_starts(p, chunk) + 2 * (size_t)around[k];
            if (starts[1] > starts[0])
                CLUMP_TRY(f(chunk * p->sizes.chunk + starts[0], (size_t)(starts[1] - starts[0])));
        }
    return CLUMP_OK;
}

/* Copies the rim to the lane's pinned memory: points, then indices. */
static clump_status gather_rim(clump_work *work, clump_cuda *cuda, const clump_cuda_pieces *p, clump_pieces_lane *lane,
                               size_t cells)
{
    if (lane->staged) CLUMP_CUDA(work, cuda, "sending points to the GPU", cudaEventSynchronize(lane->staged));
    float *points = (float *)lane->staging.data;
    uint32_t *indices = (uint32_t *)(points + 3 * lane->rims);
    return each_rim_range(p, 0, cells, [&](size_t place, size_t n) {
        memcpy(points, (const float *)p->points.data + 3 * place, 3 * n * sizeof *points);
        memcpy(indices, (const uint32_t *)p->indices.data + place, n * sizeof *indices);
        points += 3 * n;
        indices += n;
        return CLUMP_OK;
    });
}

/* Puts the copies of a tile's points on the stream. */
static clump_status send_tile(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, clump_pieces_lane *lane,
                              const tile_job &t)
{
    static const char what[] = "sending points to the GPU";
    const size_t *const before = (const size_t *)lane->before.data;
    const size_t key = 2 * (size_t)p->plan.begins[lane->tile];
    for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) {
        const size_t place = chunk * p->sizes.chunk + pieces_starts(p, chunk)[key], at = before[chunk],
                     n = before[chunk + 1] - at;
        if (n == 0) continue;
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(t.points + 3 * at, (const float *)p->points.data + 3 * place, 3 * n * sizeof(float),
                                   cudaMemcpyHostToDevice, cuda->stream));
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(t.indices + at, (const uint32_t *)p->indices.data + place, n * sizeof(uint32_t),
                                   cudaMemcpyHostToDevice, cuda->stream));
    }
    if (lane->rims > 0) {
        const float *const points = (const float *)lane->staging.data;
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(t.points + 3 * lane->own, points, 3 * lane->rims * sizeof(float),
                                   cudaMemcpyHostToDevice, cuda->stream));
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(t.indices + lane->own, points + 3 * lane->rims, lane->rims * sizeof(uint32_t),
                                   cudaMemcpyHostToDevice, cuda->stream));
    }
    return clump_transfer_record(work, cuda, &lane->staged);
}

/* Makes the kernels of a tile wait for those of the tile before. Two at once share the GPU, take longer together than in
 * turn, and end together: no copy runs beside them. 2e9 points on an H200: 1,750 ms at once. */
static clump_status wait_for_turn(clump_work *work, clump_cuda *cuda, const clump_cuda_pieces *p,
                                  const clump_pieces_lane *lane)
{
    for (size_t k = 0; k < CLUMP_PIECES_LANES; k++)
        if (&p->lanes[k] != lane && p->lanes[k].computed)
            CLUMP_CUDA(work, cuda, "clustering a piece", cudaStreamWaitEvent(cuda->stream, p->lanes[k].computed, 0));
    return CLUMP_OK;
}

/* Puts `fast` and the kernels above on the stream. */
static clump_status cluster_tile(clump_work *work, clump_cuda *cuda, clump_pieces_lane *lane,
                                 const clump_pieces_job *job, const tile_job &t, clump_counts *counts)
{
    static const char what[] = "clustering a piece";
    clump_cloud_job in = *job->in;
    in.wait = false;
    clump_cloud_view view = {};
    view.points = (const char *)t.points;
    view.stride = 3 * sizeof(float);
    view.count = t.count;
    view.two_d = in.two_d;
    clump_cuda_density density = {job->min_points, job->border_points, t.core};
    density.pairs = t.pairs;
    density.pair_capacity = t.pair_capacity;
    density.pair_points = t.own;
    density.pair_count = (unsigned long long *)lane->pairs.data;
    const clump_cuda_density *const dense = job->min_points > 0 ? &density : NULL;
    CLUMP_TRY(clump_cuda_run_fast(work, cuda, &lane->fast, &in, dense, &view, false, t.labels, counts));
    const uint64_t most = (uint64_t)cuda->units * TILES_BLOCKS;
    CLUMP_CUDA(work, cuda, what, cudaMemsetAsync(t.firsts, 0xff, t.count * sizeof(uint32_t), cuda->stream));
    CLUMP_TRY(clump_launch_items(work, cuda, what, t.count, TILES_THREADS, most, firsts_kernel, t));
    if (t.pairs) CLUMP_TRY(clump_launch_items(work, cuda, what, t.pair_capacity, TILES_THREADS, most, pairs_kernel, t));
    CLUMP_TRY(clump_launch_items(work, cuda, what, t.count, TILES_THREADS, most, ids_kernel, t));
    CLUMP_TRY(clump_launch_items(work, cuda, what, t.count, TILES_THREADS, most, marks_kernel, t));
    return clump_transfer_record(work, cuda, &lane->computed);
}

/* Puts the copies of ids to the host on the stream. */
static clump_status fetch_tile(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, clump_pieces_lane *lane,
                               const tile_job &t)
{
    static const char what[] = "fetching labels from the GPU";
    const size_t *const before = (const size_t *)lane->before.data;
    const size_t key = 2 * (size_t)p->plan.begins[lane->tile];
    for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) {
        const size_t place = chunk * p->sizes.chunk + pieces_starts(p, chunk)[key], at = before[chunk],
                     n = before[chunk + 1] - at;
        if (n > 0)
            CLUMP_CUDA(work, cuda, what,
                       cudaMemcpyAsync(p->ids_at + place, t.labels + at, n * sizeof(uint32_t), cudaMemcpyDeviceToHost,
                                       cuda->stream));
    }
    char *const rim = (char *)lane->rim.data;
    if (lane->rims > 0)
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(rim + TILES_HEAD, t.labels + lane->own, lane->rims * sizeof(uint32_t),
                                   cudaMemcpyDeviceToHost, cuda->stream));
    if (t.pairs)
        CLUMP_CUDA(work, cuda, what,
                   cudaMemcpyAsync(rim, t.pair_count, sizeof *t.pair_count, cudaMemcpyDeviceToHost, cuda->stream));
    return CLUMP_OK;
}

/* Counts the own points of a tile, chunk by chunk. */
static clump_status count_own(clump_work *work, const clump_cuda_pieces *p, clump_pieces_lane *lane)
{
    CLUMP_TRY(clump_buffer_reserve(work, &lane->before, (p->sizes.chunks + 1) * sizeof(size_t)));
    size_t *const before = (size_t *)lane->before.data;
    const size_t key = 2 * (size_t)p->plan.begins[lane->tile], end = 2 * (size_t)p->plan.begins[lane->tile + 1];
    before[0] = 0;
    for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) {
        const uint32_t *const starts = pieces_starts(p, chunk);
        before[chunk + 1] = before[chunk] + (starts[end] - starts[key]);
    }
    lane->own = before[p->sizes.chunks];
    return CLUMP_OK;
}

/* Whether runs list the clusters next to border points. */
static bool wants_pairs(const clump_pieces_job *job)
{
    return job->min_points > 1 && job->border_points;
}

/* Puts a tile on the stream of a lane. */
static clump_status begin_tile(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, clump_pieces_lane *lane,
                               const clump_pieces_job *job, uint32_t tile)
{
    lane->tile = tile;
    CLUMP_TRY(count_own(work, p, lane));
    if (lane->own == 0) return CLUMP_OK;
    const tile_rim rim = find_rim(p, tile);
    lane->rims = rim.points;
    lane->early = rim.early_points;
    const size_t n = lane->own + lane->rims;
    CLUMP_ASSERT(n <= p->sizes.most);
    CLUMP_TRY(gather_rim(work, cuda, p, lane, rim.cells));
    clump_cutter cutter = {(char *)lane->arena.data, 0};
    tile_job t = {};
    lay_out(&cutter, n, &t);
    lane->fast.arena.data = (char *)lane->arena.data + cutter.used; /* lent: pieces_tiles() takes it back */
    lane->fast.arena.bytes = lane->arena.bytes - cutter.used;
    if (clump_cuda_fast_bytes(n, job->min_points > 0) > lane->fast.arena.bytes)
        return clump_fail(work, CLUMP_ERR_INTERNAL, "%s: a piece of %zu points is larger than planned", work->call, n);
    if (job->min_points == 0) t.core = NULL;
    t.own = (uint32_t)lane->own;
    t.count = (uint32_t)n;
    t.early = (uint32_t)(lane->own + lane->early);
    pieces_figures *const figures = (pieces_figures *)p->figures.data;
    clump_counts *const counts = &figures->counts[lane - p->lanes];
    t.counts = counts;
    t.marks = (uint32_t *)p->marks.data;
    if (wants_pairs(job)) {
        t.pairs = (clump_border *)((char *)lane->pairs.data + TILES_HEAD);
        t.pair_capacity = (lane->pairs.bytes - TILES_HEAD) / sizeof *t.pairs;
        t.pair_count = (const unsigned long long *)lane->pairs.data;
    }
    lane->busy = true;
    CLUMP_TRY(send_tile(work, cuda, p, lane, t));
    CLUMP_TRY(wait_for_turn(work, cuda, p, lane));
    CLUMP_TRY(cluster_tile(work, cuda, lane, job, t, counts));
    return fetch_tile(work, cuda, p, lane, t);
}

/* ----- what a tile has found ----------------------------------------------------------------------------------- */

/* Returns the place in the groups of an own point of the lane's tile. */
static uint32_t place_of(const clump_cuda_pieces *p, const clump_pieces_lane *lane, size_t own)
{
    const size_t *const before = (const size_t *)lane->before.data;
    size_t low = 0, high = p->sizes.chunks; /* before[low] <= own < before[high] */
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (before[middle] <= own)
            low = middle;
        else
            high = middle;
    }
    const size_t key = 2 * (size_t)p->plan.begins[lane->tile];
    return (uint32_t)(low * p->sizes.chunk + pieces_starts(p, low)[key] + (own - before[low]));
}

/* Keeps the choices of a tile: pairs of a place and an id, those of one place side by side. */
static clump_status keep_choices(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, clump_pieces_lane *lane,
                                 size_t count)
{
    static const char what[] = "fetching border points from the GPU";
    size_t room = p->choices.bytes / sizeof(clump_border);
    if (p->choice_count + count > room) {
        room = 2 * (p->choice_count + count) + TILES_CHOICES;
        CLUMP_TRY(
            clump_buffer_grow(work, &p->choices, room * sizeof(clump_border), p->choice_count * sizeof(clump_border)));
    }
    clump_border *const choices = (clump_border *)p->choices.data + p->choice_count;
    CLUMP_CUDA(work, cuda, what,
               cudaMemcpyAsync(choices, (const char *)lane->pairs.data + TILES_HEAD, count * sizeof *choices,
                               cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_CUDA(work, cuda, what, cudaStreamSynchronize(cuda->stream));
    for (size_t k = 0; k < count; k++) choices[k].point = (int32_t)place_of(p, lane, (size_t)choices[k].point);
    p->choice_count += count;
    return CLUMP_OK;
}

/* Links the rim points of some cells of p->around, whose ids are at `here`. */
static clump_status link_cells(clump_work *work, clump_cuda_pieces *p, size_t first, size_t end, const uint32_t *here)
{
    return each_rim_range(p, first, end, [&](size_t place, size_t n) {
        const clump_status status = clump_pieces_links_add(work, &p->links, here, p->ids_at + place, n);
        here += n;
        return status;
    });
}

/* Waits for the tile of a lane and keeps what it has found. */
static clump_status end_tile(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, clump_pieces_lane *lane,
                             const clump_pieces_job *job)
{
    if (!lane->busy) return CLUMP_OK;
    CLUMP_CUDA(work, cuda, "clustering a piece", cudaStreamSynchronize(cuda->stream));
    const size_t pairs = wants_pairs(job) ? (size_t) * (const unsigned long long *)lane->rim.data : 0;
    if (pairs > (lane->pairs.bytes - TILES_HEAD) / sizeof(clump_border) && wants_pairs(job)) { /* again, with room */
        CLUMP_TRY(clump_device_reserve(work, cuda, &lane->pairs, TILES_HEAD + pairs * sizeof(clump_border)));
        CLUMP_TRY(begin_tile(work, cuda, p, lane, job, lane->tile));
        CLUMP_CUDA(work, cuda, "clustering a piece", cudaStreamSynchronize(cuda->stream));
    }
    lane->busy = false;
    if (pairs > 0) CLUMP_TRY(keep_choices(work, cuda, p, lane, pairs));
    const uint32_t *const ids = (const uint32_t *)((const char *)lane->rim.data + TILES_HEAD);
    const size_t late = lane->rims - lane->early;
    if (late > 0) memcpy((uint32_t *)p->rims.data + p->rim_count, ids + lane->early, late * sizeof *ids);
    p->rim_count += late;
    const tile_rim rim = find_rim(p, lane->tile);
    return link_cells(work, p, 0, rim.early_cells, ids);
}

/* ----- all tiles ------------------------------------------------------------------------------------------------ */

/* Reserves what depends on the tiles. */
static clump_status reserve(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job)
{
    size_t largest = 0, late = 0;
    CLUMP_TRY(clump_buffer_reserve(work, &p->around, p->plan.cells * sizeof(uint32_t)));
    for (uint32_t t = 0; t < p->plan.tiles; t++) {
        const tile_rim rim = find_rim(p, t);
        largest = rim.points > largest ? rim.points : largest;
        late += rim.points - rim.early_points;
    }
    CLUMP_TRY(clump_buffer_reserve(work, &p->rims, late * sizeof(uint32_t)));
    for (size_t k = 0; k < CLUMP_PIECES_LANES; k++) {
        clump_pieces_lane &lane = p->lanes[k];
        CLUMP_TRY(clump_pinned_reserve(work, cuda, &lane.staging, largest * (3 * sizeof(float) + sizeof(uint32_t))));
        CLUMP_TRY(clump_pinned_reserve(work, cuda, &lane.rim, TILES_HEAD + largest * sizeof(uint32_t)));
        if (wants_pairs(job))
            CLUMP_TRY(
                clump_device_reserve(work, cuda, &lane.pairs, TILES_HEAD + p->sizes.pairs * sizeof(clump_border)));
    }
    CLUMP_CUDA(work, cuda, "clustering a piece",
               cudaMemsetAsync(p->marks.data, 0, (job->in->count + 31) / 32 * sizeof(uint32_t), cuda->stream));
    return clump_cuda_synchronize(work, cuda, "clustering a piece");
}

static clump_status run_tiles(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job)
{
    for (uint32_t tile = 0; tile < p->plan.tiles + CLUMP_PIECES_LANES; tile++) {
        CLUMP_TRY(clump_poll(work));
        clump_pieces_lane *const lane = &p->lanes[tile % CLUMP_PIECES_LANES];
        const pieces_on_lane on(cuda, lane);
        CLUMP_TRY(end_tile(work, cuda, p, lane, job));
        if (tile < p->plan.tiles) CLUMP_TRY(begin_tile(work, cuda, p, lane, job, tile));
    }
    return CLUMP_OK;
}

/* Adds the links of points of later tiles. */
static clump_status link_late(clump_work *work, clump_cuda_pieces *p)
{
    const uint32_t *ids = (const uint32_t *)p->rims.data;
    for (uint32_t tile = 0; tile < p->plan.tiles && p->rim_count > 0; tile++) {
        CLUMP_TRY(clump_poll(work));
        const tile_rim rim = find_rim(p, tile);
        CLUMP_TRY(link_cells(work, p, rim.early_cells, rim.cells, ids));
        ids += rim.points - rim.early_points;
    }
    clump_pieces_links_end(&p->links);
    return CLUMP_OK;
}

/* Gives border points next to several clusters the one that begins first. */
static void choose(clump_cuda_pieces *p)
{
    const clump_border *const choices = (const clump_border *)p->choices.data;
    for (size_t k = 0, end; k < p->choice_count; k = end) {
        uint32_t best = CLUMP_PIECES_NONE;
        for (end = k; end < p->choice_count && choices[end].point == choices[k].point; end++) {
            const uint32_t first = clump_pieces_first(&p->links.map, (uint32_t)choices[end].label);
            best = first < best ? first : best;
        }
        p->ids_at[choices[k].point] = best;
    }
}

clump_status pieces_tiles(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job)
{
    p->rim_count = p->choice_count = 0;
    clump_pieces_links_begin(work, &p->links);
    CLUMP_TRY(reserve(work, cuda, p, job));
    CLUMP_TRY(run_tiles(work, cuda, p, job));
    const double begin = clump_now_ms();
    CLUMP_TRY(link_late(work, p));
    choose(p);
    p->merge_ms = clump_now_ms() - begin;
    return CLUMP_OK;
}
