/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check.h: the test harness. The test files of a folder are one program. Each has static void functions, and a list of them:
 *
 *     static void adds(void) { CHECK(1 + 1 == 2); CHECK_INT(1 + 1, 2); }
 *     CHECK_PROGRAM(test_sums) { RUN(adds); }
 *
 * `tests_FOLDER test_sums` runs it; a further argument chooses the functions whose names contain it. A failed check is printed and
 * counted; the test continues. Exit status 0: all passed; 1: some failed; 77: all were skipped.
 */
#ifndef CLUMP_TESTS_CHECK_H
#define CLUMP_TESTS_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

#ifdef __cplusplus
extern "C" {
#endif
/* The running test, in check.c. */
extern const char *check_filter; /* part of a name; null: all */
extern const char *check_test;
extern long check_failures;
extern bool check_skipped;
/* In an object of its own, so that a compiler cache knows all others in every folder. */
extern const char check_data_default[];

/* Returns how long tests run, CLUMP_TEST_TIER in the environment: 1 in `make test`, the default; 2 in CI; 3 in `make check-all`. */
int check_tier(void);
/* See check_rounds(). */
int check_rounds_at(int usual, bool always, const char *file, int line);

typedef void check_list(int argc, char **argv);
void check_add(const char *name, check_list *list);
bool check_begins(const char *test);
void check_ends(void);
#ifdef __cplusplus
}
#endif

/* The list of a file, which main() finds by its name. argv[1] is the first argument after that. */
#define CHECK_PROGRAM(name)                                                                                            \
    static check_list check_list_of_##name;                                                                            \
    __attribute__((constructor)) static void check_add_##name(void)                                                    \
    {                                                                                                                  \
        check_add(#name, check_list_of_##name);                                                                        \
    }                                                                                                                  \
    static void check_list_of_##name(__attribute__((unused)) int argc, __attribute__((unused)) char **argv)

#define RUN(test)                                                                                                      \
    do {                                                                                                               \
        if (!check_begins(#test)) break;                                                                               \
        test();                                                                                                        \
        check_ends();                                                                                                  \
    } while (0)

/* Returns the number of random cases of a loop: a quarter of `usual` in tier 1, but one at least; `usual` in tier 2; 20 times as many in
 * tier 3. main() prints the sum over all loops of a test file. */
#define check_rounds(usual) check_rounds_at(usual, false, __FILE__, __LINE__)
/* The same, but `usual` in tier 1, too: for the tests that others rely on. */
#define check_rounds_always(usual) check_rounds_at(usual, true, __FILE__, __LINE__)

/* What to do about a skipped test. `make test` counts equal ones, so they have no ": " inside; a text before the last ": " may say
 * what is missing. Tests in other languages have the same sentences. */
#define DO_DATA       "set CLUMP_DATA to a folder with the real scans"
#define DO_GPU        "run it on a machine with an NVIDIA GPU"
#define DO_NO_GPU     "run it on a machine without an NVIDIA GPU"
#define DO_LARGER_GPU "run it on a larger GPU"
#define DO_SETUP      "run scripts/setup.sh and build anew"
#define DO_RIVALS     "run scripts/setup.sh --rivals, then CLUMP_BUILD_BENCH=ON make test"
#define DO_LAZ        "run scripts/setup.sh --laz, then CLUMP_BUILD_BENCH=ON make test"
#define DO_ROS        "run scripts/setup.sh --ros and build anew"
#define DO_UNWATCHED  "run it without a sanitizer"
#define DO_ASSERTIONS "run make asan"
#define DO_LEVELS     "build the preset portable, on a processor with AVX2 and AVX-512"
#define DO_FILES      "run it on ext4 or xfs"
#define DO_MULTICAST  "run it where the loopback interface takes multicast"
#define DO_ELSEWHERE  "run it on another system"

/* `few` in tier 1, else `usual`: a size, a stride, or a number of cases that is no loop of random ones. */
#define check_fewer(few, usual) (check_tier() == 1 ? (few) : (usual))

/* `round`, in tier 1 five times that: a few rounds there meet 16 shapes that are taken in turn, not the first ones alone. */
#define check_turn(round) (check_tier() == 1 ? 5 * (round) : (round))

/* Skips the running test: prints what to do about it, one of those above, perhaps after "WHAT: ", and returns. */
#define SKIP(...)                                                                                                      \
    do {                                                                                                               \
        printf("skipped: %s: ", check_test), printf(__VA_ARGS__), puts("");                                            \
        check_skipped = true;                                                                                          \
        return;                                                                                                        \
    } while (0)

/* Skips the running test in tier 1. */
#define SKIP_TIER_1()                                                                                                  \
    do {                                                                                                               \
        if (check_tier() == 1) SKIP("it is a test of tier 2: run CLUMP_TEST_TIER=2 make test");                        \
    } while (0)

/* Prints a failure. Of one test at most 20 are printed. */
#define CHECK_FAIL(...)                                                                                                \
    do {                                                                                                               \
        if (check_failures++ < 20) {                                                                                   \
            printf("%s:%d: %s: ", __FILE__, __LINE__, check_test), printf(__VA_ARGS__), puts("");                      \
            fflush(stdout);                                                                                            \
        }                                                                                                              \
    } while (0)

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) CHECK_FAIL("not true: %s", #condition);                                                      \
    } while (0)

/* A check with a text that describes the case. */
#define CHECK_MSG(condition, ...)                                                                                      \
    do {                                                                                                               \
        if (!(condition)) CHECK_FAIL("not true: " #condition ": " __VA_ARGS__);                                        \
    } while (0)

#define CHECK_INT(value, expected)                                                                                     \
    do {                                                                                                               \
        const long long v_ = (long long)(value), e_ = (long long)(expected);                                           \
        if (v_ != e_) CHECK_FAIL("%s is %lld, expected %lld", #value, v_, e_);                                         \
    } while (0)

#define CHECK_TEXT(value, expected)                                                                                    \
    do {                                                                                                               \
        const char *v_ = (value), *e_ = (expected);                                                                    \
        if (strcmp(v_, e_) != 0) CHECK_FAIL("%s is \"%s\", expected \"%s\"", #value, v_, e_);                          \
    } while (0)

/* Returns the folder with real scans, CLUMP_DATA, default ../shared/data; null where there is none. */
static inline const char *check_data_folder(void)
{
    const char *folder = getenv("CLUMP_DATA");
    if (!folder || !*folder) folder = check_data_default;
    static char probe[1024];
    snprintf(probe, sizeof probe, "%s/SOURCES.md", folder);
    FILE *f = fopen(probe, "rb");
    if (!f) return NULL;
    fclose(f);
    return folder;
}

/* Returns all bytes of a file, for free(); fails and returns null where it cannot be read. */
static inline unsigned char *check_load(const char *path, size_t *size)
{
    *size = 0;
    FILE *const file = fopen(path, "rb");
    if (!file) {
        CHECK_FAIL("%s cannot be opened", path);
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *const bytes = (unsigned char *)malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size) CHECK_FAIL("%s cannot be read", path);
    fclose(file);
    return bytes;
}

#endif
