/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_markdown.c: the tables that go into the pages under docs/.
 */
#include "support/check.h"

#include "report/report.h"
#include "bench/papers_made.h"

#include <unistd.h>

static const char *const files[2] = {"papers-markdown-0.csv", "papers-markdown-1.csv"};

static void read_made(report_input *input)
{
    clump_message why = {""};
    CHECK(made_write(files[0], 0) && made_write(files[1], 1));
    input->papers = made_papers;
    CHECK_MSG(machines_read(files, 2, input, &why), "%s", why.text);
}

static void tables_between_marks(void)
{
    report_input input = {0};
    clump_message why = {""};
    page text = {0}, again = {0};
    read_made(&input);
    static const char old[] =
        "# Head\n<!-- a comment -->\n<!-- papers-claims:begin -->\nold\n<!-- papers-claims:end -->\n"
        "<!-- other:begin -->\nkept\n<!-- other:end -->\n<!-- papers-made:begin -->\n"
        "<!-- papers-made:end -->\n<!-- gpu-six:begin -->\nsix\n<!-- gpu-six:end -->\ntail\n";
    CHECK_MSG(markdown_fill(&text, &input, old, "page.md", &why), "%s", why.text);
    CHECK(
        strstr(text.text, "# Head\n<!-- a comment -->\n<!-- papers-claims:begin -->\n\n### A paper &amp; its title\n"));
    CHECK(!strstr(text.text, "\nold\n"));
    CHECK(strstr(text.text, "<!-- other:begin -->\nkept\n<!-- other:end -->\n"));
    CHECK(strstr(text.text, "<!-- gpu-six:begin -->\nsix\n<!-- gpu-six:end -->\ntail\n")); /* no rows: as it was */
    CHECK(strstr(text.text, "| nothing is known of this | Table 9 | 1 \\| 2 | **cannot be told**"));
    CHECK(strstr(text.text, "**holds**: 10.0x. At 16,384 points the GPU takes 1.64 ms, one thread 16.4 ms. |"));
    CHECK(
        strstr(text.text, "| 4096 | 16.8 | – | 4.10 | 2.05 | 0.410 | 20 | 8.19 **wrong** |\n")); /* the GPU's machine */
    CHECK(strstr(text.text, "| t-junction | 95 | – | 78 |"));
    CHECK(markdown_fill(&again, &input, text.text, "page.md", &why)); /* twice is the same as once */
    CHECK(strcmp(again.text, text.text) == 0);
    page_free(&text), page_free(&again);
    machines_free(&input);
}

static void bad_pages(void)
{
    report_input input = {0};
    clump_message why = {""};
    page text = {0};
    read_made(&input);
    CHECK(!markdown_fill(&text, &input, "no marks\n<!-- other:begin -->\n<!-- other:end -->\n", "page.md", &why));
    CHECK_TEXT(why.text, "page.md has no mark of the papers' tables");
    CHECK(!markdown_fill(&text, &input, "<!-- papers-claims:begin -->\nold\n", "page.md", &why));
    CHECK_TEXT(why.text, "page.md: the line <!-- papers-claims:end --> is missing");
    page_free(&text);
    machines_free(&input);
}

/* --- the six ------------------------------------------------------------------------------------- */

/* A file of ec-size on a GPU: matrix-rs is the fastest at 4096 and 8192, edge-rs at 16384. */
static void write_six(const char *path)
{
    static const char *const methods[] = {"vertex-es", "edge-es",   "matrix-es", "vertex-rs",
                                          "edge-rs",   "matrix-rs", "fast"};
    static const double times[3][7] = {
        {6, 5, 4, 3, 2, 1, 0.1}, {12, 10, 8, 6, 4, 1.5, 0.2}, {24, 20, 16, 12, 2, 3, 0.3}};
    csv rows = {0};
    clump_message why;
    snprintf(papers.gpu, sizeof papers.gpu, "Made GPU");
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 7; k++) {
            char name[40];
            snprintf(name, sizeof name, "ec-size-%d", 4096 << i);
            papers_add(&rows, &(papers_row){.name = name,
                                            .experiment = "ec-size",
                                            .series = methods[k],
                                            .x = 4096 << i,
                                            .backend = "cuda",
                                            .runs = 3,
                                            .median_ms = times[i][k],
                                            .passes = 2 + k,
                                            .value = 1e6 * (k + 1),
                                            .agree = "yes",
                                            .version = "",
                                            .note = ""});
        }
    papers_add(&rows, &(papers_row){.name = "ec-cold-4096",
                                    .experiment = "ec-cold",
                                    .series = "matrix-rs",
                                    .x = 4096,
                                    .backend = "cuda",
                                    .runs = 1,
                                    .median_ms = 1,
                                    .agree = "yes",
                                    .version = "",
                                    .note = ""});
    papers_add(&rows, &(papers_row){.name = "ec-cold-4096",
                                    .experiment = "ec-cold",
                                    .series = "matrix-rs cold",
                                    .x = 4096,
                                    .backend = "cuda",
                                    .runs = 1,
                                    .median_ms = 2,
                                    .agree = "yes",
                                    .version = "",
                                    .note = ""});
    remove(path);
    CHECK(csv_save(&rows, path, PAPERS_HEADER, 1, &why));
    csv_free(&rows);
}

static void tables_of_the_six(void)
{
    const char *const six[1] = {"papers-six.csv"};
    report_input input = {.papers = made_papers};
    clump_message why = {""};
    page text = {0};
    write_six(six[0]);
    CHECK_MSG(machines_read(six, 1, &input, &why), "%s", why.text);
    markdown_six(&text, &input);
    CHECK(strstr(text.text, "| cloud | vertex-es | edge-es | matrix-es | vertex-rs | edge-rs | matrix-rs |\n"));
    CHECK(strstr(text.text, "\n| size 8192 | 12 | 10 | 8 | 6 | 4 | 1.50 |\n"));
    page_free(&text);
    markdown_memory(&text, &input);
    CHECK(strstr(text.text, "\n| size 4096 | 5 | 7 | 1 | 2 | 3 | 4 | 5 | 6 |\n"));
    page_free(&text);
    markdown_cold(&text, &input);
    CHECK(strstr(text.text, "\n| 4096 | `matrix-rs` | 1 | 2 | – |\n"));
    page_free(&text);
    markdown_choosing(&text, &input);
    CHECK(strstr(text.text, "\n| size | 4096 to 8192 | `matrix-rs` | 1 to 1.50 | 2 to 2.67 | 0.100 to 0.200 |\n"
                            "| size | 16384 | `edge-rs` | 2 | 1.50 | 0.300 |\n"));
    CHECK(strncmp(text.text, "On the GPU. Made GPU, host ", 27) == 0);
    page_free(&text);
    machines_free(&input);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(tables_between_marks);
    RUN(bad_pages);
    RUN(tables_of_the_six);
    return CHECK_END();
}
