/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_eval.c: the measures of `clump eval` on labellings small enough to check by hand, and on wrong labels: each
 * verdict must be given where it applies, and only there.
 */
#include "support/check.h"

#include "program/eval_case.h"

#include <clump/clump.h>

#include <math.h>

/* truth: one instance of 10 points, 7, then 20 others. labels: `parts` as given, the rest of the 30 noise. */
static cli_eval_result one_instance(int in_a, int in_b, int others_in_a)
{
    int32_t truth[30], labels[30], *to = labels;
    put(put(truth, 10, 7), 20, CLUMP_NOISE);
    to = put(put(to, in_a, 0), in_b, 1);
    to = put(to, 10 - in_a - in_b, CLUMP_NOISE);
    to = put(to, others_in_a, 0);
    put(to, 20 - others_in_a, CLUMP_NOISE);
    return measure(labels, truth, 30, 1);
}

static void check_verdict(cli_eval_result r, cli_eval_verdict verdict, double iou, const char *what)
{
    CHECK_MSG(r.all.instances == 1 && r.instances[0].verdict == verdict, "%s: verdict %d", what,
              (int)r.instances[0].verdict);
    CHECK_MSG(near(r.instances[0].iou, iou), "%s: IoU %g", what, r.instances[0].iou);
    CHECK_INT(r.all.verdicts[verdict], 1);
    cli_eval_free(&r);
}

static void verdicts(void)
{
    check_verdict(one_instance(10, 0, 0), CLI_EVAL_MATCHED, 1.0, "all of it");
    check_verdict(one_instance(10, 0, 10), CLI_EVAL_MATCHED, 0.5, "as much again beside it");
    check_verdict(one_instance(10, 0, 11), CLI_EVAL_UNDER, 10.0 / 21, "more beside it");
    check_verdict(one_instance(5, 5, 0), CLI_EVAL_MATCHED, 0.5, "two halves");
    check_verdict(one_instance(5, 5, 1), CLI_EVAL_MATCHED, 0.5, "two halves, one with more beside it");
    check_verdict(one_instance(4, 4, 0), CLI_EVAL_OVER, 0.4, "two parts below a half");
    check_verdict(one_instance(5, 0, 0), CLI_EVAL_MATCHED, 0.5, "half of it");
    check_verdict(one_instance(4, 0, 0), CLI_EVAL_MISSED, 0.4, "less than half of it");
    check_verdict(one_instance(0, 0, 9), CLI_EVAL_MISSED, 0.0, "none of it");
    check_verdict(one_instance(6, 0, 4), CLI_EVAL_OVER, 6.0 / 14, "cut and joined, as much lost as gained");
    check_verdict(one_instance(6, 0, 5), CLI_EVAL_UNDER, 6.0 / 15, "cut and joined, more gained");
}

static void two_in_one_cluster(void)
{
    int32_t truth[20], labels[20];
    put(put(truth, 10, 3), 10, 9);
    put(labels, 20, 4); /* both at exactly one half: only the first has it */
    cli_eval_result r = measure(labels, truth, 20, 1);
    CHECK_INT(r.all.verdicts[CLI_EVAL_MATCHED], 1);
    CHECK_INT(r.instances[0].verdict, CLI_EVAL_MATCHED);
    CHECK_INT(r.instances[1].verdict, CLI_EVAL_UNDER);
    CHECK_INT(r.clusters, 1);
    CHECK_INT(r.wrong, 1);
    CHECK(near(r.rand_index, 0));
    cli_eval_free(&r);
}

static void wrong_clusters(void)
{
    /* instance 1: whole. 2: in two pieces. 3 and 4 in one cluster, of which 3 matches. A wall: not judged wrong. */
    int32_t truth[100], labels[100], *t = truth, *l = labels;
    t = put(t, 10, 1), l = put(l, 10, 0);
    t = put(t, 20, 2), l = put(put(l, 11, 1), 9, 2);
    t = put(t, 20, 3), l = put(l, 20, 3);
    t = put(t, 5, 4), l = put(l, 5, 3);
    t = put(t, 45, CLUMP_NOISE), l = put(l, 45, 5);
    cli_eval_result r = measure(labels, truth, 100, 5);
    CHECK_INT(r.all.instances, 4);
    CHECK_INT(r.all.verdicts[CLI_EVAL_MATCHED], 3);
    CHECK_INT(r.instances[3].verdict, CLI_EVAL_UNDER);
    CHECK_INT(r.instances[1].clusters, 2);
    CHECK_INT(r.clusters, 5);
    CHECK_INT(r.wrong, 2); /* the piece of 9, and the one with 3 and 4 */
    cli_eval_free(&r);
    r = measure(labels, truth, 100, 10); /* 4 and the piece are too small now */
    CHECK_INT(r.all.instances, 3);
    CHECK_INT(r.clusters, 4);
    CHECK_INT(r.wrong, 0);
    cli_eval_free(&r);
}

static void swallowed(void)
{
    int32_t truth[50], labels[50];
    put(put(truth, 10, 1), 40, CLUMP_NOISE); /* a car in a bush */
    put(labels, 50, 0);
    cli_eval_result r = measure(labels, truth, 50, 1);
    CHECK_INT(r.instances[0].verdict, CLI_EVAL_UNDER);
    CHECK_INT(r.wrong, 1);
    CHECK(near(r.mean_iou, 0.2));
    cli_eval_free(&r);
}

static void ground(void)
{
    int32_t truth[20], labels[20];
    put(put(put(truth, 10, CLUMP_GROUND), 6, CLUMP_NOISE), 4, CLI_EVAL_UNKNOWN);
    put(put(put(put(labels, 8, CLUMP_GROUND), 2, CLUMP_NOISE), 4, CLUMP_GROUND), 6, CLUMP_GROUND);
    cli_eval_result r = measure(labels, truth, 20, 1); /* of those found, 4 are not known */
    const cli_eval_rates g = cli_eval_rates_of(&r.all.ground);
    CHECK_INT(r.all.points, 16);
    CHECK_INT(r.all.ground.found, 14);
    CHECK(near(g.precision, 8.0 / 14) && near(g.recall, 0.8) && near(g.f1, 16.0 / 24));
    CHECK(isnan(r.rand_index) && isnan(r.mean_iou));
    cli_eval_free(&r);
    put(truth, 20, CLUMP_NOISE), put(labels, 20, CLUMP_NOISE);
    r = measure(labels, truth, 20, 1);
    const cli_eval_rates none = cli_eval_rates_of(&r.all.ground);
    CHECK(isnan(none.precision) && isnan(none.recall) && isnan(none.f1));
    cli_eval_free(&r);
}

/* The textbook's definition, over all pairs. */
static double rand_by_pairs(const int32_t *labels, const int32_t *truth, int n)
{
    double a = 0, b = 0, both = 0, all = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            const bool together = labels[i] >= 0 && labels[i] == labels[j], truly = truth[i] == truth[j];
            a += together, b += truly, both += together && truly, all += 1;
        }
    }
    const double expected = a * b / all;
    return (both - expected) / ((a + b) / 2 - expected);
}

static void rand_index(void)
{
    uint64_t seed = 5;
    for (int round = 0; round < 50; round++) {
        int32_t truth[60], labels[60];
        for (int i = 0; i < 60; i++) {
            truth[i] = (int32_t)(check_random(&seed) % 4) * 1000;
            const bool right = check_random(&seed) % 3 > 0;
            labels[i] = right ? truth[i] + 1 : (int32_t)(check_random(&seed) % 5) - 2;
        }
        cli_eval_result r = measure(labels, truth, 60, 1);
        CHECK_MSG(near(r.rand_index, rand_by_pairs(labels, truth, 60)), "round %d: %g", round, r.rand_index);
        cli_eval_free(&r);
    }
    const int32_t same[4] = {5, 5, 8, 8}, other[4] = {1, 1, 0, 0};
    cli_eval_result r = measure(same, other, 4, 1);
    CHECK(near(r.rand_index, 1));
    cli_eval_free(&r);
}

static void by_range(void)
{
    /* instance 1 at 9 to 12, instance 2 at 95 and beyond all bands; a point that is not finite, one that is outside */
    const int32_t truth[8] = {1, 1, 1, 2, 2, CLUMP_GROUND, 2, 2}, labels[8] = {0, 0, 0, 1, -1, CLUMP_GROUND, 1, 1};
    const float range[8] = {12, 9, 10, 95, 96, 10, NAN, 97};
    const uint8_t inside[8] = {1, 1, 1, 1, 1, 1, 1, 0};
    const cli_eval_input in = {
        .count = 8, .labels = labels, .truth = truth, .range = range, .inside = inside, .min_size = 1, .band = 10};
    cli_eval_result r;
    CHECK(cli_eval_measure(&in, &r));
    CHECK_INT(r.all.points, 6);
    CHECK_INT(r.bands[0].points, 1);
    CHECK_INT(r.bands[1].points, 3);
    CHECK_INT(r.bands[5].points, 2);
    CHECK_INT(r.bands[0].instances, 1);
    CHECK_INT(r.bands[5].instances, 1);
    CHECK_INT(r.bands[1].ground.both, 1);
    CHECK(r.instances[0].range == 9 && r.instances[1].range == 95);
    CHECK_INT(r.instances[1].points, 2);
    cli_eval_free(&r);
}

static void nothing(void)
{
    cli_eval_result r = measure(NULL, NULL, 0, 1);
    CHECK_INT(r.all.points, 0);
    CHECK_INT(r.all.instances, 0);
    CHECK(isnan(r.mean_iou));
    cli_eval_free(&r);
}

CHECK_PROGRAM(test_eval)
{
    RUN(verdicts);
    RUN(two_in_one_cluster);
    RUN(wrong_clusters);
    RUN(swallowed);
    RUN(ground);
    RUN(rand_index);
    RUN(by_range);
    RUN(nothing);
}
