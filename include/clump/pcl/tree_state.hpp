// SPDX-License-Identifier: BSD-3-Clause
//
// tree_state.hpp: what clump::search::KdTree holds: an index of clump, and PCL's own tree in its place in the base class. PCL's
// tree is built when a search needs it: for more than CLUMP_NN_MAX_K neighbours, for a point representation that is not x, y
// and z, and for an epsilon. It is also what sees such settings, as PCL's setters of the class itself are not virtual.
#ifndef CLUMP_PCL_TREE_STATE_HPP
#define CLUMP_PCL_TREE_STATE_HPP

#include <clump/pcl/context.hpp>
#include <clump/pcl/metric.hpp>
#include <clump/pcl/points.hpp>

#include <clump/info.h>
#include <clump/index.h>

#include <pcl/kdtree/kdtree_flann.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace clump
{
namespace dropin
{

// What setInputCloud of a class returns: nothing, or from PCL 1.14 on, in some classes, whether it succeeded.
template <typename Tree>
using set_result =
    decltype(std::declval<Tree &>().setInputCloud(std::declval<typename Tree::PointCloudConstPtr const &>()));

// Returns a number that no other state of a tree in this process has had.
inline std::uint64_t next_build()
{
    static std::atomic<std::uint64_t> builds{0};
    return ++builds;
}

struct index_release {
    void operator()(clump_index *index) const
    {
        clump_index_destroy(index);
    }
};

template <typename PointT> class tree_state : public ::pcl::KdTreeFLANN<PointT>
{
    using Flann = ::pcl::KdTreeFLANN<PointT>;

  public:
    using CloudConstPtr = typename Flann::PointCloudConstPtr;
    using IndicesConstPtr = typename Flann::IndicesConstPtr;

    explicit tree_state(bool sorted) : Flann(sorted) {}

    // Takes the points and builds the index of clump. Returns whether there is a finite point.
    bool take(const CloudConstPtr &cloud, const IndicesConstPtr &indices)
    {
        this->input_ = cloud;
        this->indices_ = indices;
        flann_built_ = false;
        build_ = next_build();
        asker_ = nullptr;
        points_ = 0;
        chosen_.clear();
        plain_ = is_plain<PointT>(this->getPointRepresentation().get());
        if (!cloud) {
            PCL_ERROR("[clump::search::KdTree::setInputCloud] Invalid input!\n");
            return false;
        }
        workspace &work = this_thread();
        clump_context *const ctx = work.at({CLUMP_BACKEND_CPU, 0, threads_});
        if (!ctx) return false;
        if (indices) chosen_ = *indices;
        const clump_points points =
            indices ? copy_points(*cloud, &chosen_, work.coordinates) : view_points(*cloud, work.coordinates);
        const clump_status status = index_ ? clump_index_rebuild(ctx, index_.get(), points) : create(ctx, points);
        if (status != CLUMP_OK) {
            PCL_ERROR("[clump::search::KdTree::setInputCloud] %s.\n", clump_context_error(ctx));
            return false;
        }
        points_ = clump_context_stats(ctx).finite;
        if (points_ == 0)
            PCL_ERROR("[clump::search::KdTree::setInputCloud] Cannot create a KDTree with an empty input cloud!\n");
        return points_ > 0;
    }

    // PCL calls it after a new point representation.
    set_result<Flann> setInputCloud(const CloudConstPtr &cloud,
                                    const IndicesConstPtr &indices = IndicesConstPtr()) override
    {
        return static_cast<set_result<Flann>>(take(cloud, indices));
    }

    // PCL keeps an epsilon for all clouds to come.
    void setEpsilon(float epsilon) override
    {
        exact_ = epsilon == 0;
        Flann::setEpsilon(epsilon);
    }

    // Returns whether clump gives the neighbours that PCL's tree would give.
    bool answers() const
    {
        return plain_ && exact_;
    }

    // Returns whether PCL's tree takes the query. On others it ends the program where PCL has assertions.
    bool is_valid(const PointT &query) const
    {
        return this->getPointRepresentation()->isValid(query);
    }

    // Returns PCL's tree. The first thread that asks for it builds it.
    const Flann &flann()
    {
        if (!flann_built_.load(std::memory_order_acquire)) {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (!flann_built_.load(std::memory_order_relaxed)) {
                const CloudConstPtr cloud = this->input_; // FLANN's setInputCloud resets its members first
                const IndicesConstPtr indices = this->indices_;
                if (points_ > 0) Flann::setInputCloud(cloud, indices);
                flann_built_.store(true, std::memory_order_release);
            }
        }
        return *this;
    }

    // Returns whether the calling thread is the only one that has asked this tree so far.
    bool is_alone(const void *thread)
    {
        const void *asker = asker_.load(std::memory_order_relaxed);
        if (asker == thread) return true;
        if (asker == this) return false;
        if (!asker && asker_.compare_exchange_strong(asker, thread, std::memory_order_relaxed)) return true;
        asker_.store(this, std::memory_order_relaxed); // several threads, from now on
        return false;
    }

    void set_threads(int threads)
    {
        threads_ = threads;
    }
    int threads() const
    {
        return threads_;
    }
    const clump_index *index() const
    {
        return index_.get();
    }
    std::size_t points() const // those that are finite
    {
        return points_;
    }
    std::uint64_t build() const
    {
        return build_;
    }

    // Returns the index in the cloud of a point of clump's index.
    index_type in_cloud(std::int32_t index) const
    {
        return chosen_.empty() ? static_cast<index_type>(index) : chosen_[static_cast<std::size_t>(index)];
    }

  private:
    clump_status create(clump_context *ctx, const clump_points &points)
    {
        clump_index *created = nullptr;
        const clump_status status = clump_index_create(ctx, points, nullptr, &created);
        index_.reset(created);
        return status;
    }

    std::unique_ptr<clump_index, index_release> index_;
    indices_type chosen_; // the points of the index where indices were given
    std::size_t points_ = 0;
    std::uint64_t build_ = 0;
    int threads_ = 0;
    bool plain_ = true, exact_ = true;
    std::atomic<bool> flann_built_{false};
    std::atomic<const void *> asker_{nullptr}; // null: none; a thread; this: several threads
    std::mutex mutex_;
};

} // namespace dropin
} // namespace clump

#endif
