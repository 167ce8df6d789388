/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_erccl.c: the judges of the ER-CCL paper's claims on made-up rows, its scans, and what is read of the
 * program's JSON.
 */
#include "support/check.h"

#include "papers/papers_erccl.h"
#include "papers/papers.h"
#include "report/report.h"

#include <math.h>

enum { MADE_ROWS = 256 };
static papers_row made[MADE_ROWS];
static papers_table table = {.rows = made};

static papers_row *add(const char *experiment, const char *series, double x, const char *backend)
{
    papers_row *const row = &made[table.count++];
    *row = (papers_row){.experiment = experiment, .series = series, .x = x, .backend = backend, .value = (double)NAN};
    return row;
}

static void add_time(const char *series, double x, const char *backend, double ms, long long passes)
{
    papers_row *const row = add("erccl-reach", series, x, backend);
    row->median_ms = ms, row->passes = passes;
}

/* Rows as the paper would have them: every claim holds. */
static void make_rows(void)
{
    table.count = 0;
    for (int r = 1; r <= 8; r++) {
        add_time("serial", r, "cpu", 30 + 14 * r, 20);
        add_time("independent", r, "cpu", 500, 50);
        add_time("racing", r, "cuda", 15 + r, 40);
        add_time("independent", r, "cuda", 20 + r, 50);
        add_time("ccl", r, "cuda", 16 + r, 40);
        add("erccl-quality", "matched simulated", r, "cpu")->value = 90 - fabs(r - 5.0);
        add("erccl-quality", "simulated", r, "cpu")->value = 99 - r;
    }
    add_time("racing", 5, "cpu", 35, 30), add_time("ccl", 5, "cpu", 40, 30), add_time("hash", 5, "cpu", 100, 1);
    for (int i = 0; i < ERCCL_SCENES; i++) {
        papers_row *const row = add("erccl-scenes", "racing", i, "cuda");
        row->median_ms = 30 + (i == 1 ? 10 : i), row->passes = 40 + (i == 1 ? 10 : i);
    }
    for (int i = 0; i < 12; i++) { /* time grows with the passes; the clusters go up and down */
        papers_row *const row = add("erccl-frames", "racing", i, "cuda");
        row->median_ms = 10 + i, row->passes = 20 + 2 * i, row->clusters = 100 + i % 2;
    }
    for (int r = 2; r <= 5; r++) add("erccl-pictures", "reach", r, "cpu")->clusters = 100 - r;
    const double shares[3] = {98.2, 95.7, 95.4};
    for (int k = 0; k < 3; k++) add("erccl-accuracy", "peak simulated traffic", k, "cpu")->value = shares[k];
    add("erccl-histogram", "ground of simulated", -1.7, "cpu")->value = 40;
}

static const papers_claim *claim_of(const char *part)
{
    for (const papers_claim *c = claims_erccl; c->judge; c++)
        if (strstr(c->claim, part)) return c;
    CHECK_FAIL("no claim has the words %s", part);
    return claims_erccl;
}

static void claims_without_rows(void)
{
    table.count = 0;
    for (const papers_claim *c = claims_erccl; c->judge; c++) {
        const papers_judgement j = c->judge(&table);
        CHECK_MSG(j.verdict == VERDICT_UNKNOWN && j.why[0], "%s", c->claim);
    }
}

static void claims_of_the_papers_rows(void)
{
    make_rows();
    for (const papers_claim *c = claims_erccl; c->judge; c++) {
        const papers_judgement j = c->judge(&table);
        CHECK_MSG(j.verdict == VERDICT_HOLDS && j.ours[0] && j.why[0], "%s: %s", c->claim, j.ours);
    }
}

/* Changes one number, after which the claim does not hold. */
static void expect_fall(const char *claim, const char *experiment, const char *series, double x, const char *backend,
                        papers_measure measure, double number)
{
    make_rows();
    for (size_t i = 0; i < table.count; i++) {
        papers_row *const row = &made[i];
        if (row != papers_find(&table, experiment, series, x, backend)) continue;
        if (measure == MEASURE_TIME) row->median_ms = number;
        if (measure == MEASURE_PASSES) row->passes = (long long)number;
        if (measure == MEASURE_CLUSTERS) row->clusters = (long)number;
        if (measure == MEASURE_VALUE) row->value = number;
    }
    CHECK_MSG(claim_of(claim)->judge(&table).verdict == VERDICT_FAILS, "%s", claim);
}

static void claims_fall(void)
{
    expect_fall("on the CPU the time grows", "erccl-reach", "serial", 8, "cpu", MEASURE_TIME, 50);
    expect_fall("barely grows", "erccl-reach", "racing", 8, "cuda", MEASURE_TIME, 50);
    expect_fall("faster than on the CPU", "erccl-reach", "racing", 3, "cuda", MEASURE_TIME, 500);
    expect_fall("r = 5 is suitable", "erccl-quality", "matched simulated", 5, "cpu", MEASURE_VALUE, 80);
    expect_fall("small r splits", "erccl-pictures", "reach", 2, "cpu", MEASURE_CLUSTERS, 10);
    expect_fall("more than 52.2 ms", "erccl-scenes", "racing", 4, "cuda", MEASURE_TIME, 60);
    expect_fall("the road needs more", "erccl-scenes", "racing", 1, "cuda", MEASURE_PASSES, 4);
    expect_fall("98.2 %", "erccl-accuracy", "peak simulated traffic", 0, "cpu", MEASURE_VALUE, 96);
    expect_fall("more accurate than ccl", "erccl-accuracy", "peak simulated traffic", 2, "cpu", MEASURE_VALUE, 99);
    expect_fall("large r joins", "erccl-quality", "simulated", 8, "cpu", MEASURE_VALUE, 99);
    expect_fall("barely grows", "erccl-reach", "ccl", 8, "cuda", MEASURE_TIME, 50);
    expect_fall("a GPU clusters scans in real time", "erccl-reach", "racing", 5, "cuda", MEASURE_TIME, 200);
    expect_fall("a CPU does not", "erccl-reach", "serial", 5, "cpu", MEASURE_TIME, 50);
    expect_fall("on the same device", "erccl-reach", "ccl", 5, "cuda", MEASURE_TIME, 2);
    expect_fall("on the same device", "erccl-reach", "hash", 5, "cpu", MEASURE_TIME, 2);
    expect_fall("20 ms per frame", "erccl-reach", "racing", 5, "cuda", MEASURE_TIME, 21);
    expect_fall("faster than ccl and hash", "erccl-reach", "ccl", 5, "cpu", MEASURE_TIME, 2);
    expect_fall("half of the iterations", "erccl-reach", "serial", 2, "cpu", MEASURE_PASSES, 30);
    expect_fall("races save iterations", "erccl-reach", "racing", 2, "cuda", MEASURE_PASSES, 51);
    expect_fall("faster than DI", "erccl-reach", "independent", 7, "cuda", MEASURE_TIME, 3);
    expect_fall("more iterations than the CPU", "erccl-reach", "racing", 2, "cuda", MEASURE_PASSES, 10);
    expect_fall("speed falls as the iterations rise", "erccl-frames", "racing", 0, "cuda", MEASURE_TIME, 400);
    make_rows();
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(made[i].experiment, "erccl-frames") == 0) made[i].clusters = 100 + (long)made[i].x;
    CHECK(claim_of("number of clusters")->judge(&table).verdict == VERDICT_FAILS);
}

static void numbers_of_json(void)
{
    const char *const json = "{\"clusters\": 12, \"wrong\": 3, \"ground\": {\"f1\": null}, \"wrong\": 4}";
    CHECK(program_number(json, "clusters") == 12 && program_number(json, "wrong") == 3);
    CHECK(isnan(program_number(json, "f1")) && isnan(program_number(json, "lusters")));
}

/* The scans have instances and a ground, and the same bytes every time. */
static void simulated_scans(void)
{
    erccl_scan a, b;
    clump_message why = {""};
    CHECK(erccl_simulate(CLUMP_SCENE_PEOPLE, 3, &a, &why) && erccl_simulate(CLUMP_SCENE_PEOPLE, 3, &b, &why));
    size_t road = 0, people = 0;
    for (size_t i = 0; i < a.cloud.count; i++) {
        road += (a.truth[i] & 0xffff) == 40;
        people += (a.truth[i] & 0xffff) == 30 && a.truth[i] >> 16;
    }
    CHECK(a.cloud.count > 50000 && a.cloud.count < 97000 && road > 1000 && people > 1000);
    CHECK(a.cloud.count == b.cloud.count && memcmp(a.cloud.xyz, b.cloud.xyz, 12 * a.cloud.count) == 0);
    CHECK(memcmp(a.truth, b.truth, 4 * a.cloud.count) == 0);
    erccl_scan_free(&a), erccl_scan_free(&b);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(claims_without_rows);
    RUN(claims_of_the_papers_rows);
    RUN(claims_fall);
    RUN(numbers_of_json);
    RUN(simulated_scans);
    return CHECK_END();
}
