/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_eval_tables.c: panoptic quality, vegetation, tables, entropies, sums and means of `clump eval`, on labellings whose values
 * are worked out by hand.
 */
#include "support/check.h"

#include "program/eval_case.h"

#include <clump/clump.h>

#include <math.h>
#include <string.h>

/* Instance 1 (10 points) is matched at IoU 10/12; 2 (20 points) is in two pieces of 9 and 8; 3 (6 points) is in a wall. */
static size_t mixed_scene(int32_t *truth, int32_t *labels)
{
    int32_t *t = truth, *l = labels;
    t = put(t, 10, 1), l = put(l, 10, 0);
    t = put(t, 2, CLUMP_NOISE), l = put(l, 2, 0);
    t = put(t, 20, 2), l = put(put(put(l, 9, 1), 8, 2), 3, CLUMP_NOISE);
    t = put(t, 6, 3), l = put(l, 6, 3);
    t = put(t, 24, CLUMP_NOISE), l = put(l, 24, 3);
    t = put(t, 9, CLUMP_NOISE), l = put(l, 9, 4); /* a tree of its own: neither a piece nor a mixture */
    t = put(t, 1, 2), l = put(l, 1, 5);           /* a piece of one point */
    return (size_t)(t - truth);
}

static void panoptic_quality(void)
{
    int32_t truth[100], labels[100];
    const size_t count = mixed_scene(truth, labels);
    cli_eval_result r = measure(labels, truth, count, 5);
    const cli_eval_quality q = cli_eval_quality_of(&r.all);
    CHECK_INT(r.all.verdicts[CLI_EVAL_MATCHED], 1);
    CHECK_INT(r.all.false_positives, 3); /* two pieces and the wall with instance 3 */
    CHECK_INT(r.falses[0].cluster, 1);
    CHECK_INT(r.falses[2].cluster, 3);
    CHECK_INT(r.falses[2].points, 30);
    /* TP 1, FN 2, FP 3: RQ = 1 / (1 + 2.5) */
    CHECK(near(q.sq, 10.0 / 12) && near(q.rq, 1 / 3.5) && near(q.pq, 10.0 / 12 / 3.5));
    cli_eval_free(&r);
    r = measure(labels, truth, count, 1); /* now the piece of one point counts, too */
    CHECK_INT(r.all.false_positives, 4);
    cli_eval_free(&r);
    r = measure(labels, truth, count, 10); /* neither pieces nor instance 3, so the wall is no mixture */
    CHECK_INT(r.all.false_positives, 0);
    CHECK(near(cli_eval_quality_of(&r.all).rq, 1 / 1.5));
    cli_eval_free(&r);

    put(truth, 100, 4), put(labels, 100, CLUMP_NOISE);
    r = measure(labels, truth, 100, 1);
    const cli_eval_quality lost = cli_eval_quality_of(&r.all);
    CHECK(isnan(lost.sq) && near(lost.rq, 0) && near(lost.pq, 0));
    cli_eval_free(&r);
    r = measure(labels, truth, 0, 1);
    CHECK(isnan(cli_eval_quality_of(&r.all).pq));
    cli_eval_free(&r);
}

/* Ground by class: 4 points of road, 3 of them found; 5 of vegetation, 2 found as ground; a pole, found as ground. */
static void vegetation(void)
{
    int32_t truth[10], labels[10];
    uint16_t classes[10] = {40, 40, 40, 40, 70, 70, 70, 70, 70, 80};
    put(put(truth, 4, CLUMP_GROUND), 6, CLUMP_NOISE);
    put(put(put(put(put(labels, 3, CLUMP_GROUND), 1, 0), 2, CLUMP_GROUND), 3, 0), 1, CLUMP_GROUND);
    const cli_eval_input in = {
        .count = 10, .labels = labels, .truth = truth, .min_size = 1, .band = 10, .classes = classes};
    cli_eval_result r;
    CHECK(cli_eval_measure(&in, &r));
    const cli_eval_rates all = cli_eval_rates_of(&r.all.ground), bare = cli_eval_rates_of(&r.all.bare);
    CHECK(near(all.precision, 3.0 / 6) && near(all.recall, 3.0 / 4) && near(all.f1, 6.0 / 10));
    CHECK(near(bare.precision, 3.0 / 4) && near(bare.recall, 3.0 / 4) && near(bare.f1, 6.0 / 8));
    cli_eval_free(&r);
}

/* Rows by size and class: a car of 60 that moves, a person of 49, a car of 1200 in a wall of 1300, a trailer. */
static void by_size_and_class(void)
{
    enum { COUNT = 60 + 49 + 1200 + 1300 + 100 };
    static int32_t truth[COUNT], labels[COUNT];
    static uint16_t classes[COUNT];
    const int sizes[] = {60, 49, 1200, 1300, 100};
    const uint16_t names[] = {252, 30, 10, 50, 99};
    for (int k = 0, i = 0; k < 5; k++)
        for (int n = 0; n < sizes[k]; n++, i++)
            truth[i] = k == 3 ? CLUMP_NOISE : (k + 1) << 15 | names[k], labels[i] = k == 3 ? 2 : k,
            classes[i] = names[k];
    const cli_eval_input in = {
        .count = COUNT, .labels = labels, .truth = truth, .min_size = 1, .band = 10, .classes = classes};
    cli_eval_result r;
    CHECK(cli_eval_measure(&in, &r));
    CHECK(strcmp(cli_eval_class_names[0], "car") == 0 && strcmp(cli_eval_class_names[7], "person") == 0);
    CHECK_INT(r.classes[0].instances, 2);
    CHECK_INT(r.classes[0].verdicts[CLI_EVAL_MATCHED], 1);
    CHECK_INT(r.classes[0].verdicts[CLI_EVAL_UNDER], 1);
    CHECK_INT(r.classes[7].verdicts[CLI_EVAL_MATCHED], 1);
    CHECK_INT(r.classes[CLI_EVAL_CLASSES - 1].instances, 1);
    CHECK_INT(r.sizes[0].instances, 1);
    CHECK_INT(r.sizes[1].instances, 1);
    CHECK_INT(r.sizes[2].instances, 1);
    CHECK_INT(r.sizes[5].instances, 1);
    CHECK_INT(r.sizes[5].false_positives, 1); /* the cluster of 2500 */
    CHECK(near(cli_eval_quality_of(&r.sizes[5]).pq, 0) && near(cli_eval_quality_of(&r.sizes[0]).pq, 1));
    cli_eval_free(&r);
}

/* The range of a false positive is that of its nearest point, here 14 of a wall. */
static void false_by_range(void)
{
    const int32_t truth[6] = {1, 1, -1, -1, -1, -1}, labels[6] = {0, 0, 0, 0, 0, 0};
    const float range[6] = {25, 26, 14, 15, 16, 17};
    const cli_eval_input in = {.count = 6, .labels = labels, .truth = truth, .range = range, .min_size = 1, .band = 10};
    cli_eval_result r;
    CHECK(cli_eval_measure(&in, &r));
    CHECK_INT(r.bands[1].false_positives, 1);
    CHECK_INT(r.bands[2].false_positives, 0);
    CHECK_INT(r.bands[2].instances, 1);
    CHECK(r.falses[0].range == 14);
    cli_eval_free(&r);
}

/* Objects: A of 4 points in the clusters 0 0 1 and none; B of 2 points in cluster 1. Cluster 1 also has a point of no object. */
static void entropies(void)
{
    const int32_t truth[7] = {1, 1, 1, 1, 2, 2, CLUMP_NOISE}, labels[7] = {0, 0, 1, CLUMP_GROUND, 1, 1, 1};
    const uint16_t classes[7] = {10, 10, 10, 10, 10, 10, 70};
    const int32_t objects[7] = {0, 0, 0, 0, -1, -1, 1};
    const cli_eval_input in = {.count = 7,
                               .labels = labels,
                               .truth = truth,
                               .min_size = 1,
                               .band = 10,
                               .classes = classes,
                               .objects = objects};
    cli_eval_result r;
    CHECK(cli_eval_measure(&in, &r));
    /* OSE: A is 1/2, 1/4, 1/4: 1.5 ln 2; B is whole. USE: cluster 0 is pure; cluster 1 is 1/4 A, 1/2 B, 1/4 nothing. */
    CHECK_INT(r.of_instances.objects, 2);
    CHECK(near(r.of_instances.over, 1.5 * log(2)) && near(r.of_instances.under, 1.5 * log(2)));
    /* Objects 0 and 1: cluster 1 is 1/4 of object 0, 1/2 of none, 1/4 of object 1. Classes in it: 3/4 and 1/4. */
    CHECK_INT(r.of_objects.objects, 2);
    CHECK(near(r.of_objects.over, 1.5 * log(2)) && near(r.of_objects.under, 1.5 * log(2)));
    CHECK(near(r.of_objects.by_class, 2 * log(2) - 0.75 * log(3)));
    cli_eval_free(&r);

    cli_eval_result large = measure(labels, truth, 7, 3); /* B is not judged: its points belong to no object */
    CHECK_INT(large.of_instances.objects, 1);
    CHECK(near(large.of_instances.over, 1.5 * log(2)));
    CHECK(near(large.of_instances.under, 2 * log(2) - 0.75 * log(3)));
    CHECK(!large.has_objects && isnan(large.of_objects.over));
    cli_eval_free(&large);
    const int32_t whole[4] = {5, 5, 6, 6};
    cli_eval_result same = measure(whole, whole, 4, 1);
    CHECK(same.of_instances.over == 0 && same.of_instances.under == 0);
    cli_eval_free(&same);
}

/* Two files: one instance that is matched at 1/2, and three of which two are matched at 1. */
static void sums_and_means(void)
{
    const int32_t truth_a[4] = {1, 1, -1, -1}, labels_a[4] = {0, 0, 0, 0};
    const int32_t truth_b[4] = {1, 2, 3, CLUMP_GROUND}, labels_b[4] = {0, 1, CLUMP_NOISE, CLUMP_GROUND};
    cli_eval_result a = measure(labels_a, truth_a, 4, 1), b = measure(labels_b, truth_b, 4, 1), sum = {0};
    cli_eval_add(&sum, &a), cli_eval_add(&sum, &b);
    CHECK_INT(sum.all.points, 8);
    CHECK_INT(sum.all.instances, 4);
    CHECK_INT(sum.all.verdicts[CLI_EVAL_MATCHED], 3);
    CHECK_INT(sum.sizes[0].instances, 4);
    CHECK(near(cli_eval_quality_of(&sum.all).sq, 2.5 / 3) && near(sum.mean_iou, 2.5 / 4));

    cli_eval_mean mean = {0};
    double values[CLI_EVAL_VALUES];
    cli_eval_values_of(&a, values), cli_eval_mean_add(&mean, values);
    cli_eval_values_of(&b, values), cli_eval_mean_add(&mean, values);
    cli_eval_mean_take(&mean, values);
    CHECK(near(values[CLI_EVAL_MATCHED_SHARE], (1 + 2.0 / 3) / 2));
    CHECK(near(values[CLI_EVAL_PQ], (0.5 + 2 / 2.5) / 2));
    CHECK(near(values[CLI_EVAL_GROUND_F1], 1)); /* the first file has no ground */
    CHECK(isnan(values[CLI_EVAL_TRAVEL_OSE]));
    cli_eval_free(&a), cli_eval_free(&b);
}

CHECK_PROGRAM(test_eval_tables)
{
    RUN(panoptic_quality);
    RUN(vegetation);
    RUN(by_size_and_class);
    RUN(false_by_range);
    RUN(entropies);
    RUN(sums_and_means);
}
