/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device_list.cu: see device.h.
 */
#include "cuda/gpu/device.h"

#include <stdio.h>
#include <string.h>

int clump_cuda_device_count(const char **why)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    (void)cudaGetLastError();
    if (error == cudaSuccess && count > 0) return count;
    if (!why) return 0;
    int driver = 0;
    switch (error) {
    case cudaErrorInsufficientDriver: /* also where there is no driver at all */
    case cudaErrorCallRequiresNewerDriver:
        *why = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0
                   ? "the NVIDIA driver is too old for this build of clump"
                   : "no NVIDIA driver";
        break;
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
        *why = "the NVIDIA driver is not ready or does not fit its other parts";
        break;
    default:
        *why = "no CUDA device";
    }
    return 0;
}

clump_status clump_cuda_device_query(int device, clump_device_info *out)
{
    memset(out, 0, sizeof *out);
    out->backend = CLUMP_BACKEND_CUDA;
    out->device = device;
    cudaDeviceProp properties;
    int before = device;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess || cudaGetDevice(&before) != cudaSuccess) {
        (void)cudaGetLastError();
        return CLUMP_ERR_NO_DEVICE;
    }
    snprintf(out->name, sizeof out->name, "%.80s", properties.name);
    out->units = properties.multiProcessorCount;
    out->memory_total = properties.totalGlobalMem;
    if (cudaSetDevice(device) != cudaSuccess || cudaMemGetInfo(&out->memory_free, &out->memory_total) != cudaSuccess)
        (void)cudaGetLastError(); /* another program has it to itself: memory_free stays 0 */
    if (cudaSetDevice(before) != cudaSuccess) (void)cudaGetLastError();
    return CLUMP_OK;
}
