/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_ec.c: the judges of the Euclidean clustering paper's claims on made-up rows, the frames of its sensors, and
 * contestants that are left out.
 */
#include "support/check.h"

#include "claims/claims_ec.h"
#include "papers/papers_ec.h"

#include <math.h>

/* --- claims -------------------------------------------------------------------------------------- */

enum { MADE_ROWS = 256 };
static papers_row made[MADE_ROWS];
static papers_table table = {.rows = made};

static papers_row *add(const char *experiment, const char *series, double x, double ms)
{
    papers_row *const row = &made[table.count++];
    const bool pcl = strncmp(series, "pcl", 3) == 0;
    *row = (papers_row){.experiment = experiment,
                        .series = series,
                        .x = x,
                        .backend = pcl ? "cpu" : "cuda",
                        .median_ms = ms,
                        .build_ms = 0.999 * ms,
                        .initial_ms = 0.3,
                        .cluster_ms = 1,
                        .runs = 3,
                        .value = 100};
    return row;
}

/* The time of a method, 0 to 5, ES first: vertex, edge, matrix. RS grows slowly, but for the last size of vertex; ES grows
 * with the square. */
static double time_of(int method, double n)
{
    if (method == 3 && n == 262144) return 12;
    return method < 3 ? 0.02 + 8 * (n / 65536) * (n / 65536) : 0.2 + n / 65536;
}

static void make_size(void)
{
    for (double n = 4096; n <= 262144; n *= 2) {
        add("ec-size", "pcl-best", n, n / 500);
        for (int m = 0; m < EC_METHODS; m++) {
            papers_row *const row = add("ec-size", ec_method_names[m], n, time_of(m, n));
            row->cluster_ms = m == 3 ? 2 : 1;
            row->value = 1e6 * (m % 3 == 1 ? 1 : 2);
        }
    }
}

static void make_clusters_and_degree(void)
{
    static const double clusters[3] = {16, 4096, 8192}, degrees[4] = {1, 32, 64, 2048};
    static const double edge[4] = {5, 1, 1.1, 1.5}, vertex[4] = {2, 3, 4, 9};
    for (int i = 0; i < 3; i++) {
        add("ec-clusters", "pcl-best", clusters[i], i ? 100 : 500);
        for (int m = 0; m < EC_METHODS; m++)
            add("ec-clusters", ec_method_names[m], clusters[i], m < 3 ? 128 - 0.1 * i : m == 5 ? 4 - 0.1 * i : 5 - i);
    }
    for (int i = 0; i < 4; i++) {
        add("ec-degree", "pcl-best", degrees[i], 100 * (i + 1) * (i + 1));
        for (int m = 0; m < EC_METHODS; m++) {
            papers_row *const row = add("ec-degree", ec_method_names[m], degrees[i],
                                        m < 3    ? 128
                                        : m == 5 ? 4 + i
                                        : i == 0 ? 3.5
                                                 : 5 + i);
            row->build_ms = 1 + i, row->cluster_ms = m == 3 ? vertex[i] : m == 4 ? edge[i] : 1;
        }
    }
}

static void make_distance(void)
{
    for (int i = 0; i < 2; i++)
        for (int m = 0; m < EC_METHODS; m++) {
            const bool matrix = m % 3 == 2;
            papers_row *const row = add("ec-distance", ec_method_names[m], i ? 1024 : 1, !matrix ? 5 : i ? 156 : 4.5);
            row->passes = matrix && i ? 10 : 2, row->value = matrix ? 9e6 : 1e6;
        }
}

static void make_sensors(void)
{
    static const char *const blocks[] = {"matrix-es vlp-16", "edge-rs vlp-16", "matrix-es hdl-32e", "edge-rs hdl-32e"};
    for (int sensor = 0; sensor < 4; sensor++) {
        add("ec-sensors", "pcl-best", sensor, sensor == 3 ? 100 : 4);
        for (int m = 0; m < EC_METHODS; m++)
            add("ec-sensors", ec_method_names[m], sensor,
                (m == 2 && sensor < 3) || (m == 5 && sensor > 2) ? 1
                : m % 3 == 2                                     ? 2
                : m == 0 && sensor == 0                          ? 5
                                                                 : 3);
    }
    for (int i = 0; i < 4; i++) add("ec-block", blocks[i], i % 2 ? 0 : 64, i % 2 ? 2 : 1);
}

/* Rows as the paper would have them. */
static void make_rows(void)
{
    table.count = 0;
    make_size(), make_clusters_and_degree(), make_distance(), make_sensors();
    CHECK(table.count <= MADE_ROWS);
}

static const papers_claim *claim_of(const char *part)
{
    for (const papers_claim *c = claims_ec; c->judge; c++)
        if (strstr(c->claim, part)) return c;
    CHECK_FAIL("no claim has the words %s", part);
    return claims_ec;
}

static void claims_without_rows(void)
{
    table.count = 0;
    for (const papers_claim *c = claims_ec; c->judge; c++) {
        const papers_judgement j = c->judge(&table);
        CHECK_MSG(j.verdict == VERDICT_UNKNOWN && j.why[0], "%s", c->claim);
    }
}

static void claims_of_rows_left_out(void)
{
    make_rows();
    for (size_t i = 0; i < table.count; i++) made[i].runs = 0, made[i].median_ms = 0, made[i].value = (double)NAN;
    for (const papers_claim *c = claims_ec; c->judge; c++)
        CHECK_MSG(c->judge(&table).verdict == VERDICT_UNKNOWN, "%s", c->claim);
}

/* The paper contradicts itself once: 2.2 times as fast as PCL at 3798 points, and slower below 4000. */
static void claims_of_the_papers_rows(void)
{
    make_rows();
    for (const papers_claim *c = claims_ec; c->judge; c++) {
        const papers_judgement j = c->judge(&table);
        const bool contradicts = strstr(c->claim, "below 4000 points") != NULL;
        CHECK_MSG(j.verdict == (contradicts ? VERDICT_FAILS : VERDICT_HOLDS) && j.ours[0] && j.why[0], "%s: %s %s",
                  c->claim, j.ours, j.why);
    }
}

typedef enum what { TIME, BUILD, INITIAL, CLUSTER, PASSES, VALUE } what;

/* Changes one number, after which the claim does not hold. */
static void expect_fall(const char *claim, const char *experiment, const char *series, double x, what changed,
                        double number)
{
    make_rows();
    for (size_t i = 0; i < table.count; i++) {
        papers_row *const row = &made[i];
        if (row != papers_find(&table, experiment, series, x, NULL)) continue;
        if (changed == TIME) row->median_ms = number;
        if (changed == BUILD) row->build_ms = number;
        if (changed == INITIAL) row->initial_ms = number;
        if (changed == CLUSTER) row->cluster_ms = number;
        if (changed == PASSES) row->passes = (long long)number;
        if (changed == VALUE) row->value = number;
    }
    const papers_judgement j = claim_of(claim)->judge(&table);
    CHECK_MSG(j.verdict == VERDICT_FAILS, "%s: %s %s", claim, j.ours, j.why);
}

static void claims_of_factors_fall(void)
{
    expect_fall("every GPU method is faster", "ec-size", "edge-es", 8192, TIME, 20);
    expect_fall("speed-up of the ES methods falls", "ec-size", "edge-es", 262144, TIME, 1);
    expect_fall("99.9 %", "ec-size", "matrix-es", 262144, BUILD, 100);
    expect_fall("keeps growing", "ec-size", "matrix-rs", 262144, TIME, 40);
    expect_fall("falls at some sizes", "ec-size", "vertex-rs", 262144, TIME, 1);
    expect_fall("vertex-rs longer", "ec-size", "vertex-rs", 262144, CLUSTER, 0.5);
    expect_fall("more clusters", "ec-clusters", "vertex-rs", 8192, TIME, 6);
    expect_fall("change with the number of clusters", "ec-clusters", "edge-es", 16, TIME, 200);
    expect_fall("about 90 %", "ec-clusters", "edge-es", 16, BUILD, 10);
    expect_fall("two last cases", "ec-clusters", "matrix-es", 4096, TIME, 50);
    expect_fall("PCL's time grows", "ec-degree", "pcl-best", 2048, TIME, 200);
    expect_fall("change with the degree", "ec-degree", "vertex-es", 64, TIME, 300);
    expect_fall("building takes all RS", "ec-degree", "edge-rs", 2048, BUILD, 1);
    expect_fall("fastest at degree 32 to 64", "ec-degree", "edge-rs", 2048, CLUSTER, 0.5);
    expect_fall("vertex: clustering grows", "ec-degree", "vertex-rs", 2048, CLUSTER, 2);
    expect_fall("matrix: clustering does not", "ec-degree", "matrix-rs", 64, CLUSTER, 2);
    expect_fall("matrix methods alone", "ec-distance", "edge-rs", 1024, TIME, 9);
    expect_fall("initial clustering", "ec-distance", "matrix-rs", 1024, INITIAL, 0.1);
    expect_fall("building the matrix takes slightly", "ec-distance", "matrix-es", 1024, BUILD, 1);
    expect_fall("passes and time grow", "ec-distance", "matrix-rs", 1024, PASSES, 2);
    make_rows();
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(made[i].series, "pcl-best") == 0) made[i].median_ms /= 5;
    CHECK(claim_of("97 times")->judge(&table).verdict == VERDICT_FAILS);
    CHECK(claim_of("87 times")->judge(&table).verdict == VERDICT_FAILS);
}

/* A factor between constant and changed is not judged. */
static void claims_near_a_threshold(void)
{
    make_rows();
    for (size_t i = 0; i < table.count; i++)
        if (&made[i] == papers_find(&table, "ec-degree", "matrix-rs", 64, "cuda")) made[i].cluster_ms = 1.3;
    const papers_judgement j = claim_of("matrix: clustering does not")->judge(&table);
    CHECK(j.verdict == VERDICT_UNKNOWN && j.ours[0] && j.why[0]);
}

/* Rows of labels in place decide, where there are some. */
static void claims_of_labels_in_place(void)
{
    make_rows();
    for (int i = 0; i < 2; i++) {
        static const double degrees[] = {32, 64, 2048}, stages[2][3] = {{3, 2, 1}, {1, 2, 1}};
        for (int k = 0; k < 3; k++)
            add("ec-degree", i ? "vertex-rs in place" : "edge-rs in place", degrees[k], 9)->cluster_ms = stages[i][k];
    }
    CHECK(claim_of("fastest at degree 32 to 64")->judge(&table).verdict == VERDICT_FAILS);
    CHECK(claim_of("vertex: clustering grows")->judge(&table).verdict == VERDICT_FAILS);
}

static void claims_of_sensors_fall(void)
{
    expect_fall("fastest on small scans", "ec-sensors", "vertex-rs", 1, TIME, 0.5);
    expect_fall("best block size", "ec-block", "edge-rs hdl-32e", 0, TIME, 0.5);
    expect_fall("2.2 and 3.5", "ec-sensors", "matrix-es", 0, TIME, 3);
    expect_fall("faster than edge and vertex on scans", "ec-sensors", "edge-es", 2, TIME, 1);
    expect_fall("fastest on HDL-64E", "ec-sensors", "edge-es", 2, TIME, 0.5);
    expect_fall("some small scans", "ec-sensors", "vertex-es", 0, TIME, 3);
    expect_fall("largest scans", "ec-sensors", "edge-rs", 3, TIME, 0.5);
    expect_fall("those of PCL", "ec-sensors", "edge-rs", 2, VALUE, 95);
    expect_fall("cost of RS", "ec-size", "edge-rs", 262144, TIME, 30);
    expect_fall("cost of ES", "ec-size", "edge-es", 262144, TIME, 30);
    expect_fall("4000 to 8000", "ec-size", "edge-rs", 8192, TIME, 0.01);
    expect_fall("preferred at high degrees", "ec-degree", "edge-rs", 2048, TIME, 1);
    expect_fall("preferred for large clusters", "ec-clusters", "edge-rs", 16, TIME, 3);
    expect_fall("preferred at small point distances", "ec-distance", "edge-rs", 1, TIME, 1);
    expect_fall("preferred at low degrees", "ec-degree", "matrix-rs", 1, TIME, 1);
    expect_fall("preferred for small clusters", "ec-clusters", "matrix-rs", 8192, TIME, 1);
    expect_fall("least memory", "ec-size", "edge-rs", 262144, VALUE, 3e6);
    make_rows();
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(made[i].series, "matrix-rs") == 0) made[i].value = 1;
    CHECK(claim_of("the most memory")->judge(&table).verdict == VERDICT_FAILS);
}

/* --- frames -------------------------------------------------------------------------------------- */

static void frames_of_a_sensor(void)
{
    ec_frames a, b;
    clump_message why = {""};
    CHECK_MSG(ec_frames_make(EC_VLP16, 2, &a, &why) && ec_frames_make(EC_VLP16, 2, &b, &why), "%s", why.text);
    const double mean = (double)a.all.count / 2;
    CHECK_MSG(mean > 0.98 * 3798 && mean <= 3798, "%g points", mean);
    CHECK(a.begin[0] == 0 && a.begin[1] > 1000 && a.begin[2] == a.all.count && a.begin[1] < a.all.count);
    CHECK(a.all.count == b.all.count && memcmp(a.all.xyz, b.all.xyz, 12 * a.all.count) == 0);
    for (size_t i = 0; i < a.all.count; i++)
        CHECK(hypot((double)a.all.xyz[3 * i], (double)a.all.xyz[3 * i + 1]) < a.range);
    ec_frames_free(&a), ec_frames_free(&b);
}

/* --- left out ------------------------------------------------------------------------------------ */

static size_t rows_out, rows_in; /* of the contest below */

static bool describe(size_t index, char *name, char *text)
{
    (void)index;
    snprintf(name, CONTEST_NAME, "made"), snprintf(text, CONTEST_TEXT, "made");
    return true;
}

/* A run of vertex-es takes 10 s or more. */
static bool enter(contest *c, clump_message *why)
{
    clump_factors f = clump_factors_defaults();
    f.points = 65536;
    if (!ec_make_case(c, "made", 1, 1, why) || !bench_cloud_factors(&f, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count, c->limit_seconds = 0.5;
    ec_enter(c, CLUMP_EC_FAST, 1, "");
    ec_enter(c, CLUMP_EC_VERTEX_ES, 1, "");
    contestant *const told = ec_enter(c, CLUMP_EC_EDGE_ES, 1, " told");
    snprintf(told->left_out, sizeof told->left_out, "about 3 s");
    return true;
}

static void put(const contest *c, const contestant *who, csv *rows)
{
    const papers_row row = papers_row_of(c, who);
    if (who == c->list) {
        rows_in++;
        CHECK(row.runs > 0 && row.median_ms > 0 && row.note[0] == '\0');
        CHECK_TEXT(row.agree, "yes");
    } else {
        rows_out++;
        CHECK(row.runs == 0 && row.median_ms == 0);
        CHECK_TEXT(row.agree, "");
        CHECK_TEXT(row.note, who == c->list + 1 ? "left out: more than 0.5 s" : "left out: about 3 s");
    }
    ec_put_row(c, who, rows);
}

static void nothing(void) {}

static void contestants_left_out(void)
{
    const contest_job job = {
        EC_JOB,     .run = ec_run,    .note = ec_note,      .leave = ec_leave, .figures = ec_no_figures,
        .row = put, .begin = nothing, .describe = describe, .enter = enter,    .case_count = 1};
    contest_totals totals = {0, 0, 0};
    settings.no_rivals = true, settings.repeat = 1;
    CHECK(contest_play(&job, &totals));
    CHECK(totals.wrong == 0 && rows_in == 1 && rows_out == 2);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(claims_without_rows);
    RUN(claims_of_rows_left_out);
    RUN(claims_of_the_papers_rows);
    RUN(claims_of_factors_fall);
    RUN(claims_near_a_threshold);
    RUN(claims_of_labels_in_place);
    RUN(claims_of_sensors_fall);
    RUN(frames_of_a_sensor);
    RUN(contestants_left_out);
    return CHECK_END();
}
