// SPDX-License-Identifier: BSD-3-Clause
//
// clump_bench_pcl: programs that use PCL, as packaged, before and after they use clump/pcl.hpp. Every case is checked before it
// is measured: both must give the same result. The contestants take turns, so that whatever else the machine does hits both.
#include <clump/pcl.hpp>

#include <pcl/features/normal_3d.h>
#include <pcl/pcl_config.h>
#include <pcl/point_types.h>

extern "C" {
#include "harness/csv.h"
#include "harness/machine.h"
}

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace
{

using Point = pcl::PointXYZ;
using Cloud = pcl::PointCloud<Point>;

const char help[] =
    "clump_bench_pcl [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list   list the cases\n"
    "  --repeat N   runs of each contestant (default 7)\n"
    "  --csv FILE   write the results; rows of other cases in FILE stay\n"
    "  --data DIR   folder with the scans (default: CLUMP_DATA)\n"
    "  --machine    print the name of this machine, as for results/pcl/NAME.csv";

// Two scans of KITTI, one after the other.
struct Scans {
    Cloud::Ptr first, second;
};

// The result of a run, to be compared, and its wall time.
struct Run {
    std::vector<pcl::PointIndices> clusters;
    pcl::PointCloud<pcl::Normal> normals;
    Eigen::Matrix4f motion = Eigen::Matrix4f::Identity();
    double seconds = 0;
};

struct Case {
    const char *name, *text;
    std::function<void(const Scans &, bool ours, Run &)> run;
};

// ----- what is measured: from the cloud to the result, the search tree included -------------------

template <typename Extraction> void extract(const Scans &scans, Run &run)
{
    Extraction ec;
    ec.setInputCloud(scans.first);
    ec.setClusterTolerance(0.5);
    ec.setMinClusterSize(10);
    ec.extract(run.clusters);
}

pcl::search::KdTree<Point>::Ptr make_tree(bool ours)
{
    return pcl::search::KdTree<Point>::Ptr(ours ? new clump::search::KdTree<Point> : new pcl::search::KdTree<Point>);
}

void estimate_normals(const Scans &scans, bool ours, Run &run, int k, double radius)
{
    pcl::NormalEstimation<Point, pcl::Normal> estimation;
    estimation.setInputCloud(scans.first);
    estimation.setSearchMethod(make_tree(ours));
    if (k > 0) estimation.setKSearch(k);
    if (radius > 0) estimation.setRadiusSearch(radius);
    estimation.compute(run.normals);
}

void align(const Scans &scans, pcl::IterativeClosestPoint<Point, Point> &icp, Run &run)
{
    icp.setInputTarget(scans.first);
    icp.setInputSource(scans.second);
    icp.setMaxCorrespondenceDistance(1);
    icp.setMaximumIterations(20);
    Cloud aligned;
    icp.align(aligned);
    run.motion = icp.getFinalTransformation();
}

void align_with_tree(const Scans &scans, bool ours, Run &run)
{
    pcl::IterativeClosestPoint<Point, Point> icp;
    icp.setSearchMethodTarget(make_tree(ours));
    align(scans, icp, run);
}

const std::vector<Case> &cases()
{
    static const std::vector<Case> all = {
        {"extraction", "EuclideanClusterExtraction d=0.5 min=10",
         [](const Scans &s, bool ours, Run &r) {
             ours ? extract<clump::EuclideanClusterExtraction<Point>>(s, r)
                  : extract<pcl::EuclideanClusterExtraction<Point>>(s, r);
         }},
        {"normals-k10", "NormalEstimation k=10",
         [](const Scans &s, bool ours, Run &r) { estimate_normals(s, ours, r, 10, 0); }},
        {"normals-k30", "NormalEstimation k=30",
         [](const Scans &s, bool ours, Run &r) { estimate_normals(s, ours, r, 30, 0); }},
        {"normals-r0.3", "NormalEstimation r=0.3",
         [](const Scans &s, bool ours, Run &r) { estimate_normals(s, ours, r, 0, 0.3); }},
        {"icp-tree", "pcl::IterativeClosestPoint with either tree; 20 iterations", align_with_tree},
        {"icp", "IterativeClosestPoint; 20 iterations",
         [](const Scans &s, bool ours, Run &r) {
             pcl::IterativeClosestPoint<Point, Point> theirs;
             clump::IterativeClosestPoint<Point, Point> mine;
             align(s, ours ? mine : theirs, r);
         }},
    };
    return all;
}

// ----- verification ---------------------------------------------------------------------------------

bool is_same_normal(const pcl::Normal &a, const pcl::Normal &b)
{
    if (std::isnan(a.normal_x) || std::isnan(b.normal_x)) return std::isnan(a.normal_x) == std::isnan(b.normal_x);
    return std::abs(a.getNormalVector3fMap().dot(b.getNormalVector3fMap())) > 0.999f;
}

// Clusters are equal; motions up to rounding. Of normals one in a hundred may differ: points on a line have none, and PCL sums
// neighbours at equal distances in another order.
bool is_same(const Run &a, const Run &b)
{
    if (a.clusters.size() != b.clusters.size() || a.normals.size() != b.normals.size()) return false;
    for (std::size_t i = 0; i < a.clusters.size(); i++)
        if (a.clusters[i].indices != b.clusters[i].indices) return false;
    std::size_t other = 0;
    for (std::size_t i = 0; i < a.normals.size(); i++) other += !is_same_normal(a.normals[i], b.normals[i]);
    return other <= a.normals.size() / 100 && (a.motion - b.motion).norm() < 1e-3f;
}

Run timed(const Case &c, const Scans &scans, bool ours)
{
    Run run;
    const double start = machine_seconds();
    c.run(scans, ours, run);
    run.seconds = machine_seconds() - start;
    return run;
}

// ----- one case -------------------------------------------------------------------------------------

const char header[] = "case,contestant,parameters,points,runs,median_ms,min_ms,max_ms,times_faster," CSV_MACHINE;

bool measure(const Case &c, const Scans &scans, int repeat, csv *rows)
{
    if (!is_same(timed(c, scans, true), timed(c, scans, false))) {
        std::fprintf(stderr, "clump_bench_pcl: %s: the results are not the same, nothing was measured\n", c.name);
        return false;
    }
    samples times[2] = {};
    for (int i = 0; i < repeat; i++)
        for (bool ours : {false, true}) samples_add(&times[ours], timed(c, scans, ours).seconds);
    const samples_summary sums[2] = {samples_sum_up(&times[0]), samples_sum_up(&times[1])};
    const machine m = machine_describe();
    std::printf("%-14s %-60s\n", c.name, c.text);
    for (int i = 0; i < 2; i++) {
        const double faster = sums[0].median_ms / sums[i].median_ms;
        const char *const name = i ? "clump" : "PCL " PCL_VERSION_PRETTY;
        std::printf("  %-12s %9.2f ms   %6.2f times as fast\n", name, sums[i].median_ms, faster);
        csv_add(rows, "%s,%s,%s,%zu,%zu,%.4f,%.4f,%.4f,%.3f,", c.name, name, c.text, scans.first->size(), sums[i].runs,
                sums[i].median_ms, sums[i].min_ms, sums[i].max_ms, faster);
        csv_end(rows, &m);
    }
    samples_free(&times[0]);
    samples_free(&times[1]);
    return true;
}

Cloud::Ptr load(const std::string &path)
{
    Cloud::Ptr cloud(new Cloud);
    std::FILE *const file = std::fopen(path.c_str(), "rb");
    float p[4];
    while (file && std::fread(p, sizeof p, 1, file) == 1) cloud->push_back({p[0], p[1], p[2]});
    if (file) std::fclose(file);
    return cloud;
}

struct Options {
    std::string data;
    const char *csv_path = nullptr;
    int repeat = 7;
    std::vector<const char *> words;
};

bool is_chosen(const Options &options, const Case &c)
{
    for (const char *word : options.words)
        if (std::strstr(c.name, word)) return true;
    return options.words.empty();
}

// Returns -1 to go on, or the exit status.
int parse(int argc, char **argv, Options &options)
{
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const bool more = i + 1 < argc;
        if (word == "--help" || word == "-h") return std::puts(help), 0;
        if (word == "--machine") return std::puts(machine_describe().name), 0;
        if (word == "--list" || word == "-l") {
            for (const Case &c : cases()) std::printf("%-14s %s\n", c.name, c.text);
            return 0;
        }
        if (word == "--csv" && more)
            options.csv_path = argv[++i];
        else if (word == "--data" && more)
            options.data = argv[++i];
        else if (word == "--repeat" && more)
            options.repeat = std::atoi(argv[++i]);
        else if (word[0] != '-')
            options.words.push_back(argv[i]);
        else
            return std::fprintf(stderr, "clump_bench_pcl: %s is not known or has no value (see --help)\n", argv[i]), 2;
    }
    if (options.repeat < 1) return std::fputs("clump_bench_pcl: the value of --repeat is wrong\n", stderr), 2;
    return -1;
}

} // namespace

int main(int argc, char **argv)
{
    Options options;
    const char *const given = std::getenv("CLUMP_DATA");
    options.data = given && *given ? given : CLUMP_BENCH_DATA;
    const int status = parse(argc, argv, options);
    if (status >= 0) return status;
    clump_message why;
    if (options.csv_path && !csv_can_save(options.csv_path, header, &why))
        return std::fprintf(stderr, "clump_bench_pcl: %s\n", why.text), 1;
    const Scans scans = {load(options.data + "/kitti/semkitti_00_000000.bin"),
                         load(options.data + "/kitti/semkitti_00_000001.bin")};
    if (scans.first->empty() || scans.second->empty())
        return std::fprintf(stderr, "clump_bench_pcl: there are no scans in %s/kitti\n", options.data.c_str()), 1;
    bool good = true;
    csv rows = {};
    for (const Case &c : cases())
        if (is_chosen(options, c)) good = measure(c, scans, options.repeat, &rows) && good;
    if (options.csv_path && !csv_save(&rows, options.csv_path, header, 3, &why)) {
        std::fprintf(stderr, "clump_bench_pcl: %s\n", why.text);
        good = false;
    }
    csv_free(&rows);
    return good ? 0 : 1;
}
