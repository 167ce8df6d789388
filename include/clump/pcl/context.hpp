// SPDX-License-Identifier: BSD-3-Clause
//
// context.hpp: a context of clump and scratch memory per thread. Classes of PCL are made anew for every cloud, and their
// searches are called from many threads at once. So the memory belongs to the thread: it stays warm, and nothing is locked.
#ifndef CLUMP_PCL_CONTEXT_HPP
#define CLUMP_PCL_CONTEXT_HPP

#include <clump/clump.h>

#include <pcl/console/print.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clump
{
namespace dropin
{

// What a context is made for.
struct place {
    clump_backend backend;
    int device;
    int threads; // 0: as many as pay
    bool operator==(const place &other) const
    {
        return backend == other.backend && device == other.device && threads == other.threads;
    }
};

// The contexts of a thread, one per place, and memory that calls on this thread reuse.
class workspace
{
  public:
    workspace() = default;
    workspace(const workspace &) = delete;
    workspace &operator=(const workspace &) = delete;
    ~workspace()
    {
        clear();
    }

    // Returns the context for a place; null after a failure, which PCL_ERROR has printed.
    clump_context *at(const place &where)
    {
        for (const entry &made : contexts_)
            if (made.where == where) return made.context;
        clump_message why;
        clump_context_options options = clump_context_defaults();
        options.backend = where.backend;
        options.device = where.device;
        options.threads = where.threads;
        options.message = &why;
        entry added{where, nullptr};
        if (clump_context_create(&options, &added.context) != CLUMP_OK) {
            PCL_ERROR("[clump] %s.\n", why.text);
            return nullptr;
        }
        contexts_.push_back(added);
        return added.context;
    }

    void clear()
    {
        for (const entry &made : contexts_) clump_context_destroy(made.context);
        contexts_.clear();
        coordinates = std::vector<float>();
        labels = std::vector<std::int32_t>();
        offsets = std::vector<std::int32_t>();
        members = std::vector<std::int32_t>();
    }

    std::vector<float> coordinates;
    std::vector<std::int32_t> labels, offsets, members;

  private:
    struct entry {
        place where;
        clump_context *context;
    };
    std::vector<entry> contexts_;
};

inline workspace &this_thread()
{
    static thread_local workspace mine;
    return mine;
}

} // namespace dropin

// Frees what clump's classes for PCL keep on the calling thread: contexts with their worker threads, and scratch memory. The
// end of a thread does it as well. No object loses its state.
inline void releaseThreadMemory()
{
    dropin::this_thread().clear();
}

} // namespace clump

#endif
