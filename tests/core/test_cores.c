/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cores.c: CPU quotas of control groups, read from fake folders: both versions, nested groups, containers, and
 * files that are missing or garbage. And copies by several threads.
 */
#include "support/check.h"

#include "common/team.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

/* Writes a file below the fake root, with the folders above it. */
static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(full, "w");
    CHECK_MSG(file && fputs(text, file) >= 0, "%s", full);
    if (file) fclose(file);
}

static void begin(void)
{
    strcpy(root, "/tmp/clump_cores_XXXXXX");
    if (!mkdtemp(root)) abort();
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK_INT(system(command), 0);
}

#define MOUNT_2 "24 23 0:22 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_1 "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
#define OTHERS                                                                                                         \
    "23 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"                                                                   \
    "35 31 0:32 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"

static void version_2(void)
{
    static const struct {
        const char *text;
        int threads;
    } quotas[] = {
        {"max 100000\n", 0},
        {"100000 100000\n", 1},
        {"150000 100000\n", 2},
        {"10000 100000\n", 1},
        {"1600000 100000\n", 16},
        {"200000 100000", 2},
        {"", 0},
        {"\n", 0},
        {"garbage\n", 0},
        {"-5 100000\n", 0},
        {"0 100000\n", 0},
        {"100000 0\n", 0},
        {"100000\n", 0},
        {"5x 100000\n", 0},
        {"100000 1000z\n", 0},
        {"99999999999999999999999 1\n", 0},
        {"1 1000000000\n", 1},
        {"max\n", 0},
        {"9223372036854775806 1\n", 2147483647},
    };
    for (size_t k = 0; k < sizeof quotas / sizeof *quotas; k++) {
        begin();
        put("/proc/self/cgroup", "0::/app\n");
        put("/proc/self/mountinfo", OTHERS MOUNT_2);
        put("/sys/fs/cgroup/app/cpu.max", quotas[k].text);
        const int got = clump_cores_quota(root);
        CHECK_MSG(got == quotas[k].threads, "\"%s\" gives %d", quotas[k].text, got);
        end();
    }
}

static void ancestors_count(void)
{
    begin();
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/proc/self/mountinfo", OTHERS MOUNT_2);
    put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    CHECK_INT(clump_cores_quota(root), 8);
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    CHECK_INT(clump_cores_quota(root), 8);
    put("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
    CHECK_INT(clump_cores_quota(root), 3);
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n"); /* a container sees its own limit at the mount */
    CHECK_INT(clump_cores_quota(root), 1);
    put("/sys/fs/cpu.max", "1 100000\n"); /* above the mount: another thing */
    put("/sys/fs/cgroup/a/b/c/d/cpu.max", "1 1000\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "300000 100000\n");
    put("/sys/fs/cgroup/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    CHECK_INT(clump_cores_quota(root), 3);
    end();
}

static void version_1(void)
{
    begin();
    put("/proc/self/cgroup", "9:name=systemd:/x\n5:cpuset:/\n4:cpu,cpuacct:/a/b\n0::/\n");
    put("/proc/self/mountinfo", OTHERS MOUNT_1);
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "100\n"); /* not the hierarchy of the controller cpu */
    put("/sys/fs/cgroup/cpuset/cpu.cfs_period_us", "100000\n");
    CHECK_INT(clump_cores_quota(root), 0);
    put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "20000\n");
    CHECK_INT(clump_cores_quota(root), 3);
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "150000\n");
    CHECK_INT(clump_cores_quota(root), 2);
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "?\n");
    CHECK_INT(clump_cores_quota(root), 3);
    /* both versions at once: the smaller quota counts */
    put("/proc/self/mountinfo", OTHERS MOUNT_1 MOUNT_2);
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    CHECK_INT(clump_cores_quota(root), 2);
    end();
}

static void containers(void)
{
    begin(); /* version 1 without a namespace: the mount shows the container's folder alone */
    put("/proc/self/cgroup", "4:cpuacct,cpu:/docker/77\n");
    put("/proc/self/mountinfo", "33 31 0:30 /docker/77 /sys/fs/cgroup/cpu ro master:3 - cgroup cgroup rw,cpu\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    CHECK_INT(clump_cores_quota(root), 4);
    put("/proc/self/cgroup", "4:cpuacct,cpu:/docker/77/inner\n");
    put("/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "100000\n");
    put("/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
    CHECK_INT(clump_cores_quota(root), 1);
    put("/proc/self/cgroup", "4:cpuacct,cpu:/docker/777\n"); /* not below /docker/77 */
    CHECK_INT(clump_cores_quota(root), 4);
    end();
    begin(); /* a path outside of the namespace, and a mount with a blank in its name */
    put("/proc/self/cgroup", "0::/../other\n");
    put("/proc/self/mountinfo", "24 23 0:22 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
    put("/my groups/cpu.max", "700000 100000\n");
    put("/other/cpu.max", "100000 100000\n");
    CHECK_INT(clump_cores_quota(root), 7);
    end();
}

/* A mount of another group, as on the host of containers, beside the mount that shows the process's group. */
static void mounts_of_other_groups(void)
{
    static const char *const mounts[] = {
        MOUNT_2 "50 2 0:3 /pods/x /run/pods/x rw - cgroup2 cgroup rw\n",
        "50 2 0:3 /pods/x /run/pods/x rw - cgroup2 cgroup rw\n" MOUNT_2,
    };
    for (int k = 0; k < 2; k++) {
        begin();
        put("/proc/self/cgroup", "0::/user/me\n4:cpu:/x\n");
        put("/proc/self/mountinfo", mounts[k]);
        put("/sys/fs/cgroup/user/me/cpu.max", "max 100000\n");
        put("/run/pods/x/cpu.max", "100000 100000\n");
        CHECK_INT(clump_cores_quota(root), 0);
        put("/sys/fs/cgroup/user/cpu.max", "300000 100000\n");
        CHECK_INT(clump_cores_quota(root), 3);
        /* the other version has no mount that shows the group: a guess */
        put("/proc/self/mountinfo", MOUNT_2 "33 31 0:30 /docker/7 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
        put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
        put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        CHECK_INT(clump_cores_quota(root), 2);
        end();
    }
}

/* Two dots are a name's own, unless they are the whole name. */
static void groups_with_dots(void)
{
    static const struct {
        const char *group;
        int threads; /* 1: the group's own quota, 7: the mount's */
    } cases[] = {{"/a/app..svc", 1}, {"/a/..app", 1}, {"/a/app..", 1}, {"/a/...", 1},
                 {"/../a", 7},       {"/a/../b", 7},  {"/a/..", 7},    {"/..", 7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char line[64], file[128];
        snprintf(line, sizeof line, "0::%s\n", cases[k].group);
        snprintf(file, sizeof file, "/sys/fs/cgroup%s/cpu.max", cases[k].group);
        begin();
        put("/proc/self/cgroup", line);
        put("/proc/self/mountinfo", MOUNT_2);
        put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        put(file, "100000 100000\n");
        put("/sys/fs/cgroup/cpu.max", "700000 100000\n");
        const int got = clump_cores_quota(root);
        CHECK_MSG(got == cases[k].threads, "%s gives %d", cases[k].group, got);
        end();
    }
}

static void files_that_are_missing_or_garbage(void)
{
    CHECK_INT(clump_cores_quota("/nonexistent"), 0);
    static const char *const garbage[] = {
        "", "\n", ":::::", "0:", "0::", "0::x", "\n\n0:/\n", "4:cpu:", "cpu", "0::/app"};
    static const char *const mounts[] = {"",
                                         "x\n",
                                         "1 2 3 4\n",
                                         "24 23 0:22 / /sys/fs/cgroup rw - cgroup2",
                                         "24 23 0:22 / /sys/fs/cgroup rw cgroup2 cgroup2 rw",
                                         "- - - - - - - - -\n",
                                         "24 23 0:22 \\0 \\777 rw - cgroup2 cgroup2 rw\n"};
    for (size_t a = 0; a < sizeof garbage / sizeof *garbage; a++) {
        begin();
        put("/proc/self/cgroup", garbage[a]);
        CHECK_INT(clump_cores_quota(root), 0);
        for (size_t b = 0; b < sizeof mounts / sizeof *mounts; b++) {
            put("/proc/self/mountinfo", mounts[b]);
            put("/sys/fs/cgroup/app/cpu.max", "100000 100000\n");
            const int got = clump_cores_quota(root);
            CHECK_MSG(got == 0, "\"%s\" with \"%s\" gives %d", garbage[a], mounts[b], got);
        }
        end();
    }
    begin(); /* a line that is far too long is passed over */
    char *const text = malloc(20000);
    memset(text, 'y', 19999);
    memcpy(text, "0::/", 4);
    strcpy(text + 19900, "\n0::/app\n");
    put("/proc/self/cgroup", text);
    memcpy(text, "24 23 0:22 / /", 14);
    strcpy(text + 19800, " rw - cgroup2 cgroup2 rw\n" MOUNT_2);
    put("/proc/self/mountinfo", text);
    put("/sys/fs/cgroup/app/cpu.max", "500000 100000\n");
    CHECK_INT(clump_cores_quota(root), 5);
    free(text);
    end();
}

static void this_machine(void)
{
    const int allowed = clump_cores_allowed(), quota = clump_cores_quota(""), cores = clump_cores();
    CHECK(allowed >= 1 && cores >= 1 && cores <= allowed);
    CHECK_INT(cores, quota > 0 && quota < allowed ? quota : allowed);
    const int online = clump_cores_online();
    CHECK(online >= 1);
    CHECK_INT(clump_cores_for_others(), quota > 0 && quota < online ? quota : online);
}

/* ----- copy.c: any number of threads copies all rows and writes nothing else -------------------------------------- */

static void rows_arrive(void)
{
    static const struct {
        size_t row, stride, n;
    } cases[] = {{12, 12, 0},    {12, 16, 1},     {12, 12, 70000}, {12, 16, 70001}, {12, 44, 33333},
                 {4, 4, 300001}, {1, 1, 1000003}, {5, 9, 100000},  {12, 12, 10923}, {12, 12, 10922}};
    clump_team *const team = clump_team_init(aligned_alloc(64, clump_team_bytes()), NULL);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const size_t row = cases[c].row, stride = cases[c].stride, n = cases[c].n;
        const size_t read = n > 0 ? (n - 1) * stride + row : 0; /* the last row ends where the memory does */
        unsigned char *const from = malloc(read + 1), *const to = malloc(n * row + 1);
        CHECK(from && to);
        uint64_t random = c;
        for (size_t i = 0; i < read; i++) from[i] = (unsigned char)check_random(&random);
        for (int threads = 1; threads <= 9; threads += threads < 3 ? 1 : 3) {
            memset(to, 0xee, n * row + 1);
            if (threads % 2) clump_copy_expect(team, row, n, threads);
            clump_copy_rows(team, to, from, row, stride, n, threads);
            size_t wrong = 0;
            for (size_t i = 0; i < n; i++) wrong += memcmp(to + i * row, from + i * stride, row) != 0;
            CHECK_MSG(wrong == 0 && to[n * row] == 0xee, "%zu rows of %zu in %zu, %d threads: %zu wrong", n, row,
                      stride, threads, wrong);
        }
        free(from), free(to);
    }
    clump_team_destroy(team);
    free(team);
}

CHECK_PROGRAM(test_cores)
{
    RUN(version_2);
    RUN(ancestors_count);
    RUN(version_1);
    RUN(containers);
    RUN(mounts_of_other_groups);
    RUN(groups_with_dots);
    RUN(files_that_are_missing_or_garbage);
    RUN(this_machine);
    RUN(rows_arrive);
}
