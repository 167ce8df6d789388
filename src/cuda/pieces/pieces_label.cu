/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_label.cu: from ids to labels in the order of the input:
 *
 *     unmark   ids that are joined with a smaller one lose their mark: the marks left are the first points of clusters
 *     sum      prefix sum of the marks (gpu/marks.cuh)
 *     label    chunk by chunk: id, first point, number; to the place of the point in its chunk
 */
#include "cuda/gpu/marks.cuh"
#include "cuda/pieces/pieces_steps.h"

enum {
    LABEL_THREADS = 256,
    LABEL_BLOCKS = 8, /* per multiprocessor: 2048 threads, all that fit on an H200 */
    LABEL_SUM_THREADS = 1024,
    LABEL_SUM_EACH = 8 /* words per thread */
};

/* All marks of the cloud. */
typedef struct label_marks {
    struct {
        uint32_t count;
    } view;
    uint32_t *marks, *numbers;
} label_marks;

typedef struct label_chunk {
    label_marks all;
    clump_pieces_map map;
    const uint32_t *ids, *indices; /* by place */
    int32_t *labels;               /* by index; CLUMP_NOISE before */
    uint8_t *core;                 /* null, or 0 before */
    uint32_t base, used;           /* index of the first point; points that take part */
    pieces_figures *figures;
} label_chunk;

/* ----- kernels -------------------------------------------------------------------------------------- */

__global__ static void __launch_bounds__(LABEL_THREADS) unmark_kernel(clump_pieces_map map, uint32_t *marks)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t s = team.thread; s <= map.slot_mask; s += team.threads) {
        const uint64_t entry = map.slots[s];
        const uint32_t id = (uint32_t)(entry >> 32);
        if (entry != CLUMP_PIECES_FREE && id != (uint32_t)entry) atomicAnd(&marks[id / 32], ~(1u << id % 32));
    }
}

__global__ static void __launch_bounds__(LABEL_SUM_THREADS) sum_kernel(label_marks all, pieces_figures *figures)
{
    const uint32_t clusters = clump_marks_sum<LABEL_SUM_EACH>(all);
    if (threadIdx.x == 0) figures->clusters = clusters;
}

__global__ static void __launch_bounds__(LABEL_THREADS) label_kernel(label_chunk c)
{
    const clump_gpu_team team = clump_whole_grid();
    uint32_t labelled = 0;
    for (uint64_t i = team.thread; i < c.used; i += team.threads) {
        const uint32_t entry = c.ids[i], id = entry & ~CLUMP_PIECES_CORE, at = c.indices[i] - c.base;
        if (c.core && entry != id) c.core[at] = 1;
        if (id == CLUMP_PIECES_NONE) continue;
        const bool is_first = c.all.marks[id / 32] >> id % 32 & 1;
        c.labels[at] = clump_mark_number(c.all, is_first ? id : clump_pieces_first(&c.map, id));
        labelled++;
    }
    for (int step = 16; step > 0; step /= 2) labelled += __shfl_xor_sync(~0u, labelled, step);
    if (clump_lane() == 0 && labelled > 0) atomicAdd(&c.figures->labelled, (unsigned long long)labelled);
}

/* ----- one chunk -------------------------------------------------------------------------------------- */

static size_t lay_out(char *base, size_t n, label_chunk *c)
{
    clump_cutter cutter = {base, 0};
    uint32_t *ids, *indices;
    clump_cut(&cutter, &ids, n);
    clump_cut(&cutter, &indices, n);
    clump_cut(&cutter, &c->labels, n);
    clump_cut(&cutter, &c->core, n);
    c->ids = ids;
    c->indices = indices;
    return cutter.used;
}

/* Puts a chunk on the stream of a slot. */
static clump_status label_one(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, size_t slot,
                              const clump_pieces_job *job, label_chunk c, size_t chunk)
{
    const pieces_on_lane on(cuda, &p->lanes[slot]);
    static const char up[] = "sending labels to the GPU", down[] = "fetching labels from the GPU";
    const size_t first = chunk * p->sizes.chunk, n = pieces_chunk_count(p, job->in->count, chunk);
    const cudaStream_t s = cuda->stream;
    (void)lay_out(pieces_slot_memory(p, slot), p->sizes.chunk, &c);
    if (!job->core) c.core = NULL;
    c.base = (uint32_t)first;
    c.used = pieces_starts(p, chunk)[p->keys];
    if (c.used > 0) {
        CLUMP_CUDA(
            work, cuda, up,
            cudaMemcpyAsync((void *)c.ids, p->ids_at + first, c.used * sizeof(uint32_t), cudaMemcpyHostToDevice, s));
        CLUMP_CUDA(work, cuda, up,
                   cudaMemcpyAsync((void *)c.indices, (const uint32_t *)p->indices.data + first,
                                   c.used * sizeof(uint32_t), cudaMemcpyHostToDevice, s));
    }
    CLUMP_CUDA(work, cuda, "labelling", cudaMemsetAsync(c.labels, 0xff, n * sizeof *c.labels, s)); /* CLUMP_NOISE */
    if (c.core) CLUMP_CUDA(work, cuda, "labelling", cudaMemsetAsync(c.core, 0, n, s));
    CLUMP_TRY(clump_launch_items(work, cuda, "labelling", c.used, LABEL_THREADS, (uint64_t)cuda->units * LABEL_BLOCKS,
                                 label_kernel, c));
    CLUMP_CUDA(work, cuda, down,
               cudaMemcpyAsync(p->ids_at + first, c.labels, n * sizeof *c.labels, cudaMemcpyDeviceToHost, s));
    if (c.core) CLUMP_CUDA(work, cuda, down, cudaMemcpyAsync(job->core + first, c.core, n, cudaMemcpyDeviceToHost, s));
    return CLUMP_OK;
}

/* ----- all chunks --------------------------------------------------------------------------------------- */

/* Sends the map to the memory of the first lane that the first slot does not need. *slots_left: how many slots there are then. */
static clump_status send_map(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, clump_pieces_map *map,
                             size_t *slots_left)
{
    label_chunk c;
    *map = p->links.map;
    *slots_left = CLUMP_PIECES_SLOTS;
    if (!map->slots) return CLUMP_OK;
    const size_t used = lay_out(NULL, p->sizes.chunk, &c), bytes = ((size_t)map->slot_mask + 1) * sizeof *map->slots;
    clump_pieces_lane *const lane = &p->lanes[0];
    if (used + bytes > lane->arena.bytes)
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                          "%s: %zu clusters have points in several pieces; merging them needs more GPU memory",
                          work->call, p->links.entries);
    if (used + bytes > pieces_slot_bytes(&p->sizes)) *slots_left = CLUMP_PIECES_LANES; /* those of the lower halves */
    map->slots = (uint64_t *)((char *)lane->arena.data + used);
    CLUMP_CUDA(work, cuda, "merging pieces",
               cudaMemcpyAsync(map->slots, p->links.map.slots, bytes, cudaMemcpyHostToDevice, cuda->stream));
    const uint64_t slots = (uint64_t)map->slot_mask + 1;
    return clump_launch_items(work, cuda, "merging pieces", slots, LABEL_THREADS, (uint64_t)cuda->units * LABEL_BLOCKS,
                              unmark_kernel, *map, (uint32_t *)p->marks.data);
}

clump_status pieces_label(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job)
{
    label_chunk c = {};
    c.all.view.count = (uint32_t)job->in->count;
    c.all.marks = (uint32_t *)p->marks.data;
    c.all.numbers = (uint32_t *)p->numbers.data;
    c.figures = (pieces_figures *)p->figures.data;
    size_t slots;
    CLUMP_TRY(send_map(work, cuda, p, &c.map, &slots));
    CLUMP_TRY(clump_launch_items(work, cuda, "merging pieces", 1, LABEL_SUM_THREADS, 1, sum_kernel, c.all, c.figures));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "merging pieces"));
    for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) {
        CLUMP_TRY(clump_poll(work));
        CLUMP_TRY(label_one(work, cuda, p, chunk % slots, job, c, chunk));
    }
    for (clump_pieces_lane &lane : p->lanes) CLUMP_CUDA(work, cuda, "labelling", cudaStreamSynchronize(lane.stream));
    return CLUMP_OK;
}
