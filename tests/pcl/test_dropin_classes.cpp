// SPDX-License-Identifier: BSD-3-Clause
//
// test_dropin_classes.cpp: clump::search::KdTree as the search method of PCL's classes, as packaged: a filter, a feature, a
// segmentation and two registrations. Each runs with PCL's tree, too, and the results are compared. PCL as packaged may fuse
// multiplications and additions, so squared distances can differ in the last bit, and results by some rounding.
#include "case.hpp"

#include <clump/pcl/kdtree.hpp>

#include <pcl/common/transforms.h>
#include <pcl/features/fpfh.h>
#include <pcl/features/normal_3d.h>
#include <pcl/filters/bilateral.h>
#include <pcl/registration/correspondence_estimation.h>
#include <pcl/registration/gicp.h>
#include <pcl/segmentation/conditional_euclidean_clustering.h>

namespace
{

using pcl::PointXYZ;

template <typename PointT> typename pcl::search::KdTree<PointT>::Ptr tree(bool ours)
{
    if (ours) return typename pcl::search::KdTree<PointT>::Ptr(new clump::search::KdTree<PointT>);
    return typename pcl::search::KdTree<PointT>::Ptr(new pcl::search::KdTree<PointT>);
}

void a_filter()
{
    const auto cloud = converted<pcl::PointXYZI>(*balls(1500, 31));
    std::uint64_t seed = 32;
    for (pcl::PointXYZI &p : *cloud) p.intensity = 100 * check_random_float(&seed);
    pcl::PointCloud<pcl::PointXYZI> out[2];
    for (int ours = 0; ours < 2; ours++) {
        pcl::BilateralFilter<pcl::PointXYZI> filter;
        filter.setSearchMethod(tree<pcl::PointXYZI>(ours));
        filter.setInputCloud(cloud);
        filter.setHalfSize(0.3);
        filter.setStdDev(20);
        filter.filter(out[ours]);
    }
    CHECK_INT(out[1].size(), cloud->size());
    CHECK_INT(out[1].size(), out[0].size());
    std::size_t moved = 0, other = 0;
    for (std::size_t i = 0; i < out[1].size(); i++) {
        moved += std::abs(out[1][i].intensity - (*cloud)[i].intensity) > 1;
        other += !(std::abs(out[1][i].intensity - out[0][i].intensity) < 1e-2f);
    }
    CHECK_MSG(moved > cloud->size() / 2, "only %zu points were changed: the neighbours are not seen", moved);
    CHECK_MSG(other <= 2, "%zu of %zu intensities", other, out[1].size());
}

void a_feature()
{
    const Cloud::Ptr cloud = balls(1500, 33);
    pcl::PointCloud<pcl::Normal>::Ptr normals(new pcl::PointCloud<pcl::Normal>);
    pcl::NormalEstimation<PointXYZ, pcl::Normal> estimation;
    estimation.setInputCloud(cloud);
    estimation.setSearchMethod(tree<PointXYZ>(false));
    estimation.setKSearch(12);
    estimation.compute(*normals);
    pcl::PointCloud<pcl::FPFHSignature33> out[2];
    for (int ours = 0; ours < 2; ours++) {
        pcl::FPFHEstimation<PointXYZ, pcl::Normal> fpfh;
        fpfh.setInputCloud(cloud);
        fpfh.setInputNormals(normals);
        fpfh.setSearchMethod(tree<PointXYZ>(ours));
        fpfh.setRadiusSearch(0.5);
        fpfh.compute(out[ours]);
    }
    CHECK_INT(out[1].size(), out[0].size());
    std::size_t other = 0;
    for (std::size_t i = 0; i < out[1].size(); i++) {
        float most = 0;
        for (int k = 0; k < 33; k++) most = std::max(most, std::abs(out[1][i].histogram[k] - out[0][i].histogram[k]));
        other += !(most < 1); // of 100 per third
    }
    CHECK_MSG(other <= out[1].size() / 100, "%zu of %zu signatures", other, out[1].size());
}

bool similar(const pcl::PointXYZI &a, const pcl::PointXYZI &b, float)
{
    return std::abs(a.intensity - b.intensity) < 30;
}

void a_segmentation()
{
    const auto cloud = converted<pcl::PointXYZI>(*grid(2000, 24, 34)); // its distances are exact
    std::uint64_t seed = 35;
    for (pcl::PointXYZI &p : *cloud) p.intensity = 100 * check_random_float(&seed);
    Clusters out[2];
    for (int ours = 0; ours < 2; ours++) {
        pcl::ConditionalEuclideanClustering<pcl::PointXYZI> clustering;
        clustering.setSearchMethod(tree<pcl::PointXYZI>(ours));
        clustering.setInputCloud(cloud);
        clustering.setConditionFunction(&similar);
        clustering.setClusterTolerance(0.4f);
        clustering.setMinClusterSize(2);
        clustering.segment(out[ours]);
        for (pcl::PointIndices &cluster : out[ours]) std::sort(cluster.indices.begin(), cluster.indices.end());
    }
    CHECK(out[1].size() > 10);
    check_clusters(out[1], out[0], "ConditionalEuclideanClustering");
}

Eigen::Matrix4f small_motion()
{
    Eigen::Affine3f motion = Eigen::Affine3f::Identity();
    motion.translate(Eigen::Vector3f(0.05f, -0.04f, 0.03f));
    motion.rotate(Eigen::AngleAxisf(0.02f, Eigen::Vector3f::UnitZ()));
    return motion.matrix();
}

void correspondences()
{
    const Cloud::Ptr target = balls(2000, 36), source(new Cloud);
    pcl::transformPointCloud(*target, *source, small_motion());
    pcl::Correspondences out[2];
    for (int ours = 0; ours < 2; ours++) {
        pcl::registration::CorrespondenceEstimation<PointXYZ, PointXYZ> estimation;
        estimation.setSearchMethodTarget(tree<PointXYZ>(ours));
        estimation.setInputTarget(target);
        estimation.setInputSource(source);
        estimation.determineCorrespondences(out[ours], 0.2);
    }
    CHECK(out[1].size() > source->size() / 2);
    CHECK_INT(out[1].size(), out[0].size());
    std::size_t other = 0;
    for (std::size_t i = 0; i < out[1].size() && i < out[0].size(); i++)
        other += out[1][i].index_match != out[0][i].index_match;
    CHECK_MSG(other <= 2, "%zu of %zu pairs", other, out[1].size());
}

void a_registration()
{
    const Cloud::Ptr target = balls(2000, 37), source(new Cloud);
    pcl::transformPointCloud(*target, *source, small_motion());
    Eigen::Matrix4f found[2];
    for (int ours = 0; ours < 2; ours++) {
        pcl::GeneralizedIterativeClosestPoint<PointXYZ, PointXYZ> gicp;
        gicp.setSearchMethodTarget(tree<PointXYZ>(ours));
        gicp.setSearchMethodSource(tree<PointXYZ>(ours));
        gicp.setInputTarget(target);
        gicp.setInputSource(source);
        gicp.setMaxCorrespondenceDistance(0.5);
        Cloud aligned;
        gicp.align(aligned);
        CHECK(gicp.hasConverged());
        found[ours] = gicp.getFinalTransformation();
        CHECK((found[ours] * small_motion() - Eigen::Matrix4f::Identity()).norm() < 0.01f);
    }
    CHECK((found[1] - found[0]).norm() < 1e-2f);
}

} // namespace

CHECK_PROGRAM(test_dropin_classes)
{
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    RUN(a_filter);
    RUN(a_feature);
    RUN(a_segmentation);
    RUN(correspondences);
    RUN(a_registration);
}
