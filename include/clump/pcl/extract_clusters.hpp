// SPDX-License-Identifier: BSD-3-Clause
//
// extract_clusters.hpp: clump in place of pcl::EuclideanClusterExtraction, with the same results:
//
//     points, indices -> labels in the order of discovery -> one pcl::PointIndices per cluster -> sorted by PCL's own call
//
// As in PCL, extract() appends to the clusters that the vector has, and sorts all of them.
#ifndef CLUMP_PCL_EXTRACT_CLUSTERS_HPP
#define CLUMP_PCL_EXTRACT_CLUSTERS_HPP

#include <clump/pcl/context.hpp>
#include <clump/pcl/metric.hpp>
#include <clump/pcl/points.hpp>

#include <pcl/segmentation/extract_clusters.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace clump
{
namespace dropin
{

// Limits and choices of one extraction.
struct extraction {
    float tolerance;
    std::size_t min_size, max_size;
    bool keep_invalid;
    place where;
};

// Returns whether clump computes with this tolerance. PCL has the rest: squares that are not normal numbers.
inline bool is_tolerance(float tolerance)
{
    const float square = tolerance * tolerance;
    return square == 0 || (square >= FLT_MIN && square <= FLT_MAX);
}

// Returns the indices as PCL takes them: each once, where it stands first. `kept` gets them where some were dropped. Null:
// an index is not in the cloud.
inline const indices_type *distinct(const indices_type &indices, std::size_t points, indices_type &kept)
{
    bool ascending = true;
    for (std::size_t i = 0; i < indices.size(); i++) {
        if (indices[i] < 0 || static_cast<std::size_t>(indices[i]) >= points) {
            PCL_ERROR("[clump::EuclideanClusterExtraction] Index %lld is not in the cloud, which has %zu points.\n",
                      static_cast<long long>(indices[i]), points);
            return nullptr;
        }
        ascending = ascending && (i == 0 || indices[i - 1] < indices[i]);
    }
    if (ascending) return &indices;
    std::vector<bool> seen(points, false);
    kept.clear();
    kept.reserve(indices.size());
    for (const index_type index : indices) {
        if (seen[static_cast<std::size_t>(index)]) continue;
        seen[static_cast<std::size_t>(index)] = true;
        kept.push_back(index);
    }
    return &kept;
}

// Labels every finite point by its position. This is what a distance of 0 gives: no point is closer than that.
inline std::int32_t label_each(const clump_points &points, std::size_t min_size, std::vector<std::int32_t> &labels)
{
    std::int32_t clusters = 0;
    const std::size_t stride = points.stride ? points.stride : 3 * sizeof(float);
    for (std::size_t i = 0; i < points.count; i++) {
        const float *const p = reinterpret_cast<const float *>(reinterpret_cast<const char *>(points.xyz) + i * stride);
        const bool counts = min_size <= 1 && std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
        labels[i] = counts ? clusters++ : CLUMP_NOISE;
    }
    return clusters;
}

// Makes a cluster of every point that is not finite, as PCL does, in the order of discovery with the others.
inline std::int32_t label_invalid(const clump_points &points, std::int32_t clusters, std::vector<std::int32_t> &labels)
{
    std::vector<std::int32_t> renumbered(static_cast<std::size_t>(clusters), CLUMP_NOISE);
    std::int32_t next = 0;
    const std::size_t stride = points.stride ? points.stride : 3 * sizeof(float);
    for (std::size_t i = 0; i < points.count; i++) {
        const float *const p = reinterpret_cast<const float *>(reinterpret_cast<const char *>(points.xyz) + i * stride);
        if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))) {
            labels[i] = next++;
        } else if (labels[i] >= 0) {
            std::int32_t &number = renumbered[static_cast<std::size_t>(labels[i])];
            if (number < 0) number = next++;
            labels[i] = number;
        }
    }
    return next;
}

// Labels the points. Returns the number of clusters; -1 after a failure.
inline std::int32_t label(clump_context *ctx, const clump_points &points, const extraction &how, workspace &work)
{
    std::int32_t clusters = 0;
    const float distance = std::fabs(how.tolerance);
    work.labels.resize(points.count);
    if (distance * distance == 0) {
        clusters = label_each(points, how.min_size, work.labels);
    } else {
        clump_ec_options options = clump_ec_defaults();
        options.common.min_size = how.min_size;
        options.common.max_size = how.max_size < points.count ? how.max_size : 0;
        if (clump_ec(ctx, points, distance, &options, work.labels.data(), &clusters) != CLUMP_OK) {
            PCL_ERROR("[clump::EuclideanClusterExtraction] %s.\n", clump_context_error(ctx));
            return -1;
        }
    }
    if (how.keep_invalid && how.min_size <= 1) clusters = label_invalid(points, clusters, work.labels);
    return clusters;
}

// Appends the clusters of a cloud, in the order of discovery. indices: null for all points.
template <typename PointT>
void append_clusters(const ::pcl::PointCloud<PointT> &cloud, const indices_type *indices, const extraction &how,
                     std::vector<::pcl::PointIndices> &clusters)
{
    if (how.max_size == 0 || how.max_size < how.min_size) return; // no cluster has such a size
    workspace &work = this_thread();
    indices_type kept;
    const bool all = !indices;
    if (!all) {
        indices = distinct(*indices, cloud.points.size(), kept);
        if (!indices) return;
    }
    clump_context *const ctx = work.at(how.where);
    if (!ctx) return;
    const clump_points points =
        all ? view_points(cloud, work.coordinates) : copy_points(cloud, indices, work.coordinates);
    const std::int32_t count = label(ctx, points, how, work);
    if (count <= 0) return;
    work.offsets.resize(static_cast<std::size_t>(count) + 1);
    work.members.resize(points.count);
    if (clump_group(ctx, work.labels.data(), points.count, CLUMP_PLACE_HOST, count, work.offsets.data(),
                    work.members.data()) != CLUMP_OK) {
        PCL_ERROR("[clump::EuclideanClusterExtraction] %s.\n", clump_context_error(ctx));
        return;
    }
    clusters.reserve(clusters.size() + static_cast<std::size_t>(count));
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); c++) {
        const std::int32_t *const first = work.members.data() + work.offsets[c];
        const std::int32_t *const last = work.members.data() + work.offsets[c + 1];
        clusters.emplace_back();
        clusters.back().header = cloud.header;
        indices_type &members = clusters.back().indices;
        members.assign(first, last);
        if (all) continue;
        for (index_type &member : members) member = (*indices)[static_cast<std::size_t>(member)];
        if (indices == &kept) std::sort(members.begin(), members.end());
    }
}

} // namespace dropin

// In place of pcl::EuclideanClusterExtraction. Everything that is not here is PCL's: setInputCloud, setIndices,
// setClusterTolerance, setMinClusterSize, setMaxClusterSize, setSearchMethod and their getters.
//
// extract() is not virtual in PCL: called through a pointer to PCL's class it is PCL's.
template <typename PointT> class EuclideanClusterExtraction : public ::pcl::EuclideanClusterExtraction<PointT>
{
    using Base = ::pcl::EuclideanClusterExtraction<PointT>;

  public:
    // Points that are not finite: left out (false, the default), or a cluster of one each, as in PCL without assertions. PCL
    // with assertions, as Debian has it, ends the program on them.
    void setKeepInvalid(bool keep)
    {
        keep_invalid_ = keep;
    }
    bool getKeepInvalid() const
    {
        return keep_invalid_;
    }

    // 0, the default: as many as pay. Clusters do not depend on it.
    void setNumberOfThreads(unsigned int threads = 0)
    {
        where_.threads = static_cast<int>(std::min(threads, 256u));
    }
    unsigned int getNumberOfThreads() const
    {
        return static_cast<unsigned int>(where_.threads);
    }

    // CLUMP_BACKEND_AUTO, the default: a GPU for large clouds where there is one. Clusters do not depend on it.
    void setBackend(clump_backend backend, int device = 0)
    {
        where_.backend = backend;
        where_.device = device;
    }
    clump_backend getBackend() const
    {
        return where_.backend;
    }

    // Appends the clusters and sorts all by size, largest first. PCL's own extraction runs where clump would give other
    // clusters: with a search method that is no kd-tree, or has a point representation or an epsilon of its own.
    void extract(std::vector<::pcl::PointIndices> &clusters)
    {
        if (!this->initCompute() || this->input_->points.empty() || this->indices_->empty()) {
            clusters.clear();
            return;
        }
        const float tolerance = static_cast<float>(this->cluster_tolerance_);
        const bool plain = dropin::is_euclidean<PointT>(this->tree_.get());
        if (!plain)
            PCL_WARN("[clump::%s::extract] The search method is not a plain kd-tree: PCL extracts the clusters.\n",
                     this->getClassName().c_str());
        if (plain && dropin::is_tolerance(tolerance)) {
            const dropin::extraction how = {tolerance, limit(this->min_pts_per_cluster_),
                                            limit(this->max_pts_per_cluster_), keep_invalid_, where_};
            dropin::append_clusters(*this->input_, this->fake_indices_ ? nullptr : this->indices_.get(), how, clusters);
        } else {
            extract_by_pcl(tolerance, clusters);
        }
        std::sort(clusters.rbegin(), clusters.rend(), ::pcl::comparePointClusters);
        this->deinitCompute();
    }

  private:
    // Not by PCL's extract(), which does not compile for every type of points: it brings searches in images along.
    void extract_by_pcl(float tolerance, std::vector<::pcl::PointIndices> &clusters)
    {
        if (!this->tree_) this->tree_.reset(new ::pcl::search::KdTree<PointT>(false));
        this->tree_->setInputCloud(this->input_, this->indices_);
        ::pcl::extractEuclideanClusters(*this->input_, *this->indices_, this->tree_, tolerance, clusters,
                                        static_cast<unsigned int>(this->min_pts_per_cluster_),
                                        static_cast<unsigned int>(this->max_pts_per_cluster_));
    }

    // PCL compares sizes as unsigned int.
    template <typename Number> static std::size_t limit(Number size)
    {
        return static_cast<unsigned int>(size);
    }

    bool keep_invalid_ = false;
    dropin::place where_ = {CLUMP_BACKEND_AUTO, 0, 0};
};

namespace dropin
{

// Returns whether the tree was made for this cloud, with PCL's message where it was not.
template <typename PointT>
bool is_tree_of(const ::pcl::search::Search<PointT> &tree, const ::pcl::PointCloud<PointT> &cloud,
                const indices_type *indices)
{
    const auto input = tree.getInputCloud();
    if (!input || input->points.size() != cloud.points.size()) {
        PCL_ERROR(
            "[clump::extractEuclideanClusters] Tree built for a different point cloud dataset (%zu) than the input "
            "cloud (%zu)!\n",
            input ? input->points.size() : 0, cloud.points.size());
        return false;
    }
    const auto chosen = tree.getIndices();
    if (indices && (!chosen || chosen->size() != indices->size())) {
        PCL_ERROR(
            "[clump::extractEuclideanClusters] Tree built for a different set of indices (%zu) than the input set "
            "(%zu)!\n",
            chosen ? chosen->size() : 0, indices->size());
        return false;
    }
    return true;
}

} // namespace dropin

// In place of pcl::extractEuclideanClusters: appends the clusters in the order of discovery. The tree may be null; otherwise
// it must be that of the cloud, as in PCL, and PCL's function runs where it is not a plain kd-tree.
template <typename PointT>
void extractEuclideanClusters(const ::pcl::PointCloud<PointT> &cloud,
                              const typename ::pcl::search::Search<PointT>::Ptr &tree, float tolerance,
                              std::vector<::pcl::PointIndices> &clusters, unsigned int min_pts_per_cluster = 1,
                              unsigned int max_pts_per_cluster = (std::numeric_limits<int>::max)())
{
    if (tree && !dropin::is_tree_of<PointT>(*tree, cloud, nullptr)) return;
    const bool part = tree && tree->getIndices() && tree->getIndices()->size() != cloud.points.size();
    if (tree && (part || !dropin::is_euclidean<PointT>(tree.get()) || !dropin::is_tolerance(tolerance))) {
        ::pcl::extractEuclideanClusters(cloud, tree, tolerance, clusters, min_pts_per_cluster, max_pts_per_cluster);
        return;
    }
    const dropin::extraction how = {
        tolerance, min_pts_per_cluster, max_pts_per_cluster, false, {CLUMP_BACKEND_AUTO, 0, 0}};
    dropin::append_clusters(cloud, nullptr, how, clusters);
}

// The same for the points that are listed.
template <typename PointT>
void extractEuclideanClusters(const ::pcl::PointCloud<PointT> &cloud, const dropin::indices_type &indices,
                              const typename ::pcl::search::Search<PointT>::Ptr &tree, float tolerance,
                              std::vector<::pcl::PointIndices> &clusters, unsigned int min_pts_per_cluster = 1,
                              unsigned int max_pts_per_cluster = (std::numeric_limits<int>::max)())
{
    if (tree && !dropin::is_tree_of<PointT>(*tree, cloud, &indices)) return;
    if (tree && (!dropin::is_euclidean<PointT>(tree.get()) || !dropin::is_tolerance(tolerance))) {
        ::pcl::extractEuclideanClusters(cloud, indices, tree, tolerance, clusters, min_pts_per_cluster,
                                        max_pts_per_cluster);
        return;
    }
    const dropin::extraction how = {
        tolerance, min_pts_per_cluster, max_pts_per_cluster, false, {CLUMP_BACKEND_AUTO, 0, 0}};
    dropin::append_clusters(cloud, &indices, how, clusters);
}

} // namespace clump

#endif
