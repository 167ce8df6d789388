/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_rows.c: rows of the papers' experiments survive their file; files that are not right are refused, and
 * leave no page behind.
 */
#include "support/check.h"

#include "bench/papers_made.h"

#include <math.h>
#include <unistd.h>

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
                                 .value = 98.25,
                                 .hash = 0xfedcba9876543210u,
                                 .agree = "no",
                                 .version = "PCL 1.13.0",
                                 .note = "one, two\nthree"};

/* Writes a file with one row. */
static bool write_one(const char *path, papers_row row)
{
    csv rows = {0};
    clump_message why;
    snprintf(papers.gpu, sizeof papers.gpu, "Made GPU");
    papers_add(&rows, &row);
    remove(path);
    const bool saved = csv_save(&rows, path, PAPERS_HEADER, 1, &why);
    csv_free(&rows);
    return saved;
}

static void round_trip(void)
{
    papers_table table = {0};
    clump_message why = {""};
    CHECK(write_one("papers-one.csv", whole));
    CHECK_MSG(papers_read("papers-one.csv", &table, &why), "%s", why.text);
    CHECK_INT(table.count, 1);
    if (table.count != 1) return;
    const papers_row *const row = table.rows;
    CHECK_TEXT(row->name, "made-1");
    CHECK_TEXT(row->experiment, "made");
    CHECK_TEXT(row->series, "vertex-rs in place");
    CHECK_TEXT(row->backend, "cuda");
    CHECK_TEXT(row->agree, "no");
    CHECK_TEXT(row->version, "PCL 1.13.0");
    CHECK_TEXT(row->note, "one; two three");
    CHECK_TEXT(row->gpu, "Made GPU");
    CHECK_TEXT(row->clump, clump_version());
    CHECK(row->x == 0.05 && row->threads == 3 && row->points == 262144 && row->runs == 25);
    CHECK(row->median_ms == 1.5 && row->min_ms == 1.25 && row->upload_ms == 0.125 && row->build_ms == 0.25);
    CHECK(row->initial_ms == 0.375 && row->cluster_ms == 0.5 && row->merge_ms == 0.625 && row->label_ms == 0.75);
    CHECK(row->download_ms == 0.875 && row->passes == 784 && row->clusters == 128 && row->value == 98.25);
    CHECK(row->hash == 0xfedcba9876543210u && row->cores == machine_describe().cores);
    papers_table_free(&table);
    papers_row none = whole;
    none.value = (double)NAN;
    CHECK(write_one("papers-one.csv", none) && papers_read("papers-one.csv", &table, &why));
    CHECK(table.count == 1 && isnan(table.rows[0].value));
    papers_table_free(&table);
}

/* A row of the same case replaces the old one; other rows stay. */
static void rows_are_merged(void)
{
    const char *const path = "papers-merged.csv";
    papers_table table = {0};
    clump_message why = {""};
    csv rows = {0};
    papers_row other = whole;
    other.name = "made-2";
    CHECK(write_one(path, whole));
    papers_add(&rows, &other);
    CHECK(csv_save(&rows, path, PAPERS_HEADER, 1, &why));
    csv_free(&rows);
    other.name = "made-1", other.passes = 1;
    papers_add(&rows, &other);
    CHECK(csv_save(&rows, path, PAPERS_HEADER, 1, &why));
    csv_free(&rows);
    CHECK(papers_read(path, &table, &why));
    CHECK(table.count == 2 && table.rows[0].passes == 1 && table.rows[1].passes == 784);
    papers_table_free(&table);
}

/* A file that cannot be written is found before anything is measured; the check leaves nothing behind. */
static void unwritable_results(void)
{
    clump_message why = {""};
    CHECK(!csv_can_save("papers-no-such-folder/a.csv", &why));
    CHECK_TEXT(why.text, "papers-no-such-folder/a.csv cannot be written");
    CHECK(!csv_can_save(".", &why));
    CHECK_TEXT(why.text, ". cannot be written");
    remove("papers-can.csv");
    CHECK(csv_can_save("papers-can.csv", &why));
    CHECK(access("papers-can.csv", F_OK) != 0 && access("papers-can.csv.new", F_OK) != 0);
}

/* Tries to make both pages of the file. Neither is written, and the sentence is this one. */
static void expect_refused(const char *path, const char *sentence)
{
    const char *const files[1] = {path};
    clump_message why = {""};
    remove("papers-none.html");
    CHECK(!papers_write_report(papers_all, files, 1, "papers-none.html", &why));
    CHECK_TEXT(why.text, sentence);
    CHECK(access("papers-none.html", F_OK) != 0 && access("papers-none.html.new", F_OK) != 0);
    CHECK(made_text("papers-none.md", "<!-- papers-claims:begin -->\nold\n<!-- papers-claims:end -->\n"));
    why.text[0] = '\0';
    CHECK(!papers_write_markdown(papers_all, files, 1, "papers-none.md", &why));
    CHECK_TEXT(why.text, sentence);
    char *const text = papers_read_text("papers-none.md");
    CHECK(text && strstr(text, "\nold\n"));
    free(text);
}

static const char good_row[] = "a,b,c,1,cpu,1,1,1,1,1,0,0,0,0,0,0,0,1,1,nan,0,yes,v,,,m,2,gcc,0.1,2026-01-01\n";

static void bad_files(void)
{
    char text[2048];
    expect_refused("papers-no-such.csv", "papers-no-such.csv cannot be read as text");
    expect_refused(".", ". cannot be read as text");
    CHECK(made_text("papers-bad.csv", "case,experiment\na,b\n"));
    expect_refused("papers-bad.csv",
                   "papers-bad.csv: its columns are not those of this version: measure again, with a new file");
    CHECK(made_text("papers-bad.csv", PAPERS_HEADER));
    expect_refused("papers-bad.csv", "papers-bad.csv has no rows: run clump_bench papers --csv first");
    snprintf(text, sizeof text, "%s%s%.*s", PAPERS_HEADER, good_row, (int)strlen(good_row) - 5, good_row);
    CHECK(made_text("papers-bad.csv", text)); /* cut in the last line */
    expect_refused("papers-bad.csv", "papers-bad.csv: line 3 does not have 30 fields");
    snprintf(text, sizeof text, "%sa,b\n", PAPERS_HEADER);
    CHECK(made_text("papers-bad.csv", text));
    expect_refused("papers-bad.csv", "papers-bad.csv: line 2 does not have 30 fields");
}

/* Numbers that no measurement gives. NaN is right for `value` alone. */
static void bad_numbers(void)
{
    static const struct {
        const char *before, *bad, *column;
    } swaps[] = {
        {",c,", "nan", "x"},
        {",c,", "-inf", "x"},
        {",c,", "1e300", "x"},
        {",cpu,", "x", "threads"},
        {",cpu,", "-1", "threads"},
        {",cpu,1,1,1,", "nan", "median_ms"},
        {",cpu,1,1,1,", "1e-300", "median_ms"},
        {",0,1,1,", "inf", "value"},
        {",m,", "1e10", "cores"},
    };
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) {
        char text[2048], sentence[200];
        const char *const at = strstr(good_row, swaps[i].before) + strlen(swaps[i].before);
        snprintf(text, sizeof text, "%s%.*s%s%s", PAPERS_HEADER, (int)(at - good_row), good_row, swaps[i].bad,
                 strchr(at, ','));
        snprintf(sentence, sizeof sentence, "papers-bad.csv: line 2: %s is not a number of a row: %s", swaps[i].column,
                 swaps[i].bad);
        CHECK(made_text("papers-bad.csv", text));
        expect_refused("papers-bad.csv", sentence);
    }
}

/* Writes the head and then `count` rows of `length` letters, or good rows where it is 0; then a byte 0 if asked. */
static bool write_many(size_t count, size_t length, bool zero)
{
    FILE *const to = fopen("papers-bad.csv", "wb");
    if (!to) return false;
    fputs(PAPERS_HEADER, to);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < length; k++) fputc('a', to);
        fputs(length ? "\n" : good_row, to);
    }
    if (zero) fputc(0, to), fputs(good_row, to);
    return fclose(to) == 0;
}

static void large_files(void)
{
    CHECK(write_many(1, 100000, false));
    expect_refused("papers-bad.csv", "papers-bad.csv: line 2 is longer than 2000 characters");
    CHECK(write_many(20000, 0, false));
    expect_refused("papers-bad.csv", "papers-bad.csv: more than 20000 rows in all");
    CHECK(write_many(1, 0, true)); /* the row behind the 0 would be lost */
    expect_refused("papers-bad.csv", "papers-bad.csv cannot be read as text");
}

static void unwritable(void)
{
    const char *const files[1] = {"papers-one.csv"};
    clump_message why = {""};
    CHECK(write_one(files[0], whole));
    CHECK(!papers_write_report(papers_all, files, 1, "no-such-folder/report.html", &why));
    CHECK_TEXT(why.text, "no-such-folder/report.html cannot be written");
    CHECK(!papers_write_markdown(papers_all, files, 1, "no-such-folder/page.md", &why));
    CHECK_TEXT(why.text, "no-such-folder/page.md cannot be read as text");
    CHECK(!papers_write_report(papers_all, files, 0, "papers-none.html", &why));
    CHECK_TEXT(why.text, "no result file is given");
    CHECK(papers_write_report(papers_all, files, 1, "papers-one.html",
                              &why)); /* rows of no experiment: a page without charts */
}

/* Runs the program's main function. */
static int run_main(int count, const char **words)
{
    char *arguments[8] = {(char[]){"papers"}};
    for (int i = 0; i < count; i++) arguments[1 + i] = (char *)(uintptr_t)words[i];
    return papers_main(1 + count, arguments);
}

static void statuses(void)
{
    CHECK_INT(run_main(2, (const char *[]){"--report", "papers-none.html"}), 2);
    CHECK_INT(run_main(3, (const char *[]){"--report", "papers-none.html", "papers-no-such.csv"}), 1);
    CHECK_INT(run_main(1, (const char *[]){"no-such-experiment"}), 2);
    CHECK(access("papers-none.html", F_OK) != 0);
    CHECK_INT(run_main(3, (const char *[]){"--report", "papers-one.html", "papers-one.csv"}), 0);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(round_trip);
    RUN(rows_are_merged);
    RUN(unwritable_results);
    RUN(bad_files);
    RUN(bad_numbers);
    RUN(large_files);
    RUN(unwritable);
    RUN(statuses);
    return CHECK_END();
}
