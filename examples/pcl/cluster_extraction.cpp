// SPDX-License-Identifier: BSD-3-Clause
//
// cluster_extraction.cpp: what PCL's tutorial on cluster extraction does: thin a cloud, remove planes, find the clusters of the
// rest. One line differs from a program without clump: the type of `extraction`. The test compiles it both ways, and the
// output is the same.
//
//     cluster_extraction              a table with things on it, made here
//     cluster_extraction SCAN.pcd     a cloud in a file
#include <clump/io.h>
#include <clump/pcl/extract_clusters.hpp>

#include <pcl/filters/extract_indices.h>
#include <pcl/filters/voxel_grid.h>
#include <pcl/point_types.h>
#include <pcl/segmentation/sac_segmentation.h>

#include <cmath>
#include <cstdio>

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

// A table of 1.2 m by 0.8 m, and five boxes on it.
static Cloud::Ptr make_table()
{
    Cloud::Ptr cloud(new Cloud);
    for (int i = 0; i < 240; i++)
        for (int j = 0; j < 160; j++) cloud->push_back({0.005f * i, 0.005f * j, 0.001f * ((i * 7 + j * 3) % 3)});
    for (int box = 0; box < 5; box++)
        for (int i = 0; i < 4000; i++) {
            const float u = 0.004f * (i % 20), v = 0.004f * (i / 20 % 20), w = 0.01f * (i / 400);
            cloud->push_back({0.1f + 0.22f * box + u, 0.2f + 0.07f * box + v, 0.03f + w * (1 + box % 2)});
        }
    return cloud;
}

static Cloud::Ptr read(const char *path)
{
    Cloud::Ptr cloud(new Cloud);
    clump_cloud *file = nullptr;
    clump_message why;
    if (clump_cloud_load(path, nullptr, &file, &why) != CLUMP_OK) {
        std::fprintf(stderr, "%s\n", why.text);
        return nullptr;
    }
    const clump_points points = clump_cloud_points(file);
    const char *const first = reinterpret_cast<const char *>(points.xyz);
    const std::size_t stride = points.stride ? points.stride : 3 * sizeof(float);
    for (std::size_t i = 0; i < points.count; i++) {
        const float *const p = reinterpret_cast<const float *>(first + i * stride);
        if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) cloud->push_back({p[0], p[1], p[2]});
    }
    clump_cloud_destroy(file);
    return cloud;
}

// Removes planes until fewer than a third of the points are left.
static Cloud::Ptr without_planes(Cloud::Ptr cloud, double thickness)
{
    pcl::SACSegmentation<pcl::PointXYZ> segmentation;
    segmentation.setOptimizeCoefficients(true);
    segmentation.setModelType(pcl::SACMODEL_PLANE);
    segmentation.setMethodType(pcl::SAC_RANSAC);
    segmentation.setMaxIterations(100);
    segmentation.setDistanceThreshold(thickness);
    const std::size_t enough = cloud->size() / 3;
    for (int planes = 0; cloud->size() > enough && planes < 10; planes++) {
        pcl::PointIndices::Ptr inliers(new pcl::PointIndices);
        pcl::ModelCoefficients coefficients;
        segmentation.setInputCloud(cloud);
        segmentation.segment(*inliers, coefficients);
        if (inliers->indices.empty()) break;
        std::printf("a plane of %zu points\n", inliers->indices.size());
        pcl::ExtractIndices<pcl::PointXYZ> rest;
        rest.setInputCloud(cloud);
        rest.setIndices(inliers);
        rest.setNegative(true);
        Cloud::Ptr left(new Cloud);
        rest.filter(*left);
        cloud = left;
    }
    return cloud;
}

int main(int argc, char **argv)
{
    const bool table = argc < 2;
    const float unit = table ? 0.01f : 0.1f; // side of the voxels
    Cloud::Ptr cloud = table ? make_table() : read(argv[1]);
    if (!cloud) return 1;
    std::printf("%zu points\n", cloud->size());

    pcl::VoxelGrid<pcl::PointXYZ> grid;
    grid.setInputCloud(cloud);
    grid.setLeafSize(unit, unit, unit);
    Cloud::Ptr thin(new Cloud);
    grid.filter(*thin);
    std::printf("%zu voxels\n", thin->size());
    cloud = without_planes(thin, 2.0 * static_cast<double>(unit));
    std::printf("%zu points are left\n", cloud->size());

    std::vector<pcl::PointIndices> clusters;
    clump::EuclideanClusterExtraction<pcl::PointXYZ> extraction;
    extraction.setClusterTolerance(2.5 * static_cast<double>(unit));
    extraction.setMinClusterSize(20);
    extraction.setMaxClusterSize(25000);
    extraction.setSearchMethod(pcl::search::KdTree<pcl::PointXYZ>::Ptr(new pcl::search::KdTree<pcl::PointXYZ>));
    extraction.setInputCloud(cloud);
    extraction.extract(clusters);

    for (const pcl::PointIndices &cluster : clusters) {
        Eigen::Vector3f sum(0, 0, 0);
        for (const auto index : cluster.indices) sum += (*cloud)[static_cast<std::size_t>(index)].getVector3fMap();
        sum /= static_cast<float>(cluster.indices.size());
        std::printf("cluster of %zu points around %.3f %.3f %.3f, first %d, last %d\n", cluster.indices.size(),
                    static_cast<double>(sum.x()), static_cast<double>(sum.y()), static_cast<double>(sum.z()),
                    static_cast<int>(cluster.indices.front()), static_cast<int>(cluster.indices.back()));
    }
}
