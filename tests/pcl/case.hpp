// SPDX-License-Identifier: BSD-3-Clause
//
// case.hpp: what the tests of the drop-in share: clouds, types of points, and the comparison of clusters.
#ifndef CLUMP_TESTS_PCL_CASE_HPP
#define CLUMP_TESTS_PCL_CASE_HPP

extern "C" {
#include "support/check.h"
#include "support/scans.h"
}

#include <pcl/PointIndices.h>
#include <pcl/point_cloud.h>
#include <pcl/point_representation.h>
#include <pcl/point_types.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

// A type of a user: packed, so that a float is not where a float may be, and with x, y, z in another order and place.
#pragma pack(push, 1)
struct PackedPoint {
    std::uint8_t ring;
    float z, x;
    std::uint16_t echo;
    float y;
};
#pragma pack(pop)
POINT_CLOUD_REGISTER_POINT_STRUCT(PackedPoint, (std::uint8_t, ring,
                                                ring)(float, x, x)(float, y, y)(float, z, z)(std::uint16_t, echo, echo))

// Another one: x, y, z in a row, but not at the beginning.
struct LatePoint {
    double stamp;
    float x, y, z;
    float intensity;
};
POINT_CLOUD_REGISTER_POINT_STRUCT(LatePoint,
                                  (double, stamp, stamp)(float, x, x)(float, y, y)(float, z, z)(float, intensity,
                                                                                                intensity))

using Cloud = pcl::PointCloud<pcl::PointXYZ>;
using Clusters = std::vector<pcl::PointIndices>;

static const float not_a_number = std::numeric_limits<float>::quiet_NaN();
static const float infinity = std::numeric_limits<float>::infinity();

// Looks at a cloud from above.
class FromAbove : public pcl::PointRepresentation<pcl::PointXYZ>
{
  public:
    FromAbove()
    {
        nr_dimensions_ = 2;
    }
    void copyToFloatArray(const pcl::PointXYZ &p, float *out) const override
    {
        out[0] = p.x;
        out[1] = p.y;
    }
};

static inline bool long_run()
{
    return check_tier() == 3;
}

// Balls of points, and single points between them, in no order.
static inline Cloud::Ptr balls(std::size_t points, std::uint64_t seed)
{
    Cloud::Ptr cloud(new Cloud);
    float at[3] = {0, 0, 0};
    for (std::size_t i = 0; i < points; i++) {
        if (i % 37 == 0)
            for (float &k : at) k = 12 * check_random_float(&seed);
        const float wide = i % 37 == 1 ? 6.f : 0.8f;
        cloud->push_back({at[0] + wide * check_random_float(&seed), at[1] + wide * check_random_float(&seed),
                          at[2] + wide * check_random_float(&seed)});
    }
    for (std::size_t i = points; i > 1; i--) std::swap((*cloud)[i - 1], (*cloud)[check_random(&seed) % i]);
    cloud->header.frame_id = "sensor";
    cloud->header.stamp = 77;
    return cloud;
}

// Points on a grid of quarters: many pairs at exactly one distance, and duplicates.
static inline Cloud::Ptr grid(std::size_t points, unsigned side, std::uint64_t seed)
{
    Cloud::Ptr cloud(new Cloud);
    for (std::size_t i = 0; i < points; i++) {
        float at[3];
        for (float &k : at) k = 0.25f * static_cast<float>(check_random(&seed) % side);
        cloud->push_back({at[0], at[1], at[2]});
    }
    return cloud;
}

// The points of a scan. At most `most` of them, evenly chosen: PCL is slow.
static inline Cloud::Ptr thinned(clump_points points, std::size_t most)
{
    Cloud::Ptr cloud(new Cloud);
    const std::size_t stride = points.stride ? points.stride : 12;
    const std::size_t step = long_run() ? 1 : 1 + points.count / most;
    for (std::size_t i = 0; i < points.count; i += step) {
        const float *const p = reinterpret_cast<const float *>(reinterpret_cast<const char *>(points.xyz) + i * stride);
        if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) cloud->push_back({p[0], p[1], p[2]});
    }
    return cloud;
}

template <typename PointT> void set_z(PointT &point, float z)
{
    point.z = z;
}
static inline void set_z(pcl::PointXY &, float) {}

template <typename PointT> typename pcl::PointCloud<PointT>::Ptr converted(const Cloud &from)
{
    typename pcl::PointCloud<PointT>::Ptr to(new pcl::PointCloud<PointT>);
    for (const pcl::PointXYZ &p : from) {
        PointT q{};
        q.x = p.x;
        q.y = p.y;
        set_z(q, p.z);
        to->push_back(q);
    }
    return to;
}

// Checks that the clusters are equal in everything: number, order, members, headers.
static inline void check_clusters(const Clusters &found, const Clusters &expected, const char *what)
{
    if (found.size() != expected.size()) {
        CHECK_FAIL("%s: %zu clusters, PCL has %zu", what, found.size(), expected.size());
        return;
    }
    for (std::size_t c = 0; c < found.size(); c++) {
        if (found[c].indices != expected[c].indices) {
            CHECK_FAIL("%s: cluster %zu of %zu has %zu points, PCL's has %zu, or they are not the same", what, c,
                       found.size(), found[c].indices.size(), expected[c].indices.size());
            return;
        }
        CHECK(found[c].header.frame_id == expected[c].header.frame_id);
        CHECK(found[c].header.stamp == expected[c].header.stamp);
    }
}

#endif
