/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_poses.c: the fuzz target for files of poses. What is read must be written and read again with equal bits (KITTI), or
 * as poses of the same times (TUM).
 */
#include "target.h"

#include <string.h>

FUZZ_TARGET(poses)
{
    clump_poses poses, back;
    clump_message why;
    if (clump_poses_parse(data, size, "fuzz", &poses, &why) != CLUMP_OK) {
        REQUIRE(why.text[0] && poses.count == 0 && !poses.matrices && !poses.times);
        return 0;
    }
    REQUIRE(poses.count > 0 && poses.matrices && (poses.format == CLUMP_POSES_TUM) == (poses.times != NULL));
    const char *const path = fuzz_scratch("poses");
    REQUIRE(clump_poses_save(path, &poses, poses.format, NULL, NULL, &why) == CLUMP_OK);
    REQUIRE(clump_poses_load(path, &back, &why) == CLUMP_OK);
    REQUIRE(back.count == poses.count && back.format == poses.format);
    if (poses.times)
        REQUIRE(memcmp(poses.times, back.times, poses.count * sizeof *poses.times) == 0);
    else
        REQUIRE(memcmp(poses.matrices, back.matrices, poses.count * sizeof *poses.matrices) == 0);
    clump_poses_free(&poses);
    clump_poses_free(&back);
    unlink(path);
    return 0;
}
