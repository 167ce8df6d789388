// SPDX-License-Identifier: BSD-3-Clause
//
// PCL at its best:
// - Every template is compiled here, for this processor (PCL_NO_PRECOMPILE, -O3, native), not by the distribution.
// - The tree does not sort its results, which clustering does not need.
// - The tree is built once. EuclideanClusterExtraction::extract() builds it again even when it is given a built one.
//   So the function that extract() calls is called instead, in its form without an index list, which saves the tree an
//   index translation.
// The tree is built inside the timed region: every new scan needs one.
//
// Contraction is off: distances are rounded as clump's are, and the labels must be equal.
#include "rivals/pcl_state.hpp"

#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/search/impl/search.hpp>

static void extract(pcl_state &state, float d)
{
    state.tree.reset(new tree_type(false));
    state.tree->setInputCloud(state.cloud);
    const pcl::search::Search<pcl::PointXYZ>::Ptr tree = state.tree;
    pcl::extractEuclideanClusters(*state.cloud, tree, d, state.clusters, 1,
                                  static_cast<unsigned int>(state.cloud->size()));
}

PCL_RIVAL("pcl-best", true)
