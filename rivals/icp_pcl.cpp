// SPDX-License-Identifier: BSD-3-Clause
//
// pcl::IterativeClosestPoint with its templates compiled here, for this processor. PCL's bounds are the squared motion
// of one iteration, and the cosine of its angle.
#include "rivals/rival.h"

#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/pcl_config.h>
#include <pcl/point_types.h>
#include <pcl/registration/icp.h>
#include <pcl/registration/impl/correspondence_estimation.hpp>
#include <pcl/registration/impl/default_convergence_criteria.hpp>
#include <pcl/registration/impl/icp.hpp>
#include <pcl/registration/impl/registration.hpp>
#include <pcl/registration/impl/transformation_estimation_svd.hpp>
#include <pcl/search/impl/search.hpp>

#include <cmath>
#include <memory>

namespace
{

using cloud_type = pcl::PointCloud<pcl::PointXYZ>;

struct state {
    cloud_type::Ptr target{new cloud_type}, source{new cloud_type};
};

void *prepare(const float *target, std::size_t count, const float *source, std::size_t moved)
try {
    auto s = std::make_unique<state>();
    for (std::size_t i = 0; i < count; i++) s->target->push_back({target[3 * i], target[3 * i + 1], target[3 * i + 2]});
    for (std::size_t i = 0; i < moved; i++) s->source->push_back({source[3 * i], source[3 * i + 1], source[3 * i + 2]});
    return s.release();
} catch (...) {
    return nullptr;
}

bool run(void *opaque, double max_distance, int max_iterations, double tolerance, double transform[16])
try {
    auto *s = static_cast<state *>(opaque);
    pcl::IterativeClosestPoint<pcl::PointXYZ, pcl::PointXYZ> icp;
    icp.setMaxCorrespondenceDistance(max_distance);
    icp.setMaximumIterations(max_iterations);
    icp.setTransformationEpsilon(tolerance * tolerance);
    icp.setTransformationRotationEpsilon(std::cos(tolerance));
    icp.setInputTarget(s->target);
    icp.setInputSource(s->source);
    cloud_type aligned;
    icp.align(aligned);
    const Eigen::Matrix4f found = icp.getFinalTransformation();
    for (int i = 0; i < 16; i++) transform[i] = static_cast<double>(found(i / 4, i % 4));
    return icp.hasConverged();
} catch (...) {
    return false;
}

void release(void *opaque)
{
    delete static_cast<state *>(opaque);
}

const clump_icp_rival rival = {CLUMP_ICP_RIVAL_INTERFACE, "pcl", "PCL " PCL_VERSION_PRETTY, prepare, run, release};

} // namespace

extern "C" __attribute__((visibility("default"))) const clump_icp_rival *clump_rival_get()
{
    return &rival;
}
