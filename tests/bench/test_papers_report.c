/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_papers_report.c: the page of the papers' experiments, made of made-up rows of two machines.
 */
#include "support/check.h"

#include "report/chart.h"
#include "report/report.h"
#include "bench/papers_made.h"

#include <math.h>
#include <unistd.h>

static const char *const files[2] = {"papers-made-0.csv", "papers-made-1.csv"};

/* Returns the page of both machines; the caller frees it. */
static page made_page(report_input *input)
{
    clump_message why = {""};
    page text = {0};
    CHECK(made_write(files[0], 0) && made_write(files[1], 1));
    CHECK(made_text("made.png", "abc"));
    input->papers = made_papers;
    CHECK_MSG(machines_read(files, 2, input, &why), "%s", why.text);
    CHECK(html_write(&text, input, "."));
    return text;
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) count++;
    return count;
}

/* The page is left in the folder of the tests; papers_page.py parses it. */
static void page_of_two_machines(void)
{
    report_input input = {0};
    clump_message why = {""};
    page text = made_page(&input);
    CHECK_INT(input.count, 2);
    CHECK_TEXT(input.machines[0].name, "Made GPU 9, host Made CPU <A&B>, 16 cores");
    CHECK_TEXT(input.machines[1].title, "Made CPU 2, 2 cores");
    CHECK(page_save(&text, "papers-made.html", &why));
    CHECK_INT(times(text.text, "Made CPU &lt;A&amp;B&gt;"),
              times(text.text, "Made CPU <A&B>") + times(text.text, "Made CPU &lt;"));
    CHECK_INT(times(text.text, "<li>Missing (<code>made-missing</code>)</li>"), 1); /* a chart without rows */
    CHECK_INT(times(text.text, "<script"), 0);
    CHECK_INT(times(text.text, "http"), times(text.text, "xmlns=\"http")); /* nothing is fetched */
    page_free(&text);
    machines_free(&input);
}

static void pictures(void)
{
    report_input input = {0};
    page text = made_page(&input);
    CHECK_INT(times(text.text, "src=\"data:image/png;base64,YWJj\""), 1);
    CHECK_INT(times(text.text, "Fig. 5: Not there (<code>made-place</code>: no.png is not beside the report)"), 1);
    page_free(&text);
    machines_free(&input);
}

static void verdicts(void)
{
    report_input input = {0};
    page text = made_page(&input);
    const papers_claim *const claims = made_papers[0]->claims;
    const report_machine *const gpu = &input.machines[0], *const cpu = &input.machines[1];
    CHECK_INT(machines_judge(&claims[0], gpu).verdict, VERDICT_HOLDS);
    CHECK_TEXT(machines_judge(&claims[0], gpu).ours, "10.0x");
    CHECK_INT(machines_judge(&claims[0], cpu).verdict, VERDICT_UNKNOWN);
    CHECK_TEXT(machines_judge(&claims[0], cpu).why, "This machine has no GPU.");
    CHECK_INT(machines_judge(&claims[1], cpu).verdict, VERDICT_FAILS);
    CHECK_INT(machines_judge(&claims[2], gpu).verdict, VERDICT_UNKNOWN);
    CHECK_TEXT(machines_judge(&claims[2], gpu).why, "made-missing was not run on this machine.");
    CHECK_INT(times(text.text, "\"chip holds\">holds<"), 1);
    CHECK_INT(times(text.text, "\"chip fails\">does not hold<"), 2);
    CHECK_INT(times(text.text, "\"chip unknown\">cannot be told<"), 3);
    CHECK_INT(times(text.text, "\"chip holds\">holds: 1<"), 1);
    page_free(&text);
    machines_free(&input);
}

/* Collects a chart of a machine. */
static chart_data collect(const report_input *input, size_t chart, size_t of)
{
    chart_data data = {0};
    chart_styles styles = {0};
    lines_learn(&styles, &input->machines[of].rows, "made");
    CHECK(lines_collect(&made_papers[0]->charts[chart], made_papers[0]->given, &input->machines[of].rows, &styles,
                        &data));
    return data;
}

static size_t line_named(const chart_data *data, const char *label)
{
    for (size_t i = 0; i < data->line_count; i++)
        if (strcmp(data->lines[i].label, label) == 0) return i;
    CHECK_FAIL("no line %s", label);
    return 0;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-4 * fabs(b);
}

static void lines_of_a_chart(void)
{
    report_input input = {0};
    page text = made_page(&input);
    chart_data time = collect(&input, 0, 0);
    CHECK_INT(time.x_count, 4);
    CHECK_INT(time.line_count, 7); /* slow, quick with 1 and 2 threads, wrong, quick on the GPU; two of the paper */
    CHECK(is_near(lines_cell(&time, line_named(&time, "quick, CPU, 2 threads"), 1)->y, 4096 * 0.5e-3));
    CHECK(is_near(lines_cell(&time, line_named(&time, "quick, GPU"), 3)->y, 65536 * 1e-4));
    CHECK(isnan(lines_cell(&time, line_named(&time, "slow, CPU"), 3)->y)); /* left out */
    CHECK(lines_cell(&time, line_named(&time, "quick, the paper"), 1)->y == 20);
    CHECK(time.lines[line_named(&time, "quick, the paper")].style == time.lines[line_named(&time, "quick, GPU")].style);
    CHECK(time.lines[line_named(&time, "slow, CPU")].style != time.lines[line_named(&time, "quick, GPU")].style);
    lines_free(&time);
    chart_data speedup = collect(&input, 1, 0);
    CHECK(is_near(lines_cell(&speedup, line_named(&speedup, "quick, GPU"), 0)->y, 1024 * 1024 * 1e-6 / (1024 * 1e-4)));
    CHECK_INT(speedup.x_count, 4);
    CHECK(isnan(lines_cell(&speedup, line_named(&speedup, "quick, GPU"), 3)->y)); /* its base was left out */
    lines_free(&speedup);
    chart_data threads = collect(&input, 7, 1);
    CHECK_INT(threads.line_count, 1);
    CHECK(is_near(lines_cell(&threads, line_named(&threads, "team"), 2)->y, 2)); /* 4 threads over 1 */
    lines_free(&threads);
    chart_data missing = collect(&input, 9, 0);
    CHECK_INT(missing.line_count, 0);
    lines_free(&missing);
    page_free(&text);
    machines_free(&input);
}

/* Of the machine without a GPU no chart has a line of one, and no chart has rows of both machines. */
static void machines_are_apart(void)
{
    report_input input = {0};
    page text = made_page(&input);
    for (size_t m = 0; m < 2; m++)
        for (size_t c = 0; made_papers[0]->charts[c].experiment; c++) {
            chart_data data = collect(&input, c, m);
            for (size_t i = 0; i < data.line_count * data.x_count; i++)
                if (data.cells[i].row) CHECK_TEXT(data.cells[i].row->machine, input.machines[m].cpu);
            for (size_t i = 0; m && i < data.line_count; i++) CHECK(strcmp(data.lines[i].backend, "cuda") != 0);
            lines_free(&data);
        }
    page_free(&text);
    machines_free(&input);
}

/* Numbers of the page that were computed by hand. */
static void golden_numbers(void)
{
    report_input input = {0};
    page text = made_page(&input), bars = {0}, stages = {0};
    chart_data data = collect(&input, 4, 1);
    chart_write(&bars, &data, "x");
    /* Three groups of 174.67 px, three bars of 50.07 px each. The axis goes from 0 to 100 on 292 px: 95 is at
     * 304 - 277.4 = 26.6. The third group begins at 62 + 2.5 * 174.67 - 1.5 * 50.07 = 423.6. */
    CHECK(strstr(bars.text, "x=\"423.6\" y=\"26.6\" width=\"46.1\" height=\"277.4\""));
    CHECK(strstr(bars.text, ">t-junction</text>"));
    CHECK(strstr(bars.text, "hollow")); /* 98.2 of the paper */
    lines_free(&data);
    data = collect(&input, 3, 1);
    chart_write(&stages, &data, "x");
    /* quick, 65536 points, 1 thread: half of its 65.5 ms is clustering. */
    CHECK(strstr(stages.text, "<title>cluster: 32.8 ms</title>"));
    CHECK(strstr(stages.text, ">65.5 ms</text>"));
    lines_free(&data);
    CHECK_INT(times(text.text, "<td class=\"wrong\">8.19</td>"), 2); /* both machines */
    CHECK_INT(times(text.text, "2 rows with wrong answers"), 1);
    CHECK_INT(times(text.text, "<td>left out</td>"), 4); /* times and passes of both machines */
    CHECK(strstr(text.text, "slow, 65,536: left out: about 40 s"));
    page_free(&text), page_free(&bars), page_free(&stages);
    machines_free(&input);
}

static void axes(void)
{
    double ticks[SCALE_TICKS];
    scale s = scale_for(3, 97, false, false);
    CHECK(s.from == 0 && s.to == 100);
    CHECK_INT(scale_ticks(&s, ticks), 6);
    CHECK(ticks[1] == 20);
    s = scale_for(95.1, 98.2, false, false);
    CHECK(s.from == 95 && s.to == 99);
    s = scale_for(0.03, 700, true, false);
    CHECK(is_near(s.from, 0.02) && is_near(s.to, 1000));
    CHECK_INT(scale_ticks(&s, ticks), 5);
    CHECK(is_near(ticks[0], 0.1));
    CHECK(is_near(scale_at(&s, 1000), 1) && scale_at(&s, 0.02) == 0);
    s = scale_for(2, 9, true, false);
    CHECK_INT(scale_ticks(&s, ticks), 3); /* 2, 5, 10 */
    s = scale_for(0, 0, false, true);
    CHECK(s.from < s.to);
    s = scale_for(5, 5, true, false);
    CHECK(s.from < s.to);
    s = scale_for(-3, -1, false, false);
    CHECK(s.from == -3 && s.to == -1);
}

static void numbers(void)
{
    static const struct {
        double number;
        const char *rounded, *exact;
    } cases[] = {{0, "0", "0"},
                 {0.0123, "0.012", "0.0123"},
                 {1.5, "1.50", "1.5"},
                 {12.34, "12.3", "12.34"},
                 {262144, "262,144", "262,144"},
                 {4096, "4,096", "4096"},
                 {999.6, "1,000", "999.6"},
                 {-1234567, "-1,234,567", "-1,234,567"},
                 {9.999, "10.0", "9.999"},
                 {NAN, "–", "nan"},
                 {1e-5, "1.00e-05", "1e-05"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_TEXT(page_rounded(cases[i].number).text, cases[i].rounded);
        CHECK_TEXT(page_exact(cases[i].number).text, cases[i].exact);
    }
}

static void escaping(void)
{
    page text = {0};
    page_escaped(&text, "a<b>&\"c\" \x01\xff\xc3\xa9\xed\xa0\x80");
    CHECK_TEXT(text.text, "a&lt;b&gt;&amp;&quot;c&quot; ??\xc3\xa9???");
    page_free(&text);
    page_base64(&text, (const unsigned char *)"abcd", 4);
    CHECK_TEXT(text.text, "YWJjZA==");
    page_free(&text);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(page_of_two_machines);
    RUN(pictures);
    RUN(verdicts);
    RUN(lines_of_a_chart);
    RUN(machines_are_apart);
    RUN(golden_numbers);
    RUN(axes);
    RUN(numbers);
    RUN(escaping);
    return CHECK_END();
}
