/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dclust_options.c: dclust_chains, dclust_threads and dclust_seeds of clump_dbscan: wrong values are refused with a
 * sentence, and the number of passes and the memory follow chains and seeds. test_dbscan.c compares the labels.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/papers.h"

#include <clump/info.h>

#include <limits.h>

enum { MOST = 3000, FEW = 2500 };

static float xyz[3 * MOST];
static int32_t labels[MOST];

/* Every option of dclust beyond its ends, at its ends, and with another method. The sentence names the option. */
static void options_are_checked(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points p = {.xyz = xyz, .count = 10};
    static const struct {
        const char *name;
        size_t at;
        int least, most, wrong[4];
        const char *sentence;
    } rows[] = {
        {"dclust_chains",
         offsetof(clump_papers, dclust_chains),
         1,
         1024,
         {-1, 1025, INT_MIN, INT_MAX},
         "dclust_chains is 1025, it must be 1 to 1024"},
        {"dclust_threads",
         offsetof(clump_papers, dclust_threads),
         32,
         1024,
         {-32, 1056, 31, 48},
         "dclust_threads is 1056, it must be a multiple of 32 up to 1024"},
        {"dclust_seeds",
         offsetof(clump_papers, dclust_seeds),
         1,
         65536,
         {-1, 65537, INT_MIN, INT_MAX},
         "dclust_seeds is 65537, it must be 1 to 65536"},
    };
    char sentence[160];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clump_dbscan_options o = clump_dbscan_defaults();
        clump_papers papers = clump_papers_defaults();
        o.common.papers = &papers;
        int *const value = (int *)(void *)((char *)&papers + rows[i].at);
        o.method = CLUMP_DBSCAN_DCLUST;
        for (size_t k = 0; k < 4; k++) {
            *value = rows[i].wrong[k];
            expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_ERR_ARGUMENT,
                           k == 1 ? rows[i].sentence : rows[i].name);
        }
        *value = rows[i].most;
        CHECK_INT(clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_OK);
        *value = rows[i].least;
        CHECK_INT(clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_OK);
        FOR_CPU_METHODS (method, clump_dbscan_methods) {
            if (method == CLUMP_DBSCAN_DCLUST) continue;
            o.method = (clump_dbscan_method)method;
            snprintf(sentence, sizeof sentence, "clump_dbscan: %s is for the method dclust, %s does not have it",
                     rows[i].name, clump_dbscan_method_name(o.method));
            expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_ERR_UNSUPPORTED, sentence);
        }
        o.method = (clump_dbscan_method)99;
        expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_ERR_ARGUMENT, "method number 99");
        clump_detect_options detect = clump_detect_defaults();
        detect.method = CLUMP_DETECT_DBSCAN, detect.d = 1, detect.min_points = 5;
        o.method = CLUMP_DBSCAN_DCLUST, *value = -5, detect.dbscan.method = o.method, detect.common.papers = &papers;
        expect_failure(ctx, clump_detect(ctx, p, &detect, labels, NULL, 0, NULL), CLUMP_ERR_ARGUMENT, rows[i].name);
    }
    clump_context_destroy(ctx);
}

/* On the CPU there is nothing to merge elsewhere: labels stay. */
static void host_merge_is_for_dclust(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points p = {.xyz = xyz, .count = 10};
    clump_dbscan_options o = clump_dbscan_defaults();
    for (size_t i = 0; i < 10; i++) xyz[3 * i] = (float)(i / 5) * 10;
    o.method = CLUMP_DBSCAN_DCLUST, PAPERS(o)->dclust_host_merge = true;
    CHECK_INT(clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_OK);
    for (size_t i = 0; i < 10; i++) CHECK_INT(labels[i], (int32_t)(i / 5));
    o.method = CLUMP_DBSCAN_FAST;
    expect_failure(ctx, clump_dbscan(ctx, p, 1, 5, &o, labels, NULL), CLUMP_ERR_UNSUPPORTED,
                   "clump_dbscan: dclust_host_merge is for the method dclust, fast does not have it");
    clump_context_destroy(ctx);
}

/* Returns the passes of dclust on the first points; 0 stands for the default. */
static int64_t passes_of(clump_context *ctx, size_t count, int chains, int seeds)
{
    clump_dbscan_options o = clump_dbscan_defaults();
    o.method = CLUMP_DBSCAN_DCLUST, PAPERS(o)->dclust_chains = chains, PAPERS(o)->dclust_seeds = seeds;
    CHECK_INT(clump_dbscan(ctx, (clump_points){.xyz = xyz, .count = count}, 1, 5, &o, labels, NULL), CLUMP_OK);
    return clump_context_stats(ctx).passes;
}

/* Points that are far from each other: a pass processes as many as there are chains. */
static void passes_follow_chains(void)
{
    clump_context *const ctx = cpu_context(1);
    for (size_t i = 0; i < 600; i++) xyz[3 * i] = 10 * (float)i;
    CHECK_INT(passes_of(ctx, 600, 1, 0), 600);
    CHECK_INT(passes_of(ctx, 600, 200, 0), 3);
    CHECK_INT(passes_of(ctx, 600, 1024, 0), 1);
    CHECK_INT(passes_of(ctx, 600, 0, 0), 3); /* 256 chains */
    CHECK_INT(passes_of(ctx, 512, 0, 0), 2);
    CHECK_INT(passes_of(ctx, 0, 1024, 65536), 0);
    CHECK_INT(passes_of(ctx, 1, 1024, 65536), 1);
    clump_context_destroy(ctx);
}

/* Points that all are neighbours: one chain processes its first seed and a full list, then as much per pass. */
static void passes_follow_seeds(void)
{
    clump_context *const ctx = cpu_context(1);
    memset(xyz, 0, sizeof xyz);
    CHECK_INT(passes_of(ctx, 2049, 1, 65536), 1);
    CHECK_INT(passes_of(ctx, 2049, 1, 0), 2); /* 1 + 1024 + 1024 */
    CHECK_INT(passes_of(ctx, 2050, 1, 0), 3);
    CHECK_INT(passes_of(ctx, 11, 1, 5), 2);
    CHECK_INT(passes_of(ctx, 11, 1, 1), 10); /* 1 + 1, then one at a time */
    clump_context_destroy(ctx);
}

/* The memory of dclust follows chains and seeds. Smaller sizes, and the same ones again, allocate nothing. */
static void dclust_memory_follows(void)
{
    static const int sizes[][2] = {{1024, 65536}, {1024, 65536}, {1, 1}, {0, 0}, {1, 65536}, {1024, 1}};
    uint64_t random = 56;
    const float d = cloud_fill(CLOUD_SCAN, xyz, FEW, &random);
    const clump_points points = {.xyz = xyz, .count = FEW};
    counter c = {.fail_from = -1}, small = {.fail_from = -1};
    clump_context *ctx, *lean;
    CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
    CHECK_INT(counted_context(&small, 1, &lean), CLUMP_OK);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.method = CLUMP_DBSCAN_DCLUST;
    long taken = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        PAPERS(o)->dclust_chains = sizes[k][0], PAPERS(o)->dclust_seeds = sizes[k][1];
        CHECK_INT(clump_dbscan(ctx, points, d, 5, &o, labels, NULL), CLUMP_OK);
        if (k == 0) taken = c.calls;
    }
    CHECK_MSG(c.calls == taken, "%ld allocations by warm calls", c.calls - taken);
    PAPERS(o)->dclust_chains = 1, PAPERS(o)->dclust_seeds = 1;
    CHECK_INT(clump_dbscan(lean, points, d, 5, &o, labels, NULL), CLUMP_OK);
    /* 1024 lists, none longer than the cloud, beside one list of one seed */
    const size_t lists = 1024 * (size_t)FEW * sizeof(uint32_t);
    CHECK(clump_context_stats(ctx).host_bytes > clump_context_stats(lean).host_bytes + lists);
    CHECK(clump_context_stats(ctx).host_bytes < clump_context_stats(lean).host_bytes + lists + lists / 8);
    clump_context_destroy(ctx);
    clump_context_destroy(lean);
    CHECK(c.live == 0 && small.live == 0);
}

CHECK_PROGRAM(test_dclust_options)
{
    RUN(options_are_checked);
    RUN(host_merge_is_for_dclust);
    RUN(passes_follow_chains);
    RUN(passes_follow_seeds);
    RUN(dclust_memory_follows);
}
