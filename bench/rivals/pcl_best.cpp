// SPDX-License-Identifier: BSD-3-Clause
//
// PCL at its best. Every template is compiled here, for this processor (PCL_NO_PRECOMPILE, -O3,
// native), instead of coming from the distribution's library; the tree does not sort its results,
// which clustering does not need; and it is built once: EuclideanClusterExtraction::extract()
// builds it again even when it is given one that is ready, so the function that extract() itself
// calls is called instead, in its form without an index list, which spares the tree an index
// translation. The tree is built inside the timed region, as it has to be for every new scan.
//
// Contraction is off, so distances are rounded as clump's are and the labels must be equal.
#include "pcl_state.hpp"

#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/search/impl/search.hpp>

namespace
{

bool run(void *opaque, float d)
try {
    auto *state = static_cast<pcl_state *>(opaque);
    if (state->cloud->empty()) return true;
    state->tree.reset(new tree_type(false));
    state->tree->setInputCloud(state->cloud);
    const pcl::search::Search<pcl::PointXYZ>::Ptr tree = state->tree;
    pcl::extractEuclideanClusters(*state->cloud, tree, d, state->clusters, 1,
                                  static_cast<unsigned int>(state->cloud->size()));
    return true;
} catch (...) {
    return false;
}

const clump_rival rival = {CLUMP_RIVAL_INTERFACE,
                           "pcl-best",
                           "PCL " PCL_VERSION_PRETTY,
                           true,
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
