// SPDX-License-Identifier: BSD-3-Clause
//
// test_dropin_extract.cpp: clump::EuclideanClusterExtraction beside PCL's own, whose templates are compiled here: without
// assertions, so that PCL does not end the program on points that are not finite.
#include "case.hpp"

#include <clump/pcl/extract_clusters.hpp>

#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/search/brute_force.h>
#include <pcl/search/impl/brute_force.hpp>
#include <pcl/search/impl/kdtree.hpp>
#include <pcl/search/impl/organized.hpp>
#include <pcl/search/impl/search.hpp>
#include <pcl/segmentation/impl/extract_clusters.hpp>

#include <numeric>
#include <string>

namespace
{

using pcl::PointXYZ;
using Tree = pcl::search::KdTree<PointXYZ>;

// Parameters of one extraction.
struct Setting {
    double tolerance = 0.4;
    pcl::uindex_t least = 1, most = std::numeric_limits<pcl::uindex_t>::max();
    pcl::IndicesPtr indices;
    pcl::search::Search<PointXYZ>::Ptr tree;
};

template <typename Extraction> void run(Extraction &ec, const Cloud::ConstPtr &cloud, const Setting &s, Clusters &out)
{
    ec.setInputCloud(cloud);
    ec.setClusterTolerance(s.tolerance);
    ec.setMinClusterSize(s.least);
    ec.setMaxClusterSize(s.most);
    if (s.indices) ec.setIndices(s.indices);
    if (s.tree) ec.setSearchMethod(s.tree);
    ec.extract(out);
}

void compare(const Cloud::ConstPtr &cloud, const Setting &setting, const char *what)
{
    Clusters expected, found;
    pcl::EuclideanClusterExtraction<PointXYZ> theirs;
    run(theirs, cloud, setting, expected);
    clump::EuclideanClusterExtraction<PointXYZ> ours;
    run(ours, cloud, setting, found);
    check_clusters(found, expected, what);
}

pcl::IndicesPtr indices_of(std::initializer_list<int> list)
{
    return pcl::IndicesPtr(new pcl::Indices(list.begin(), list.end()));
}

// ----- the rows of the table of traps -----------------------------------------------------------

void setters_and_defaults_are_those_of_pcl()
{
    pcl::EuclideanClusterExtraction<PointXYZ> theirs;
    clump::EuclideanClusterExtraction<PointXYZ> ours;
    CHECK(ours.getClusterTolerance() == theirs.getClusterTolerance());
    CHECK(ours.getMinClusterSize() == theirs.getMinClusterSize());
    CHECK(ours.getMaxClusterSize() == theirs.getMaxClusterSize());
    CHECK(!ours.getSearchMethod());
    decltype(ours)::KdTreePtr tree(new Tree);
    ours.setSearchMethod(tree);
    CHECK(ours.getSearchMethod() == tree);
    decltype(ours)::PointCloudConstPtr cloud = balls(10, 1);
    ours.setInputCloud(cloud);
    CHECK(ours.getInputCloud() == cloud);
    CHECK(!ours.getKeepInvalid());
    ours.setNumberOfThreads(2);
    CHECK_INT(ours.getNumberOfThreads(), 2);
    ours.setBackend(CLUMP_BACKEND_CPU);
    CHECK_INT(ours.getBackend(), CLUMP_BACKEND_CPU);
}

void extract_appends_and_sorts_all()
{
    Clusters expected, found;
    pcl::EuclideanClusterExtraction<PointXYZ> theirs;
    clump::EuclideanClusterExtraction<PointXYZ> ours;
    for (std::uint64_t seed = 1; seed <= 2; seed++) {
        const Cloud::Ptr cloud = balls(300, seed);
        run(theirs, cloud, Setting(), expected);
        run(ours, cloud, Setting(), found);
    }
    check_clusters(found, expected, "two clouds, one vector");
}

void nothing_to_do_clears()
{
    Clusters clusters(3);
    clump::EuclideanClusterExtraction<PointXYZ> no_input;
    no_input.extract(clusters);
    CHECK_INT(clusters.size(), 0);
    clusters.resize(3);
    clump::EuclideanClusterExtraction<PointXYZ> empty;
    run(empty, Cloud::ConstPtr(new Cloud), Setting(), clusters);
    CHECK_INT(clusters.size(), 0);
    clusters.resize(3);
    Setting setting;
    setting.indices = indices_of({});
    clump::EuclideanClusterExtraction<PointXYZ> none;
    run(none, balls(10, 1), setting, clusters);
    CHECK_INT(clusters.size(), 0);
}

void ties_of_size_are_in_pcls_order()
{
    // 600 clusters of two points: what the sort, which is not stable, makes of equal sizes.
    Cloud::Ptr cloud(new Cloud);
    for (int i = 0; i < 1200; i++) cloud->push_back({static_cast<float>(i / 2 * 7 % 1201), 0.1f * (i % 2), 0});
    compare(cloud, Setting(), "clusters of one size");
}

void discovery_follows_the_indices()
{
    const Cloud::Ptr cloud = balls(400, 3);
    Setting setting;
    setting.indices.reset(new pcl::Indices(cloud->size()));
    std::iota(setting.indices->rbegin(), setting.indices->rend(), 0);
    compare(cloud, setting, "all points, backwards");
    setting.indices->resize(150);
    compare(cloud, setting, "the last points, backwards");
    std::sort(setting.indices->begin(), setting.indices->end());
    compare(cloud, setting, "the last points");
}

void an_index_given_twice_counts_once()
{
    Setting setting;
    setting.indices = indices_of({5, 1, 5, 9, 1, 1, 30, 9});
    compare(balls(40, 4), setting, "indices given twice");
    Cloud::Ptr same(new Cloud);
    for (int i = 0; i < 3; i++) same->push_back({1, 1, 1});
    setting.indices = indices_of({1, 0, 2, 1});
    setting.tree.reset(new Tree(true));
    compare(same, setting, "duplicates and a sorted tree");
}

void indices_outside_the_cloud_are_refused()
{
    for (int index : {-1, 40}) {
        Setting setting;
        setting.indices = indices_of({0, index});
        Clusters clusters;
        clump::EuclideanClusterExtraction<PointXYZ> ec;
        run(ec, balls(40, 4), setting, clusters);
        CHECK_INT(clusters.size(), 0);
    }
}

void tolerance_is_rounded_to_float()
{
    const float d = 0.1f;
    Cloud::Ptr cloud(new Cloud);
    cloud->push_back({0, 0, 0});
    cloud->push_back({d, 0, 0});
    cloud->push_back({0, std::nextafter(d, 0.f), 0});
    Setting setting;
    for (double tolerance : {0.1, static_cast<double>(d), std::nextafter(static_cast<double>(d), 0.0), 0.1000001}) {
        setting.tolerance = tolerance;
        compare(cloud, setting, "a pair at the tolerance");
    }
}

void zero_and_negative_tolerances()
{
    Setting setting;
    for (double tolerance : {0.0, -0.0, -0.4, 1e-30}) {
        setting.tolerance = tolerance;
        compare(balls(300, 5), setting, "tolerance");
        compare(grid(300, 4, 5), setting, "tolerance, duplicates");
    }
    for (double tolerance : {1e-20, 1e25, -1e25}) { // their squares are no normal floats
        setting.tolerance = tolerance;
        compare(grid(60, 4, 5), setting, "a square that is not a normal number");
    }
}

void limits_of_size()
{
    Setting setting;
    const Cloud::Ptr cloud = balls(400, 6);
    for (pcl::uindex_t least : {0u, 1u, 2u, 37u, 400u, 5000u})
        for (pcl::uindex_t most : {0u, 1u, 30u, 37u, 400u, 4294967295u}) {
            setting.least = least;
            setting.most = most;
            compare(cloud, setting, "limits of size");
        }
}

Cloud::Ptr with_invalid()
{
    Cloud::Ptr cloud = balls(200, 7);
    for (int i : {0, 3, 50, 199}) (*cloud)[static_cast<std::size_t>(i)].y = not_a_number;
    (*cloud)[60].z = infinity;
    (*cloud)[61].x = -infinity;
    cloud->is_dense = false;
    return cloud;
}

void invalid_points_are_left_out()
{
    const Cloud::Ptr cloud = with_invalid();
    Clusters found, expected;
    clump::EuclideanClusterExtraction<PointXYZ> ours;
    run(ours, cloud, Setting(), found);
    Setting finite;
    finite.indices.reset(new pcl::Indices);
    for (std::size_t i = 0; i < cloud->size(); i++)
        if (pcl::isFinite((*cloud)[i])) finite.indices->push_back(static_cast<int>(i));
    pcl::EuclideanClusterExtraction<PointXYZ> theirs;
    run(theirs, cloud, finite, expected);
    check_clusters(found, expected, "points that are not finite");
}

void invalid_points_can_be_kept_as_in_pcl()
{
    const Cloud::Ptr cloud = with_invalid();
    for (pcl::uindex_t least : {1u, 2u})
        for (double tolerance : {0.4, 0.0}) {
            Setting setting;
            setting.least = least;
            setting.tolerance = tolerance;
            Clusters found, expected;
            pcl::EuclideanClusterExtraction<PointXYZ> theirs;
            run(theirs, cloud, setting, expected);
            clump::EuclideanClusterExtraction<PointXYZ> ours;
            ours.setKeepInvalid(true);
            run(ours, cloud, setting, found);
            check_clusters(found, expected, "points that are not finite, kept");
        }
}

void the_tolerance_is_strict()
{
    Setting setting;
    for (std::uint64_t seed = 1; seed <= 20; seed++)
        for (double tolerance : {0.25, 0.5, 0.75}) {
            setting.tolerance = tolerance;
            compare(grid(200, 12, seed), setting, "pairs at exactly the tolerance");
        }
}

void other_search_methods_are_pcls()
{
    Setting setting;
    setting.tolerance = 0.25;
    setting.tree.reset(new pcl::search::BruteForce<PointXYZ>); // it has <=
    const Cloud::Ptr cloud = grid(100, 12, 9);
    compare(cloud, setting, "brute force");
    setting.tree.reset(new Tree(false));
    Clusters strict, loose;
    clump::EuclideanClusterExtraction<PointXYZ> a, b;
    run(a, cloud, setting, strict);
    setting.tree.reset(new pcl::search::BruteForce<PointXYZ>);
    run(b, cloud, setting, loose);
    CHECK(strict.size() > loose.size()); // the cloud has pairs at exactly the tolerance, so the trees differ
}

void organised_clouds_have_the_strict_tolerance()
{
    // Without a search method PCL takes OrganizedNeighbor here, which needs a projection. clump keeps to the kd-tree's rule.
    Cloud::Ptr flat = balls(200, 8), image(new Cloud(*flat));
    image->width = 20;
    image->height = 10;
    Clusters found, expected;
    clump::EuclideanClusterExtraction<PointXYZ> ours;
    run(ours, image, Setting(), found);
    pcl::EuclideanClusterExtraction<PointXYZ> theirs;
    run(theirs, flat, Setting(), expected);
    check_clusters(found, expected, "an organised cloud");
}

void other_metrics_are_pcls()
{
    const Cloud::Ptr cloud = balls(300, 10);
    Setting setting;
    pcl::shared_ptr<Tree> tree(new Tree);
    tree->setPointRepresentation(pcl::make_shared<const FromAbove>());
    setting.tree = tree;
    compare(cloud, setting, "a point representation of the user");
    pcl::shared_ptr<pcl::DefaultPointRepresentation<PointXYZ>> scaled(new pcl::DefaultPointRepresentation<PointXYZ>);
    const float scale[3] = {1, 1, 0.1f};
    scaled->setRescaleValues(scale);
    tree.reset(new Tree);
    tree->setPointRepresentation(scaled);
    setting.tree = tree;
    compare(cloud, setting, "rescaled values");
    Clusters plain, other;
    clump::EuclideanClusterExtraction<PointXYZ> a, b;
    run(a, cloud, setting, other);
    setting.tree.reset(new Tree);
    run(b, cloud, setting, plain);
    CHECK(plain.size() != other.size());
}

void free_functions()
{
    const Cloud::Ptr cloud = balls(300, 11);
    Tree::Ptr tree(new Tree(false));
    tree->setInputCloud(cloud);
    Clusters found, expected;
    pcl::extractEuclideanClusters<PointXYZ>(*cloud, tree, 0.4f, expected, 2, 100);
    clump::extractEuclideanClusters<PointXYZ>(*cloud, tree, 0.4f, found, 2, 100);
    check_clusters(found, expected, "extractEuclideanClusters");
    found.clear();
    clump::extractEuclideanClusters<PointXYZ>(*cloud, nullptr, 0.4f, found, 2, 100);
    check_clusters(found, expected, "extractEuclideanClusters without a tree");

    pcl::IndicesPtr indices = indices_of({});
    for (int i = 299; i >= 0; i -= 2) indices->push_back(i);
    tree->setInputCloud(cloud, indices);
    expected.clear(), found.clear();
    pcl::extractEuclideanClusters<PointXYZ>(*cloud, *indices, tree, 0.4f, expected);
    clump::extractEuclideanClusters<PointXYZ>(*cloud, *indices, tree, 0.4f, found);
    check_clusters(found, expected, "extractEuclideanClusters with indices");

    // Trees of other points: PCL's message, and nothing is added.
    tree->setInputCloud(balls(10, 1));
    found.clear();
    clump::extractEuclideanClusters<PointXYZ>(*cloud, tree, 0.4f, found);
    clump::extractEuclideanClusters<PointXYZ>(*cloud, *indices, tree, 0.4f, found);
    CHECK_INT(found.size(), 0);
}

// ----- types of points, clouds ----------------------------------------------------------------

template <typename PointT> void check_type(const Cloud &cloud, const Clusters &expected, const char *what)
{
    clump::EuclideanClusterExtraction<PointT> ec;
    ec.setInputCloud(converted<PointT>(cloud));
    ec.setClusterTolerance(0.4);
    Clusters found;
    ec.extract(found);
    check_clusters(found, expected, what);
}

void types_of_points()
{
    const Cloud::Ptr cloud = balls(300, 12);
    cloud->header = pcl::PCLHeader();
    Clusters expected;
    pcl::EuclideanClusterExtraction<PointXYZ> theirs;
    run(theirs, cloud, Setting(), expected);
    check_type<pcl::PointXYZI>(*cloud, expected, "PointXYZI");
    check_type<pcl::PointXYZRGB>(*cloud, expected, "PointXYZRGB");
    check_type<pcl::PointNormal>(*cloud, expected, "PointNormal");
    check_type<LatePoint>(*cloud, expected, "LatePoint");
    check_type<PackedPoint>(*cloud, expected, "PackedPoint");
    static_assert(clump::dropin::layout<pcl::PointNormal>::in_row, "a view");
    static_assert(clump::dropin::layout<LatePoint>::in_row, "a view");
    static_assert(!clump::dropin::layout<PackedPoint>::in_row, "a copy");

    for (PointXYZ &p : *cloud) p.z = 0;
    expected.clear();
    pcl::EuclideanClusterExtraction<PointXYZ> flat;
    run(flat, cloud, Setting(), expected);
    check_type<pcl::PointXY>(*cloud, expected, "PointXY");
}

void threads_and_memory()
{
    const Cloud::Ptr cloud = balls(5000, 13);
    Clusters one, two;
    clump::EuclideanClusterExtraction<PointXYZ> a, b;
    a.setNumberOfThreads(1);
    run(a, cloud, Setting(), one);
    clump::releaseThreadMemory();
    b.setNumberOfThreads(2);
    run(b, cloud, Setting(), two);
    check_clusters(two, one, "one thread and two");
    clump::EuclideanClusterExtraction<PointXYZ> gone;
    gone.setBackend(CLUMP_BACKEND_CUDA, 4711); // no such device: a message, no cluster
    Clusters none;
    run(gone, cloud, Setting(), none);
    CHECK_INT(none.size(), 0);
}

void random_clouds()
{
    const std::uint64_t rounds = long_run() ? 400 : 40;
    for (std::uint64_t seed = 1; seed <= rounds; seed++) {
        Setting setting;
        setting.tolerance = 0.05 + 0.02 * static_cast<double>(seed % 40);
        setting.least = seed % 3;
        compare(balls(50 + 13 * (seed % 40), seed), setting, "a random cloud");
    }
}

void visit(clump_points points, const char *name)
{
    const Cloud::Ptr cloud = thinned(points, 3000);
    if (cloud->empty()) return;
    Setting setting;
    setting.tolerance = 0.5;
    compare(cloud, setting, name);
}

void scans()
{
    SCANS_TEST(visit);
}

} // namespace

CHECK_PROGRAM(test_dropin_extract)
{
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    RUN(setters_and_defaults_are_those_of_pcl);
    RUN(extract_appends_and_sorts_all);
    RUN(nothing_to_do_clears);
    RUN(ties_of_size_are_in_pcls_order);
    RUN(discovery_follows_the_indices);
    RUN(an_index_given_twice_counts_once);
    RUN(indices_outside_the_cloud_are_refused);
    RUN(tolerance_is_rounded_to_float);
    RUN(zero_and_negative_tolerances);
    RUN(limits_of_size);
    RUN(invalid_points_are_left_out);
    RUN(invalid_points_can_be_kept_as_in_pcl);
    RUN(the_tolerance_is_strict);
    RUN(other_search_methods_are_pcls);
    RUN(organised_clouds_have_the_strict_tolerance);
    RUN(other_metrics_are_pcls);
    RUN(free_functions);
    RUN(types_of_points);
    RUN(threads_and_memory);
    RUN(random_clouds);
    RUN(scans);
}
