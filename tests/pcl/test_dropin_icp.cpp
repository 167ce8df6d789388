// SPDX-License-Identifier: BSD-3-Clause
//
// test_dropin_icp.cpp: clump::IterativeClosestPoint beside PCL's own: motions, convergence and its reasons, and parts that the
// user puts in place of PCL's.
#include "case.hpp"

#include <clump/pcl/icp.hpp>

#include <pcl/common/transforms.h>
#include <pcl/registration/correspondence_rejection_distance.h>
#include <pcl/registration/icp.h>
#include <pcl/registration/transformation_estimation_lm.h>

#include <functional>

namespace
{

using pcl::PointXYZ;
using Theirs = pcl::IterativeClosestPoint<PointXYZ, PointXYZ>;
using Ours = clump::IterativeClosestPoint<PointXYZ, PointXYZ>;
using Setting = std::function<void(Theirs &)>;

Eigen::Matrix4f motion(float angle, float x, float y)
{
    Eigen::Affine3f m = Eigen::Affine3f::Identity();
    m.rotate(Eigen::AngleAxisf(angle, Eigen::Vector3f(0.1f, 0.2f, 1).normalized()));
    m.translation() << x, y, 0.05f;
    return m.matrix();
}

Cloud::Ptr moved(const Cloud &cloud, const Eigen::Matrix4f &by)
{
    Cloud::Ptr out(new Cloud);
    pcl::transformPointCloud(cloud, *out, by);
    return out;
}

struct Result {
    Eigen::Matrix4f transform;
    bool converged;
    int state;
    double fitness, near_fitness;
    Cloud aligned;
};

Result run(Theirs &icp, const Cloud::ConstPtr &target, const Cloud::ConstPtr &source, const Setting &set,
           const Eigen::Matrix4f &guess)
{
    Result r;
    icp.setInputTarget(target);
    icp.setInputSource(source);
    set(icp);
    icp.align(r.aligned, guess);
    r.transform = icp.getFinalTransformation();
    r.converged = icp.hasConverged();
    r.state = static_cast<int>(icp.getConvergeCriteria()->getConvergenceState());
    r.fitness = icp.getFitnessScore();
    r.near_fitness = icp.getFitnessScore(0.01);
    return r;
}

Result compare(const Cloud::ConstPtr &target, const Cloud::ConstPtr &source, const Setting &set, const char *what,
               const Eigen::Matrix4f &guess = Eigen::Matrix4f::Identity())
{
    Theirs theirs;
    Ours ours;
    const Result b = run(theirs, target, source, set, guess), a = run(ours, target, source, set, guess);
    CHECK_MSG((a.transform - b.transform).norm() < 1e-4f, "%s: the motion is off by %g", what,
              static_cast<double>((a.transform - b.transform).norm()));
    CHECK_MSG(a.converged == b.converged, "%s", what);
    CHECK_MSG(a.state == b.state, "%s: state %d, PCL has %d", what, a.state, b.state);
    CHECK_MSG(std::abs(a.fitness - b.fitness) <= 1e-4 * (1e-3 + b.fitness), "%s: fitness %g, PCL has %g", what,
              a.fitness, b.fitness);
    CHECK_MSG(std::abs(a.near_fitness - b.near_fitness) <= 1e-3 * (1e-3 + b.near_fitness), "%s", what);
    CHECK_INT(a.aligned.size(), b.aligned.size());
    for (std::size_t i = 0; i < a.aligned.size(); i += 11)
        CHECK((a.aligned[i].getVector3fMap() - b.aligned[i].getVector3fMap()).norm() < 1e-3f);
    return a;
}

const Setting as_it_is = [](Theirs &) {};

void defaults()
{
    for (std::uint64_t seed = 1; seed <= 4; seed++) {
        const Cloud::Ptr target = balls(1200, seed);
        compare(target, moved(*target, motion(0.02f, 0.1f, -0.05f)), as_it_is, "the defaults");
    }
}

void the_limit_of_iterations_counts_as_convergence()
{
    const Cloud::Ptr target = balls(800, 5), source = moved(*target, motion(0.1f, 0.3f, 0));
    const Result r = compare(
        target, source, [](Theirs &icp) { icp.setMaximumIterations(3); }, "three iterations");
    CHECK(r.converged);
    const Result failed = compare(
        target, source,
        [](Theirs &icp) {
            icp.setMaximumIterations(3);
            icp.getConvergeCriteria()->setFailureAfterMaximumIterations(true);
        },
        "three iterations and a failure");
    CHECK(!failed.converged);
}

void the_translation_epsilon_is_squared()
{
    const Cloud::Ptr target = balls(800, 6), source = moved(*target, motion(0, 0.3f, 0));
    for (double epsilon : {1e-2, 1e-4, 1e-8})
        compare(
            target, source,
            [epsilon](Theirs &icp) {
                icp.setMaximumIterations(60);
                icp.setTransformationEpsilon(epsilon);
            },
            "an epsilon of the translation");
}

void the_rotation_epsilon_is_a_cosine()
{
    const Cloud::Ptr target = balls(800, 7), source = moved(*target, motion(0.1f, 0, 0));
    for (double cosine : {0.99, 0.99999})
        compare(
            target, source,
            [cosine](Theirs &icp) {
                icp.setMaximumIterations(60);
                icp.setTransformationEpsilon(1e-3);
                icp.setTransformationRotationEpsilon(cosine);
            },
            "an epsilon of the rotation");
}

void the_fitness_epsilon_is_relative()
{
    const Cloud::Ptr target = balls(800, 8), source = moved(*target, motion(0.1f, 0.2f, 0));
    for (double epsilon : {0.5, 0.01})
        compare(
            target, source,
            [epsilon](Theirs &icp) {
                icp.setMaximumIterations(60);
                icp.setEuclideanFitnessEpsilon(epsilon);
            },
            "an epsilon of the fitness");
}

void pairs_at_the_largest_distance_count()
{
    // Every pair of these clouds is exactly 0.25 apart.
    Cloud::Ptr target(new Cloud), source(new Cloud);
    for (int i = 0; i < 64; i++) {
        const PointXYZ p(static_cast<float>(i % 4), static_cast<float>(i / 4 % 4), static_cast<float>(i / 16));
        target->push_back(p);
        source->push_back({p.x + 0.25f, p.y, p.z});
    }
    for (double most : {0.25, std::nextafter(0.25, 0.0), 0.3})
        compare(
            target, source,
            [most](Theirs &icp) {
                icp.setMaximumIterations(1);
                icp.setMaxCorrespondenceDistance(most);
            },
            "pairs at the largest distance");
}

void too_few_pairs()
{
    const Cloud::Ptr target = balls(200, 9);
    const Result r = compare(
        target, moved(*target, motion(0, 500, 0)), [](Theirs &icp) { icp.setMaxCorrespondenceDistance(0.5); },
        "no pair");
    CHECK(!r.converged);
}

void a_guess()
{
    const Cloud::Ptr target = balls(800, 10);
    const Eigen::Matrix4f far = motion(0.5f, 3, 1);
    compare(
        target, moved(*target, far), [](Theirs &icp) { icp.setMaximumIterations(20); }, "a guess",
        far.inverse() * motion(0.01f, 0.02f, 0));
}

void parts_of_the_user()
{
    const Cloud::Ptr target = balls(500, 11), source = moved(*target, motion(0.03f, 0.1f, 0));
    compare(
        target, source,
        [](Theirs &icp) {
            pcl::registration::CorrespondenceRejectorDistance::Ptr rejector(
                new pcl::registration::CorrespondenceRejectorDistance);
            rejector->setMaximumDistance(0.08f);
            icp.addCorrespondenceRejector(rejector);
        },
        "a rejector");
    compare(
        target, source, [](Theirs &icp) { icp.setUseReciprocalCorrespondences(true); }, "reciprocal pairs");
    compare(
        target, source,
        [](Theirs &icp) {
            icp.setTransformationEstimation(
                pcl::make_shared<pcl::registration::TransformationEstimationLM<PointXYZ, PointXYZ>>());
        },
        "another estimation");
    compare(
        target, source,
        [](Theirs &icp) { icp.setSearchMethodTarget(pcl::make_shared<pcl::search::KdTree<PointXYZ>>()); },
        "PCL's tree");
    int seen[2] = {0, 0}; // a callback of the user sees every iteration
    Theirs theirs;
    Ours ours;
    for (int i = 0; i < 2; i++) {
        int *const counter = &seen[i];
        std::function<Theirs::UpdateVisualizerCallbackSignature> count =
            [counter](const Cloud &, const pcl::Indices &, const Cloud &, const pcl::Indices &) { ++*counter; };
        Theirs &icp = i ? ours : theirs;
        icp.registerVisualizationCallback(count);
        run(
            icp, target, source, [](Theirs &chosen) { chosen.setMaximumIterations(4); }, Eigen::Matrix4f::Identity());
    }
    CHECK(seen[0] >= 4);
    CHECK_INT(seen[1], seen[0]);
}

void points_that_are_not_finite_take_no_part()
{
    const Cloud::Ptr target = balls(600, 12), clean = moved(*target, motion(0.03f, 0.1f, 0)), spoilt(new Cloud(*clean));
    (*spoilt)[0].x = not_a_number;
    (*spoilt)[300].z = infinity;
    for (bool guessed : {false, true}) {
        Ours a, b;
        const Eigen::Matrix4f guess = guessed ? motion(0.01f, 0, 0) : Eigen::Matrix4f::Identity().eval();
        a.setInputTarget(target), b.setInputTarget(target);
        a.setInputSource(spoilt), b.setInputSource(clean);
        Cloud x, y;
        a.align(x, guess);
        b.align(y, guess);
        CHECK(a.hasConverged());
        CHECK((a.getFinalTransformation() - b.getFinalTransformation()).norm() < 0.01f);
    }
}

void threads_and_types()
{
    const Cloud::Ptr target = balls(5000, 13), source = moved(*target, motion(0.03f, 0.1f, 0));
    Eigen::Matrix4f found[2];
    for (unsigned int t : {0u, 1u}) {
        Ours icp;
        icp.setNumberOfThreads(t + 1);
        found[t] = run(icp, target, source, as_it_is, Eigen::Matrix4f::Identity()).transform;
    }
    CHECK(found[0] == found[1]);

    clump::IterativeClosestPoint<pcl::PointXYZI, pcl::PointXYZI, double> icp;
    pcl::IterativeClosestPoint<pcl::PointXYZI, pcl::PointXYZI, double> theirs;
    pcl::PointCloud<pcl::PointXYZI> x, y;
    const auto a = converted<pcl::PointXYZI>(*target), b = converted<pcl::PointXYZI>(*source);
    icp.setInputTarget(a), theirs.setInputTarget(a);
    icp.setInputSource(b), theirs.setInputSource(b);
    icp.align(x);
    theirs.align(y);
    CHECK((icp.getFinalTransformation() - theirs.getFinalTransformation()).norm() < 1e-4);
}

void scans_in_a_row()
{
    clump_cloud *const first = scan_load("kitti/semkitti_00_000000.bin"), *const second =
                                                                              scan_load("kitti/semkitti_00_000001.bin");
    if (first && second)
        compare(
            thinned(clump_cloud_points(first), 6000), thinned(clump_cloud_points(second), 6000),
            [](Theirs &icp) { icp.setMaxCorrespondenceDistance(1); }, "two scans");
    clump_cloud_destroy(first);
    clump_cloud_destroy(second);
    if (!first || !second) SKIP("no scans in %s: " DO_DATA, scans_folder());
}

} // namespace

CHECK_PROGRAM(test_dropin_icp)
{
    pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
    RUN(defaults);
    RUN(the_limit_of_iterations_counts_as_convergence);
    RUN(the_translation_epsilon_is_squared);
    RUN(the_rotation_epsilon_is_a_cosine);
    RUN(the_fitness_epsilon_is_relative);
    RUN(pairs_at_the_largest_distance_count);
    RUN(too_few_pairs);
    RUN(a_guess);
    RUN(parts_of_the_user);
    RUN(points_that_are_not_finite_take_no_part);
    RUN(threads_and_types);
    RUN(scans_in_a_row);
}
