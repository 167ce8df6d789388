// SPDX-License-Identifier: BSD-3-Clause
//
// What the PCL rivals share: PCL's form of the cloud, PCL's clusters as labels, and the table of those that cluster.
//
// Points that are not finite are left out here, before the clock starts. PCL's tree drops them, but its clustering
// searches from them, which is undefined (an assertion in debug builds).
#ifndef CLUMP_BENCH_PCL_STATE_HPP
#define CLUMP_BENCH_PCL_STATE_HPP

#include "rivals/rival.h"

#include <pcl/pcl_config.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/search/kdtree.h>
#include <pcl/segmentation/extract_clusters.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace
{

using cloud_type = pcl::PointCloud<pcl::PointXYZ>;
using tree_type = pcl::search::KdTree<pcl::PointXYZ>;

struct pcl_state {
    std::size_t count = 0;             // points given
    std::vector<std::size_t> original; // per point of the cloud, its index among those given
    cloud_type::Ptr cloud{new cloud_type};
    tree_type::Ptr tree; // outlives run(): freeing it is not timed
    std::vector<pcl::PointIndices> clusters;
};

// State: pcl_state, or derived from it.
template <class State = pcl_state> void *pcl_prepare(const float *xyz, std::size_t count)
try {
    auto state = std::make_unique<State>();
    state->count = count;
    for (std::size_t i = 0; i < count; i++) {
        const float *p = xyz + 3 * i;
        if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) continue;
        state->cloud->push_back(pcl::PointXYZ(p[0], p[1], p[2]));
        state->original.push_back(i);
    }
    return state.release();
} catch (...) {
    return nullptr;
}

// PCL gives the indices of a cluster in ascending order.
inline bool is_earlier(const pcl::PointIndices &a, const pcl::PointIndices &b)
{
    return a.indices[0] < b.indices[0];
}

inline void pcl_labels(void *opaque, std::int32_t *labels)
{
    auto *state = static_cast<pcl_state *>(opaque);
    std::fill(labels, labels + state->count, -1);
    std::sort(state->clusters.begin(), state->clusters.end(), is_earlier);
    std::int32_t label = 0;
    for (const auto &cluster : state->clusters) {
        for (const auto index : cluster.indices) labels[state->original[static_cast<std::size_t>(index)]] = label;
        label++;
    }
}

inline void pcl_forget(void *opaque)
{
    auto *state = static_cast<pcl_state *>(opaque);
    state->tree.reset();
    state->clusters = {};
}

inline void pcl_release(void *opaque)
{
    delete static_cast<pcl_state *>(opaque);
}

// What a module exports. Its file defines extract(), which builds the tree and fills the clusters.
#define PCL_RIVAL(name, must_agree)                                                                                    \
    namespace                                                                                                          \
    {                                                                                                                  \
    bool run(void *opaque, float d)                                                                                    \
    try {                                                                                                              \
        auto *state = static_cast<pcl_state *>(opaque);                                                                \
        if (!state->cloud->empty()) extract(*state, d);                                                                \
        return true;                                                                                                   \
    } catch (...) {                                                                                                    \
        return false;                                                                                                  \
    }                                                                                                                  \
    const clump_rival rival = {CLUMP_RIVAL_INTERFACE,                                                                  \
                               name,                                                                                   \
                               "PCL " PCL_VERSION_PRETTY,                                                              \
                               must_agree,                                                                             \
                               pcl_prepare<>,                                                                          \
                               run,                                                                                    \
                               pcl_labels,                                                                             \
                               pcl_forget,                                                                             \
                               pcl_release};                                                                           \
    }                                                                                                                  \
    extern "C" __attribute__((visibility("default"))) const clump_rival *clump_rival_get()                             \
    {                                                                                                                  \
        return &rival;                                                                                                 \
    }

} // namespace

#endif
