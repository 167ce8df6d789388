/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_hostile.c: result files that were damaged, or made to do harm. A file is refused with a sentence, or both
 * pages are made of it, and nothing in a file becomes a tag of the page.
 */
#include "support/check.h"

#include "bench/papers_made.h"

static char head[4096]; /* rows of experiments that have charts and claims */

/* Appends a row of an experiment. */
static void add_row(const char *experiment, const char *series, const char *x, const char *backend, const char *median,
                    const char *value)
{
    const size_t length = strlen(head);
    snprintf(head + length, sizeof head - length,
             "%s-%s,%s,%s,%s,%s,1,9,3,%s,1,0.5,0,0,0.5,0,0,0,2,7,%s,0,no,v,%s,G,m,2,gcc,0.1,2026-01-01\n", experiment,
             x, experiment, series, x, backend, median, value, "a note");
}

static void fill_head(void)
{
    snprintf(head, sizeof head, "%s", PAPERS_HEADER);
    add_row("ec-size", "vertex-rs", "4096", "cuda", "1.5", "nan");
    add_row("ec-size", "vertex-rs", "-8192", "cuda", "1e-100", "nan"); /* below 0 on a logarithmic axis */
    add_row("ec-size", "pcl-best", "4096", "cpu", "1e100", "-1e100");
    add_row("ec-size", "</text><script>alert(1)</script>", "0", "cuda", "3", "0");
    add_row("ec-size", "%s%n\"' onload=\"x&\xff\xc0\x01", "1e100", "cuda", "1e-100", "1e100");
    add_row("dbscan-threads", "disjoint-set toy1 eps 1", "1e99", "cpu", "2", "2");
    add_row("ec-degree", "matrix-rs", "8", "cuda", "-3", "nan");
    add_row("erccl-reach", "racing", "0.5", "cuda", "0", "nan");
    add_row("", "", "1", "", "1", "1");
}

/* Makes both pages of the file. Returns whether it was accepted: of the two pages, both are made or none. */
static bool make_pages(void)
{
    static const char *const files[1] = {"papers-hostile.csv"};
    clump_message why = {""};
    const bool html = papers_write_report(papers_all, files, 1, "papers-hostile.html", &why);
    CHECK(html || why.text[0]);
    CHECK(made_text("papers-hostile.md", "<!-- papers-claims:begin -->\n<!-- papers-claims:end -->\n"
                                         "<!-- papers-ec:begin -->\n<!-- papers-ec:end -->\n"
                                         "<!-- choosing:begin -->\n<!-- choosing:end -->\n"));
    CHECK(papers_write_markdown(papers_all, files, 1, "papers-hostile.md", &why) == html);
    return html;
}

static void texts_stay_texts(void)
{
    CHECK(made_text("papers-hostile.csv", head) && make_pages());
    static const char *const pages[] = {"papers-hostile.html", "papers-hostile.md"};
    for (int i = 0; i < 2; i++) {
        char *const text = papers_read_text(pages[i]);
        CHECK(text && strstr(text, "alert(1)") && strstr(text, "%s%n"));
        CHECK(text && !strstr(text, "<script") && !strstr(text, "\" onload"));
        free(text);
    }
    char *const text = papers_read_text("papers-hostile.html");
    for (const char *at = text; at && (at = strstr(at, " d=\"")); at++) { /* of charts */
        const size_t end = strcspn(at + 4, "\"");
        CHECK_MSG(strspn(at + 4, "MLHVAZhvlza0123456789. -") == end, "%.*s", (int)end, at + 4);
    }
    free(text);
}

/* Single bytes are replaced, added in front of the rest, or everything behind them is cut off. */
static void damaged_files(void)
{
    static const char telling[] = "0.-,e\n<%\x7f\xff";
    uint64_t random = 91;
    int accepted = 0;
    for (int round = 0; round < 300; round++) {
        char text[sizeof head + 1];
        const size_t from = strlen(PAPERS_HEADER), length = strlen(head);
        memcpy(text, head, length + 1);
        for (uint64_t n = 1 + check_random(&random) % 3; n; n--) {
            const size_t at = from + check_random(&random) % (strlen(text) - from + 1);
            const char byte = telling[check_random(&random) % (sizeof telling - 1)];
            const uint64_t kind = check_random(&random) % 8;
            if (kind == 0)
                text[at] = '\0';
            else if (kind < 3 && strlen(text) < length)
                memmove(text + at + 1, text + at, strlen(text + at) + 1), text[at] = byte;
            else if (text[at])
                text[at] = byte;
        }
        CHECK(made_text("papers-hostile.csv", text));
        accepted += make_pages();
    }
    CHECK_MSG(accepted > 20 && accepted < 280, "%d accepted", accepted);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    fill_head();
    RUN(texts_stay_texts);
    RUN(damaged_files);
    return CHECK_END();
}
