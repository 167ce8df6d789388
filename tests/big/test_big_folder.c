/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_folder.c: the work folder: who owns its files, its lock, the space of its disk, and what its plan says of the inputs.
 */
#include "support/check.h"

#include "big/big_folder_case.h"
#include "store/store.h"
#include "support/clouds.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

static void start(void)
{
    static const double origin[3] = {637000, 4850000, 100};
    snprintf(input, sizeof input, "%s", big_path("folder.las"));
    snprintf(work, sizeof work, "%s", big_path("folder"));
    big_fill(xyz, POINTS, 90, 5);
    big_save(input, xyz, POINTS, origin);
    settings = clump_joint_defaults();
    settings.d = 0.5f;
    clump_big_options o = clump_big_defaults();
    whole = big_one_call(alone, input, &settings, &o);
}

/* Closes a file after a while. */
static void *close_later(void *file)
{
    nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
    fclose(file);
    return NULL;
}

/* A process that ends keeps the lock for a moment: it is waited for, but not without end. */
static void folder_in_use(void)
{
    start();
    snprintf(work, sizeof work, "%s", big_path("used"));
    CHECK(mkdir(work, 0777) == 0);
    char path[300];
    snprintf(path, sizeof path, "%s/clump-lock", work);
    FILE *const lock = fopen(path, "wb");
    CHECK(lock && flock(fileno(lock), LOCK_EX | LOCK_NB) == 0);
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    CHECK_INT(run(&hooks, 1, &r), CLUMP_ERR_IO_OPEN);
    CHECK_MSG(strstr(big_why.text, "in use by another process"), "%s", big_why.text);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, close_later, lock) == 0);
    CHECK_MSG(run(&hooks, 1, &r) == CLUMP_OK, "%s", big_why.text);
    pthread_join(thread, NULL);
    CHECK(r.labels_hash == whole.hash);
    unlink(input);
}

/* Takes the folder again and again. While it has the folder, it makes a file that no other may have made. */
static void *take_in_turn(void *arg)
{
    enum { TURNS = 60 };
    static const char *const no_names[] = {""};
    long *const taken = arg;
    for (int turn = 0; turn < TURNS; turn++) {
        clump_big_disk disk = {0};
        clump_big_file lock;
        clump_message why;
        char mine[320];
        const bool has = clump_big_folder_open(work, NULL, 0, no_names, 0, NULL, &disk, &lock, &why) == CLUMP_OK;
        CHECK_MSG(has || strstr(why.text, "in use by another process"), "%s", why.text);
        snprintf(mine, sizeof mine, "%s/mine", work);
        const int file = has ? open(mine, O_CREAT | O_EXCL | O_WRONLY, 0666) : -1;
        CHECK_MSG(!has || file >= 0, "two have the folder");
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (file >= 0) CHECK(close(file) == 0 && unlink(mine) == 0);
        clump_big_folder_close(&disk, &lock, has);
        *taken += has;
    }
    return NULL;
}

/* A process that waits for the lock may get that of a lock file which the process before has removed. */
static void one_at_a_time(void)
{
    enum { TAKERS = 4 };
    pthread_t thread[TAKERS];
    long taken[TAKERS] = {0}, sum = 0;
    snprintf(work, sizeof work, "%s", big_path("turns"));
    for (int k = 0; k < TAKERS; k++) CHECK_INT(pthread_create(&thread[k], NULL, take_in_turn, &taken[k]), 0);
    for (int k = 0; k < TAKERS; k++) pthread_join(thread[k], NULL), sum += taken[k];
    CHECK_MSG(sum > 0 && access(work, F_OK) != 0, "taken %ld times", sum);
}

/* Files of the user that have names of temporary files stay as they are, and the run is refused by their names. */
static void files_of_the_user(void)
{
    static const char *const names[] = {"lock",   "plan",    "plan.new", "journal",
                                        "points", "results", "numbers",  "clusters"};
    start();
    snprintf(work, sizeof work, "%s", big_path("mine"));
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    char path[300], other[300];
    snprintf(other, sizeof other, "%s/notes.txt", work);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        CHECK(mkdir(work, 0777) == 0);
        snprintf(path, sizeof path, "%s/clump-%s", work, names[k]);
        big_write(path, "of the user", 11);
        CHECK_INT(run(&hooks, 1, &r), CLUMP_ERR_IO_FORMAT);
        CHECK_MSG(strstr(big_why.text, path) && strstr(big_why.text, "no file of clump"), "%s", big_why.text);
        size_t size = 0;
        unsigned char *const bytes = check_load(path, &size);
        CHECK_MSG(bytes && size == 11 && memcmp(bytes, "of the user", 11) == 0, "clump-%s was changed", names[k]);
        free(bytes);
        CHECK(unlink(path) == 0);
        CHECK_MSG(rmdir(work) == 0, "clump-%s: something was left", names[k]);
    }
    CHECK(mkdir(work, 0777) == 0);
    big_write(other, "of the user", 11);
    CHECK_INT(run(&hooks, 1, &r), CLUMP_OK);
    CHECK(access(other, F_OK) == 0 && unlink(other) == 0 && rmdir(work) == 0);
    unlink(input);
}

/* An output with the name of a temporary file would be removed with these. */
static void an_output_with_such_a_name(void)
{
    start();
    const char *const path = input;
    char output[300];
    clump_big_options o = clump_big_defaults();
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    o.work = work, o.threads = 2, o.ram = (size_t)256 << 20;
    o.output.format = CLUMP_FORMAT_LABELS;
    CHECK(mkdir(work, 0777) == 0);
    snprintf(output, sizeof output, "%s/clump-points", work);
    CHECK_INT(clump_big_run_with(&path, 1, output, &settings, &o, &hooks, &r, &big_why), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(big_why.text, output), "%s", big_why.text);
    CHECK(access(work, F_OK) != 0 && mkdir(work, 0777) == 0);
    snprintf(output, sizeof output, "%s/points", work);
    CHECK_INT(clump_big_run_with(&path, 1, output, &settings, &o, &hooks, &r, &big_why), CLUMP_OK);
    CHECK(unlink(output) == 0 && rmdir(work) == 0);
    unlink(input);
}

static void disk_too_small(void)
{
    start();
    clump_big_hooks hooks = usual();
    clump_big_result r;
    hooks.free_bytes = POINTS * 14;
    CHECK_INT(run(&hooks, 2, &r), CLUMP_ERR_IO_WRITE);
    CHECK_MSG(strstr(big_why.text, "the disk has 980.0 kB of free space, and 1.0 MB are needed for temporary files"),
              "%s", big_why.text);
    CHECK(access(work, F_OK) != 0);
    hooks.free_bytes = POINTS * 15;
    CHECK_INT(run(&hooks, 2, &r), CLUMP_OK);
    CHECK(r.labels_hash == whole.hash);
    unlink(input);
}

/* The output is on another disk than the work folder: each needs space for its own files. */
static void disk_of_the_output_too_small(void)
{
    start();
    const char *const path = input;
    char output[256];
    snprintf(output, sizeof output, "%s", big_path("space.labels"));
    clump_big_options o = clump_big_defaults();
    clump_big_hooks hooks = usual();
    clump_big_result r;
    o.work = work, o.threads = 2, o.ram = (size_t)256 << 20;
    hooks.free_bytes = POINTS * 15;
    hooks.output_free = POINTS * 2;
    CHECK_INT(clump_big_run_with(&path, 1, output, &settings, &o, &hooks, &r, &big_why), CLUMP_ERR_IO_WRITE);
    CHECK_MSG(strstr(big_why.text, "space.labels: the disk has 140.0 kB of free space"), "%s", big_why.text);
    CHECK(access(work, F_OK) != 0 && access(output, F_OK) != 0);
    hooks.output_free = POINTS * 8;
    CHECK_INT(clump_big_run_with(&path, 1, output, &settings, &o, &hooks, &r, &big_why), CLUMP_OK);
    CHECK(r.labels_hash == whole.hash && unlink(output) == 0);
    unlink(input);
}

/* Of several inputs the one that has changed is named. Names with control characters cannot add lines to the plan. */
static void names_of_inputs(void)
{
    char first[256], second[256];
    snprintf(first, sizeof first, "%s", big_path("a\nd 7\\.las"));
    snprintf(second, sizeof second, "%s", big_path("b 0"));
    const char *const both[2] = {first, second}, *const back[2] = {second, first};
    start();
    big_save_las(first, xyz, 1000, (const double[3]){0.001, 0.001, 0.001}, NULL);
    big_save_las(second, xyz, 900, (const double[3]){0.001, 0.001, 0.001}, NULL);
    clump_big_options o = clump_big_defaults();
    clump_big_result r;
    clump_work_info info;
    o.work = work, o.keep_work = true, o.threads = 1, o.ram = (size_t)256 << 20;
    CHECK_INT(clump_big_run(both, 2, NULL, &settings, &o, &r, &big_why), CLUMP_OK);
    CHECK_INT(clump_work_describe(work, &info, &big_why), CLUMP_OK);
    CHECK_MSG(strstr(info.command, "/a\\x0ad 7\\\\.las, input ") && strstr(info.command, "/b 0, d 0.5"), "%s",
              info.command);
    CHECK_INT(clump_big_run(back, 2, NULL, &settings, &o, &r, &big_why), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(!strchr(big_why.text, '\n') && strstr(big_why.text, "a\\x0ad 7"), "%s", big_why.text);
    big_save_las(second, xyz, 901, (const double[3]){0.001, 0.001, 0.001}, NULL);
    const struct timespec later = {.tv_sec = time(NULL) + 10}; /* the clock of files may be coarse */
    CHECK(utimensat(AT_FDCWD, second, (const struct timespec[2]){later, later}, 0) == 0);
    CHECK_INT(clump_big_run(both, 2, NULL, &settings, &o, &r, &big_why), CLUMP_ERR_IO_READ);
    CHECK_MSG(strstr(big_why.text, "/b 0: this input has changed"), "%s", big_why.text);
    remove_folder();
    unlink(first), unlink(second), unlink(input);
}

CHECK_PROGRAM(test_big_folder)
{
    alone = cpu_context(1);
    RUN(folder_in_use);
    RUN(one_at_a_time);
    RUN(files_of_the_user);
    RUN(an_output_with_such_a_name);
    RUN(disk_too_small);
    RUN(disk_of_the_output_too_small);
    RUN(names_of_inputs);
    clump_context_destroy(alone);
}
