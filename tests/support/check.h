/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check.h: the test harness. A test file is a program: static void functions, listed in main().
 *
 *     static void adds(void) { CHECK(1 + 1 == 2); CHECK_INT(1 + 1, 2); }
 *     int main(int argc, char **argv) { CHECK_BEGIN(argc, argv); RUN(adds); return CHECK_END(); }
 *
 * A failed check is printed and counted; the test continues. With an argument only the tests whose names contain it
 * run. Exit status 0: all passed; 1: some failed; 77: all were skipped.
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

static const char *check_filter;
static const char *check_test;
static long check_failures; /* in the running test */
static bool check_skipped;
static int check_passed_tests, check_failed_tests, check_skipped_tests;

#define CHECK_BEGIN(argc, argv) (check_filter = (argc) > 1 ? (argv)[1] : NULL)

#define RUN(test)                                                                                                      \
    do {                                                                                                               \
        if (check_filter && !strstr(#test, check_filter)) break;                                                       \
        check_test = #test, check_failures = 0, check_skipped = false;                                                 \
        test();                                                                                                        \
        if (check_failures)                                                                                            \
            check_failed_tests++;                                                                                      \
        else if (check_skipped)                                                                                        \
            check_skipped_tests++;                                                                                     \
        else                                                                                                           \
            check_passed_tests++;                                                                                      \
    } while (0)

/* Skips the running test: prints the reason and returns. */
#define SKIP(...)                                                                                                      \
    do {                                                                                                               \
        printf("skipped: %s: ", check_test), printf(__VA_ARGS__), puts("");                                            \
        check_skipped = true;                                                                                          \
        return;                                                                                                        \
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

static inline int check_end(void)
{
    printf("%d passed, %d failed, %d skipped\n", check_passed_tests, check_failed_tests, check_skipped_tests);
    if (check_failed_tests) return 1;
    return check_passed_tests ? 0 : 77;
}
#define CHECK_END() check_end()

/* The folder of real scans beside the project. One small object has its path, so that a compiler cache knows all others in every
   folder. */
extern const char check_data_default[];

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
