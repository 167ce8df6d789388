// SPDX-License-Identifier: BSD-3-Clause
//
// kdtree.hpp: clump in place of pcl::search::KdTree, for every class of PCL that takes a search method:
//
//     clump::search::KdTree<pcl::PointXYZ>::Ptr tree(new clump::search::KdTree<pcl::PointXYZ>);
//     normals.setSearchMethod(tree);
//
// Searches are const and may come from any number of threads at once, as OpenMP loops do. As with FLANN a neighbour is closer
// than the radius, distances are squared, and results are sorted where setSortedResults says so. Of equally near points clump
// takes the one with the smaller index; FLANN takes the one that it finds first.
#ifndef CLUMP_PCL_KDTREE_HPP
#define CLUMP_PCL_KDTREE_HPP

#include <clump/pcl/ahead.hpp>
#include <clump/pcl/context.hpp>
#include <clump/pcl/points.hpp>
#include <clump/pcl/tree_state.hpp>

#include <clump/index.h>

#include <pcl/search/kdtree.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace clump
{
namespace dropin
{

// A shared pointer of the kind that PCL has: std's, or boost's in old releases.
template <typename Pointer, typename T> struct pointer_to;
template <template <typename> class Shared, typename Old, typename T> struct pointer_to<Shared<Old>, T> {
    using type = Shared<T>;
};

} // namespace dropin

namespace search
{

template <typename PointT> class KdTree : public ::pcl::search::KdTree<PointT>
{
    using Base = ::pcl::search::KdTree<PointT>;
    using State = dropin::tree_state<PointT>;

  public:
    using Indices = dropin::indices_type;
    using index_t = dropin::index_type;
    using PointCloud = typename Base::PointCloud;
    using PointCloudConstPtr = typename Base::PointCloudConstPtr;
    using IndicesConstPtr = typename State::IndicesConstPtr;
    using Ptr = typename dropin::pointer_to<typename PointCloud::Ptr, KdTree<PointT>>::type;
    using ConstPtr = typename dropin::pointer_to<typename PointCloud::Ptr, const KdTree<PointT>>::type;
    using Base::nearestKSearch;
    using Base::radiusSearch;

    explicit KdTree(bool sorted = true) : Base(sorted), state_(new State(sorted))
    {
        this->tree_.reset(state_);
    }
    KdTree(const KdTree &) = delete; // a copy of PCL's shares the tree inside
    KdTree &operator=(const KdTree &) = delete;

    // Threads for building the tree, and for searches in blocks. 0, the default: as many as pay.
    void setNumberOfThreads(unsigned int threads = 0)
    {
        state_->set_threads(static_cast<int>(std::min(threads, 256u)));
    }

    // The points are copied. As with PCL no search may run at the same time.
    dropin::set_result<Base> setInputCloud(const PointCloudConstPtr &cloud,
                                           const IndicesConstPtr &indices = IndicesConstPtr()) override
    {
        this->input_ = cloud;
        this->indices_ = indices;
        return static_cast<dropin::set_result<Base>>(state_->take(cloud, indices));
    }

    int nearestKSearch(const PointT &point, int k, Indices &k_indices,
                       std::vector<float> &k_sqr_distances) const override
    {
        if (!is_ours(k) && !state_->is_valid(point)) return none(k_indices, k_sqr_distances);
        if (!is_ours(k))
            return state_->flann().nearestKSearch(point, static_cast<unsigned int>(k), k_indices, k_sqr_distances);
        float query[3];
        dropin::copy_point(point, query);
        return nearest(query, k, k_indices, k_sqr_distances);
    }

    // Points of a cloud in a row, as features and filters ask for them, are answered in blocks: ahead.hpp.
    int nearestKSearch(const PointCloud &cloud, index_t index, int k, Indices &k_indices,
                       std::vector<float> &k_sqr_distances) const override
    {
        const std::size_t at = static_cast<std::size_t>(index);
        dropin::kept_answers &ahead = dropin::search_of_this_thread().ahead;
        if (k < 2 || !is_ours(k) || static_cast<std::size_t>(k) > state_->points() || !state_->is_alone(&ahead))
            return nearestKSearch(cloud.points[at], k, k_indices, k_sqr_distances);
        float query[3];
        dropin::copy_point(cloud.points[at], query);
        const bool expected = ahead.expects(state_->build(), k, at);
        std::ptrdiff_t row = ahead.row(at, query);
        if (row < 0 && expected && fetch(cloud, at, ahead)) row = 0;
        if (row < 0) return nearest(query, k, k_indices, k_sqr_distances);
        return copy_row(ahead, static_cast<std::size_t>(row), k_indices, k_sqr_distances);
    }

    int nearestKSearch(index_t index, int k, Indices &k_indices, std::vector<float> &k_sqr_distances) const override
    {
        if (this->indices_) return Base::nearestKSearch(index, k, k_indices, k_sqr_distances);
        return nearestKSearch(*this->input_, index, k, k_indices, k_sqr_distances);
    }

    int radiusSearch(const PointT &point, double radius, Indices &k_indices, std::vector<float> &k_sqr_distances,
                     unsigned int max_nn = 0) const override
    {
        if (!is_ours(0) && !state_->is_valid(point)) return none(k_indices, k_sqr_distances);
        if (!is_ours(0)) return state_->flann().radiusSearch(point, radius, k_indices, k_sqr_distances, max_nn);
        float query[3];
        dropin::copy_point(point, query);
        return within(query, radius, k_indices, k_sqr_distances, max_nn);
    }

    // The nearest point of every point of a cloud, in one call by all threads. An index is -1, and its squared distance
    // infinite, where the nearest is further than max_distance or the point is not finite. Returns false, and finds nothing,
    // where a search by setPointRepresentation or setEpsilon is PCL's.
    template <typename QueryT>
    bool nearestOfEach(const ::pcl::PointCloud<QueryT> &queries, float max_distance, std::vector<std::int32_t> &indices,
                       std::vector<float> &sqr_distances) const
    {
        dropin::workspace &work = dropin::this_thread();
        clump_context *const ctx = work.at({CLUMP_BACKEND_CPU, 0, state_->threads()});
        if (!ctx || !is_ours(1) || !state_->index()) return false;
        const clump_points points = dropin::view_points(queries, work.coordinates);
        indices.resize(points.count);
        sqr_distances.resize(points.count);
        if (clump_index_nearest(ctx, state_->index(), points, max_distance, indices.data(), sqr_distances.data()) !=
            CLUMP_OK) {
            PCL_ERROR("[clump::search::KdTree::nearestOfEach] %s.\n", clump_context_error(ctx));
            return false;
        }
        for (std::int32_t &index : indices)
            if (index >= 0) index = static_cast<std::int32_t>(state_->in_cloud(index));
        return true;
    }

  private:
    // Returns whether clump answers; an empty tree has no neighbours by any rule.
    bool is_ours(int k) const
    {
        return (k <= CLUMP_NN_MAX_K && state_->answers()) || state_->points() == 0;
    }

    static int none(Indices &k_indices, std::vector<float> &k_sqr_distances)
    {
        k_indices.clear();
        k_sqr_distances.clear();
        return 0;
    }

    int nearest(const float *query, int k, Indices &k_indices, std::vector<float> &k_sqr_distances) const
    {
        k = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(k, 0)), state_->points()));
        if (k == 0) return none(k_indices, k_sqr_distances);
        dropin::last_query &last = dropin::search_of_this_thread().last;
        const std::uint64_t build = state_->build();
        std::uint64_t neighbours[CLUMP_NN_MAX_K];
        std::size_t found = 0;
        const float bound = last.bound(build, k, query);
        if (bound < INFINITY) clump_index_knn_one(state_->index(), query, k, bound, neighbours, &found);
        if (found < static_cast<std::size_t>(k))
            clump_index_knn_one(state_->index(), query, k, INFINITY, neighbours, &found);
        copy(neighbours, found, k_indices, k_sqr_distances);
        if (found == static_cast<std::size_t>(k)) last.keep(build, k, query, k_sqr_distances[found - 1]);
        return static_cast<int>(found);
    }

    int within(const float *query, double radius, Indices &k_indices, std::vector<float> &k_sqr_distances,
               unsigned int max_nn) const
    {
        const float square = static_cast<float>(radius * radius);
        const std::size_t points = state_->points();
        if (!(square > 0) || points == 0) return none(k_indices, k_sqr_distances);
        const float bound = std::nextafter(square, 0.0f); // at most this: below the square
        std::vector<std::uint64_t> &neighbours = dropin::search_of_this_thread().neighbours;
        if (neighbours.size() < 1024) neighbours.resize(1024);
        const std::size_t most = max_nn == 0 ? points : std::min<std::size_t>(max_nn, points);
        std::size_t found = 0;
        if (most < points && most <= CLUMP_NN_MAX_K) {
            clump_index_knn_one(state_->index(), query, static_cast<int>(most), bound, neighbours.data(), &found);
        } else {
            const bool sorted = this->sorted_results_ || most < points;
            clump_index_radius_one(state_->index(), query, bound, sorted, neighbours.data(), neighbours.size(), &found);
            if (found > neighbours.size()) {
                neighbours.resize(found + found / 2);
                clump_index_radius_one(state_->index(), query, bound, sorted, neighbours.data(), neighbours.size(),
                                       &found);
            }
        }
        found = std::min(found, most);
        copy(neighbours.data(), found, k_indices, k_sqr_distances);
        return static_cast<int>(found);
    }

    void copy(const std::uint64_t *neighbours, std::size_t count, Indices &k_indices,
              std::vector<float> &k_sqr_distances) const
    {
        k_indices.resize(count);
        k_sqr_distances.resize(count);
        for (std::size_t i = 0; i < count; i++) {
            const std::uint32_t bits = static_cast<std::uint32_t>(neighbours[i] >> 32);
            std::memcpy(&k_sqr_distances[i], &bits, sizeof bits);
            k_indices[i] = state_->in_cloud(static_cast<std::int32_t>(static_cast<std::uint32_t>(neighbours[i])));
        }
    }

    // Answers the queries from `first` on, as many as a block has.
    bool fetch(const PointCloud &cloud, std::size_t first, dropin::kept_answers &ahead) const
    {
        const std::size_t k = static_cast<std::size_t>(ahead.k);
        const std::size_t count = std::min(ahead.next_block(), cloud.points.size() - first);
        clump_context *const ctx = dropin::this_thread().at({CLUMP_BACKEND_CPU, 0, state_->threads()});
        ahead.count = 0;
        if (!ctx) return false;
        ahead.queries.resize(3 * count);
        ahead.indices.resize(k * count);
        ahead.distances.resize(k * count);
        for (std::size_t i = 0; i < count; i++) dropin::copy_point(cloud.points[first + i], &ahead.queries[3 * i]);
        if (clump_index_knn(ctx, state_->index(), dropin::points_of(ahead.queries), ahead.k, INFINITY,
                            ahead.indices.data(), ahead.distances.data()) != CLUMP_OK)
            return false;
        ahead.first = first;
        ahead.count = count;
        return true;
    }

    int copy_row(const dropin::kept_answers &ahead, std::size_t row, Indices &k_indices,
                 std::vector<float> &k_sqr_distances) const
    {
        const std::size_t k = static_cast<std::size_t>(ahead.k);
        const std::int32_t *const indices = &ahead.indices[k * row];
        if (indices[k - 1] < 0) return none(k_indices, k_sqr_distances); // the query is not finite
        k_sqr_distances.assign(&ahead.distances[k * row], &ahead.distances[k * row] + k);
        k_indices.resize(k);
        for (std::size_t i = 0; i < k; i++) k_indices[i] = state_->in_cloud(indices[i]);
        return ahead.k;
    }

    State *const state_; // tree_ of the base class owns it
};

} // namespace search
} // namespace clump

#endif
