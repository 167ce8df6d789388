// SPDX-License-Identifier: BSD-3-Clause
//
// From scans to boxes with PCL at its best: the results of pipeline_debian.cpp, sooner.
// - Every template is compiled here, for this processor (PCL_NO_PRECOMPILE, -O3, native).
// - The plane: SACSegmentation's own steps, without its choice among sixteen kinds of models.
// - The clusters: an unsorted tree, built once, as in pcl_best.cpp.
// - The boxes: by indices instead of copies. The step of the angles is so large that there is one axis instead of 370:
//   boxes do not depend on it.
#include "rivals/pcl_pipeline.hpp"

#include <pcl/features/impl/moment_of_inertia_estimation.hpp>
#include <pcl/filters/impl/extract_indices.hpp>
#include <pcl/filters/impl/filter.hpp>
#include <pcl/filters/impl/filter_indices.hpp>
#include <pcl/filters/impl/voxel_grid.hpp>
#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/sample_consensus/impl/ransac.hpp>
#include <pcl/sample_consensus/impl/sac_model_plane.hpp>
#include <pcl/search/impl/search.hpp>

namespace
{

void thin(pipeline_state &state, float leaf)
{
    state.thinned.reset(new cloud_type);
    pcl::VoxelGrid<pcl::PointXYZ> grid;
    grid.setDownsampleAllData(false); // points have no other fields
    grid.setInputCloud(state.cloud);
    grid.setLeafSize(leaf, leaf, leaf);
    grid.filter(*state.thinned);
}

void remove_plane(pipeline_state &state, float distance)
{
    const double limit = static_cast<double>(distance);
    using model_type = pcl::SampleConsensusModelPlane<pcl::PointXYZ>;
    const model_type::Ptr model(new model_type(state.thinned));
    pcl::RandomSampleConsensus<pcl::PointXYZ> consensus(model, limit);
    consensus.setMaxIterations(plane_iterations);
    const pcl::IndicesPtr inliers(new pcl::Indices);
    if (consensus.computeModel()) {
        Eigen::VectorXf found, refined;
        consensus.getInliers(*inliers);
        consensus.getModelCoefficients(found);
        model->optimizeModelCoefficients(*inliers, found, refined);
        model->selectWithinDistance(refined, limit, *inliers);
    }
    leave_out(state, inliers);
}

void extract(pipeline_state &state, float d, std::size_t min_size)
{
    state.tree.reset(new tree_type(false));
    state.tree->setInputCloud(state.rest);
    const pcl::search::Search<pcl::PointXYZ>::Ptr tree = state.tree;
    pcl::extractEuclideanClusters(*state.rest, tree, d, state.clusters, static_cast<unsigned int>(min_size),
                                  static_cast<unsigned int>(state.rest->size()));
}

void describe(pipeline_state &state)
{
    state.boxes.reserve(state.clusters.size());
    boxes_type boxes;
    boxes.setAngleStep(1000);
    boxes.setInputCloud(state.rest);
    for (const auto &cluster : state.clusters) {
        boxes.setIndices(pcl::IndicesPtr(new pcl::Indices(cluster.indices)));
        boxes.compute();
        state.boxes.push_back(box_of(boxes));
    }
}

} // namespace

PCL_PIPELINE("pcl-best", true)
