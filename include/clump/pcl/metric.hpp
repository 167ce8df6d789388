// SPDX-License-Identifier: BSD-3-Clause
//
// metric.hpp: whether a search object of PCL measures as clump does: a kd-tree, exact, over x, y and z as they are.
#ifndef CLUMP_PCL_METRIC_HPP
#define CLUMP_PCL_METRIC_HPP

#include <clump/pcl/points.hpp>

#include <pcl/point_representation.h>
#include <pcl/search/kdtree.h>

#include <cstddef>
#include <cstring>
#include <typeinfo>
#include <vector>

namespace clump
{
namespace dropin
{

// Returns whether a representation gives x, y and z (PointXY: x and y), not rescaled. Null is the default.
template <typename PointT> bool is_plain(const ::pcl::PointRepresentation<PointT> *representation)
{
    if (!representation) return true;
    if (typeid(*representation) != typeid(::pcl::DefaultPointRepresentation<PointT>)) return false;
    const int dimensions = layout<PointT>::has_z ? 3 : 2;
    if (representation->getNumberOfDimensions() != dimensions) return false;
    // Rescaled values show in a point of ones. All floats are set: the default takes the first ones of the point. The point is
    // made of bytes: its type may have no default constructor.
    alignas(PointT) unsigned char ones[sizeof(PointT)] = {};
    const float one = 1;
    for (std::size_t i = 0; i + sizeof one <= sizeof ones; i += sizeof one) std::memcpy(ones + i, &one, sizeof one);
    std::vector<float> vector(static_cast<std::size_t>(dimensions));
    representation->vectorize(*reinterpret_cast<const PointT *>(ones), vector);
    for (const float value : vector)
        if (value != 1) return false;
    return true;
}

// Returns whether a search object gives the neighbours that clump's distance gives. Null is the default.
template <typename PointT> bool is_euclidean(const ::pcl::search::Search<PointT> *search)
{
    if (!search) return true;
    const auto *const tree = dynamic_cast<const ::pcl::search::KdTree<PointT> *>(search);
    return tree && tree->getEpsilon() == 0 && is_plain<PointT>(tree->getPointRepresentation().get());
}

} // namespace dropin
} // namespace clump

#endif
