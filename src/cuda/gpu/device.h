/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h: one GPU of a context: a stream, memory that grows and stays, and errors as sentences. All files of this
 * backend call the CUDA runtime through what is here.
 *
 *     clump_status step(clump_work *work, clump_cuda *cuda)
 *     {
 *         CLUMP_TRY(clump_device_reserve(work, cuda, &buffer, bytes));
 *         CLUMP_CUDA(work, cuda, "counting", (count<<<grid, block, 0, cuda->stream>>>(...), cudaGetLastError()));
 *         ...
 *     }
 *
 * Functions return CLUMP_OK or leave a sentence in the context. The C++ of this backend is C with kernels and
 * templates: no exceptions and nothing of the C++ library at run time, so that libclump links as C.
 *
 * The room, in the order of a call:
 *
 *     device_list.cu   the GPUs of this machine
 *     device.cu        opens and closes the GPU's part of a context; waits; streams beside; sentences for errors
 *     fault.cu         failures that tests inject
 *     memory.cu        memory of the GPU and pinned memory, which grow and stay
 *     transfer.cu      points and mask to the GPU, labels to the caller; several arrays in one buffer
 *     launch.h         sizes of grids, overlapped launches, launch graphs
 *     warp.cuh         what the lanes of a warp and the threads of a thread block do together
 *     scan.cu          prefix sums and sorts
 *     marks.cuh        canonical numbers of clusters
 *     labels.cu        size limits and order
 */
#ifndef CLUMP_CUDA_GPU_DEVICE_H
#define CLUMP_CUDA_GPU_DEVICE_H

extern "C" {
#include "core/backend.h"
}

#include <cuda_runtime.h>

/* Memory of the GPU. Zeroed is valid. */
typedef struct clump_device_buffer {
    void *data;
    size_t bytes;
} clump_device_buffer;

/* Pinned memory of the host: the GPU can access it, at the same address. */
typedef struct clump_pinned_buffer {
    void *data;
    size_t bytes;
} clump_pinned_buffer;

typedef struct clump_cuda {
    int device, units; /* ordinal, multiprocessors */
    int major, minor;  /* compute capability */
    size_t limit;      /* bytes of GPU memory that the context may hold; 0: no limit */
    bool overlaps;     /* launches can overlap (gpu/launch.h), also in launch graphs */
    cudaStream_t stream, own;
    cudaMemPool_t pool;    /* null: not supported, memory comes from cudaMalloc */
    cudaEvent_t done;      /* recorded after a call that did not wait */
    cudaStream_t done_on;  /* the stream of that call */
    bool unfinished;       /* that call has not been waited for since */
    cudaGraph_t recorded;  /* launch graph that kernels are added to instead of the stream; null: none (launch.h) */
    cudaGraphNode_t last;  /* the kernel that was added last; null: none yet */
    int64_t fail_after;    /* fault injection for tests: this many calls of the runtime succeed, */
    cudaError_t fail_with; /* and the next one returns this error; cudaSuccess: none */
} clump_cuda;

/* ----- errors -------------------------------------------------------------------------------------- */

/* Returns the status for an error of the runtime, and leaves a sentence that says what the user can do. `what` names
 * the step: "joining". */
clump_status clump_cuda_fail(clump_work *work, const clump_cuda *cuda, cudaError_t error, const char *what);

/* Returns the injected error of this call; cudaSuccess: none. */
cudaError_t clump_cuda_injected(clump_cuda *cuda);

/* For calls of the runtime, and for kernels: (kernel<<<...>>>(...), cudaGetLastError()). */
#define CLUMP_CUDA(work, cuda, what, ...)                                                                              \
    do {                                                                                                               \
        cudaError_t clump_cuda_error = clump_cuda_injected(cuda);                                                      \
        if (clump_cuda_error == cudaSuccess) clump_cuda_error = (__VA_ARGS__);                                         \
        if (clump_cuda_error != cudaSuccess) return clump_cuda_fail(work, cuda, clump_cuda_error, what);               \
    } while (0)

/* ----- life ---------------------------------------------------------------------------------------- */

/* open takes the GPU that cuda->device names. open_like opens the GPU of another state. close is also for a state whose open failed. */
clump_status clump_cuda_open(clump_work *work, clump_cuda *cuda);
clump_status clump_cuda_open_like(clump_work *work, clump_cuda *cuda, const clump_cuda *other);
void clump_cuda_close(clump_cuda *cuda);

/* The CUDA runtime has one current device per thread, which belongs to the caller: leave restores it. */
typedef struct clump_cuda_guard {
    int before;
} clump_cuda_guard;
clump_status clump_cuda_enter(clump_work *work, clump_cuda *cuda, clump_cuda_guard *guard);
void clump_cuda_leave(const clump_cuda *cuda, const clump_cuda_guard *guard);

/* Waits for the stream; errors of the work on it come out here. */
clump_status clump_cuda_synchronize(clump_work *work, clump_cuda *cuda, const char *what);

/* clump_poll() between launches. After a cancellation it waits for the stream: queued work may use memory that the next
 * call takes. */
clump_status clump_cuda_poll(clump_work *work, clump_cuda *cuda);

/* leave_running ends a call that does not wait; begin makes the stream of the next call wait for it. */
clump_status clump_cuda_begin(clump_work *work, clump_cuda *cuda);
clump_status clump_cuda_leave_running(clump_work *work, clump_cuda *cuda);

/* Returns whether the caller captures the stream. */
bool clump_cuda_capturing(const clump_cuda *cuda);

/* ----- lanes --------------------------------------------------------------------------------------- */

/* A stream beside that of the context. Zeroed is valid. */
typedef struct clump_cuda_lane {
    cudaStream_t stream;
    cudaEvent_t fork, done;
} clump_cuda_lane;

/* fork lets a lane begin after what is on the stream. done marks the end of what is on the lane, join lets the stream wait for
 * it. */
clump_status clump_cuda_lane_fork(clump_work *work, clump_cuda *cuda, clump_cuda_lane *lane);
clump_status clump_cuda_lane_done(clump_work *work, clump_cuda *cuda, clump_cuda_lane *lane);
clump_status clump_cuda_lane_join(clump_work *work, clump_cuda *cuda, const clump_cuda_lane *lane);

/* Puts what f(side) launches on a lane: `side` is the GPU with the lane as its stream. */
template <class F> static inline clump_status clump_cuda_lane_run(clump_cuda *cuda, const clump_cuda_lane *lane, F f)
{
    clump_cuda side = *cuda;
    side.stream = lane->stream;
    const clump_status status = f(&side);
    cuda->fail_after = side.fail_after;
    cuda->fail_with = side.fail_with;
    return status;
}

/* After a failure: what was launched must not write to memory of the next call. */
void clump_cuda_lane_settle(const clump_cuda_lane *lane);
void clump_cuda_lane_close(clump_cuda_lane *lane);

/* Records an event on the stream, after creating it where it is null. */
clump_status clump_cuda_record(clump_work *work, clump_cuda *cuda, cudaEvent_t *event);

/* ----- memory -------------------------------------------------------------------------------------- */

/* Makes a buffer hold at least `bytes`; its content is lost when it grows. */
clump_status clump_device_reserve(clump_work *work, clump_cuda *cuda, clump_device_buffer *buffer, size_t bytes);
void clump_device_release(clump_work *work, clump_cuda *cuda, clump_device_buffer *buffer);
clump_status clump_pinned_reserve(clump_work *work, clump_cuda *cuda, clump_pinned_buffer *buffer, size_t bytes);
void clump_pinned_release(clump_work *work, clump_pinned_buffer *buffer);

/* Returns the bytes that could be allocated now. */
size_t clump_device_free(const clump_cuda *cuda);

/* Reserves `count` entries of `each` bytes, for methods whose memory is not linear in the points. Fails with
 * OUT_OF_MEMORY before it allocates where there is too little: "edge-es needs 34.4 GB of GPU memory for 4294967296
 * edges, 11.2 GB are free". The product may overflow. */
clump_status clump_device_need(clump_work *work, clump_cuda *cuda, const char *method, clump_device_buffer *buffer,
                               uint64_t count, uint64_t each, const char *things);

/* --- device_list.cu: the GPUs of this machine, for the backend table (core/backend.h). Both functions leave the
 * caller's current device as it is, and no error behind. */

/* Returns the number of GPUs. Where it is 0 and `why` is not null, *why becomes the reason. */
int clump_cuda_device_count(const char **why);

/* Describes a GPU. CLUMP_ERR_NO_DEVICE where it cannot be asked. */
clump_status clump_cuda_device_query(int device, clump_device_info *out);

#endif
