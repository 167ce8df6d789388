// SPDX-License-Identifier: BSD-3-Clause
//
// PCL as its users have it: the precompiled library of the distribution, called as in PCL's tutorial on Euclidean
// cluster extraction. A search::KdTree with its defaults (results sorted) is filled, handed over, and filled once more
// by extract(). The second filling is part of what users wait for.
//
// The distribution's binary may contract to fused multiply-add (on ARM it does). A pair at almost exactly distance d
// can then differ: a difference in labels is a note, not an error.
#include "rivals/pcl_state.hpp"

static void extract(pcl_state &state, float d)
{
    state.tree.reset(new tree_type);
    state.tree->setInputCloud(state.cloud);
    pcl::EuclideanClusterExtraction<pcl::PointXYZ> extraction;
    extraction.setClusterTolerance(static_cast<double>(d));
    extraction.setMinClusterSize(1);
    extraction.setMaxClusterSize(static_cast<pcl::uindex_t>(state.cloud->size()));
    extraction.setSearchMethod(state.tree);
    extraction.setInputCloud(state.cloud);
    extraction.extract(state.clusters);
}

PCL_RIVAL("pcl-debian", false)
