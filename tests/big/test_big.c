/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big.c: surveys in files, in tiles, give the labels of one call.
 */
#include "support/check.h"

#include "big/big_case.h"

#include <math.h>

static clump_context *alone;

enum { POINTS = 30000 };
static double xyz[3 * POINTS];

/* Compares a run with one call. Returns the number of tiles. */
static uint64_t compare(const char *path, const clump_joint_settings *s, clump_big_options o, uint64_t most,
                        int threads)
{
    static char work[256];
    const big_whole whole = big_one_call(alone, path, s, &o);
    const clump_big_hooks hooks = {.most = most, .no_sync = true};
    clump_big_result r;
    snprintf(work, sizeof work, "%s", big_path("work"));
    o.work = work;
    o.threads = threads;
    o.ram = (size_t)256 << 20;
    const clump_status status = clump_big_run_with(&path, 1, NULL, s, &o, &hooks, &r, &big_why);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", path, big_why.text);
    if (status != CLUMP_OK) return 0;
    CHECK_MSG(r.labels_hash == whole.hash, "%s: most %llu, %d threads, %llu tiles, min_points %zu", path,
              (unsigned long long)most, threads, (unsigned long long)r.tiles, s->min_points);
    CHECK_INT(r.clusters, whole.clusters);
    CHECK_INT(r.noise, whole.noise);
    CHECK(most == 0 || r.tiles > 1 || r.points <= most);
    CHECK(access(work, F_OK) != 0);
    return r.tiles;
}

static void compare_all(const char *name, const double *origin, clump_file_frame frame)
{
    char path[256];
    snprintf(path, sizeof path, "%s", big_path(name));
    big_fill(xyz, POINTS, 60, 7);
    big_save(path, xyz, POINTS, origin);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    o.frame = frame;
    s.d = 0.5f;
    for (int job = 0; job < 2; job++) {
        s.min_points = job ? 6 : 0;
        compare(path, &s, o, 0, 2);
        compare(path, &s, o, POINTS / 2, 1);
        compare(path, &s, o, POINTS / 7, 2);
        compare(path, &s, o, POINTS / 64, 8);
    }
    unlink(path);
}

static void formats(void)
{
    static const double far_away[3] = {637000, 4850000, 100};
    compare_all("a.las", far_away, CLUMP_FILE_FRAME_AUTO); /* in steps */
    compare_all("b.las", far_away, CLUMP_FILE_FRAME_WHOLE);
    compare_all("a.pcd", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("b.pcd", far_away, CLUMP_FILE_FRAME_AUTO); /* float64 */
    compare_all("a.ply", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("a.bin", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("a.npy", NULL, CLUMP_FILE_FRAME_AUTO);
}

/* Nine of ten points are in one coarse cell of the plan: its tile is divided. */
static void skewed(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s", big_path("skew.bin"));
    big_fill(xyz, POINTS, 5, 3);
    for (size_t i = 0; i < POINTS; i += 10)
        for (size_t a = 0; a < 2; a++) xyz[3 * i + a] = xyz[3 * i + a] * 20000;
    big_save(path, xyz, POINTS, NULL);
    clump_joint_settings s = clump_joint_defaults();
    s.d = 0.1f;
    for (int job = 0; job < 2; job++) {
        s.min_points = job ? 3 : 0;
        CHECK(compare(path, &s, clump_big_defaults(), 1000, 2) > 27);
    }
    unlink(path);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    alone = cpu_context(1);
    RUN(formats);
    RUN(skewed);
    clump_context_destroy(alone);
    return CHECK_END();
}
