// SPDX-License-Identifier: BSD-3-Clause
//
// PCL as its users have it: the precompiled library of the distribution, called as PCL's tutorial
// on Euclidean cluster extraction does: a search::KdTree with its defaults (results sorted), filled,
// handed over, and filled once more by extract(). The second filling is part of what users wait for.
//
// The distribution's binary may contract to fused multiply-add (on ARM it does), so a pair at almost
// exactly distance d can differ: a difference in labels is reported, not an error.
#include "pcl_state.hpp"

namespace
{

bool run(void *opaque, float d)
try {
    auto *state = static_cast<pcl_state *>(opaque);
    if (state->cloud->empty()) return true;
    state->tree.reset(new tree_type);
    state->tree->setInputCloud(state->cloud);
    pcl::EuclideanClusterExtraction<pcl::PointXYZ> extraction;
    extraction.setClusterTolerance(static_cast<double>(d));
    extraction.setMinClusterSize(1);
    extraction.setMaxClusterSize(static_cast<pcl::uindex_t>(state->cloud->size()));
    extraction.setSearchMethod(state->tree);
    extraction.setInputCloud(state->cloud);
    extraction.extract(state->clusters);
    return true;
} catch (...) {
    return false;
}

const clump_rival rival = {CLUMP_RIVAL_INTERFACE,
                           "pcl-debian",
                           "PCL " PCL_VERSION_PRETTY,
                           false,
                           pcl_prepare,
                           run,
                           pcl_labels,
                           pcl_forget,
                           pcl_release};

} // namespace

extern "C" __attribute__((visibility("default"))) const clump_rival *clump_rival_get()
{
    return &rival;
}
