// SPDX-License-Identifier: BSD-3-Clause
//
// From scans to boxes with PCL as its users have it: the precompiled library of the distribution, called as in PCL's
// tutorials on Euclidean cluster extraction and on boxes by the moment of inertia. Each cluster is copied to a cloud of
// its own. MomentOfInertiaEstimation with its defaults also computes moments and eccentricities for 370 axes per
// cluster, which nothing reads: that is part of what users wait for.
#include "rivals/pcl_pipeline.hpp"

#include <pcl/ModelCoefficients.h>
#include <pcl/segmentation/sac_segmentation.h>

namespace
{

void thin(pipeline_state &state, float leaf)
{
    state.thinned.reset(new cloud_type);
    pcl::VoxelGrid<pcl::PointXYZ> grid;
    grid.setInputCloud(state.cloud);
    grid.setLeafSize(leaf, leaf, leaf);
    grid.filter(*state.thinned);
}

void remove_plane(pipeline_state &state, float distance)
{
    const pcl::PointIndices::Ptr inliers(new pcl::PointIndices);
    pcl::ModelCoefficients coefficients;
    pcl::SACSegmentation<pcl::PointXYZ> segmentation;
    segmentation.setOptimizeCoefficients(true);
    segmentation.setModelType(pcl::SACMODEL_PLANE);
    segmentation.setMethodType(pcl::SAC_RANSAC);
    segmentation.setMaxIterations(plane_iterations);
    segmentation.setDistanceThreshold(static_cast<double>(distance));
    segmentation.setInputCloud(state.thinned);
    segmentation.segment(*inliers, coefficients);
    leave_out(state, inliers);
}

void extract(pipeline_state &state, float d, std::size_t min_size)
{
    state.tree.reset(new tree_type);
    state.tree->setInputCloud(state.rest);
    pcl::EuclideanClusterExtraction<pcl::PointXYZ> extraction;
    extraction.setClusterTolerance(static_cast<double>(d));
    extraction.setMinClusterSize(static_cast<pcl::uindex_t>(min_size));
    extraction.setMaxClusterSize(static_cast<pcl::uindex_t>(state.rest->size()));
    extraction.setSearchMethod(state.tree);
    extraction.setInputCloud(state.rest);
    extraction.extract(state.clusters);
}

void describe(pipeline_state &state)
{
    for (const auto &cluster : state.clusters) {
        const cloud_type::Ptr part(new cloud_type);
        for (const auto index : cluster.indices) part->push_back((*state.rest)[static_cast<std::size_t>(index)]);
        part->width = static_cast<std::uint32_t>(part->size());
        part->height = 1;
        state.parts.push_back(part);
        boxes_type boxes;
        boxes.setInputCloud(part);
        boxes.compute();
        state.boxes.push_back(box_of(boxes));
    }
}

} // namespace

PCL_PIPELINE("pcl-debian", false)
