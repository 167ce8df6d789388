// SPDX-License-Identifier: BSD-3-Clause
//
// What both PCL rivals on the way from scans to boxes share: the stages and their clocks, the results, and the module's
// table. A module's file defines the four stages:
//
//     cloud ── thin() ──► thinned ── remove_plane() ──► rest ── extract() ──► clusters ── describe() ──► boxes
//
// The parameters of the plane: 100 iterations at most, as in PCL's tutorials; coefficients optimised.
#ifndef CLUMP_BENCH_PCL_PIPELINE_HPP
#define CLUMP_BENCH_PCL_PIPELINE_HPP

#include "rivals/pcl_state.hpp"

#include <pcl/features/moment_of_inertia_estimation.h>
#include <pcl/filters/extract_indices.h>
#include <pcl/filters/voxel_grid.h>

#include <array>
#include <chrono>

namespace
{

using boxes_type = pcl::MomentOfInertiaEstimation<pcl::PointXYZ>;

constexpr int plane_iterations = 100;

struct pcl_box {
    pcl::PointXYZ lower, upper;       // axis-aligned
    pcl::PointXYZ from, to, position; // along the principal axes
    Eigen::Matrix<float, 3, 3, Eigen::DontAlign> rotation;
};

struct pipeline_state : pcl_state {
    cloud_type::Ptr thinned, rest; // outlive run(), as the tree does
    std::vector<cloud_type::Ptr> parts;
    std::vector<pcl_box> boxes;
};

// The stages. clump_rival_settings says which values they use.
void thin(pipeline_state &state, float leaf);
void remove_plane(pipeline_state &state, float distance);
void extract(pipeline_state &state, float d, std::size_t min_size);
void describe(pipeline_state &state);

// The end of remove_plane(): keeps the points that are not in the plane.
template <class Indices> void leave_out(pipeline_state &state, const Indices &inliers)
{
    state.rest.reset(new cloud_type);
    pcl::ExtractIndices<pcl::PointXYZ> others;
    others.setInputCloud(state.thinned);
    others.setIndices(inliers);
    others.setNegative(true);
    others.filter(*state.rest);
}

inline pcl_box box_of(const boxes_type &boxes)
{
    pcl_box box;
    Eigen::Matrix3f rotation;
    boxes.getAABB(box.lower, box.upper);
    boxes.getOBB(box.from, box.to, box.position, rotation);
    box.rotation = rotation;
    return box;
}

bool pipeline_run(void *opaque, const clump_rival_settings *settings, double seconds[CLUMP_RIVAL_STAGES])
try {
    using clock = std::chrono::steady_clock;
    auto &state = *static_cast<pipeline_state *>(opaque);
    std::array<clock::time_point, CLUMP_RIVAL_STAGES + 1> times;
    times[0] = clock::now();
    state.thinned = state.cloud;
    if (settings->leaf > 0) thin(state, settings->leaf);
    times[1] = clock::now();
    state.rest = state.thinned;
    if (settings->plane > 0) remove_plane(state, settings->plane);
    times[2] = clock::now();
    if (!state.rest->empty()) extract(state, settings->d, settings->min_size);
    times[3] = clock::now();
    describe(state);
    times[4] = clock::now();
    for (std::size_t i = 0; i < CLUMP_RIVAL_STAGES; i++)
        seconds[i] = std::chrono::duration<double>(times[i + 1] - times[i]).count();
    return true;
} catch (...) {
    return false;
}

std::size_t pipeline_left(const void *opaque)
{
    return static_cast<const pipeline_state *>(opaque)->rest->size();
}

std::size_t pipeline_clusters(const void *opaque)
{
    return static_cast<const pipeline_state *>(opaque)->boxes.size();
}

void pipeline_labels(void *opaque, std::int32_t *labels, float (*bounds)[6])
{
    auto *state = static_cast<pipeline_state *>(opaque);
    std::vector<std::size_t> order(state->clusters.size());
    for (std::size_t i = 0; i < order.size(); i++) order[i] = i;
    std::sort(order.begin(), order.end(),
              [state](std::size_t a, std::size_t b) { return is_earlier(state->clusters[a], state->clusters[b]); });
    for (std::size_t i = 0; i < order.size(); i++) {
        const pcl_box &box = state->boxes[order[i]];
        const float found[6] = {box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z};
        std::copy(found, found + 6, bounds[i]);
    }
    pcl_labels(static_cast<pcl_state *>(state), labels);
}

void pipeline_forget(void *opaque)
{
    auto *state = static_cast<pipeline_state *>(opaque);
    pcl_forget(static_cast<pcl_state *>(state));
    state->thinned.reset(), state->rest.reset();
    state->parts = {}, state->boxes = {};
}

void pipeline_release(void *opaque)
{
    delete static_cast<pipeline_state *>(opaque);
}

#define PCL_PIPELINE(name, must_agree)                                                                                 \
    namespace                                                                                                          \
    {                                                                                                                  \
    const clump_detect_rival rival = {CLUMP_DETECT_RIVAL_INTERFACE,                                                    \
                                      name,                                                                            \
                                      "PCL " PCL_VERSION_PRETTY,                                                       \
                                      must_agree,                                                                      \
                                      pcl_prepare<pipeline_state>,                                                     \
                                      pipeline_forget,                                                                 \
                                      pipeline_release,                                                                \
                                      pipeline_run,                                                                    \
                                      pipeline_left,                                                                   \
                                      pipeline_clusters,                                                               \
                                      pipeline_labels};                                                                \
    }                                                                                                                  \
    extern "C" __attribute__((visibility("default"))) const clump_detect_rival *clump_rival_get()                      \
    {                                                                                                                  \
        return &rival;                                                                                                 \
    }

} // namespace

#endif
