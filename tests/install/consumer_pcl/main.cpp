// SPDX-License-Identifier: BSD-3-Clause
//
// main.cpp: the same by a class of PCL's kind.
#include <clump/pcl/extract_clusters.hpp>

#include <pcl/point_types.h>

#include <cstdio>

int main()
{
    pcl::PointCloud<pcl::PointXYZ>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZ>);
    cloud->push_back({0, 0, 0});
    cloud->push_back({0.5f, 0, 0});
    cloud->push_back({5, 0, 0});
    clump::EuclideanClusterExtraction<pcl::PointXYZ> ec;
    ec.setInputCloud(cloud);
    ec.setClusterTolerance(1);
    std::vector<pcl::PointIndices> clusters;
    ec.extract(clusters);
    std::printf("clump %s: %zu clusters\n", clump_version(), clusters.size());
}
