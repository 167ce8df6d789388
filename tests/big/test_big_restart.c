/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_restart.c: a run that ends at any change of its work folder goes on when it is started again, with the same
 * labels. Damaged files, other parameters and changed inputs never give wrong labels.
 */
#include "support/check.h"

#include "big/big_folder_case.h"
#include "support/clouds.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { ENDED = 42 };

/* Ends the process at the change number `left`. */
static int end_at(void *user, clump_big_change change)
{
    long *const left = user;
    (void)change;
    if (__atomic_sub_fetch(left, 1, __ATOMIC_RELAXED) == 0) _exit(ENDED);
    return 0;
}

/* Fails the change number `left` as a full disk does. */
static int fail_at(void *user, clump_big_change change)
{
    long *const left = user;
    const bool write = change == CLUMP_BIG_CHANGE_WRITE;
    return write && __atomic_sub_fetch(left, 1, __ATOMIC_RELAXED) <= 0 ? ENOSPC : 0;
}

/* Runs in a child that ends at the change number `at`. Returns whether it came that far. */
static bool run_child(long at, int threads)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        clump_big_hooks hooks = usual();
        clump_big_result r;
        hooks.before = end_at;
        hooks.user = &at;
        _exit(run(&hooks, threads, &r) == CLUMP_OK ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_MSG(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == ENDED), "change %ld: status %d",
              at, status);
    return WIFEXITED(status) && WEXITSTATUS(status) == ENDED;
}

static double spread; /* above 1: every tenth point is so much farther away, and tiles are divided */

static void start(uint64_t min_points)
{
    static const double origin[3] = {637000, 4850000, 100};
    snprintf(input, sizeof input, "%s", big_path(spread > 1 ? "restart.bin" : "restart.las"));
    snprintf(work, sizeof work, "%s", big_path("restart"));
    big_fill(xyz, POINTS, 90, 5);
    for (size_t i = 0; i < POINTS && spread > 1; i += 10)
        for (size_t a = 0; a < 2; a++) xyz[3 * i + a] *= spread;
    big_save(input, xyz, POINTS, spread > 1 ? NULL : origin);
    settings = clump_joint_defaults();
    settings.d = 0.5f;
    settings.min_points = min_points;
    clump_big_options o = clump_big_defaults();
    o.classes = by_class, o.class_fields = big_class_fields;
    o.thin = thin;
    o.ground = ground;
    whole = big_one_call(alone, input, &settings, &o);
}

/* Runs to the end and checks the labels. */
static void finish(long at, int threads, uint64_t tasks)
{
    const clump_big_hooks hooks = usual();
    clump_big_result r = {0};
    const clump_status status = run(&hooks, threads, &r);
    CHECK_MSG(status == CLUMP_OK, "change %ld: %s", at, big_why.text);
    CHECK_MSG(big_equal(&whole, &r), "change %ld: other labels", at);
    CHECK_MSG(r.tasks_skipped == tasks, "change %ld: %llu tasks skipped of %llu", at,
              (unsigned long long)r.tasks_skipped, (unsigned long long)tasks);
    CHECK(access(work, F_OK) != 0);
}

/* A run that does not fit the folder is refused with a sentence. */
static void refused(clump_status expected, const char *sentence)
{
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    CHECK_INT(run(&hooks, 1, &r), expected);
    CHECK_MSG(strstr(big_why.text, sentence), "%s", big_why.text);
}

/* Runs where files of the folder are damaged: the labels are right, or a sentence says what to do. Counts which. */
static void right_or_refused(const char *what, long at, const char *advice, int *right, int *refusals)
{
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    const clump_status status = run(&hooks, 2, &r);
    if (status == CLUMP_OK)
        CHECK_MSG(r.labels_hash == whole.hash, "%s, change %ld: other labels", what, at);
    else
        CHECK_MSG(status == CLUMP_ERR_IO_FORMAT && strstr(big_why.text, advice), "%s, change %ld: %d %s", what, at,
                  (int)status, big_why.text);
    *right += status == CLUMP_OK, *refusals += status != CLUMP_OK;
}

static void ended_at_every_change(int threads, uint64_t min_points, int stride)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    start(min_points);
    long at = 1;
    uint64_t most = 0;
    for (bool ended = true; ended && at < 2000; at += stride) {
        ended = run_child(at, threads);
        clump_work_info info;
        uint64_t tasks = 0;
        if (ended && clump_work_describe(work, &info, &big_why) == CLUMP_OK) tasks = info.blocks_done + info.tiles_done;
        most = tasks > most ? tasks : most;
        if (ended) finish(at, threads, tasks);
    }
    CHECK(at > 20);
    CHECK_MSG(most >= 5, "at most %llu tasks were skipped", (unsigned long long)most);
    unlink(input);
}

static void ended_alone(void)
{
    ended_at_every_change(1, 0, check_fewer(8, 1));
}

static void ended_with_threads(void)
{
    ended_at_every_change(3, 5, check_fewer(17, 4));
}

/* The rows of the classes, of which the last may be another. */
static clump_class rows[] = {{.id = 0, .radius = 0.3f, .max_size = 1},
                             {.id = 1, .group = 7, .two_d = true},
                             {.id = 4, .group = 7, .two_d = true},
                             {.id = 2, .stuff = true},
                             {.id = 6, .radius = 0.7f, .max_size = 2, .oversize = CLUMP_OVERSIZE_KEEP}};
static const clump_classes table = {.rows = rows, .count = sizeof rows / sizeof *rows};

static void ended_with_classes(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    by_class = &table;
    ended_at_every_change(2, 4, check_fewer(16, 3));
    CHECK_MSG(whole.oversize[0] > 0 && whole.oversize[2] > 0, "%llu dropped, %llu kept",
              (unsigned long long)whole.oversize[0], (unsigned long long)whole.oversize[2]);
    by_class = NULL;
}

/* Tiles that are not done again tell how many points they have thinned. */
static void ended_with_thinning(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    thin = 0.3f;
    ended_at_every_change(2, 4, check_fewer(16, 3));
    CHECK_MSG(whole.thinned > POINTS / 20, "%llu points", (unsigned long long)whole.thinned);
    thin = 0;
}

static void other_classes(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    by_class = &table;
    start(0);
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    clump_class *const last = &rows[table.count - 1];
    clump_work_info info;
    CHECK(run_child(30, 1));
    CHECK_INT(clump_work_describe(work, &info, &big_why), CLUMP_OK);
    CHECK_MSG(strstr(info.command, ", classes 5, class-of semantic, class-of classification"), "%s", info.command);
    last->radius = 0.6f;
    refused(CLUMP_ERR_ARGUMENT, "class 6 group 0 radius 0.7 min 0 max 2 keep instead of 6 group 0 radius 0.6");
    last->radius = 0.7f;
    by_class = NULL;
    refused(CLUMP_ERR_ARGUMENT, "a run with classes 5 instead of 0;");
    by_class = &table;
    CHECK_INT(run(&hooks, 1, &r), CLUMP_OK);
    CHECK(big_equal(&whole, &r) && r.tasks_skipped > 0);
    last->oversize = CLUMP_OVERSIZE_SPLIT;
    CHECK_INT(run(&hooks, 1, &r), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(big_why.text, "oversize=split of class 6 needs the whole cloud in memory; use drop or keep");
    last->oversize = CLUMP_OVERSIZE_KEEP;
    by_class = NULL;
    unlink(input);
}

static clump_ground_options usual_ground;

static void ended_with_ground(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    ground = &usual_ground;
    ended_at_every_change(2, 0, check_fewer(13, 2));
    CHECK(whole.ground > 1000);
    ground = NULL;
}

/* The ground is not looked for again where the folder has it, and other numbers are refused by name. */
static void other_ground(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    clump_work_info info;
    bool seen = false, next = false;
    ground = &usual_ground;
    start(0);
    for (long at = 1; !next && run_child(at, 1); at++) {
        if (clump_work_describe(work, &info, &big_why) != CLUMP_OK) continue;
        seen = seen || strcmp(info.phase, "ground") == 0;
        next = strcmp(info.phase, "scatter") == 0;
    }
    CHECK(seen && next);
    CHECK_MSG(strstr(info.command, "remove-ground 1, slope 0.2, sigma 0.2, tile 2"), "%s", info.command);
    usual_ground.slope = 0.3f;
    refused(CLUMP_ERR_ARGUMENT, "a run with slope 0.2 instead of 0.3;");
    usual_ground.slope = 0.2f;
    ground = NULL;
    refused(CLUMP_ERR_ARGUMENT, "a run with remove-ground 1 instead of 0;");
    ground = &usual_ground;
    CHECK_INT(run(&hooks, 1, &r), CLUMP_OK);
    CHECK(big_equal(&whole, &r));
    ground = NULL;
    unlink(input);
}

static void ended_while_tiles_are_divided(void)
{
    spread = 30000;
    start(0);
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    CHECK(run(&hooks, 2, &r) == CLUMP_OK && r.tiles >= 5);
    ended_at_every_change(2, 0, check_fewer(17, 5));
    unlink(input);
    spread = 0;
}

/* Several ends in one job. */
static void ended_again_and_again(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    start(5);
    int ends = 0;
    while (ends < 200 && run_child(9 + check_fewer(4, 2) * ends, 2)) ends++;
    CHECK_MSG(ends > 3 && ends < 200, "%d ends", ends);
    CHECK(access(work, F_OK) != 0);
    unlink(input);
}

static void full_disk(void)
{
    ground = &usual_ground;
    start(0);
    for (long at = 1; at < 40; at += check_fewer(6, 3)) {
        clump_big_hooks hooks = usual();
        clump_big_result r;
        long left = at;
        hooks.before = fail_at;
        hooks.user = &left;
        const clump_status status = run(&hooks, 2, &r);
        if (status == CLUMP_OK) break;
        CHECK_INT(status, CLUMP_ERR_IO_WRITE);
        CHECK_MSG(strstr(big_why.text, "No space left"), "%s", big_why.text);
        clump_work_info info;
        uint64_t tasks = 0;
        if (clump_work_describe(work, &info, &big_why) == CLUMP_OK) tasks = info.blocks_done + info.tiles_done;
        finish(at, 2, tasks);
    }
    ground = NULL;
    unlink(input);
}

static void other_parameters(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    start(0);
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    CHECK(run_child(30, 1));
    settings.d = 0.6f;
    refused(CLUMP_ERR_ARGUMENT, "d 0.5 instead of 0.6;");
    settings.d = 0.5f;
    settings.min_points = 4;
    refused(CLUMP_ERR_ARGUMENT, "method ec instead of dbscan");
    settings.min_points = 0;
    thin = 0.25f;
    refused(CLUMP_ERR_ARGUMENT, "a run with thin 0 instead of 0.25;");
    thin = 0;
    CHECK_INT(run(&hooks, 1, &r), CLUMP_OK);
    CHECK(r.labels_hash == whole.hash && r.tasks_skipped > 0);
    unlink(input);
}

static void changed_input(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    start(0);
    CHECK(run_child(30, 1));
    FILE *const file = fopen(input, "r+b");
    fseek(file, 5000, SEEK_SET);
    fputc('x', file);
    fclose(file);
    refused(CLUMP_ERR_IO_READ, "restart.las: this input has changed");
    unlink(input);
    clump_work_info info;
    CHECK_INT(clump_work_describe(work, &info, &big_why), CLUMP_OK);
    CHECK_MSG(strstr(info.command, "d 0.5"), "%s", info.command);
    CHECK_INT(info.points, POINTS);
    CHECK_INT(info.blocks, 2);
    CHECK(info.bytes > 0);
}

/* A work folder that is kept is one that is done. A run on it clusters nothing again. */
static void kept_folder(void)
{
    start(0);
    const char *const path = input;
    clump_big_options o = clump_big_defaults();
    const clump_big_hooks hooks = usual();
    clump_big_result r;
    o.work = work, o.keep_work = true, o.threads = 2, o.ram = (size_t)256 << 20;
    CHECK_INT(clump_big_run_with(&path, 1, NULL, &settings, &o, &hooks, &r, &big_why), CLUMP_OK);
    clump_work_info info;
    CHECK_INT(clump_work_describe(work, &info, &big_why), CLUMP_OK);
    CHECK_TEXT(info.phase, "done");
    CHECK(info.blocks_done == info.blocks && info.tiles_done == info.tiles && info.tiles == r.tiles);
    finish(0, 2, info.blocks + info.tiles);
    unlink(input);
}

/* A plan of another version of its files is refused, and named as that. */
static void folder_of_another_version(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    start(0);
    CHECK(run_child(20, 2));
    char path[300];
    snprintf(path, sizeof path, "%s/clump-plan", work);
    FILE *const file = fopen(path, "r+b");
    if (!file) abort();
    fseek(file, 7, SEEK_SET);
    fputc('0', file); /* the digit of the version */
    fclose(file);
    const char *const inputs = input;
    clump_big_options o = clump_big_defaults();
    o.work = work, o.ram = (size_t)256 << 20;
    clump_big_result r;
    CHECK_INT(clump_big_run(&inputs, 1, NULL, &settings, &o, &r, &big_why), CLUMP_ERR_IO_FORMAT);
    CHECK_MSG(strstr(big_why.text, "made by another version of clump; remove the folder"), "%s", big_why.text);
    CHECK_MSG(access(path, F_OK) == 0, "what that version had done is gone");
    remove_folder();
    unlink(input);
}

/* Flips a bit of a file of the folder. False: there is no such file, or it is empty. */
static bool flip(const char *name, uint64_t *random)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", work, name);
    FILE *const file = fopen(path, "r+b");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    if (size > 0) {
        const long at = (long)(check_random(random) % (uint64_t)size);
        fseek(file, at, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ (1 << check_random(random) % 8), file);
    }
    fclose(file);
    return size > 0;
}

/* Bits of all files are flipped, at all moments: the labels are right, or the run is refused with a sentence. */
static void damaged_files(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    static const char *const names[] = {"clump-plan",    "clump-journal", "clump-points",
                                        "clump-results", "clump-surface", "clump-marks"};
    uint64_t random = 11;
    int right = 0, refusals = 0;
    ground = &usual_ground;
    start(5);
    for (int round = 0; round < check_fewer(18, 72); round++) {
        const long at = 8 + (long)(check_random(&random) % 30);
        if (!run_child(at, 2)) continue;
        flip(names[round % 6], &random);
        right_or_refused(names[round % 6], at, "remove the folder", &right, &refusals);
        remove_folder();
    }
    CHECK_MSG(refusals > 0 && right > 0, "%d refused, %d done again", refusals, right);
    ground = NULL;
    unlink(input);
}

/* What a file system may leave of a file after a power failure. */
typedef enum loss { LOSS_ALL, LOSS_HALF, LOSS_BYTE, LOSS_PAGE, LOSS_ZEROS, LOSS_FILE, LOSSES } loss;

/* Takes the last writes of a file away. False: there is no such file, or nothing to take. */
static bool lose(const char *name, loss what)
{
    static const unsigned char zeros[4096];
    char path[300];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", work, name);
    if (stat(path, &about) != 0 || (about.st_size == 0 && what != LOSS_FILE)) return false;
    const off_t size = about.st_size, page = (size - 1) / 4096 * 4096;
    if (what == LOSS_FILE) return unlink(path) == 0;
    if (what == LOSS_ZEROS) { /* the size is there, the bytes are not */
        FILE *const file = fopen(path, "r+b");
        if (!file) return false;
        fseek(file, (long)page, SEEK_SET);
        const bool written = fwrite(zeros, 1, (size_t)(size - page), file) == (size_t)(size - page);
        fclose(file);
        return written;
    }
    return truncate(path, what == LOSS_ALL    ? 0
                          : what == LOSS_HALF ? size / 2
                          : what == LOSS_BYTE ? size - 1
                                              : page) == 0;
}

/* A power failure at all moments takes the last writes of each file: the labels are right, or one sentence says that the
 * folder has to be removed. */
static void power_failures(void)
{
    if (CLOUD_NO_FORK) SKIP("%s: " DO_UNWATCHED, CLOUD_NO_FORK);
    static const char *const names[] = {"clump-lock",     "clump-plan",    "clump-journal",
                                        "clump-points",   "clump-results", "clump-numbers",
                                        "clump-plan.new", "clump-surface", "clump-marks"};
    int right = 0, refusals = 0;
    ground = &usual_ground;
    start(5);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int what = check_fewer((int)k % 2, 0); what < LOSSES; what += check_fewer(2, 1))
            for (long at = check_fewer(4 + ((long)k + what) % 5 * 8, 4); at < 44; at += check_fewer(40, 8)) {
                const bool ended = run_child(at, 2);
                const char *const advice = k == 0 && what == LOSS_FILE ? "move it" : "remove the folder";
                char text[64];
                snprintf(text, sizeof text, "%s, loss %d", names[k], what);
                if (ended && lose(names[k], (loss)what)) right_or_refused(text, at, advice, &right, &refusals);
                remove_folder();
            }
    CHECK_MSG(refusals > 0 && right > refusals, "%d refused, %d done again", refusals, right);
    ground = NULL;
    unlink(input);
}

CHECK_PROGRAM(test_big_restart)
{
    alone = cpu_context(1);
    usual_ground = clump_ground_defaults();
    RUN(ended_alone);
    RUN(ended_with_threads);
    RUN(ended_with_classes);
    RUN(ended_with_thinning);
    RUN(ended_with_ground);
    RUN(other_ground);
    RUN(ended_while_tiles_are_divided);
    RUN(ended_again_and_again);
    RUN(full_disk);
    RUN(other_parameters);
    RUN(other_classes);
    RUN(changed_input);
    remove_folder();
    RUN(kept_folder);
    RUN(folder_of_another_version);
    RUN(damaged_files);
    RUN(power_failures);
    clump_context_destroy(alone);
}
