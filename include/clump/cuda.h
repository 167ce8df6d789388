/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda.h: points and labels in the memory of a GPU, and the caller's stream. Needs no CUDA toolkit. In a build of clump
 * without CUDA, or on a machine without a GPU, every call fails with a message.
 *
 *     clump_context_options options = clump_context_defaults();
 *     options.backend = CLUMP_BACKEND_CUDA;
 *     clump_context_create(&options, &ctx);
 *     clump_cuda_set_stream(ctx, my_stream);
 *
 *     clump_points points = {.xyz = device_floats, .count = n, .place = CLUMP_PLACE_DEVICE};
 *     clump_ec_options ec = clump_ec_defaults();
 *     ec.common.clusters_on_device = device_count;                 // an int32_t on the device, or null
 *     clump_ec(ctx, points, 0.5f, &ec, device_labels, NULL);       // returns at once
 *     my_kernel<<<..., my_stream>>>(device_labels, device_count);  // and sees the labels
 *
 * Waiting. `fast` on device memory with cluster_count = NULL neither copies nor waits for the GPU. The other methods
 * read sizes back and wait. To read the labels on another stream, order the streams with an event, as usual. After a
 * call that did not wait, clump_context_stats has clusters = -1, and its other counts and times are 0. clump_cuda_wait
 * reports errors that happen on the GPU after the call has returned.
 *
 * Detection. clump_detect with points and clusters on the device and cluster_count = NULL neither copies nor waits, under
 * the conditions of the clustering that it uses. clusters_on_device tells the number of clusters. clump_objects with points
 * and `found` on the device does not wait either where neighbours are exact, or rings or columns are given. Where it looks
 * for rings, it reads counts back in the middle of the call and waits for them.
 *
 * Boxes. clump_describe on device memory with clusters_place on the device, and clump_group on device memory, neither copy
 * nor wait. Labels that are not allowed, and points of clusters that are not finite, are then left out. clump_describe
 * with clusters_place on the host waits, and fails on them.
 *
 * Index. An index (clump_index) of points on the device is built on the context's stream. Queries on the device run on
 * it too; their indices, distances and offsets are on the device. Build and queries neither copy nor wait. The
 * exception is clump_index_radius_fill: it waits, because it checks that the offsets belong to its queries, and fails
 * where they do not. It writes nothing outside the rows that the offsets describe. Contexts of one device may share an
 * index, each on its own stream. The library orders the work: a query runs after the build; a rebuild or the
 * destruction runs after all queries. For an index that was built without waiting, `finite` in clump_context_stats is
 * 0.
 *
 * CUDA graphs. A call that does not wait may be captured into a CUDA graph. Memory cannot be allocated during a
 * capture, so an equal call or clump_context_reserve must come before it. The graph uses the context's memory. It may
 * be replayed until the context is trimmed, destroyed, or used with a larger cloud, other options or for another job.
 * It must not run at the same time as other calls on the context. A graph with queries is valid until the index is
 * rebuilt or destroyed. Building an index and clump_index_radius_fill cannot be captured.
 *
 * The library's own launches are cached per power of two of the point count. The first call with a count in a new range
 * creates them; clump_context_reserve creates them for all counts up to max_points.
 */
#ifndef CLUMP_CUDA_H
#define CLUMP_CUDA_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the stream of later calls: a cudaStream_t of the context's device. Null: back to the context's own stream. (The
 * default stream of the CUDA runtime is cudaStreamLegacy here, not null.) The stream must exist until the context gets
 * another one or is destroyed. */
CLUMP_API clump_status clump_cuda_set_stream(clump_context *ctx, void *stream);

/* Waits for all GPU work of this context. Fails where any of it has failed. */
CLUMP_API clump_status clump_cuda_wait(clump_context *ctx);

typedef enum clump_cuda_memory {
    CLUMP_CUDA_PINNED = 0, /* page-locked host memory: a GPU copies from and to it at full speed */
    CLUMP_CUDA_DEVICE = 1, /* memory of the context's device */
    CLUMP_CUDA_MANAGED =
        2 /* memory of both (Unified Memory): pages move to where they are used. For calls it is that of the
                            * device, CLUMP_PLACE_DEVICE */
} clump_cuda_memory;

/* Allocates and releases memory, for programs that do not use the CUDA runtime themselves. *out is null on failure. The
 * memory may outlive the context; any context of the same device can release it. */
CLUMP_API clump_status clump_cuda_allocate(clump_context *ctx, clump_cuda_memory kind, size_t bytes, void **out);
CLUMP_API void clump_cuda_release(clump_context *ctx, clump_cuda_memory kind, void *memory);

/* Pins memory that the caller has allocated otherwise, as CLUMP_CUDA_PINNED: for a buffer of points or labels that comes
 * again with every frame. To pin 2 MB takes about 0.2 ms, more than a copy, so it pays from the second frame on. The memory
 * must be unpinned before it is freed, by any context of the same device. */
CLUMP_API clump_status clump_cuda_pin(clump_context *ctx, void *memory, size_t bytes);
CLUMP_API clump_status clump_cuda_unpin(clump_context *ctx, void *memory);

/* Copies between any memory of host and device, in stream order, and waits for the copy. */
CLUMP_API clump_status clump_cuda_copy(clump_context *ctx, void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
