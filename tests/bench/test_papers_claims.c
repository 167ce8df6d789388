/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_claims.c: the judges of the claims on DBSCAN and on nearest neighbours, by made-up rows; the names of the
 * series in their charts; the frames where there is no data.
 */
#include "support/check.h"

#include "papers/papers.h"
#include "papers/papers_dbscan.h"
#include "report/report.h"

enum { MOST_ROWS = 128, TEXT = 96 };

typedef struct made_table {
    papers_row rows[MOST_ROWS];
    char series[MOST_ROWS][TEXT];
    papers_table table;
} made_table;

/* Adds a row of a machine with 8 cores, and returns it. */
static papers_row *add(made_table *made, const char *experiment, const char *series, double x, const char *backend,
                       double median_ms, double value)
{
    const size_t i = made->table.count++;
    if (i >= MOST_ROWS) exit(1);
    snprintf(made->series[i], TEXT, "%s", series);
    made->rows[i] = (papers_row){.experiment = experiment,
                                 .series = made->series[i],
                                 .x = x,
                                 .backend = backend,
                                 .runs = 3,
                                 .median_ms = median_ms,
                                 .value = value,
                                 .agree = "yes",
                                 .note = "",
                                 .cores = 8};
    made->table.rows = made->rows;
    return &made->rows[i];
}

/* Returns the verdict on the claim that has these words in it. */
static papers_verdict verdict_on(const papers_claim *claims, const char *words, const papers_table *rows)
{
    for (const papers_claim *claim = claims; claim->judge; claim++) {
        if (!strstr(claim->claim, words)) continue;
        const papers_judgement j = claim->judge(rows);
        CHECK_MSG(j.why[0], "%s", words);
        CHECK_MSG(j.verdict == VERDICT_UNKNOWN || j.ours[0], "%s", words);
        return j.verdict;
    }
    CHECK_FAIL("no claim has the words \"%s\"", words);
    return VERDICT_UNKNOWN;
}

static void without_rows_nothing_can_be_told(void)
{
    const papers_claim *const lists[] = {claims_dbscan, claims_nn};
    const papers_table none = {0};
    for (size_t i = 0; i < 2; i++)
        for (const papers_claim *claim = lists[i]; claim->judge; claim++) {
            const papers_judgement j = claim->judge(&none);
            CHECK_MSG(j.verdict == VERDICT_UNKNOWN && j.why[0], "%s", claim->claim);
        }
}

/* Rows of dbscan-threads: 8 threads speed up by these factors, the same with eps 1 and 5. */
static void add_threads(made_table *made, const double speedup[3], double wide, bool simulated)
{
    for (int set = 0; set < DBSCAN_TOYS; set++) {
        char series[TEXT];
        const double alone = set < 3 ? 10 : 20, up = speedup[set % 3] * (set < 3 ? 1 : wide);
        dbscan_series(series, "disjoint-set", &dbscan_sets[set], simulated);
        add(made, "dbscan-threads", series, 1, "cpu", alone, 1);
        add(made, "dbscan-threads", series, 8, "cpu", alone / up, up);
        add(made, "dbscan-threads", series, 16, "cpu", alone / 100, 100); /* more than cores: not judged */
        dbscan_series(series, "sequential", &dbscan_sets[set], simulated);
        add(made, "dbscan-threads", series, 1, "cpu", alone / 2, 2);
    }
}

static void speed_up_over_threads(void)
{
    static made_table rising, level;
    add_threads(&rising, (const double[3]){2, 3, 6}, 1.3, false);
    add_threads(&level, (const double[3]){7, 7, 7}, 0.9, true);
    const struct {
        const char *words;
        papers_verdict rising, level;
    } cases[] = {{"more on the largest set", VERDICT_HOLDS, VERDICT_FAILS},
                 {"eps 5, min_points 10 speeds up more", VERDICT_HOLDS, VERDICT_FAILS},
                 {"takes less time", VERDICT_HOLDS, VERDICT_HOLDS},
                 {"cost of threads limits", VERDICT_HOLDS, VERDICT_FAILS},
                 {"the speed-up is not limited", VERDICT_FAILS, VERDICT_HOLDS},
                 {"slower than sequential", VERDICT_HOLDS, VERDICT_HOLDS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_MSG(verdict_on(claims_dbscan, cases[i].words, &rising.table) == cases[i].rising, "%s", cases[i].words);
        CHECK_MSG(verdict_on(claims_dbscan, cases[i].words, &level.table) == cases[i].level, "%s", cases[i].words);
    }
}

static void dclust_on_a_gpu(void)
{
    static made_table made;
    papers_row *last = NULL;
    for (int set = 0; set < DBSCAN_SETS; set++)
        for (int threads = 1; threads <= (set < DBSCAN_TOYS ? 8 : 1); threads *= 2) {
            char series[TEXT];
            dbscan_series(series, "dclust", &dbscan_sets[set], false);
            last = add(&made, "dbscan-dclust", series, threads, "cuda", 1, 1 + set % 3 + (set >= 3));
            last->upload_ms = 0.1, last->cluster_ms = 0.8;
        }
    CHECK_INT(verdict_on(claims_dbscan, "does not depend on the CPU's threads", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_dbscan, "rises rapidly", &made.table), VERDICT_FAILS);
    CHECK_INT(verdict_on(claims_dbscan, "more on larger sets", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_dbscan, "larger eps and min_points", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_dbscan, "expansion", &made.table), VERDICT_UNKNOWN);
    CHECK_INT(verdict_on(claims_dbscan, "do not fit into memory", &made.table), VERDICT_FAILS);
    made.rows[3].value = 2; /* toy1 with 8 threads of the CPU: twice as fast as with one */
    CHECK_INT(verdict_on(claims_dbscan, "does not depend on the CPU's threads", &made.table), VERDICT_FAILS);
}

static void add_nn(made_table *made, const char *series, const char *backend, double construction, double query)
{
    add(made, "nn-table", series, NN_CONSTRUCTION, backend, construction, 0);
    add(made, "nn-table", series, NN_QUERY, backend, query, 0);
    papers_row *const total = add(made, "nn-table", series, NN_TOTAL, backend, construction + query, 0);
    total->upload_ms = 0.9 * construction, total->build_ms = 0.1 * construction, total->cluster_ms = query;
}

/* The paper's own numbers: its table holds, its summary does not. */
static void the_table_of_the_paper(void)
{
    static made_table made;
    add_nn(&made, "flann", "cpu", 30.9, 198);
    add_nn(&made, "brute", "cpu", 0, 62305);
    add_nn(&made, "per-query", "cuda", 296, 9108);
    add_nn(&made, "batch", "cuda", 245, 1706);
    add_nn(&made, "azimuth", "cuda", 246, 117);
    CHECK_INT(verdict_on(claims_nn, "azimuth is faster than FLANN", &made.table), VERDICT_FAILS);
    CHECK_INT(verdict_on(claims_nn, "azimuth is slower than FLANN", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "the query of azimuth", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "per-query is slower than FLANN", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "batch is faster", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "the copy to the GPU", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "loop over all pairs", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "some correctness", &made.table), VERDICT_UNKNOWN);
    add_nn(&made, "fast", "cpu", 5, 20);
    CHECK_INT(verdict_on(claims_nn, "some correctness", &made.table), VERDICT_FAILS);
}

static void windows_and_sizes(void)
{
    static made_table made;
    add(&made, "nn-window", "true neighbours", 2.5, "cpu", 0, 99);
    add(&made, "nn-window", "300 partitions", 0, "cpu", 5, 76.5);
    add(&made, "nn-window", "largest partition", 300, "cpu", 0, 600);
    add(&made, "nn-size-small", "per-query", 1000, "cuda", 70, 0);
    add(&made, "nn-size-small", "per-query", 2000, "cuda", 70, 0);
    add(&made, "nn-size-small", "per-query", 4000, "cuda", 72, 0);
    add(&made, "nn-size-small", "brute", 2000, "cpu", 30, 0);
    add(&made, "nn-size", "per-query", 32000, "cuda", 80, 0);
    add(&made, "nn-size", "per-query", 128000, "cuda", 100, 0);
    CHECK_INT(verdict_on(claims_nn, "within 2.5 degrees", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "own partition", &made.table), VERDICT_FAILS);
    CHECK_INT(verdict_on(claims_nn, "fewer than 512", &made.table), VERDICT_FAILS);
    CHECK_INT(verdict_on(claims_nn, "launches dominate", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "slower than the sequential loop", &made.table), VERDICT_HOLDS);
    CHECK_INT(verdict_on(claims_nn, "about linear", &made.table), VERDICT_FAILS);
}

/* Returns whether the name, of this length, is that of a method on one of the sets. */
static bool names_a_set(const char *name, size_t length)
{
    static const char simulated[] = " simulated";
    const size_t end = sizeof simulated - 1;
    if (length > end && memcmp(name + length - end, simulated, end) == 0) length -= end;
    for (int i = 0; i < DBSCAN_SETS; i++) {
        const size_t set = strlen(dbscan_sets[i].name);
        if (length > set + 1 && memcmp(name + length - set, dbscan_sets[i].name, set) == 0) return true;
    }
    return false;
}

static void charts_name_series_of_the_sets(void)
{
    for (const papers_chart *chart = papers_dbscan.charts; chart->experiment; chart++)
        for (const char *name = chart->series; name && *name;) {
            const size_t length = strcspn(name, ",");
            CHECK_MSG(names_a_set(name, length), "%.*s", (int)length, name);
            name += length + (name[length] == ',');
        }
}

static void numbers_of_threads(void)
{
    int threads[DBSCAN_THREADS];
    CHECK_INT(dbscan_threads(2, threads), 4);
    CHECK_INT(threads[3], 8);
    CHECK_INT(dbscan_threads(6, threads), 5); /* 1 2 4 6 8 */
    CHECK_INT(threads[3], 6);
    CHECK_INT(dbscan_threads(12, threads), 5); /* 1 2 4 8 12 */
    CHECK_INT(threads[4], 12);
    CHECK_INT(dbscan_threads(384, threads), 10);
    CHECK_INT(threads[9], 384);
}

static void frames_are_simulated_without_data(void)
{
    bench_cloud clouds[2], million;
    bool simulated = false;
    clump_message why = {""};
    settings.data = "no-such-folder";
    CHECK_MSG(frames_make(2, clouds, &simulated, &why), "%s", why.text);
    CHECK(simulated);
    for (int i = 0; i < 2; i++) CHECK_MSG(clouds[i].count > 90000 && clouds[i].count < 140000, "%zu", clouds[i].count);
    CHECK(memcmp(clouds[0].xyz, clouds[1].xyz, 30000) != 0); /* the sensor has moved */
    CHECK_MSG(dbscan_set_make(&dbscan_sets[DBSCAN_MILLION], &million, &simulated, &why), "%s", why.text);
    CHECK_INT(million.count, 1000000);
    CHECK(memcmp(million.xyz, clouds[0].xyz, 3 * clouds[0].count * sizeof(float)) == 0);
    bench_cloud_free(&clouds[0]), bench_cloud_free(&clouds[1]), bench_cloud_free(&million);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(without_rows_nothing_can_be_told);
    RUN(speed_up_over_threads);
    RUN(dclust_on_a_gpu);
    RUN(the_table_of_the_paper);
    RUN(windows_and_sizes);
    RUN(charts_name_series_of_the_sets);
    RUN(numbers_of_threads);
    RUN(frames_are_simulated_without_data);
    return CHECK_END();
}
