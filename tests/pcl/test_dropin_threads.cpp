// SPDX-License-Identifier: BSD-3-Clause
//
// test_dropin_threads.cpp: one tree that several threads search at once, as NormalEstimationOMP does, and an extraction per
// thread; for the thread sanitizer. Threads are std::thread: the sanitizer does not know the barriers of OpenMP.
#include "case.hpp"

#include <clump/pcl/extract_clusters.hpp>
#include <clump/pcl/kdtree.hpp>

#include <thread>

namespace
{

using pcl::PointXYZ;

struct Answers {
    std::vector<float> squares; // of all searches, one after the other
    std::vector<std::size_t> sizes;
};

// The searches of a feature for every point, and an extraction.
Answers work(const clump::search::KdTree<PointXYZ> &tree, const Cloud::ConstPtr &cloud)
{
    Answers answers;
    pcl::Indices indices;
    std::vector<float> squares;
    for (int i = 0; i < static_cast<int>(cloud->size()); i++) {
        tree.nearestKSearch(*cloud, i, 8, indices, squares);
        answers.squares.insert(answers.squares.end(), squares.begin(), squares.end());
        if (i % 10 != 0) continue;
        tree.radiusSearch(*cloud, i, 0.4, indices, squares);
        answers.squares.insert(answers.squares.end(), squares.begin(), squares.end());
        if (i % 500 == 0) tree.nearestKSearch(i, 200, indices, squares); // PCL's tree, which the first one builds
        answers.squares.insert(answers.squares.end(), squares.begin(), squares.end());
    }
    clump::EuclideanClusterExtraction<PointXYZ> extraction;
    extraction.setInputCloud(cloud);
    extraction.setClusterTolerance(0.4);
    extraction.setNumberOfThreads(2);
    Clusters clusters;
    extraction.extract(clusters);
    for (const pcl::PointIndices &cluster : clusters) answers.sizes.push_back(cluster.indices.size());
    return answers;
}

void many_threads()
{
    const Cloud::Ptr cloud = balls(2000, 1);
    clump::search::KdTree<PointXYZ> alone, shared;
    alone.setInputCloud(cloud);
    shared.setInputCloud(cloud);
    const Answers expected = work(alone, cloud);
    std::vector<Answers> found(4);
    std::vector<std::thread> threads;
    for (Answers &mine : found) threads.emplace_back([&shared, &cloud, &mine] { mine = work(shared, cloud); });
    for (std::thread &thread : threads) thread.join();
    for (const Answers &mine : found) {
        CHECK(mine.squares == expected.squares);
        CHECK(mine.sizes == expected.sizes);
    }
}

} // namespace

CHECK_PROGRAM(test_dropin_threads)
{
    RUN(many_threads);
}
