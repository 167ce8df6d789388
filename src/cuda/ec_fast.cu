#include "cuda/ec_fast.h"
clump_status clump_cuda_fast_reserve(clump_context *, clump_cuda *, clump_cuda_fast *, size_t)
{
    return CLUMP_OK;
}
void clump_cuda_fast_trim(clump_context *, clump_cuda *, clump_cuda_fast *) {}
void clump_cuda_fast_close(clump_cuda_fast *) {}
clump_status clump_cuda_ec_fast(clump_context *, clump_cuda *, clump_cuda_fast *, const clump_ec_job *,
                                const clump_cloud_view *, int32_t *, clump_counts *, clump_ec_result *)
{
    return CLUMP_OK;
}
void clump_labels_trim(clump_context *, clump_cuda *, clump_labels_scratch *) {}
clump_status clump_labels_finish_on_gpu(clump_context *, clump_cuda *, clump_labels_scratch *, const clump_ec_job *,
                                        int32_t *, clump_counts *)
{
    return CLUMP_OK;
}
#include "cuda/graph.h"
void clump_cuda_graph_trim(clump_context *, clump_cuda *, clump_cuda_graph *) {}
clump_status clump_cuda_ec_graph(clump_context *, clump_cuda *, clump_cuda_graph *, const clump_ec_job *,
                                 const clump_cloud_view *, int32_t *, clump_counts *, clump_ec_result *)
{
    return CLUMP_OK;
}
