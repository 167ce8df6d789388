/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_difference.c: which points two labellings treat differently, against a plain statement of the definition.
 */
#include "support/check.h"
#include "viewer/scene/scene.h"

#include <clump/clump.h>

enum { MOST = 400 };

static bool is_cluster(int32_t label)
{
    return label != CLUMP_NOISE && label != CLUMP_GROUND;
}

static int shared(const int32_t *a, const int32_t *b, int count, int32_t first, int32_t second)
{
    int points = 0;
    for (int i = 0; i < count; i++) points += a[i] == first && b[i] == second;
    return points;
}

/* The partner of a cluster of `a` among the clusters of `b`; false: none shares a point. */
static bool partner(const int32_t *a, const int32_t *b, int count, int32_t label, int32_t *out)
{
    int most = 0;
    for (int i = 0; i < count; i++) {
        if (!is_cluster(b[i])) continue;
        const int points = shared(a, b, count, label, b[i]);
        if (points > most || (points == most && most > 0 && b[i] < *out)) most = points, *out = b[i];
    }
    return most > 0;
}

static bool corresponds(const int32_t *a, const int32_t *b, int count, int32_t first, int32_t second)
{
    int32_t there = 0, back = 0;
    if (!is_cluster(first) || !is_cluster(second)) return first == second;
    return partner(a, b, count, first, &there) && there == second && partner(b, a, count, second, &back) &&
           back == first;
}

static void compare(const int32_t *a, const int32_t *b, int count, const char *what)
{
    uint8_t differs[MOST + 1];
    size_t total = 77, expected = 0;
    memset(differs, 9, sizeof differs);
    CHECK(view_find_differences(a, b, (size_t)count, differs, &total));
    for (int i = 0; i < count; i++) {
        const bool want = !corresponds(a, b, count, a[i], b[i]);
        expected += want;
        if (differs[i] != want) CHECK_FAIL("%s: point %d (%d, %d): %d", what, i, a[i], b[i], differs[i]);
    }
    CHECK_INT(total, expected);
    CHECK_INT(differs[count], 9);
}

static void random_labelings(void)
{
    static const int32_t numbers[] = {-1, -2, 0, 1, 2, 3, -3, INT32_MAX, INT32_MIN, 70000, 7, 8};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        const int count = (int)(check_random(&random) % 120), kinds = 1 + (int)(check_random(&random) % 12);
        const bool alike = check_random(&random) % 2;
        int32_t a[MOST], b[MOST];
        for (int i = 0; i < count; i++) {
            a[i] = numbers[check_random(&random) % (uint64_t)kinds];
            b[i] = alike && check_random(&random) % 8 ? a[i] : numbers[check_random(&random) % (uint64_t)kinds];
        }
        char what[32];
        snprintf(what, sizeof what, "seed %d", (int)seed);
        compare(a, b, count, what);
    }
}

static void other_numbers_are_no_difference(void)
{
    const int32_t a[] = {0, 0, 0, 1, 1, -1, -2, 2}, b[] = {5, 5, 5, -9, -9, -1, -2, 0};
    uint8_t differs[8];
    size_t total;
    CHECK(view_find_differences(a, b, 8, differs, &total));
    CHECK_INT(total, 0);
}

/* A cluster that is cut in two: the smaller part differs. Of equal parts the one with the larger number differs. */
static void a_cut_cluster_differs_in_one_part(void)
{
    const int32_t a[] = {4, 4, 4, 4, 4}, b[] = {1, 1, 2, 2, 2}, c[] = {8, 8, 3, 3, -1};
    uint8_t differs[5];
    size_t total;
    CHECK(view_find_differences(a, b, 5, differs, &total));
    CHECK(total == 2 && differs[0] && differs[1] && !differs[2]);
    CHECK(view_find_differences(a, c, 5, differs, &total));
    CHECK(total == 3 && differs[0] && !differs[2] && differs[4]);
}

static void partners_are_found(void)
{
    const int32_t a[] = {4, 4, 4, 1, 1, -1, 9}, b[] = {0, 0, 1, 2, 2, 3, -2};
    int32_t partners[5];
    CHECK(view_find_partners(a, b, 7, partners, 5));
    CHECK_INT(partners[0], 4);
    CHECK_INT(partners[1], -1);
    CHECK_INT(partners[2], 1);
    CHECK_INT(partners[3], -1);
    CHECK_INT(partners[4], -1);
}

/* As many pairs as points: a quadratic algorithm would not end within the time limit. */
static void many_pairs_take_linear_time(void)
{
    enum { COUNT = 300000 };
    int32_t *a = malloc(COUNT * sizeof *a), *b = malloc(COUNT * sizeof *b);
    uint8_t *differs = malloc(COUNT);
    size_t total;
    for (int32_t i = 0; i < COUNT; i++) a[i] = i, b[i] = COUNT - i;
    CHECK(view_find_differences(a, b, COUNT, differs, &total));
    CHECK_INT(total, 0);
    for (int32_t i = 0; i < COUNT; i++) b[i] = i / 2;
    CHECK(view_find_differences(a, b, COUNT, differs, &total));
    CHECK_INT(total, COUNT / 2);
    CHECK(!differs[0] && differs[1]);
    free(a), free(b), free(differs);
}

CHECK_PROGRAM(test_view_difference)
{
    RUN(random_labelings);
    RUN(other_numbers_are_no_difference);
    RUN(a_cut_cluster_differs_in_one_part);
    RUN(partners_are_found);
    RUN(many_pairs_take_linear_time);
}
