// SPDX-License-Identifier: BSD-3-Clause
//
// pcl.hpp: clump in place of classes of PCL. Header-only, C++14 (C++17 with PCL 1.15), PCL 1.10 or later.
//
//     pcl::EuclideanClusterExtraction<pcl::PointXYZ> ec;         becomes
//     clump::EuclideanClusterExtraction<pcl::PointXYZ> ec;
//
// The parts can be included alone. A program then compiles faster, and needs fewer of PCL's libraries:
//
//     clump/pcl/extract_clusters.hpp   clump::EuclideanClusterExtraction, clump::extractEuclideanClusters
//     clump/pcl/kdtree.hpp             clump::search::KdTree, for every filter, feature and registration of PCL
//     clump/pcl/icp.hpp                clump::IterativeClosestPoint
//
// docs/pcl.md tells what differs from PCL. The most important: points that are not finite are in no cluster; see
// setKeepInvalid().
#ifndef CLUMP_PCL_HPP
#define CLUMP_PCL_HPP

#include <clump/pcl/extract_clusters.hpp>
#include <clump/pcl/icp.hpp>
#include <clump/pcl/kdtree.hpp>

#endif
