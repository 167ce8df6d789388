// SPDX-License-Identifier: BSD-3-Clause
//
// main.cpp: the same from C++11.
#include <clump/clump.h>

#include <cstdio>
#include <vector>

int main()
{
    const std::vector<float> xyz = {0, 0, 0, 0.5f, 0, 0, 5, 0, 0};
    std::vector<int32_t> labels(3);
    clump_points points = {};
    points.xyz = xyz.data();
    points.count = labels.size();
    clump_context *ctx = nullptr;
    int32_t clusters = 0;
    if (clump_context_create(nullptr, &ctx) != CLUMP_OK) return 1;
    if (clump_ec(ctx, points, 1, nullptr, labels.data(), &clusters) != CLUMP_OK) return 1;
    std::printf("clump %s: %d clusters\n", clump_version(), static_cast<int>(clusters));
    clump_context_destroy(ctx);
    return 0;
}
