/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces.cu: see pieces.h: the memory of clouds in pieces, and the steps in order.
 */
#include "cuda/pieces/pieces_steps.h"

extern "C" {
#include "common/bytes_text.h"
#include "common/team.h"
#include "common/timer.h"
}

enum {
    PIECES_LEAST = 256,          /* points of a tile: with fewer the rims would be most of the work */
    PIECES_MOST_CHUNK = 1 << 26, /* points: a copy of 0.8 GB; more gain nothing */
    PIECES_MOST_CELLS = 1 << 18, /* a chunk has 2 MB of counts then */
    PIECES_CELL_BYTES = 512,     /* of all GPU memory per cell: the grid takes 7 % at most */
    PIECES_FIXED = 16384,        /* bytes of small buffers and the ends of large ones */
    PIECES_SPARE = 16,           /* without a limit, one part in this many of what is free stays free */
    PIECES_COPY_THREADS = 8      /* as in gpu/transfer.cu: more are not faster */
};

/* ----- life -------------------------------------------------------------------------------------------------- */

size_t clump_cuda_pieces_held(const clump_cuda_pieces *p)
{
    size_t bytes = p->marks.bytes + p->numbers.bytes + p->table.bytes + p->figures.bytes;
    for (const clump_pieces_lane &lane : p->lanes) bytes += lane.arena.bytes + lane.pairs.bytes + lane.fast.job.bytes;
    return bytes;
}

static void trim_lane(clump_work *work, clump_cuda *cuda, clump_pieces_lane *lane)
{
    lane->fast.arena = clump_device_buffer{};
    clump_cuda_fast_trim(work, cuda, &lane->fast);
    clump_device_release(work, cuda, &lane->arena);
    clump_device_release(work, cuda, &lane->pairs);
    clump_pinned_release(work, &lane->staging);
    clump_pinned_release(work, &lane->rim);
    clump_buffer_release(work, &lane->before);
}

void clump_cuda_pieces_trim(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p)
{
    for (clump_pieces_lane &lane : p->lanes) trim_lane(work, cuda, &lane);
    clump_device_buffer *const buffers[] = {&p->marks, &p->numbers, &p->table, &p->figures};
    for (clump_device_buffer *buffer : buffers) clump_device_release(work, cuda, buffer);
    clump_pinned_buffer *const pinned[] = {&p->points, &p->indices, &p->ids, &p->starts};
    for (clump_pinned_buffer *buffer : pinned) clump_pinned_release(work, buffer);
    clump_buffer *const host[] = {&p->around, &p->rims, &p->choices, &p->links.memory};
    for (clump_buffer *buffer : host) clump_buffer_release(work, buffer);
    clump_pieces_plan_trim(work, &p->plan);
    p->links.map.slots = NULL;
    p->sizes = clump_pieces_sizes{};
}

void clump_cuda_pieces_close(clump_cuda_pieces *p)
{
    for (clump_pieces_lane &lane : p->lanes) {
        if (lane.staged) (void)cudaEventDestroy(lane.staged);
        if (lane.computed) (void)cudaEventDestroy(lane.computed);
        if (lane.stream) (void)cudaStreamDestroy(lane.stream);
        lane.staged = lane.computed = NULL;
        lane.stream = NULL;
    }
}

/* ----- memory --------------------------------------------------------------------------------------------------- */

static size_t pairs_of(size_t n)
{
    return n / 8 + 64; /* of a tile; more of them cost a second run of the tile */
}

/* Returns the bytes of a lane with tiles of up to n points. */
static size_t lane_bytes(size_t n, bool density)
{
    const size_t pairs = density ? pairs_of(n) * sizeof(clump_border) : 0;
    return pieces_tile_bytes(n) + clump_cuda_fast_bytes(n, density) + pairs + 1024;
}

static size_t marks_bytes(size_t count)
{
    return (count + 31) / 32 * sizeof(uint32_t) + 256;
}

/* Returns the bytes that do not depend on the size of tiles. */
static size_t fixed_bytes(size_t count, size_t cells)
{
    return 2 * marks_bytes(count) + cells * sizeof(uint32_t) + PIECES_FIXED;
}

/* Returns the largest tile that a lane of `bytes` can have. Where a little less halves the hash table of `fast`, less. */
static size_t tile_for(size_t bytes, size_t count, bool density)
{
    size_t low = 0, high = count < INT32_MAX / 2 ? count : INT32_MAX / 2;
    while (low < high) {
        const size_t middle = low + (high - low + 1) / 2;
        if (clump_cuda_fast_takes(middle) && lane_bytes(middle, density) <= bytes)
            low = middle;
        else
            high = middle - 1;
    }
    for (size_t slots = (size_t)1 << 31; slots >= 1024; slots /= 2) {
        const size_t full = slots / 3 * 2 - 1;
        if (full <= low) return full >= low - low / 4 ? full : low;
    }
    return low;
}

static clump_status refuse(clump_work *work, const clump_cuda *cuda, size_t count, size_t total, size_t fixed,
                           bool density)
{
    char needed[32], there[32];
    clump_bytes_text(needed, sizeof needed, (double)(fixed + CLUMP_PIECES_LANES * lane_bytes(PIECES_LEAST, density)));
    clump_bytes_text(there, sizeof there, (double)total);
    return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                      "%s: %zu points in pieces need at least %s of GPU memory, %s are %s", work->call, count, needed,
                      there, cuda->limit ? "allowed" : "free");
}

/* Decides how the memory is used. */
static clump_status plan_memory(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, size_t count, bool density)
{
    const size_t held = clump_cuda_pieces_held(p), limit = cuda->limit, others = work->device_bytes - held;
    size_t total = limit > others ? limit - others : 0;
    if (limit == 0) {
        const size_t unused = clump_device_free(cuda) + held;
        total = unused - unused / PIECES_SPARE;
    }
    clump_pieces_sizes s = {};
    s.cells = total / PIECES_CELL_BYTES;
    s.cells = s.cells < 64 ? 64 : s.cells > PIECES_MOST_CELLS ? (size_t)PIECES_MOST_CELLS : s.cells;
    const size_t fixed = fixed_bytes(count, s.cells);
    s.most = total > fixed ? tile_for((total - fixed) / CLUMP_PIECES_LANES, count, density) : 0;
    if (s.most < PIECES_LEAST && s.most < count) return refuse(work, cuda, count, total, fixed, density);
    s.arena = pieces_tile_bytes(s.most) + clump_cuda_fast_bytes(s.most, density) + 512;
    s.pairs = pairs_of(s.most);
    const size_t grid = pieces_group_fixed(s.cells);
    const size_t slot = pieces_slot_bytes(&s);
    if (grid + PIECES_GROUP_BYTES > slot) return refuse(work, cuda, count, total, fixed, density);
    s.chunk_most = (slot - grid) / PIECES_GROUP_BYTES;
    if (s.chunk_most > PIECES_MOST_CHUNK) s.chunk_most = PIECES_MOST_CHUNK;
    s.count = count;
    s.density = density;
    p->sizes = s;
    return CLUMP_OK;
}

/* Decides how the memory is used for a cloud. As before, where that is enough: the memory that is free varies, and a call
 * like the last allocates nothing. */
static clump_status plan_sizes(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, size_t count, bool density)
{
    clump_pieces_sizes *const s = &p->sizes;
    const bool same = p->lanes[0].arena.bytes >= s->arena && s->arena > 0 && count <= s->count && density == s->density;
    if (!same) CLUMP_TRY(plan_memory(work, cuda, p, count, density));
    s->chunk = s->chunk_most < count ? s->chunk_most : count;
    s->chunks = (count + s->chunk - 1) / s->chunk;
    return CLUMP_OK;
}

static clump_status open_lane(clump_work *work, clump_cuda *cuda, clump_pieces_lane *lane)
{
    if (lane->stream) return CLUMP_OK;
    CLUMP_CUDA(work, cuda, "making a stream", cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    return CLUMP_OK;
}

/* Reserves all memory that is known before the plan. Everything is there for all streams when it returns. */
static clump_status take_memory(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, size_t count, bool own_ids)
{
    for (clump_pieces_lane &lane : p->lanes) CLUMP_TRY(open_lane(work, cuda, &lane));
    for (size_t k = 0; k < CLUMP_PIECES_LANES; k++)
        CLUMP_TRY(clump_device_reserve(work, cuda, &p->lanes[k].arena, p->sizes.arena));
    CLUMP_TRY(clump_device_reserve(work, cuda, &p->marks, marks_bytes(count)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &p->numbers, marks_bytes(count)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &p->figures, sizeof(pieces_figures)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &p->points, count * 3 * sizeof(float)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &p->indices, count * sizeof(uint32_t)));
    if (own_ids) CLUMP_TRY(clump_pinned_reserve(work, cuda, &p->ids, count * sizeof(uint32_t)));
    return clump_cuda_synchronize(work, cuda, "allocating GPU memory");
}

clump_status clump_cuda_pieces_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, size_t max_points)
{
    CLUMP_TRY(plan_sizes(work, cuda, p, max_points, true));
    return take_memory(work, cuda, p, max_points, true);
}

/* ----- the steps -------------------------------------------------------------------------------------------------- */

/* Makes a plan and groups the points by it; again with smaller cells where a cell has too many points. */
static clump_status plan_and_group(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p,
                                   const clump_pieces_job *job)
{
    CLUMP_TRY(clump_pieces_sample(work, &p->plan, job->in, job->min_points));
    for (int finer = 0;; finer++) {
        bool finest;
        uint64_t fullest;
        CLUMP_TRY(clump_pieces_grid_make(work, &p->plan, job->in, p->sizes.most, p->sizes.cells, finer, &finest));
        CLUMP_TRY(pieces_group(work, cuda, p, job));
        if (clump_pieces_cut(&p->plan, p->sizes.most, &fullest)) return CLUMP_OK;
        if (!finest) continue;
        char needed[32];
        const size_t lanes = CLUMP_PIECES_LANES * lane_bytes((size_t)fullest, job->min_points > 0);
        clump_bytes_text(needed, sizeof needed, (double)(lanes + fixed_bytes(job->in->count, p->sizes.cells)));
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                          "%s: %llu points are too close together for one piece; about %s of GPU memory would do",
                          work->call, (unsigned long long)fullest, needed);
    }
}

/* Hands the results to the caller. */
static clump_status hand_over(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job,
                              clump_stats *stats)
{
    const clump_cloud_job *const in = job->in;
    pieces_figures figures = {};
    CLUMP_CUDA(work, cuda, "fetching counts from the GPU",
               cudaMemcpyAsync(&figures, p->figures.data, sizeof figures, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "fetching counts from the GPU"));
    if (p->ids_at != (uint32_t *)in->labels)
        clump_copy_rows(work->team, in->labels, p->ids_at, sizeof(int32_t), sizeof(int32_t), in->count,
                        work->threads < PIECES_COPY_THREADS ? work->threads : (int)PIECES_COPY_THREADS);
    stats->clusters = (int32_t)figures.clusters;
    stats->finite = in->count - (size_t)figures.not_finite;
    stats->masked = (size_t)figures.masked;
    stats->noise = in->count - (size_t)figures.labelled;
    stats->pieces = p->plan.tiles;
    CLUMP_TRY(clump_labels_finish(work, in, stats));
    if (!in->clusters_on_device) return CLUMP_OK;
    CLUMP_CUDA(work, cuda, "handing the number of clusters over",
               cudaMemcpyAsync(in->clusters_on_device, &stats->clusters, sizeof(int32_t), cudaMemcpyHostToDevice,
                               cuda->stream));
    return clump_cuda_synchronize(work, cuda, "handing the number of clusters over");
}

static clump_status run_steps(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job,
                              clump_stats *stats)
{
    const clump_cloud_job *const in = job->in;
    const bool own_ids = !clump_pinned_address(in->labels);
    CLUMP_TRY(plan_sizes(work, cuda, p, in->count, job->min_points > 0));
    CLUMP_TRY(take_memory(work, cuda, p, in->count, own_ids));
    p->ids_at = own_ids ? (uint32_t *)p->ids.data : (uint32_t *)in->labels;
    const double begin = clump_now_ms();
    CLUMP_TRY(plan_and_group(work, cuda, p, job));
    const double grouped = clump_now_ms();
    CLUMP_TRY(pieces_tiles(work, cuda, p, job));
    const double clustered = clump_now_ms();
    CLUMP_TRY(pieces_label(work, cuda, p, job));
    CLUMP_TRY(hand_over(work, cuda, p, job, stats));
    stats->build_ms = grouped - begin;
    stats->cluster_ms = clustered - grouped - p->merge_ms;
    stats->merge_ms = p->merge_ms;
    stats->label_ms = clump_now_ms() - clustered;
    return CLUMP_OK;
}

clump_status clump_cuda_pieces_run(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p,
                                   const clump_pieces_job *job, clump_stats *stats)
{
    const clump_status status = run_steps(work, cuda, p, job, stats);
    for (clump_pieces_lane &lane : p->lanes) {
        /* after a failure: what was launched must not write to the caller's memory later */
        if (status != CLUMP_OK && lane.stream) (void)cudaStreamSynchronize(lane.stream);
        lane.fast.arena = clump_device_buffer{};
        lane.busy = false;
    }
    if (status != CLUMP_OK) (void)cudaGetLastError();
    return status;
}
