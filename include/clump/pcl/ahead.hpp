// SPDX-License-Identifier: BSD-3-Clause
//
// ahead.hpp: what a thread remembers of its searches in a clump::search::KdTree.
//
// PCL's features and filters ask for the neighbours of point 0, 1, 2 ... of a cloud, one at a time. After a few such queries the
// next ones are answered in one call, by all threads of clump, and kept. A kept answer is given only to a query with the
// coordinates that it was computed for.
#ifndef CLUMP_PCL_AHEAD_HPP
#define CLUMP_PCL_AHEAD_HPP

#include <clump/clump.h>

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

// The last answer bounds the next. The k neighbours of one query are no further from another query than their distance plus
// that of the two queries. If a bound were too small, fewer than k neighbours would be found, and the search is repeated.
struct last_query {
    std::uint64_t build = 0;
    int k = 0;
    float at[3];
    float reach; // distance of the last neighbour

    float bound(std::uint64_t tree, int wanted, const float *query) const
    {
        if (tree != build || wanted != k) return INFINITY;
        const float x = query[0] - at[0], y = query[1] - at[1], z = query[2] - at[2];
        const float far = (reach + std::sqrt(x * x + y * y + z * z)) * (1 + 1e-6f) + 1e-20f;
        return far * far;
    }

    void keep(std::uint64_t tree, int wanted, const float *query, float reach_squared)
    {
        build = tree;
        k = wanted;
        std::copy(query, query + 3, at);
        reach = std::sqrt(reach_squared);
    }
};

// Answers of queries `first` ... first + count - 1.
struct kept_answers {
    enum { RUN = 8, LEAST = 256, MOST = 16384, MOST_ENTRIES = 1 << 18 };

    std::uint64_t build = 0;
    int k = 0;
    std::size_t first = 0, count = 0;
    std::size_t next = 0;               // the query expected next
    std::size_t run = 0, block = LEAST; // queries in a row so far; size of the next block
    std::vector<float> queries;         // 3 per query
    std::vector<std::int32_t> indices;  // k per query
    std::vector<float> distances;

    // Returns the row of a query; -1: it is not here.
    std::ptrdiff_t row(std::size_t index, const float *query) const
    {
        if (index < first || index - first >= count) return -1;
        const std::size_t at = index - first;
        return std::memcmp(&queries[3 * at], query, 3 * sizeof(float)) == 0 ? static_cast<std::ptrdiff_t>(at) : -1;
    }

    // Counts a query. Returns whether queries have come in a row for long enough to answer the next ones.
    bool expects(std::uint64_t tree, int wanted, std::size_t index)
    {
        const bool same = tree == build && wanted == k;
        if (!same) count = 0;
        if (same && index == next) {
            run++;
        } else {
            run = 0;
            block = LEAST;
        }
        build = tree;
        k = wanted;
        next = index + 1;
        return run >= RUN;
    }

    std::size_t next_block()
    {
        const std::size_t size = std::min<std::size_t>(block, MOST_ENTRIES / static_cast<std::size_t>(k));
        block = std::min<std::size_t>(2 * block, MOST);
        return size;
    }
};

struct search_memory {
    last_query last;
    kept_answers ahead;
    std::vector<std::uint64_t> neighbours;
};

inline search_memory &search_of_this_thread()
{
    static thread_local search_memory mine;
    return mine;
}

} // namespace dropin
} // namespace clump

#endif
