/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers.c: the experiments of the papers: their rows in files, contestants that are left out, their clouds, and what is
 * read of the program's JSON. test_report.py has the report of the rows.
 */
#include "support/check.h"

#include "papers/papers_dbscan.h"
#include "papers/papers_ec.h"
#include "papers/papers_erccl.h"

#include <math.h>
#include <unistd.h>

/* --- rows ---------------------------------------------------------------------------------------- */

static const papers_row whole = {.name = "made-1",
                                 .experiment = "made",
                                 .series = "vertex-rs in place",
                                 .x = 0.05,
                                 .backend = "cuda",
                                 .threads = 3,
                                 .points = 262144,
                                 .runs = 25,
                                 .median_ms = 1.5,
                                 .min_ms = 1.25,
                                 .upload_ms = 0.125,
                                 .build_ms = 0.25,
                                 .initial_ms = 0.375,
                                 .cluster_ms = 0.5,
                                 .merge_ms = 0.625,
                                 .label_ms = 0.75,
                                 .download_ms = 0.875,
                                 .passes = 784,
                                 .clusters = 128,
                                 .value = (double)NAN,
                                 .hash = 0xfedcba9876543210u,
                                 .agree = "no",
                                 .version = "PCL 1.13.0",
                                 .note = "one, two\nthree"};

/* Merges a row into the file. */
static bool save_row(const char *path, papers_row row)
{
    csv rows = {0};
    clump_message why;
    snprintf(papers.gpu, sizeof papers.gpu, "Made GPU");
    papers_add(&rows, &row);
    const bool saved = csv_save(&rows, path, PAPERS_HEADER, 1, &why);
    csv_free(&rows);
    return saved;
}

/* Reads a line of the file; the first is 0. */
static const char *line_of(const char *path, int number)
{
    static char line[2048];
    FILE *const from = fopen(path, "r");
    line[0] = '\0';
    for (int i = 0; from && i <= number; i++)
        if (!fgets(line, sizeof line, from)) line[0] = '\0';
    if (from) fclose(from);
    return line;
}

static void a_row_in_a_file(void)
{
    static const char text[] = "made-1,made,vertex-rs in "
                               "place,0.05,cuda,3,262144,25,1.5,1.25,0.125,0.25,0.375,0.5,0.625,0.75,0.875,784,128,nan,"
                               "fedcba9876543210,no,PCL 1.13.0,one; two three,Made GPU,";
    remove("papers-one.csv");
    CHECK(save_row("papers-one.csv", whole));
    CHECK_TEXT(line_of("papers-one.csv", 0), PAPERS_HEADER);
    const char *const line = line_of("papers-one.csv", 1);
    CHECK_MSG(strncmp(line, text, strlen(text)) == 0, "%s", line);
}

/* A row of the same case replaces the old one; other rows stay. */
static void rows_are_merged(void)
{
    const char *const path = "papers-merged.csv";
    papers_row other = whole;
    remove(path);
    other.name = "made-2";
    CHECK(save_row(path, whole) && save_row(path, other));
    other.name = "made-1", other.passes = 1;
    CHECK(save_row(path, other));
    CHECK(strncmp(line_of(path, 1), "made-1,", 7) == 0 && strstr(line_of(path, 1), ",1,128,nan,"));
    CHECK(strncmp(line_of(path, 2), "made-2,", 7) == 0 && strstr(line_of(path, 2), ",784,128,nan,"));
    CHECK_TEXT(line_of(path, 3), "");
}

/* A file that cannot be used is found before anything is measured; the check leaves nothing behind. */
static void unusable_results(void)
{
    clump_message why = {""};
    CHECK(!csv_can_save("papers-no-such-folder/a.csv", PAPERS_HEADER, &why));
    CHECK_TEXT(why.text, "papers-no-such-folder/a.csv cannot be written");
    CHECK(!csv_can_save(".", PAPERS_HEADER, &why));
    CHECK_TEXT(why.text, ". cannot be written");
    remove("papers-can.csv");
    CHECK(csv_can_save("papers-can.csv", PAPERS_HEADER, &why));
    CHECK(access("papers-can.csv", F_OK) != 0 && access("papers-can.csv.new", F_OK) != 0);
    CHECK(csv_can_save("papers-one.csv", PAPERS_HEADER, &why));
    FILE *const to = fopen("papers-old.csv", "w");
    CHECK(to && fputs("case,experiment\na,b\n", to) >= 0 && fclose(to) == 0);
    CHECK(!csv_can_save("papers-old.csv", PAPERS_HEADER, &why));
    CHECK_TEXT(why.text, "papers-old.csv: its columns are not those of this version: measure again, with a new file");
}

static void words_that_are_no_experiments(void)
{
    char *words[] = {(char[]){"papers"}, (char[]){"no-such-experiment"}};
    CHECK_INT(papers_main(2, words), 2);
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

static bool enter_two(contest *c, clump_message *why)
{
    if (!ec_make_case(c, "made", 1, 1, why) || !bench_cloud_allocate(9, &c->clouds[0], why)) return false;
    memset(c->clouds[0].xyz, 0, 9 * 12);
    c->answers = 9;
    ec_enter(c, CLUMP_EC_FAST, 1, "");
    ec_enter(c, CLUMP_EC_VERTEX_ES, 1, "");
    return true;
}

static bool run_the_first(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    return who == c->list && ec_run(c, who, seconds);
}

/* A contestant of ours fails: --resume measures the case again. */
static void contestants_that_fail(void)
{
    const contest_job job = {EC_JOB,
                             .run = run_the_first,
                             .note = ec_note,
                             .leave = ec_leave,
                             .figures = ec_no_figures,
                             .row = ec_put_row,
                             .begin = nothing,
                             .describe = describe,
                             .enter = enter_two,
                             .case_count = 1};
    contest_totals totals = {0, 0, 0};
    settings.csv = "papers-failed.csv";
    remove(settings.csv);
    setenv("CLUMP_COMMIT", "1a2b3c4d", 1);
    CHECK(contest_play(&job, &totals) && totals.wrong == 1);
    CHECK(strstr(line_of(settings.csv, 1), ",fast,") && !strstr(line_of(settings.csv, 1), "1a2b3c4d"));
    CHECK(!csv_has(settings.csv, "made", "1a2b3c4d"));
    unsetenv("CLUMP_COMMIT");
    settings.csv = NULL;
}

/* --- clouds --------------------------------------------------------------------------------------- */

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

CHECK_PROGRAM(test_papers)
{
    RUN(a_row_in_a_file);
    RUN(rows_are_merged);
    RUN(unusable_results);
    RUN(words_that_are_no_experiments);
    RUN(contestants_left_out);
    RUN(contestants_that_fail);
    RUN(frames_of_a_sensor);
    RUN(numbers_of_threads);
    RUN(frames_are_simulated_without_data);
    RUN(numbers_of_json);
    RUN(simulated_scans);
}
