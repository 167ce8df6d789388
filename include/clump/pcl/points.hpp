// SPDX-License-Identifier: BSD-3-Clause
//
// points.hpp: the points of a cloud of PCL as clump reads them. Where x, y and z are three floats in a row, the view is on
// the cloud itself. Otherwise coordinates are copied: PointXY, packed types, coordinates that are not float.
#ifndef CLUMP_PCL_POINTS_HPP
#define CLUMP_PCL_POINTS_HPP

#include <clump/clump.h>

#include <pcl/PointIndices.h>
#include <pcl/pcl_config.h>
#include <pcl/pcl_macros.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace clump
{
namespace dropin
{

using indices_type = decltype(::pcl::PointIndices::indices); // pcl::Indices; std::vector<int> in old releases
using index_type = indices_type::value_type;

// Where the coordinates of a type of points are. The type must be registered, as all of PCL's are.
template <typename PointT> struct layout {
    template <typename Tag> using has = ::pcl::traits::has_field<PointT, Tag>;
    static constexpr bool has_z = has<::pcl::fields::z>::value;
    static_assert(has<::pcl::fields::x>::value && has<::pcl::fields::y>::value,
                  "clump: the type of the points needs the fields x and y (POINT_CLOUD_REGISTER_POINT_STRUCT)");

    template <typename Tag> struct is_float {
        static constexpr bool value = std::is_same<typename ::pcl::traits::datatype<PointT, Tag>::type, float>::value;
    };

    // With a z, all in a row, in memory that clump can step through.
    template <typename Point, bool Three> struct in_row_of {
        static constexpr bool value = false;
    };
    template <typename Point> struct in_row_of<Point, true> {
        static constexpr std::size_t x = ::pcl::traits::offset<Point, ::pcl::fields::x>::value;
        static constexpr bool value = is_float<::pcl::fields::x>::value && is_float<::pcl::fields::y>::value &&
                                      is_float<::pcl::fields::z>::value &&
                                      ::pcl::traits::offset<Point, ::pcl::fields::y>::value == x + sizeof(float) &&
                                      ::pcl::traits::offset<Point, ::pcl::fields::z>::value == x + 2 * sizeof(float) &&
                                      x % sizeof(float) == 0 && sizeof(Point) % sizeof(float) == 0 &&
                                      alignof(Point) >= alignof(float);
    };
    static constexpr bool in_row = in_row_of<PointT, has_z>::value;
};

template <typename PointT, std::enable_if_t<layout<PointT>::has_z, bool> = true> float z_of(const PointT &point)
{
    return static_cast<float>(point.z);
}

template <typename PointT, std::enable_if_t<!layout<PointT>::has_z, bool> = true> float z_of(const PointT &)
{
    return 0;
}

template <typename PointT> void copy_point(const PointT &point, float *xyz)
{
    xyz[0] = static_cast<float>(point.x);
    xyz[1] = static_cast<float>(point.y);
    xyz[2] = z_of(point);
}

template <typename PointT> bool is_finite(const PointT &point)
{
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(z_of(point));
}

inline clump_points points_of(const std::vector<float> &xyz)
{
    clump_points points{};
    points.xyz = xyz.data();
    points.count = xyz.size() / 3;
    return points;
}

// Copies the points that are listed; all where `indices` is null. `copy` keeps its memory.
template <typename PointT>
clump_points copy_points(const ::pcl::PointCloud<PointT> &cloud, const indices_type *indices, std::vector<float> &copy)
{
    const std::size_t count = indices ? indices->size() : cloud.points.size();
    copy.resize(3 * count);
    for (std::size_t i = 0; i < count; i++)
        copy_point(cloud.points[indices ? static_cast<std::size_t>((*indices)[i]) : i], &copy[3 * i]);
    return points_of(copy);
}

template <typename PointT, std::enable_if_t<layout<PointT>::in_row, bool> = true>
clump_points view_points(const ::pcl::PointCloud<PointT> &cloud, std::vector<float> &)
{
    const char *const first = reinterpret_cast<const char *>(cloud.points.data());
    clump_points points{};
    points.count = cloud.points.size();
    points.stride = sizeof(PointT);
    if (points.count > 0)
        points.xyz = reinterpret_cast<const float *>(first + layout<PointT>::template in_row_of<PointT, true>::x);
    return points;
}

template <typename PointT, std::enable_if_t<!layout<PointT>::in_row, bool> = true>
clump_points view_points(const ::pcl::PointCloud<PointT> &cloud, std::vector<float> &copy)
{
    return copy_points(cloud, nullptr, copy);
}

} // namespace dropin
} // namespace clump

#endif
