// SPDX-License-Identifier: BSD-3-Clause
//
// FLANN, nanoflann and PCL's kd-tree at their best: every template compiled here, for this processor, one thread, exact
// search. Each has the leaf size that gives the shortest total on a street scan (FLANN 25, nanoflann 40; PCL has 15
// built in). Contraction is off: distances are rounded as clump's are, and must be equal. Of several nearest points at
// one distance a rival may return any.
#include "rivals/rival.h"

#include <flann/flann.hpp>
#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/pcl_config.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#if __has_include(<nanoflann.hpp>)
#include <nanoflann.hpp>
#define HAS_NANOFLANN 1
#define TEXT2(x)      #x
#define TEXT(x)       TEXT2(x)
#endif

#include <memory>
#include <vector>

namespace
{

// The clouds, and the tree that a rival builds.
template <class Tree> struct state {
    const float *points, *queries;
    std::size_t count, asked;
    std::unique_ptr<Tree> tree;
};

template <class Tree> void *prepare(const float *points, std::size_t count, const float *queries, std::size_t asked)
try {
    return new state<Tree>{points, queries, count, asked, nullptr};
} catch (...) {
    return nullptr;
}

template <class Tree> void forget(void *opaque)
{
    static_cast<state<Tree> *>(opaque)->tree.reset();
}

template <class Tree> void release(void *opaque)
{
    delete static_cast<state<Tree> *>(opaque);
}

// ----- FLANN

using flann_tree = flann::KDTreeSingleIndex<flann::L2_Simple<float>>;

bool flann_build(void *opaque)
try {
    auto *s = static_cast<state<flann_tree> *>(opaque);
    const flann::Matrix<float> points(const_cast<float *>(s->points), s->count, 3);
    s->tree = std::make_unique<flann_tree>(points, flann::KDTreeSingleIndexParams(25, true));
    s->tree->buildIndex();
    return true;
} catch (...) {
    return false;
}

bool flann_query(void *opaque, std::int32_t *indices, float *distances)
try {
    auto *s = static_cast<state<flann_tree> *>(opaque);
    const flann::Matrix<float> queries(const_cast<float *>(s->queries), s->asked, 3);
    flann::Matrix<int> found(indices, s->asked, 1);
    flann::Matrix<float> far(distances, s->asked, 1);
    s->tree->knnSearch(queries, found, far, 1, flann::SearchParams(-1, 0, false));
    return true;
} catch (...) {
    return false;
}

// ----- nanoflann

#ifdef HAS_NANOFLANN
struct nano_cloud {
    const float *points;
    std::size_t count;
    std::size_t kdtree_get_point_count() const
    {
        return count;
    }
    float kdtree_get_pt(std::size_t i, std::size_t axis) const
    {
        return points[3 * i + axis];
    }
    template <class Box> bool kdtree_get_bbox(Box &) const
    {
        return false;
    }
};

struct nano_tree {
    using index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, nano_cloud>, nano_cloud, 3,
                                                      std::int32_t>;
    nano_cloud cloud;
    index tree;
    explicit nano_tree(const nano_cloud &c) : cloud(c), tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(40))
    {
        tree.buildIndex();
    }
};

bool nano_build(void *opaque)
try {
    auto *s = static_cast<state<nano_tree> *>(opaque);
    s->tree = std::make_unique<nano_tree>(nano_cloud{s->points, s->count});
    return true;
} catch (...) {
    return false;
}

bool nano_query(void *opaque, std::int32_t *indices, float *distances)
try {
    auto *s = static_cast<state<nano_tree> *>(opaque);
    for (std::size_t i = 0; i < s->asked; i++)
        s->tree->tree.knnSearch(s->queries + 3 * i, 1, indices + i, distances + i);
    return true;
} catch (...) {
    return false;
}
#endif

// ----- PCL

struct pcl_tree {
    pcl::KdTreeFLANN<pcl::PointXYZ> tree{false};
};

// Both clouds in PCL's form, made in prepare(): PCL's users have them in this form already.
struct pcl_state : state<pcl_tree> {
    pcl::PointCloud<pcl::PointXYZ>::Ptr cloud{new pcl::PointCloud<pcl::PointXYZ>},
        asks{new pcl::PointCloud<pcl::PointXYZ>};
};

void *pcl_prepare(const float *points, std::size_t count, const float *queries, std::size_t asked)
try {
    auto s = std::make_unique<pcl_state>();
    s->points = points, s->queries = queries, s->count = count, s->asked = asked;
    for (std::size_t i = 0; i < count; i++) s->cloud->push_back({points[3 * i], points[3 * i + 1], points[3 * i + 2]});
    for (std::size_t i = 0; i < asked; i++)
        s->asks->push_back({queries[3 * i], queries[3 * i + 1], queries[3 * i + 2]});
    return static_cast<state<pcl_tree> *>(s.release());
} catch (...) {
    return nullptr;
}

bool pcl_build(void *opaque)
try {
    auto *s = static_cast<pcl_state *>(static_cast<state<pcl_tree> *>(opaque));
    s->tree = std::make_unique<pcl_tree>();
    s->tree->tree.setInputCloud(s->cloud);
    return true;
} catch (...) {
    return false;
}

bool pcl_query(void *opaque, std::int32_t *indices, float *distances)
try {
    auto *s = static_cast<pcl_state *>(static_cast<state<pcl_tree> *>(opaque));
    pcl::Indices found(1);
    std::vector<float> far(1);
    for (std::size_t i = 0; i < s->asked; i++) {
        if (s->tree->tree.nearestKSearch((*s->asks)[i], 1, found, far) != 1) return false;
        indices[i] = found[0];
        distances[i] = far[0];
    }
    return true;
} catch (...) {
    return false;
}

void pcl_release(void *opaque)
{
    delete static_cast<pcl_state *>(static_cast<state<pcl_tree> *>(opaque));
}

const clump_nn_rival rivals[] = {
    {CLUMP_NN_RIVAL_INTERFACE, "flann", "FLANN " FLANN_VERSION_, prepare<flann_tree>, flann_build, flann_query,
     forget<flann_tree>, release<flann_tree>},
#ifdef HAS_NANOFLANN
    {CLUMP_NN_RIVAL_INTERFACE, "nanoflann", "nanoflann " TEXT(NANOFLANN_VERSION), prepare<nano_tree>, nano_build,
     nano_query, forget<nano_tree>, release<nano_tree>},
#endif
    {CLUMP_NN_RIVAL_INTERFACE, "pcl", "PCL " PCL_VERSION_PRETTY, pcl_prepare, pcl_build, pcl_query, forget<pcl_tree>,
     pcl_release},
    {CLUMP_NN_RIVAL_INTERFACE, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};

} // namespace

extern "C" __attribute__((visibility("default"))) const clump_nn_rival *clump_rival_get()
{
    return rivals;
}
