/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.cu: see device.h: opening and closing the GPU's part of a context, waiting, and sentences for errors.
 */
#include "cuda/gpu/device.h"

#include "common/assert.h"

cudaError_t clump_cuda_injected(clump_cuda *cuda)
{
    if (cuda->fail_with == cudaSuccess || cuda->fail_after-- > 0) return cudaSuccess;
    const cudaError_t error = cuda->fail_with;
    cuda->fail_with = cudaSuccess;
    return error;
}

clump_status clump_cuda_fail(clump_work *work, const clump_cuda *cuda, cudaError_t error, const char *what)
{
    const char *const text = cudaGetErrorString(error);
    (void)cudaGetLastError(); /* clears an error that is not sticky */
    switch (error) {
    case cudaErrorMemoryAllocation:
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY,
                          "the GPU has no memory left (%s); free some, use a smaller cloud, or run on the CPU", what);
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
        return clump_fail(work, CLUMP_ERR_NO_DEVICE, "there is no CUDA device number %d here", cuda->device);
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
        return clump_fail(work, CLUMP_ERR_NO_DEVICE,
                          "the NVIDIA driver is too old for CUDA %d.%d, which this clump was built with; update it, or "
                          "run on the CPU",
                          CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    case cudaErrorDevicesUnavailable:
        return clump_fail(
            work, CLUMP_ERR_NO_DEVICE,
            "the GPU is busy: another program has it to itself (see 'nvidia-smi -q -d COMPUTE'); wait for "
            "it, or run on the CPU");
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
        return clump_fail(work, CLUMP_ERR_NO_DEVICE,
                          "this clump was built without code for this GPU (compute capability %d.%d); build it with "
                          "-DCMAKE_CUDA_ARCHITECTURES=%d%d",
                          cuda->major, cuda->minor, cuda->major, cuda->minor);
    case cudaErrorInvalidValue:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorHostMemoryAlreadyRegistered:
    case cudaErrorHostMemoryNotRegistered:
        return clump_fail(work, CLUMP_ERR_MEMORY_KIND, "%s: the CUDA runtime refused a pointer or a size (%s)", what,
                          text);
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
        return clump_fail(work, CLUMP_ERR_DEVICE,
                          "%s: the GPU met a bad address (%s): is what was given as device memory really there? The "
                          "program has to be started again before it can use this GPU",
                          what, text);
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorUnknown:
        return clump_fail(work, CLUMP_ERR_DEVICE,
                          "%s: the GPU failed or was lost (%s); see 'nvidia-smi', start the program again, or run on "
                          "the CPU",
                          what, text);
    default:
        return clump_fail(work, CLUMP_ERR_DEVICE, "%s: CUDA says: %s", what, text);
    }
}

/* ----- life ---------------------------------------------------------------------------------------- */

/* Makes stream, event and pool. */
static clump_status make_own(clump_work *work, clump_cuda *cuda, bool pools)
{
    CLUMP_CUDA(work, cuda, "making a stream", cudaStreamCreateWithFlags(&cuda->own, cudaStreamNonBlocking));
    cuda->stream = cuda->own;
    CLUMP_CUDA(work, cuda, "making an event", cudaEventCreateWithFlags(&cuda->done, cudaEventDisableTiming));
    if (pools) {
        cudaMemPoolProps wanted = {};
        wanted.allocType = cudaMemAllocationTypePinned; /* the only type; means memory of the GPU */
        wanted.location.type = cudaMemLocationTypeDevice;
        wanted.location.id = cuda->device;
        CLUMP_CUDA(work, cuda, "making a memory pool", cudaMemPoolCreate(&cuda->pool, &wanted));
        uint64_t threshold = UINT64_MAX; /* memory stays until trim */
        CLUMP_CUDA(work, cuda, "making a memory pool",
                   cudaMemPoolSetAttribute(cuda->pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    }
    return CLUMP_OK;
}

/* Only its attributes are of use. */
__global__ static void probe_kernel(void) {}

/* Returns whether the kernels of this build wait for the kernel before (gpu/warp.cuh). The GPU alone does not tell: the
 * driver may have made the code from PTX for an older GPU. All files are compiled for the same GPUs. */
static bool code_waits(void)
{
    cudaFuncAttributes code = {};
    const bool recent = cudaFuncGetAttributes(&code, probe_kernel) == cudaSuccess && code.ptxVersion >= 90;
    (void)cudaGetLastError();
    return recent;
}

clump_status clump_cuda_open(clump_work *work, clump_cuda *cuda)
{
    cudaDeviceProp properties;
    CLUMP_CUDA(work, cuda, "looking at the GPU", cudaGetDeviceProperties(&properties, cuda->device));
    cuda->units = properties.multiProcessorCount;
    cuda->major = properties.major;
    cuda->minor = properties.minor;
    int driver = 0;
    CLUMP_CUDA(work, cuda, "looking at the driver", cudaDriverGetVersion(&driver));
    cuda->overlaps = properties.major >= 9 && driver >= 12040 && code_waits();
    return make_own(work, cuda, properties.memoryPoolsSupported);
}

clump_status clump_cuda_open_like(clump_work *work, clump_cuda *cuda, const clump_cuda *other)
{
    CLUMP_ASSERT(other->own != NULL && other->units > 0);
    cuda->device = other->device;
    cuda->limit = other->limit;
    cuda->units = other->units;
    cuda->major = other->major;
    cuda->minor = other->minor;
    cuda->overlaps = other->overlaps;
    return make_own(work, cuda, other->pool != NULL);
}

void clump_cuda_close(clump_cuda *cuda)
{
    if (cuda->own) cudaStreamSynchronize(cuda->own);
    if (cuda->pool) cudaMemPoolDestroy(cuda->pool);
    if (cuda->done) cudaEventDestroy(cuda->done);
    if (cuda->own) cudaStreamDestroy(cuda->own);
    (void)cudaGetLastError();
}

clump_status clump_cuda_enter(clump_work *work, clump_cuda *cuda, clump_cuda_guard *guard)
{
    guard->before = cuda->device;
    CLUMP_CUDA(work, cuda, "asking for the current GPU", cudaGetDevice(&guard->before));
    if (guard->before != cuda->device) CLUMP_CUDA(work, cuda, "choosing the GPU", cudaSetDevice(cuda->device));
    return CLUMP_OK;
}

void clump_cuda_leave(const clump_cuda *cuda, const clump_cuda_guard *guard)
{
    if (guard->before == cuda->device) return;
    if (cudaSetDevice(guard->before) != cudaSuccess) (void)cudaGetLastError();
}

clump_status clump_cuda_synchronize(clump_work *work, clump_cuda *cuda, const char *what)
{
    CLUMP_CUDA(work, cuda, what, cudaStreamSynchronize(cuda->stream));
    cuda->unfinished = false; /* this stream had waited for the earlier call, or was its stream */
    return CLUMP_OK;
}

clump_status clump_cuda_poll(clump_work *work, clump_cuda *cuda)
{
    const clump_status status = clump_poll(work);
    if (status != CLUMP_OK) (void)cudaStreamSynchronize(cuda->stream);
    return status;
}

clump_status clump_cuda_begin(clump_work *work, clump_cuda *cuda)
{
    if (!cuda->unfinished || cuda->done_on == cuda->stream) return CLUMP_OK;
    if (clump_cuda_capturing(cuda))
        return clump_fail(work, CLUMP_ERR_DEVICE,
                          "a stream is being captured while an earlier call on another stream may still run: "
                          "clump_cuda_wait before the capture");
    CLUMP_CUDA(work, cuda, "waiting for the last call", cudaStreamWaitEvent(cuda->stream, cuda->done, 0));
    return CLUMP_OK;
}

bool clump_cuda_capturing(const clump_cuda *cuda)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(cuda->stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

clump_status clump_cuda_leave_running(clump_work *work, clump_cuda *cuda)
{
    if (clump_cuda_capturing(cuda)) return CLUMP_OK; /* nothing runs yet; the caller orders the graph */
    CLUMP_CUDA(work, cuda, "marking the end of a call", cudaEventRecord(cuda->done, cuda->stream));
    cuda->unfinished = true;
    cuda->done_on = cuda->stream;
    return CLUMP_OK;
}

/* ----- lanes --------------------------------------------------------------------------------------- */

clump_status clump_cuda_record(clump_work *work, clump_cuda *cuda, cudaEvent_t *event)
{
    if (!*event) CLUMP_CUDA(work, cuda, "making an event", cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    CLUMP_CUDA(work, cuda, "marking the stream", cudaEventRecord(*event, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_cuda_lane_fork(clump_work *work, clump_cuda *cuda, clump_cuda_lane *lane)
{
    if (!lane->stream)
        CLUMP_CUDA(work, cuda, "making a stream", cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking));
    CLUMP_TRY(clump_cuda_record(work, cuda, &lane->fork));
    CLUMP_CUDA(work, cuda, "dividing the work", cudaStreamWaitEvent(lane->stream, lane->fork, 0));
    return CLUMP_OK;
}

clump_status clump_cuda_lane_done(clump_work *work, clump_cuda *cuda, clump_cuda_lane *lane)
{
    return clump_cuda_lane_run(cuda, lane,
                               [=](clump_cuda *side) { return clump_cuda_record(work, side, &lane->done); });
}

clump_status clump_cuda_lane_join(clump_work *work, clump_cuda *cuda, const clump_cuda_lane *lane)
{
    CLUMP_CUDA(work, cuda, "joining the work", cudaStreamWaitEvent(cuda->stream, lane->done, 0));
    return CLUMP_OK;
}

void clump_cuda_lane_settle(const clump_cuda_lane *lane)
{
    if (lane->stream) (void)cudaStreamSynchronize(lane->stream);
}

void clump_cuda_lane_close(clump_cuda_lane *lane)
{
    if (lane->fork) (void)cudaEventDestroy(lane->fork);
    if (lane->done) (void)cudaEventDestroy(lane->done);
    if (lane->stream) (void)cudaStreamDestroy(lane->stream);
    *lane = clump_cuda_lane{};
}
