/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scans.h: the real scans for tests that want them. They are no part of the repository: they lie in the folder CLUMP_DATA
 * of the environment, by default ../shared/data.
 */
#ifndef CLUMP_TESTS_SCANS_H
#define CLUMP_TESTS_SCANS_H

#include <clump/io.h>

/* The folder of the scans. It may not exist. */
const char *scans_folder(void);

/* Loads one scan of the folder, by its path there; null where it cannot be read. The caller destroys it. */
clump_cloud *scan_load(const char *path);

/* Calls `visit` for every file of the folder and its subfolders that is a readable .bin, .pcd or .ply, in the order of
 * their paths; every fourth with the thread sanitizer. Returns their number. */
size_t scans_visit(void (*visit)(clump_points points, const char *name));

/* The whole of a test that visits the scans; it is skipped where there are none. */
#define SCANS_TEST(visit)                                                                                              \
    do {                                                                                                               \
        const size_t scans_seen = scans_visit(visit);                                                                  \
        if (scans_seen == 0) SKIP("no scans in %s: " DO_DATA, scans_folder());                                         \
        printf("%zu scans compared\n", scans_seen);                                                                    \
    } while (0)

#endif
