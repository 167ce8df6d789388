// SPDX-License-Identifier: BSD-3-Clause
//
// test_dropin_kdtree.cpp: clump::search::KdTree beside PCL's own, by itself and in PCL's features and segmentations.
// test_dropin_classes.cpp has more of PCL's classes.
#include "case.hpp"

#include <clump/pcl/extract_clusters.hpp>
#include <clump/pcl/kdtree.hpp>

#include <pcl/features/impl/normal_3d.hpp>
#include <pcl/features/impl/normal_3d_omp.hpp>
#include <pcl/features/normal_3d_omp.h>
#include <pcl/kdtree/impl/kdtree_flann.hpp>
#include <pcl/search/impl/kdtree.hpp>
#include <pcl/search/impl/organized.hpp>
#include <pcl/search/impl/search.hpp>
#include <pcl/segmentation/impl/extract_clusters.hpp>
#include <pcl/segmentation/impl/region_growing.hpp>
#include <clump/index.h>

#include <pcl/segmentation/region_growing.h>

#include <thread>

// A type of a user that has no default constructor.
struct GivenPoint {
    GivenPoint(float px, float py, float pz) : x(px), y(py), z(pz) {}
    float x, y, z;
};
POINT_CLOUD_REGISTER_POINT_STRUCT(GivenPoint, (float, x, x)(float, y, y)(float, z, z))

namespace
{

using pcl::PointXYZ;
using Theirs = pcl::search::KdTree<PointXYZ>;
using Ours = clump::search::KdTree<PointXYZ>;
using Search = pcl::search::Search<PointXYZ>;

struct Row {
    pcl::Indices indices;
    std::vector<float> squares;
    int count = 0;
};

// Sorts a row by distance, then index: equal distances and trees that do not sort have any order.
std::vector<std::pair<float, int>> ordered(const Row &row)
{
    std::vector<std::pair<float, int>> pairs;
    for (std::size_t i = 0; i < row.indices.size(); i++) pairs.emplace_back(row.squares[i], row.indices[i]);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

// The k nearest: equal distances. Indices too, but of points at the distance of the last one any may be taken.
void check_nearest(const Row &found, const Row &expected, const char *what)
{
    if (found.count != expected.count || found.squares != expected.squares ||
        found.indices.size() != found.squares.size()) {
        CHECK_FAIL("%s: %d neighbours, FLANN has %d, or other distances", what, found.count, expected.count);
        return;
    }
    const auto a = ordered(found), b = ordered(expected);
    for (std::size_t i = 0; i < a.size(); i++)
        if (a[i].first < a.back().first && a[i] != b[i]) CHECK_FAIL("%s: another neighbour %zu", what, i);
}

void check_within(const Row &found, const Row &expected, const char *what)
{
    CHECK_INT(found.count, expected.count);
    if (ordered(found) != ordered(expected))
        CHECK_FAIL("%s: %d neighbours, FLANN has %d, or others", what, found.count, expected.count);
}

Row nearest(const Search &tree, const PointXYZ &point, int k)
{
    Row row;
    row.count = tree.nearestKSearch(point, k, row.indices, row.squares);
    return row;
}

Row within(const Search &tree, const PointXYZ &point, double radius, unsigned int most = 0)
{
    Row row;
    row.count = tree.radiusSearch(point, radius, row.indices, row.squares, most);
    return row;
}

void compare(const Cloud::ConstPtr &cloud, const pcl::IndicesConstPtr &indices, const std::vector<int> &ks,
             const std::vector<double> &radii, const char *what)
{
    Theirs theirs;
    Ours ours;
    theirs.setInputCloud(cloud, indices);
    ours.setInputCloud(cloud, indices);
    std::uint64_t seed = 5;
    for (std::size_t i = 0; i < cloud->size(); i += 1 + cloud->size() / 200) {
        PointXYZ q = (*cloud)[i];
        if (!pcl::isFinite(q)) continue;
        if (i % 3 == 0) q.x += check_random_float(&seed), q.z -= check_random_float(&seed);
        for (int k : ks) check_nearest(nearest(ours, q, k), nearest(theirs, q, k), what);
        for (double r : radii) {
            const Row found = within(ours, q, r);
            check_within(found, within(theirs, q, r), what);
            CHECK(std::is_sorted(found.squares.begin(), found.squares.end()));
            const Row few = within(ours, q, r, 7), expected = within(theirs, q, r, 7);
            check_nearest(few, expected, what);
        }
    }
}

// ----- the rows of the table of traps -----------------------------------------------------------

void random_clouds()
{
    for (std::uint64_t seed = 1; seed <= 6; seed++)
        compare(balls(600, seed), nullptr, {1, 2, 10, 40, 128}, {0.1, 0.5, 2.0}, "a random cloud");
}

void the_radius_is_strict()
{
    for (std::uint64_t seed = 1; seed <= 6; seed++)
        compare(grid(300, 10, seed), nullptr, {1, 5, 20}, {0.25, 0.5, 0.75}, "pairs at exactly the radius");
    Cloud::Ptr cloud(new Cloud);
    cloud->push_back({0.1f, 0, 0});
    Ours ours;
    ours.setInputCloud(cloud);
    const PointXYZ origin(0, 0, 0);
    CHECK_INT(within(ours, origin, static_cast<double>(0.1f)).count, 0);
    CHECK_INT(within(ours, origin, static_cast<double>(std::nextafter(0.1f, 1.f))).count, 1);
    CHECK_INT(within(ours, origin, 0).count, 0);
    CHECK_INT(within(ours, origin, -1).count, 1); // squared, as PCL does
    CHECK_INT(within(ours, origin, 1e30).count, 1);
}

void indices_map_to_the_cloud()
{
    pcl::IndicesPtr indices(new pcl::Indices);
    for (int i = 599; i >= 0; i -= 3) indices->push_back(i);
    compare(balls(600, 3), indices, {1, 10}, {0.5}, "a part of a cloud");
    Ours ours;
    ours.setInputCloud(balls(600, 3), indices);
    Row a, b;
    ours.nearestKSearch(5, 4, a.indices, a.squares); // position 5 of the indices
    b = nearest(ours, (*balls(600, 3))[static_cast<std::size_t>((*indices)[5])], 4);
    CHECK(a.indices == b.indices);
    CHECK(ours.getIndices() == indices);
}

void squares_sorting_and_the_most()
{
    const Cloud::Ptr cloud = balls(900, 4);
    Theirs theirs(false);
    Ours ours(false);
    theirs.setInputCloud(cloud);
    ours.setInputCloud(cloud);
    CHECK(!ours.getSortedResults());
    for (std::size_t i = 0; i < cloud->size(); i += 50) {
        check_within(within(ours, (*cloud)[i], 0.7), within(theirs, (*cloud)[i], 0.7), "not sorted");
        const Row few = within(ours, (*cloud)[i], 3, 200); // more than CLUMP_NN_MAX_K, fewer than there are
        const Row expected = within(theirs, (*cloud)[i], 3, 200);
        CHECK_INT(few.count, expected.count);
        CHECK(ordered(few) == ordered(expected));
    }
    ours.setSortedResults(true);
    const Row row = within(ours, (*cloud)[0], 5);
    CHECK(row.count > 100 && std::is_sorted(row.squares.begin(), row.squares.end()));
}

void more_neighbours_than_points()
{
    const Cloud::Ptr cloud = balls(20, 5);
    (*cloud)[3].x = not_a_number;
    compare(cloud, nullptr, {19, 20, 25, 130, 500}, {100.0}, "a small cloud");
    Ours ours;
    ours.setInputCloud(cloud);
    CHECK_INT(nearest(ours, (*cloud)[0], 500).count, 19);
    CHECK_INT(nearest(ours, (*cloud)[0], 0).count, 0);
}

void more_neighbours_than_clump_finds()
{
    compare(balls(700, 6), nullptr, {129, 300, 700}, {}, "more than 128 neighbours");
}

void queries_that_are_not_finite()
{
    Ours ours;
    ours.setInputCloud(balls(200, 7));
    const PointXYZ wrong(0, not_a_number, 0);
    const auto finds_nothing = [&](int k) {
        Row row = nearest(ours, wrong, k);
        CHECK_INT(row.count, 0);
        CHECK(row.indices.empty() && row.squares.empty());
        row = within(ours, wrong, 5);
        CHECK_INT(row.count, 0);
        CHECK(row.indices.empty());
    };
    finds_nothing(5);
    finds_nothing(150); // a search of PCL's tree
    ours.setEpsilon(1.f);
    finds_nothing(5);
}

void empty_clouds()
{
    Ours ours;
    const PointXYZ origin(0, 0, 0);
    CHECK_INT(nearest(ours, origin, 3).count, 0); // before any cloud
    CHECK_INT(nearest(ours, origin, 300).count, 0);
    ours.setInputCloud(Cloud::ConstPtr(new Cloud));
    CHECK_INT(nearest(ours, origin, 3).count, 0);
    CHECK_INT(within(ours, origin, 3).count, 0);
    ours.setInputCloud(nullptr);
    CHECK_INT(within(ours, origin, 3).count, 0);
    ours.setInputCloud(balls(10, 1)); // it is usable again
    CHECK_INT(nearest(ours, origin, 3).count, 3);
}

void other_metrics_are_pcls()
{
    const Cloud::Ptr cloud = balls(300, 8);
    Theirs theirs;
    Ours ours;
    Theirs *const both[2] = {&theirs, &ours}; // as PCL's classes call it: by the base class
    for (bool before : {false, true}) {
        for (Theirs *tree : both) {
            if (before) tree->setPointRepresentation(pcl::make_shared<const FromAbove>());
            tree->setInputCloud(cloud);
            if (!before) tree->setPointRepresentation(pcl::make_shared<const FromAbove>());
        }
        for (std::size_t i = 0; i < cloud->size(); i += 10) {
            check_nearest(nearest(ours, (*cloud)[i], 10), nearest(theirs, (*cloud)[i], 10), "seen from above");
            check_within(within(ours, (*cloud)[i], 0.4), within(theirs, (*cloud)[i], 0.4), "seen from above");
        }
    }
    for (Theirs *tree : both)
        tree->setPointRepresentation(pcl::make_shared<const pcl::DefaultPointRepresentation<PointXYZ>>());
    check_nearest(nearest(ours, (*cloud)[0], 10), nearest(theirs, (*cloud)[0], 10), "the default again");
}

void an_epsilon_is_pcls()
{
    const Cloud::Ptr cloud = balls(2000, 9);
    Theirs theirs;
    Ours ours;
    Theirs *const both[2] = {&theirs, &ours};
    for (Theirs *tree : both) {
        tree->setEpsilon(2.f);
        tree->setInputCloud(cloud);
    }
    for (std::size_t i = 0; i < cloud->size(); i += 40) {
        const Row a = nearest(ours, (*cloud)[i], 20), b = nearest(theirs, (*cloud)[i], 20);
        CHECK(a.indices == b.indices); // approximate, the same tree
    }
}

// ----- queries by index, and in blocks ---------------------------------------------------------

void queries_in_a_row()
{
    const Cloud::Ptr cloud = balls(3000, 10);
    (*cloud)[700].y = not_a_number;
    Theirs theirs;
    Ours ours;
    theirs.setInputCloud(cloud);
    ours.setInputCloud(cloud);
    for (int k : {5, 12}) // twice: the second run finds answers of the first
        for (int turn = 0; turn < 2; turn++)
            for (int i = 0; i < 3000; i++) {
                Row a;
                a.count = i % 2 ? ours.nearestKSearch(i, k, a.indices, a.squares)
                                : ours.nearestKSearch(*cloud, i, k, a.indices, a.squares);
                if (i == 700) {
                    CHECK_INT(a.count, 0);
                    continue;
                }
                check_nearest(a, nearest(theirs, (*cloud)[static_cast<std::size_t>(i)], k), "points in a row");
            }
    // The cloud changes after setInputCloud: the tree has the old points, a query has the new ones.
    for (int i = 0; i < 100; i++) {
        Row a;
        a.count = ours.nearestKSearch(i, 5, a.indices, a.squares);
        PointXYZ &next = (*cloud)[static_cast<std::size_t>(i) + 1];
        next.x += 1.5f;
        check_nearest(a, nearest(theirs, (*cloud)[static_cast<std::size_t>(i)], 5), "a cloud that changes");
    }
    ours.setInputCloud(cloud); // the answers that are kept are those of the old tree
    theirs.setInputCloud(cloud);
    for (int i = 20; i < 120; i++) {
        Row a;
        a.count = ours.nearestKSearch(i, 5, a.indices, a.squares);
        check_nearest(a, nearest(theirs, (*cloud)[static_cast<std::size_t>(i)], 5), "a new tree");
    }
}

void batches()
{
    const Cloud::Ptr cloud = balls(500, 11);
    Theirs theirs;
    Ours ours;
    theirs.setInputCloud(cloud);
    ours.setInputCloud(cloud);
    for (const pcl::Indices &chosen : {pcl::Indices{}, pcl::Indices{7, 3, 3, 490}}) {
        std::vector<pcl::Indices> a, b;
        std::vector<std::vector<float>> x, y;
        ours.nearestKSearch(*cloud, chosen, 6, a, x);
        theirs.nearestKSearch(*cloud, chosen, 6, b, y);
        CHECK(a.size() == b.size() && x == y);
        ours.radiusSearch(*cloud, chosen, 0.5, a, x);
        theirs.radiusSearch(*cloud, chosen, 0.5, b, y);
        CHECK(a.size() == b.size() && x == y);
    }
}

void many_threads()
{
    const Cloud::Ptr cloud = balls(3000, 12);
    Theirs theirs;
    Ours ours;
    theirs.setInputCloud(cloud);
    ours.setInputCloud(cloud);
    std::vector<std::vector<float>> expected;
    for (const PointXYZ &p : *cloud) expected.push_back(nearest(theirs, p, 8).squares);
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 3000; i++) {
                const std::size_t at = static_cast<std::size_t>((i + 700 * t) % 3000);
                Row a;
                ours.nearestKSearch(static_cast<int>(at), 8, a.indices, a.squares);
                wrong[static_cast<std::size_t>(t)] += a.squares != expected[at];
                if (i % 100 == 0) // PCL's tree, built by the first
                    wrong[static_cast<std::size_t>(t)] += nearest(ours, (*cloud)[at], 200).count != 200;
            }
        });
    for (std::thread &thread : threads) thread.join();
    for (int w : wrong) CHECK_INT(w, 0);
}

// ----- in PCL's classes -----------------------------------------------------------------------

template <typename Estimation>
void check_normals(Estimation &&a, Estimation &&b, const Cloud::ConstPtr &cloud, double radius, int k)
{
    pcl::PointCloud<pcl::Normal> x, y;
    a.setSearchMethod(pcl::make_shared<Ours>());
    b.setSearchMethod(pcl::make_shared<Theirs>());
    for (Estimation *e : {&a, &b}) {
        e->setInputCloud(cloud);
        if (k > 0) e->setKSearch(k);
        if (radius > 0) e->setRadiusSearch(radius);
    }
    a.compute(x);
    b.compute(y);
    CHECK_INT(x.size(), y.size());
    std::size_t other = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
        const bool none = std::isnan(y[i].normal_x);
        other += none ? !std::isnan(x[i].normal_x)
                      : !((x[i].getNormalVector3fMap() - y[i].getNormalVector3fMap()).norm() < 1e-3f);
    }
    // Neighbours are summed in another order where distances are equal: a normal of points on a line can turn.
    CHECK_MSG(other <= x.size() / 500, "%zu of %zu normals", other, x.size());
}

void normals()
{
    const Cloud::Ptr cloud = balls(4000, 13);
    check_normals(pcl::NormalEstimation<PointXYZ, pcl::Normal>(), {}, cloud, 0, 10);
    check_normals(pcl::NormalEstimation<PointXYZ, pcl::Normal>(), {}, cloud, 0.5, 0);
    check_normals(pcl::NormalEstimationOMP<PointXYZ, pcl::Normal>(2),
                  pcl::NormalEstimationOMP<PointXYZ, pcl::Normal>(2), cloud, 0, 10);
}

void regions()
{
    const Cloud::Ptr cloud = balls(2000, 14);
    pcl::PointCloud<pcl::Normal>::Ptr normals(new pcl::PointCloud<pcl::Normal>);
    pcl::NormalEstimation<PointXYZ, pcl::Normal> estimation;
    estimation.setInputCloud(cloud);
    estimation.setKSearch(12);
    estimation.setSearchMethod(pcl::make_shared<Ours>());
    estimation.compute(*normals);
    Clusters found, expected;
    for (int i = 0; i < 2; i++) {
        pcl::RegionGrowing<PointXYZ, pcl::Normal> growing;
        growing.setSearchMethod(i ? Search::Ptr(new Theirs) : Search::Ptr(new Ours));
        growing.setInputCloud(cloud);
        growing.setInputNormals(normals);
        growing.setNumberOfNeighbours(15);
        growing.setSmoothnessThreshold(0.3f);
        growing.extract(i ? expected : found);
    }
    check_clusters(found, expected, "RegionGrowing");
}

void in_extractions()
{
    // As the search method of PCL's extraction, and of clump's.
    const Cloud::Ptr cloud = balls(600, 15);
    Clusters with_ours, with_theirs, both;
    pcl::EuclideanClusterExtraction<PointXYZ> a, b;
    clump::EuclideanClusterExtraction<PointXYZ> c;
    a.setSearchMethod(pcl::make_shared<Ours>());
    b.setSearchMethod(pcl::make_shared<Theirs>());
    c.setSearchMethod(pcl::make_shared<Ours>());
    for (pcl::EuclideanClusterExtraction<PointXYZ> *e :
         {&a, &b, static_cast<pcl::EuclideanClusterExtraction<PointXYZ> *>(&c)}) {
        e->setInputCloud(cloud);
        e->setClusterTolerance(0.4);
    }
    a.extract(with_ours);
    b.extract(with_theirs);
    c.extract(both);
    check_clusters(with_ours, with_theirs, "PCL's extraction with clump's tree");
    check_clusters(both, with_theirs, "clump's extraction with clump's tree");
}

template <typename PointT> void check_type(const Cloud &cloud, const char *what)
{
    clump::search::KdTree<PointT> tree;
    Theirs theirs;
    const auto points = converted<PointT>(cloud);
    tree.setInputCloud(points);
    theirs.setInputCloud(cloud.makeShared());
    for (std::size_t i = 0; i < cloud.size(); i += 9) {
        Row row;
        row.count = tree.nearestKSearch((*points)[i], 7, row.indices, row.squares);
        check_nearest(row, nearest(theirs, cloud[i], 7), what);
    }
}

void types_of_points()
{
    const Cloud::Ptr cloud = balls(300, 16);
    check_type<pcl::PointXYZI>(*cloud, "PointXYZI");
    check_type<pcl::PointNormal>(*cloud, "PointNormal");
    check_type<PackedPoint>(*cloud, "PackedPoint");
    check_type<LatePoint>(*cloud, "LatePoint");
    for (PointXYZ &p : *cloud) p.z = 0;
    check_type<pcl::PointXY>(*cloud, "PointXY");
}

void points_without_a_default()
{
    const Cloud::Ptr cloud = balls(300, 17);
    pcl::PointCloud<GivenPoint>::Ptr points(new pcl::PointCloud<GivenPoint>);
    for (const PointXYZ &p : *cloud) points->push_back(GivenPoint(p.x, p.y, p.z));
    clump::search::KdTree<GivenPoint> tree;
    Theirs theirs;
    tree.setInputCloud(points);
    theirs.setInputCloud(cloud);
    for (const int k : {5, 200}) { // the latter by PCL's tree
        Row row;
        row.count = tree.nearestKSearch((*points)[3], k, row.indices, row.squares);
        check_nearest(row, nearest(theirs, (*cloud)[3], k), "GivenPoint");
    }
}

void visit(clump_points points, const char *name)
{
    const Cloud::Ptr cloud = thinned(points, 3000);
    if (!cloud->empty()) compare(cloud, nullptr, {1, 10}, {0.5}, name);
}

void scans()
{
    SCANS_TEST(visit);
}

} // namespace

CHECK_PROGRAM(test_dropin_kdtree)
{
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    RUN(random_clouds);
    RUN(the_radius_is_strict);
    RUN(indices_map_to_the_cloud);
    RUN(squares_sorting_and_the_most);
    RUN(more_neighbours_than_points);
    RUN(more_neighbours_than_clump_finds);
    RUN(queries_that_are_not_finite);
    RUN(empty_clouds);
    RUN(other_metrics_are_pcls);
    RUN(an_epsilon_is_pcls);
    RUN(queries_in_a_row);
    RUN(batches);
    RUN(many_threads);
    RUN(normals);
    RUN(regions);
    RUN(in_extractions);
    RUN(types_of_points);
    RUN(points_without_a_default);
    RUN(scans);
}
